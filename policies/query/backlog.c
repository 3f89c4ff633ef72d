/* SPDX-License-Identifier: MIT */
/* The backlog of lanes by reason, maintained per pool set; see policy_backlog(). */
#include "query/query.h"

#include "act/allocate_lanes.h"
#include "order/ranking.h"

/* Up to this many blocked classes are re-examined per query; beyond that the recorded reasons are
 * used. */
#define LOOK_ANEW 256

/* Moves the counts of blocked classes from the recorded reason to the current one. */
static void look_anew(const struct policy *p, const struct pc_waiting_set *s,
                      struct policy_backlog *backlog)
{
    uint32_t waiting = 0;
    for (uint64_t needs = s->needs; needs != 0; needs &= needs - 1)
        waiting += s->blocked[pc_lowest(needs)].count;
    for (uint64_t needs = waiting <= LOOK_ANEW ? s->needs : 0; needs != 0; needs &= needs - 1) {
        const struct pc_idheap *heap = &s->blocked[pc_lowest(needs)];
        for (uint32_t i = 0; i < heap->count; i++) {
            const struct pc_job_class *k = &p->cluster->pending->classes[heap->ids[i]];
            int32_t now = pc_reason_now(p, heap->ids[i]);
            backlog->jobs[k->counted_reason] -= k->counted_jobs;
            backlog->jobs[now] += k->counted_jobs;
            backlog->gpu_milli[k->counted_reason] -= (int64_t)k->counted_jobs * k->gpu_milli;
            backlog->gpu_milli[now] += (int64_t)k->counted_jobs * k->gpu_milli;
        }
    }
}

int32_t pc_reason_of_absent(const struct policy *p, uint32_t job, struct policy_explanation *out)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    uint32_t queue = j->suspended ? POLICY_NO_ID : j->queue;
    while (queue != POLICY_NO_ID && !c->queues[queue].suspended)
        queue = c->queues[queue].parent;
    if (j->shut)
        out->queue.i = queue;
    return j->shut ? POLICY_REASON_SUSPENDED : POLICY_REASON_NOT_READY;
}

/* Jobs in no class are counted by queue. */
static void add_absent(const struct pc_cluster *c, uint32_t set, struct policy_backlog *backlog)
{
    for (uint32_t q = 0; q < c->queue_count; q++) {
        if (!c->queues[q].exists || c->queues[q].pool_set != set)
            continue;
        const struct pc_waiting *absent = c->queues[q].absent;
        backlog->jobs[POLICY_REASON_NOT_READY] += absent[PC_UNREADY].jobs;
        backlog->gpu_milli[POLICY_REASON_NOT_READY] += absent[PC_UNREADY].gpu_milli;
        backlog->jobs[POLICY_REASON_SUSPENDED] += absent[PC_SHUT].jobs;
        backlog->gpu_milli[POLICY_REASON_SUSPENDED] += absent[PC_SHUT].gpu_milli;
    }
}

int pc_backlog_of_lanes(const struct policy *p, policy_queue queue, struct policy_backlog *backlog)
{
    const struct pc_cluster *c = p->cluster;
    if (queue.i >= c->queue_count || !c->queues[queue.i].exists)
        return POLICY_UNKNOWN;
    const struct pc_waiting_set *s = &c->pending->sets[c->queues[queue.i].pool_set];
    uint64_t jobs = s->pending_jobs + s->backlog[POLICY_REASON_NOT_ELIGIBLE].jobs;
    int64_t milli = s->pending_milli + s->backlog[POLICY_REASON_NOT_ELIGIBLE].gpu_milli;
    backlog->jobs[POLICY_REASON_NONE] = 0;
    backlog->gpu_milli[POLICY_REASON_NONE] = 0;
    for (int32_t reason = POLICY_REASON_NONE + 1; reason < POLICY_REASONS; reason++) {
        backlog->jobs[reason] = s->backlog[reason].jobs;
        backlog->gpu_milli[reason] = s->backlog[reason].gpu_milli;
        jobs -= s->backlog[reason].jobs;
        milli -= s->backlog[reason].gpu_milli;
    }
    look_anew(p, s, backlog);
    add_absent(c, c->queues[queue.i].pool_set, backlog);
    /* Jobs not recorded as blocked were either not considered yet or are behind a blocked one. */
    int32_t rest = policy_has_work(p)         ? POLICY_REASON_WAITING
                   : pc_ranking_of(p) != NULL ? POLICY_REASON_OUTRANKED
                                              : POLICY_REASON_BEHIND;
    backlog->jobs[rest] += jobs;
    backlog->gpu_milli[rest] += milli;
    return POLICY_OK;
}
