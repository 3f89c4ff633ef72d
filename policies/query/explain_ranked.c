/* SPDX-License-Identifier: MIT */
/* Why a job is pending under a preemptive order: it does not fit, or others take the devices. */
#include "order/ranking.h"
#include "query/query.h"
#include "state/jobs.h"

static struct pc_rank rank_of(struct policy *p, uint32_t job)
{
    struct pc_rank rank = {.job = job};
    p->order->rank(p, job, &rank);
    return rank;
}

/* Lists that keep their order are used as they are; else the current order counts. */
static bool is_ahead(struct policy *p, const struct pc_rank_lane *lane, uint32_t i,
                     const struct pc_rank *mine, struct pc_rank *its)
{
    uint32_t job = lane->entries[i].job;
    if (!pc_ranking_looks_always(p)) {
        *its = rank_of(p, job);
        return pc_rank_before(its, mine);
    }
    *its = (struct pc_rank){.key = i, .job = job};
    return i < mine->place;
}

/* Number of pending jobs of the lane before it, and the last job before it that takes devices, or
 * PC_NONE. */
static uint64_t jobs_before(struct policy *p, uint32_t job, uint32_t *behind)
{
    const struct pc_ranking *r = pc_ranking_of(p);
    const struct pc_rank_lane *lane = &r->lanes[r->of[job].lane];
    struct pc_rank mine = {.place = PC_NONE};
    struct pc_rank last = {0};
    uint64_t before = 0;
    *behind = PC_NONE;
    if (!pc_ranking_looks_always(p))
        mine = rank_of(p, job);
    for (uint32_t i = 0; i < lane->count; i++) {
        const struct pc_rank_entry *e = &lane->entries[i];
        struct pc_rank its;
        if (p->cluster->jobs[e->job].gen != e->gen || p->cluster->jobs[e->job].state == PC_FREE)
            continue;
        if (e->job == job)
            mine.place = i; /* if the list is the order, the rest follow it */
        bool waits = pc_ranking_waits(p, e->job);
        if (e->job == job || (!waits && !pc_ranking_runs(p, e->job)) ||
            !is_ahead(p, lane, i, &mine, &its))
            continue;
        before += waits && !pc_ranking_never_fits(p, e->job);
        bool has_part = waits ? r->of[e->job].chosen : true;
        if (has_part && (*behind == PC_NONE || pc_rank_before(&last, &its))) {
            *behind = e->job;
            last = its;
        }
    }
    return before;
}

void pc_explain_ranked(struct policy *p, uint32_t job, int32_t blocked,
                       struct policy_explanation *out)
{
    const struct pc_ranking *r = pc_ranking_of(p);
    uint32_t behind;
    bool chosen = r->of[job].chosen;
    out->jobs_before = jobs_before(p, job, &behind);
    if (policy_has_work(p) || (chosen && blocked == 0)) {
        out->reason = POLICY_REASON_WAITING;
        return;
    }
    out->reason = chosen ? blocked : POLICY_REASON_OUTRANKED;
    if (chosen || behind == PC_NONE)
        return;
    out->behind = pc_job_id(p->cluster, behind);
    out->behind_reason = r->of[behind].found;
}
