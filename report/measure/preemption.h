/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evictions in the window. A job that loses tasks in one decision is evicted once, no matter how
 * many tasks it loses or whether it stops or shrinks. Moves to another place and ends by a limit
 * count too.
 */
#ifndef REPORT_MEASURE_PREEMPTION_H
#define REPORT_MEASURE_PREEMPTION_H

#include "sim/sim.h"

/* Actions that every report lists; others are listed only if they evicted a job. */
extern const int32_t preemption_causes[]; /* enum policy_action, terminated by 0 */
bool preemption_is_usual(int32_t action);

struct preemption_queue {
    uint64_t evictions, tasks, jobs, moves; /* of all queues */
};

struct preemption {
    struct preemption_queue
        *queues; /* by sim queue; queues after the last with an eviction may be missing */
    size_t queue_count;
    uint64_t evictions, tasks;
    uint64_t jobs;                           /* evicted at least once */
    uint64_t moves;                          /* evictions that moved the job */
    uint64_t by_action[POLICY_MOST_ACTIONS]; /* evictions */
};

struct sim_observer preemption_observer(struct preemption *);
void preemption_fini(struct preemption *);

/* Returns the counts of one queue. */
struct preemption_queue preemption_of(const struct preemption *, size_t queue);

#endif
