/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The work that must be served: how many nodes the demand keeps busy on average, whatever a policy
 * does and whatever share of the jobs a target's percentile ignores. With fewer nodes the backlog
 * grows for as long as the demand goes on.
 *
 *     offered(S) = sum over jobs that only pools of S may run of GPUs x run time in the window /
 *     length of the window
 *     nodes      = max over S of (offered(S) - GPUs of S that stay as they are) / GPUs of S that a
 *                node more brings
 *
 * S runs over the sets of pools that jobs are confined to (by their queue or GPU type) and over all
 * pools: Hall's condition for serving the work at all. The run time is that on the fastest devices
 * that the job may use, and is counted from the submission, as if no job waited. Of a recorded
 * trace the window is that from the first to the last submission, and only the part of a run inside
 * it counts, since the trace does not say what would have come afterwards. A generated load is
 * defined for its horizon, so all its work counts, as in the profile's `load`. Where the targets
 * let a job wait for as much as a hundredth of the window, the same work may take that much longer
 * (`slack_ms`); less than that is left out of account.
 *
 * It is no bound for a percentile target as such: a policy that never serves the few largest jobs
 * can do with less, and the lower bound of bound.h says how much less.
 */
#ifndef REPORT_PLAN_OFFERED_H
#define REPORT_PLAN_OFFERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OFFERED_POOLS ((size_t)64)

struct offered_job {
    int64_t submit_ms, run_ms, gpu_milli;
    uint64_t pools; /* that may run it, a bit each */
};

/* A pool, or several that are alike to this purpose. */
struct offered_pool {
    double fixed_milli; /* thousandths of GPUs that it has in any case */
    double added_milli; /* that it gets with each node that is to be found: a share of one where
                           several pools grow */
};

struct offered_window {
    int64_t from_ms, to_ms;
    bool whole;       /* all work of the jobs counts, not only what they can do in the window */
    int64_t slack_ms; /* for which the targets let jobs wait */
};

struct offered {
    double gpus;  /* of all jobs; nan where the window is empty */
    double nodes; /* at least 0; nan as above, or where no number of nodes is enough */
    bool fastest; /* the caller's: run times are those on the fastest of GPUs that differ, so it may
                     take more */
};

struct offered offered_load(const struct offered_job *, size_t count, const struct offered_window *,
                            const struct offered_pool *, size_t pool_count);

/* To the digits that it is shown with: 1.25, 13.4, 113. */
double offered_shown(double nodes);

#endif
