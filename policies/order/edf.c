/* SPDX-License-Identifier: MIT */
/*
 * Earliest deadline first; jobs without a deadline come last. On one device the preemptive order
 * meets all deadlines that can be met (Dertouzos 1974), and for jobs all present at the start the
 * non-preemptive order minimizes the maximum lateness (Jackson 1955).
 */
#include "order/order.h"
#include "order/ranking.h"

static struct pc_key key(const struct policy *p, const struct policy_job_spec *job)
{
    (void)p;
    return (struct pc_key){.minor = job->deadline == 0 ? INT64_MAX : job->deadline};
}

static void rank(struct policy *p, uint32_t job, struct pc_rank *s)
{
    s->key = p->cluster->jobs[job].key.minor;
    pc_ranking_tie(p, s);
}

/* Deadlines do not change with time. */
static policy_time changes(const struct policy *p, uint32_t job)
{
    (void)p, (void)job;
    return INT64_MAX;
}

const struct pc_job_order pc_order_edf = {
    .row = {"edf", "earliest deadline first; jobs without one come last"},
    .key = key,
};

const struct pc_job_order pc_order_edf_preemptive = {
    .row = {"edf-preemptive", "earliest deadline first, preemptive; jobs without one come last"},
    .traits = PC_ORDER_RANKED | PC_ORDER_LASTING,
    .key = key,
    .module = &pc_ranking_module,
    .rank = rank,
    .next_crossing = changes,
};
