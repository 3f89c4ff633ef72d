/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock, the memory and the jobs of the benchmark's programs. */
#include "tests/bench/bench.h"

#include <stdlib.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double bench_seconds(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

double bench_wall_seconds(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

uint64_t bench_draw(uint64_t *state, uint64_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % below;
}

static void *resize(void *user, void *old, size_t old_size, size_t new_size)
{
    struct bench_memory *memory = user;
    void *new = NULL;
    if (new_size > 0 && (new = realloc(old, new_size)) == NULL)
        return NULL; /* the old block is unchanged */
    if (new_size == 0)
        free(old);
    memory->bytes += new_size - old_size;
    if (memory->bytes > memory->peak)
        memory->peak = memory->bytes;
    return new;
}

struct policy_allocator bench_allocator(struct bench_memory *memory)
{
    return (struct policy_allocator){resize, memory};
}

struct bench_job bench_draw_job(uint64_t *state, int32_t node_devices)
{
    static const int32_t sizes[] = {1, 1, 1, 1, 2, 2, 4, 8};
    int32_t devices = sizes[bench_draw(state, sizeof sizes / sizeof *sizes)];
    int32_t tasks = bench_draw(state, 20) == 0 ? 1 << bench_draw(state, 4) : 1;
    return (struct bench_job){.tasks = tasks, .devices = tasks > 1 ? node_devices : devices};
}
