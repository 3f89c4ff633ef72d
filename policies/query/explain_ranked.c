/* SPDX-License-Identifier: MIT */
/* Why a job of an order that goes by how far jobs are is pending: it finds no place, or others take the devices. */
#include "act/allocate_lanes.h"
#include "cluster/jobs.h"
#include "order/ranking.h"
#include "query/query.h"

/* Pending jobs of the lane before it, and the last one that takes part of the devices, or PC_NONE. */
static uint64_t ranked_before(struct policy *p, const struct pq_ranking *r, uint32_t job, uint32_t *behind)
{
    const struct cluster *c = p->cluster;
    const struct pq_rank_lane *lane = &r->lanes[r->of[job].lane];
    struct pq_rank mine;
    struct pq_rank last = {0};
    uint64_t before = 0;
    p->order->rank(p, job, &mine);
    *behind = PC_NONE;
    for (uint32_t i = 0; i < lane->count; i++) {
        uint32_t other = lane->entries[i].job;
        struct pq_rank its;
        if (other == job || c->jobs[other].gen != lane->entries[i].gen || c->jobs[other].state != PQ_LIVE)
            continue;
        p->order->rank(p, other, &its);
        if (!pq_rank_before(&its, &mine))
            continue;
        bool waits = pq_ranking_waits(p, other);
        before += waits && !pq_ranking_never_fits(p, other);
        bool takes = waits ? r->of[other].chosen : pq_ranking_runs(p, other);
        if (takes && (*behind == PC_NONE || pq_rank_before(&last, &its))) {
            *behind = other;
            last = its;
        }
    }
    return before;
}

void pq_explain_ranked(struct policy *p, uint32_t job, int32_t blocked, struct policy_explanation *out)
{
    const struct pq_ranking *r = pq_ranking_of(p);
    uint32_t behind;
    out->jobs_before = ranked_before(p, r, job, &behind);
    bool chosen = r->of[job].chosen;
    if (policy_has_work(p) || (chosen && blocked == 0)) {
        out->reason = POLICY_REASON_WAITING;
        return;
    }
    out->reason = chosen ? blocked : POLICY_REASON_OUTRANKED;
    if (chosen || behind == PC_NONE)
        return;
    out->behind = pq_job_id(p->cluster, behind);
    out->behind_reason = r->of[behind].found;
}
