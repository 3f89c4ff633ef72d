/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lower bound of the GPUs needed to meet a target: those of an ideal system with the same
 * demand, in which any GPU serves any job, in any pieces, and a gang never waits for its last
 * member. No policy on real nodes needs less; what it needs beyond the bound is the price of
 * ordering, fragmentation and gangs.
 *
 * The argument is energetic reasoning (J. Erschler, P. Lopez, 1990; P. Baptiste, C. Le Pape, W.
 * Nuijten, "Constraint-Based Scheduling", 2001, ch. 3). Job j arrives at a, runs for p on g GPUs
 * and has to run within a window to meet the target. In every interval [t1, t2) it then uses at
 * least g c_j(t1, t2), in any order:
 *
 *     wait <= x    starts between a and a + x and runs through: its overlap with the interval is
 *                  concave in the start, so it is least at one of the ends: c = min(overlap of [a,
 *                  a + p), overlap of [a + x, a + x + p))
 *     queue <= x   has ended by d = a + x + p, and was stopped perhaps: what cannot be done outside
 *                  of the interval,
 *     jct <= x     ended by d = a + x:                 c = max(0, p - max(0, t1 - a) - max(0, d -
 *                                                      t2)), at most t2 - t1
 *     makespan <= x   likewise with d = first arrival + x, for all jobs
 *
 * The capacity C obeys C (t2 - t1) >= sum of g c for each interval, also for t2 -> t1, where c /
 * (t2 - t1) is 1 for those that must be running. A percentile lets k of its n jobs miss x: the k
 * largest terms of each interval or union are left out (nearest rank: k = n - ceil(q n)). For a
 * mean, at most ceil(n / m) - 1 of n values are larger than m times the mean (Markov), for any m >
 * 1: each m gives a bound, and the largest counts. Jobs that the target does not cover may run at
 * any time and are ignored.
 *
 * For wait targets, the bound holds for systems without preemption; with preemption, every job
 * could start for a moment.
 */
#ifndef REPORT_PLAN_BOUND_H
#define REPORT_PLAN_BOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bound_measure { BOUND_WAIT, BOUND_QUEUE, BOUND_JCT, BOUND_MAKESPAN };

struct bound_job {
    int64_t arrival_ms, run_ms; /* run_ms: on the fastest devices */
    int64_t gpu_milli;          /* at least */
    bool loose; /* its start depends on other jobs, so its wait binds it to no time */
};

struct bound_question {
    enum bound_measure measure;
    double limit_s;  /* x */
    double quantile; /* in (0, 1]; 1: all jobs; 0: the mean */
};

/* no capacity suffices: too many jobs run longer than the target allows */
#define BOUND_NONE (-1)

/*
 * Returns the bound in thousandths of GPUs, at least 0, or BOUND_NONE. The jobs are those that the
 * target covers.
 */
int64_t bound_gpus(const struct bound_job *, size_t count, const struct bound_question *);

#endif
