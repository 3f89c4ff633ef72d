/* SPDX-License-Identifier: MIT */
/*
 * Least remaining time first, alone or times the devices. Time alone changes nothing in a ranked
 * lane: a running job has a part of the budget, and so has its neighbour when the two change
 * places, or else the budget was too small for it before and is no larger now.
 */
#include "order/order.h"
#include "order/ranking.h"

static void rank(struct policy *p, uint32_t job, struct pc_rank *s)
{
    s->key = pc_ranking_remaining(p, job);
    pc_ranking_tie(p, s);
}

static void rank_gpu(struct policy *p, uint32_t job, struct pc_rank *s)
{
    int64_t left = pc_ranking_remaining(p, job);
    s->key = left == INT64_MAX ? INT64_MAX : pc_times(pc_ranking_demand(p, job), left);
    pc_ranking_tie(p, s);
}

static struct pc_key rekey(const struct policy *p, uint32_t job)
{
    return (struct pc_key){.minor = pc_ranking_remaining(p, job)};
}

static policy_time changes(const struct policy *p, uint32_t job)
{
    (void)p, (void)job;
    return INT64_MAX;
}

const struct pc_job_order pc_order_remaining = {
    .row = {"remaining", "remaining run time, preemptive; jobs of unknown run time come last"},
    .traits = PC_ORDER_RANKED | PC_ORDER_LASTING | PC_ORDER_FALLS,
    .key = pc_key_by_run_time,
    .rekey = rekey,
    .module = &pc_ranking_module,
    .rank = rank,
    .next_crossing = changes,
};

const struct pc_job_order pc_order_remaining_gpu = {
    .row = {"remaining-gpu",
            "remaining run time x GPUs, preemptive; jobs of unknown run time come last"},
    .traits = PC_ORDER_RANKED,
    .key = pc_key_by_run_time,
    .rekey = rekey,
    .module = &pc_ranking_module,
    .rank = rank_gpu,
    .next_crossing = changes,
};
