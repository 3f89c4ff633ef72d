/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evictions in the window. A job that loses tasks in one decision is evicted once, however many
 * these are, whether it stops or only becomes smaller; a move to another place counts too, and so
 * does the end by a limit.
 */
#ifndef REPORT_MEASURE_PREEMPTION_H
#define REPORT_MEASURE_PREEMPTION_H

#include "sim/sim.h"

/* The actions that every report counts; the others are named where they evicted something. */
extern const int32_t preemption_causes[]; /* enum policy_action, 0 behind the last one */
bool preemption_is_usual(int32_t action);

struct preemption_queue {
    uint64_t evictions, tasks, jobs, moves; /* as of all queues */
};

struct preemption {
    struct preemption_queue
        *queues; /* by sim queue; those that had no eviction yet may be missing */
    size_t queue_count;
    uint64_t evictions, tasks;
    uint64_t jobs;                           /* that were evicted at least once */
    uint64_t moves;                          /* of the evictions: to another place */
    uint64_t by_action[POLICY_MOST_ACTIONS]; /* evictions */
};

struct sim_observer preemption_observer(struct preemption *);
void preemption_fini(struct preemption *);

/* Of one queue. */
struct preemption_queue preemption_of(const struct preemption *, size_t queue);

#endif
