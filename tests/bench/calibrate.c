/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The speed of this machine in a relevant unit: nanoseconds of process time for one hold on the
 * event queue (removing the earliest event and adding another one, later by a random time), with
 * 1,000 and with 100,000 events pending. Figures of the benchmark divided by these compare between
 * machines. Prints a line per queue: "PENDING NANOSECONDS", the best of several passes; about 3 ns
 * of each hold are the random number.
 */
#include "sim/kernel/events.h"
#include "tests/bench/bench.h"

#include <stdio.h>

#define PASSES    7
#define HOLDS     1000000
#define LONGEST_S 100000 /* between an event and its successor, uniform */

/* Marsaglia's xorshift64: fast, and good enough to shuffle a heap. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int64_t later(uint64_t *state)
{
    return (int64_t)(next_random(state) % (LONGEST_S * UINT64_C(1000)));
}

/* One pass of holds; the first one of a queue also spreads its events as holds leave them. */
static double pass(struct event_queue *queue, uint64_t *state)
{
    double began = bench_seconds();
    for (int i = 0; i < HOLDS; i++) {
        struct event event = event_pop(queue);
        event_push(queue, event.time_ms + later(state), event.kind, event.subject);
    }
    return (bench_seconds() - began) / HOLDS * 1e9;
}

static double best_hold(uint32_t pending)
{
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    struct event_queue queue;
    event_queue_init(&queue);
    for (uint32_t i = 0; i < pending; i++)
        event_push(&queue, later(&state), EVENT_JOB_END, i);
    (void)pass(&queue, &state);
    double best = pass(&queue, &state);
    for (int i = 1; i < PASSES; i++) {
        double ns = pass(&queue, &state);
        best = ns < best ? ns : best;
    }
    event_queue_fini(&queue);
    return best;
}

int main(void)
{
    static const uint32_t pending[] = {1000, 100000};
    for (size_t i = 0; i < sizeof pending / sizeof *pending; i++)
        (void)printf("%u %.1f\n", (unsigned)pending[i], best_hold(pending[i]));
    return 0;
}
