/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The offered work: how many nodes the demand keeps busy on average under any policy, regardless of
 * the jobs that a target's percentile ignores. With fewer nodes the backlog grows as long as the
 * demand lasts.
 *
 *     offered(S) = sum over jobs that only pools of S may run of GPUs x run time in the window /
 *     length of the window
 *     nodes      = max over S of (offered(S) - GPUs of S without planned nodes) / GPUs of S per
 *                planned node
 *
 * S runs over the sets of pools that jobs are confined to (by queue or GPU type) and over all
 * pools: Hall's condition for serving the work at all. The run time is that on the fastest devices
 * a job may use, and starts at the submission, as if no job waited. For a recorded trace the window
 * lasts from the first to the last submission, and only run time inside it counts, since the trace
 * does not tell what followed. A generated load is defined for its horizon, so all its work counts,
 * as in the profile's `load`. If the targets allow waits of at least a hundredth of the window, the
 * work may take that much longer (`slack_ms`); shorter waits are ignored.
 *
 * It is not a lower bound for a percentile target: a policy that never serves the few largest jobs
 * needs less. For that, see the lower bound of bound.h.
 */
#ifndef REPORT_PLAN_OFFERED_H
#define REPORT_PLAN_OFFERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OFFERED_POOLS ((size_t)64)

struct offered_job {
    int64_t submit_ms, run_ms, gpu_milli;
    uint64_t pools; /* pools that may run it, a bit each */
};

/* A pool, or several that are equivalent here. */
struct offered_pool {
    double fixed_milli; /* GPUs in thousandths without planned nodes */
    double added_milli; /* GPUs per planned node; a share of a node if several pools grow */
};

struct offered_window {
    int64_t from_ms, to_ms;
    bool whole;       /* count all work of the jobs, not only the part in the window */
    int64_t slack_ms; /* wait that the targets allow */
};

struct offered {
    double gpus;  /* of all jobs; NaN if the window is empty */
    double nodes; /* at least 0; NaN as above, or if no number of nodes suffices */
    bool fastest; /* set by the caller: GPUs differ and run times are those on the fastest, so more
                     may be needed */
};

struct offered offered_load(const struct offered_job *, size_t count, const struct offered_window *,
                            const struct offered_pool *, size_t pool_count);

/* Rounds to the digits that are shown: 1.25, 13.4, 113. */
double offered_shown(double nodes);

#endif
