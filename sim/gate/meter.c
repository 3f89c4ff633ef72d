/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measuring a policy; see meter.h. */
#include "sim/gate/meter.h"

#include "sim/base/clock.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ONE_IN     4
#define FIRST_DRAW UINT64_C(88172645463325252)

/*
 * Of the thread, since with a limit of CPU time the clock of a process follows the scheduler's
 * ticks (thread_group_cputimer of Linux).
 */
#define CPU_CLOCK CLOCK_THREAD_CPUTIME_ID

static int64_t held_bytes(void)
{
#if defined __GLIBC__ && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
#else
    return 0;
#endif
}

void gate_meter_init(struct gate_meter *meter)
{
    *meter = (struct gate_meter){.draws = FIRST_DRAW, .before = held_bytes()};
}

static void begin(void *self)
{
    struct gate_meter *m = self;
    m->draws ^=
        m->draws << 13; /* xorshift64: G. Marsaglia, Journal of Statistical Software 8 (14), 2003 */
    m->draws ^= m->draws >> 7;
    m->draws ^= m->draws << 17;
    m->timed = (m->draws >> 32) % ONE_IN == 0;
    if (m->timed)
        m->begun_ns = clock_ns(CPU_CLOCK);
}

static void stop(void *self, bool asked)
{
    struct gate_meter *m = self;
    if (m->timed)
        m->spent_ns += clock_ns(CPU_CLOCK) - m->begun_ns;
    m->asked += asked;
}

struct sim_stopwatch gate_meter_stopwatch(struct gate_meter *meter)
{
    return (struct sim_stopwatch){.self = meter, .begin = begin, .end = stop};
}

static void begin_again(void *self)
{
    struct gate_meter *m = self;
    *m = (struct gate_meter){.draws = FIRST_DRAW, .before = m->before};
}

static void finish(void *self, const struct simulation *s)
{
    (void)s;
    struct gate_meter *m = self;
    m->ended = held_bytes();
}

struct run_watch gate_meter_watch(struct gate_meter *meter)
{
    return (struct run_watch){.self = meter, .begin = begin_again, .finish = finish};
}

/* Of this program alone: the peak of getrusage() includes that of the program that started it. */
static double peak_mib(void)
{
    char line[256];
    long long kib = -1;
    FILE *file = fopen("/proc/self/status", "re");
    while (file != NULL && kib < 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "VmHWM:", 6) == 0 && sscanf(line + 6, "%lld", &kib) != 1)
            kib = -1;
    if (file != NULL)
        (void)fclose(file);
    return kib >= 0 ? (double)kib / 1024 : (double)NAN;
}

static double each(const struct gate_meter *m, int64_t amount)
{
    return m->asked > 0 ? (double)amount / (double)m->asked : (double)NAN;
}

struct gate_cost gate_meter_cost(const struct gate_meter *m, void *result)
{
    int64_t left = held_bytes() - m->before - (int64_t)malloc_usable_size(result);
    return (struct gate_cost){
        .of = {[GATE_DECISION_US] = each(m, ONE_IN * m->spent_ns) / 1000,
               [GATE_PEAK_MIB] = peak_mib(),
               [GATE_HELD_BYTES] = each(m, m->ended - m->before),
               [GATE_LEFT_BYTES] = each(m, left > 0 ? left : 0)},
    };
}
