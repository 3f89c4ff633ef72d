/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evictions in the window. A job that loses tasks in one decision is evicted once, however many these are, whether it
 * stops or only becomes smaller; a move to another place counts too, and so does the end by a limit.
 */
#ifndef REPORT_PREEMPTION_H
#define REPORT_PREEMPTION_H

#include "sim/sim.h"

/* The reasons why tasks are evicted. */
#define PREEMPTION_FIRST POLICY_REASON_RECLAIM_OVER_QUOTA
#define PREEMPTION_LAST  POLICY_REASON_IDLE

struct preemption {
    uint64_t evictions, tasks;
    uint64_t jobs;                           /* that were evicted at least once */
    uint64_t by_reason[POLICY_MOST_REASONS]; /* evictions */
};

struct sim_observer preemption_observer(struct preemption *);

#endif
