/* SPDX-License-Identifier: MIT */
/*
 * Least remaining time first, alone or times the devices. While time alone goes by nothing changes for a ranked line:
 * who runs has a part of the budget, and so has who is next to it in the order when the two change places, or else the
 * budget was too small for it before and is not larger now.
 */
#include "core/ranked.h"
#include "order/order.h"

static void stand(struct policy *p, uint32_t job, struct pc_standing *s)
{
    s->key = pc_ranked_remaining(p, job);
    s->second = 0;
    pc_ranked_tie(p, s);
}

static void stand_gpu(struct policy *p, uint32_t job, struct pc_standing *s)
{
    int64_t milli = p->groups[p->jobs[job].group].gpu_milli;
    int64_t left = pc_ranked_remaining(p, job);
    s->key = left == INT64_MAX ? INT64_MAX : pc_times(milli, left);
    s->second = 0;
    pc_ranked_tie(p, s);
}

static policy_time changes(const struct policy *p, uint32_t job)
{
    (void)p, (void)job;
    return INT64_MAX;
}

const struct pq_job_order pc_order_remaining = {
    .row = {"remaining", "remaining run time, preemptive; jobs of unknown run time come last"},
    .traits = PQ_ORDER_RANKED,
    .key = pc_key_by_run_time,
    .stand = stand,
    .changes = changes,
};

const struct pq_job_order pc_order_remaining_gpu = {
    .row = {"remaining-gpu", "remaining run time x GPUs, preemptive; jobs of unknown run time come last"},
    .traits = PQ_ORDER_RANKED,
    .key = pc_key_by_run_time,
    .stand = stand_gpu,
    .changes = changes,
};
