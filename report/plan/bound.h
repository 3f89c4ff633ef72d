/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many GPUs a perfect system would need at least to meet a target: one that serves the same
 * demand, in which any GPU serves any job, in any pieces, and a gang never waits for its last
 * member. No policy on real nodes needs less, so what it needs more is the price of order, pieces
 * and gangs.
 *
 * The argument is energetic reasoning (J. Erschler, P. Lopez, 1990; P. Baptiste, C. Le Pape, W.
 * Nuijten, "Constraint-Based Scheduling", 2001, ch. 3). Job j arrives at a, runs for p on g GPUs
 * and, if it keeps within the target, has a window to do so. In every interval [t1, t2) it then
 * uses at least g c_j(t1, t2), whatever the order:
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
 * (t2 - t1) is 1 for those that must be running. A percentile lets k of the n jobs that it counts
 * miss x: then the k largest terms of each interval or union are left away (nearest rank: k = n -
 * ceil(q n)). Of a mean of n values at most ceil(n / m) - 1 are larger than m times the mean
 * (Markov), for any m > 1: each m gives a bound, and the largest counts. Jobs that the target does
 * not count may run at any time, and count for nothing.
 *
 * With wait targets it holds for systems that do not stop what they have started: who may, starts
 * everybody for a moment.
 */
#ifndef REPORT_PLAN_BOUND_H
#define REPORT_PLAN_BOUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bound_measure { BOUND_WAIT, BOUND_QUEUE, BOUND_JCT, BOUND_MAKESPAN };

struct bound_job {
    int64_t arrival_ms, run_ms; /* run_ms at its fastest */
    int64_t gpu_milli;          /* at least */
    bool loose; /* when it may start is up to others: its waits bind it to no time */
};

struct bound_question {
    enum bound_measure measure;
    double limit_s;  /* x */
    double quantile; /* in (0, 1]; 1: all of them; 0: the mean */
};

/* no capacity is enough: too many jobs run for longer than they may take */
#define BOUND_NONE (-1)

/* GPUs in thousandths, at least 0, or BOUND_NONE. The jobs are those that the target counts. */
int64_t bound_gpus(const struct bound_job *, size_t count, const struct bound_question *);

#endif
