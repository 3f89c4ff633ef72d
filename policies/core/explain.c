/* SPDX-License-Identifier: MIT */
/* Why a job is pending: found by looking again, so it may cost as much as a decision. */
#include "act/allocate.h"
#include "base/bits.h"
#include "cluster/cluster.h"
#include "core/heap.h"
#include "core/jobs.h"
#include "core/limits.h"
#include "core/ranked.h"
#include "core/sized.h"
#include "core/txn.h"

/* Pending jobs of the lane that come before it, and the first of all. */
static uint64_t jobs_before(const struct policy *p, uint32_t id, uint32_t *first)
{
    const struct pc_job *job = &p->jobs[id];
    uint32_t lane = p->groups[job->group].lane;
    struct pc_entry mine = {.key = job->key, .rank = job->rank};
    struct pc_entry best = mine;
    uint64_t before = 0;
    *first = id;
    for (uint32_t i = 0; i < p->job_count; i++) {
        const struct pc_job *other = &p->jobs[i];
        if (other->state != PC_PENDING || p->groups[other->group].lane != lane ||
            p->groups[other->group].never_fits || p->groups[other->group].over_limit)
            continue;
        struct pc_entry its = {.key = other->key, .rank = other->rank};
        before += pc_entry_before(&its, &mine);
        if (pc_entry_before(&its, &best)) {
            best = its;
            *first = i;
        }
    }
    return before;
}

/* Types of devices that some role of the job may have. */
static uint64_t types_of(const struct pc_group *g)
{
    uint64_t types = 0;
    for (uint32_t i = 0; i < g->role_count; i++)
        types |= g->roles[i].request.types;
    return types;
}

/* What is free in the site on nodes of its types; where devices are only counted nodes play no part. */
static void look_at_site(const struct policy *p, const struct pc_group *g, struct policy_explanation *out)
{
    const struct pc_site *s = &p->sites[g->site];
    const uint64_t types = types_of(g);
    if (p->placement->counts) {
        out->free_milli = s->milli;
        out->free_whole = s->milli / POLICY_WHOLE;
        return;
    }
    for (uint32_t rank = pc_bits_first(&s->nodes); rank != PC_NONE;
         rank = pc_bits_next(&s->nodes, rank + 1)) {
        const struct pc_node *n = &p->nodes[p->node_of_rank[rank]];
        if ((types >> n->type & 1) == 0)
            continue;
        int32_t whole = pc_popcount(n->whole);
        out->free_milli += n->free_milli;
        out->free_whole += whole;
        out->most_free = whole > out->most_free ? whole : out->most_free;
    }
}

/* Pending jobs of the ranked lane before it, and the last one that takes part of the devices, or PC_NONE. */
static uint64_t ranked_before(const struct policy *p, uint32_t id, uint32_t *behind)
{
    const struct pc_ranked_lane *lane = &p->ranked->lanes[p->groups[p->jobs[id].group].lane];
    uint64_t before = 0;
    *behind = PC_NONE;
    for (uint32_t i = 0; i < lane->count; i++) {
        const struct pc_ranked_entry *e = &lane->entries[i];
        if (p->jobs[e->job].gen != e->gen || p->jobs[e->job].state == PC_FREE)
            continue;
        if (e->job == id)
            break;
        bool waits = p->jobs[e->job].state == PC_PENDING;
        before += waits && !p->groups[p->jobs[e->job].group].never_fits;
        if (waits ? p->ranked->of[e->job].chosen : pc_ranked_is_running(p, e->job))
            *behind = e->job;
    }
    return before;
}

/* Of a ranked line: it finds no place, or others take the devices. */
static void explain_ranked(const struct policy *p, uint32_t id, int32_t blocked,
                           struct policy_explanation *out)
{
    uint32_t behind;
    out->jobs_before = ranked_before(p, id, &behind);
    bool chosen = p->ranked->of[id].chosen;
    if (policy_has_work(p) || (chosen && blocked == 0)) {
        out->reason = POLICY_REASON_WAITING;
        return;
    }
    out->reason = chosen ? blocked : POLICY_REASON_OUTRANKED;
    if (chosen || behind == PC_NONE)
        return;
    out->behind = pc_job_id(p, behind);
    out->behind_reason = p->ranked->of[behind].found;
}

/* Whether a limit of its queue, or of one above, holds it back. */
static bool explain_limit(const struct policy *p, const struct pc_group *g, struct policy_explanation *out)
{
    uint32_t queue = pc_over_limit(p, g);
    if (queue == PC_NONE)
        return false;
    out->reason = POLICY_REASON_OVER_LIMIT;
    out->queue = (policy_queue){queue};
    out->queue_has = p->queues[queue].taken_milli;
    out->queue_may = p->queues[queue].gpu.limit;
    out->job_wants = g->gpu_milli;
    return true;
}

/* Why the group's jobs cannot start now; the reason kept with it is that of the last time it was looked at. */
static int32_t reason_now(struct policy *p, const struct pc_group *g)
{
    uint32_t placed;
    int32_t reason = pc_place_gang(p, g, p->draws, &placed);
    pc_txn_rollback(p);
    return reason != 0 ? reason : POLICY_REASON_WAITING;
}

static int explain_line(struct policy *p, policy_job which, struct policy_explanation *out)
{
    uint32_t id = pc_job_find(p, which);
    if (id == PC_NONE)
        return POLICY_UNKNOWN;
    const struct pc_job *job = &p->jobs[id];
    const struct pc_group *g = &p->groups[job->group];
    *out = (struct policy_explanation){
        .size = sizeof *out,
        .behind = {POLICY_NO_ID, 0},
        .queue = {POLICY_NO_ID           },
        .wanted_milli = g->gpu_milli,
        .tasks = g->tasks,
        .largest_request = g->largest,
    };
    look_at_site(p, g, out);
    if (job->state == PC_ACTIVE)
        return POLICY_OK;
    uint32_t placed;
    int32_t blocked = pc_place_gang(p, g, p->draws, &placed);
    pc_txn_rollback(p);
    int32_t most = pc_place_most(p, g, p->draws, &placed);
    pc_txn_rollback(p);
    if (blocked == POLICY_REASON_WAITING || most == POLICY_REASON_WAITING)
        return pc_refuse(p, POLICY_NO_MEMORY, "tasks", g->tasks, "no memory to look where they fit");
    out->tasks_fit_now = (int32_t)placed;
    if (job->state == PC_HELD || g->never_fits) {
        out->reason = job->state == PC_HELD ? POLICY_REASON_NOT_ELIGIBLE : POLICY_REASON_NEVER_FITS;
        return POLICY_OK;
    }
    if (p->ranked != NULL) {
        explain_ranked(p, id, blocked, out);
        return POLICY_OK;
    }
    if (explain_limit(p, g, out))
        return POLICY_OK;
    uint32_t first;
    out->jobs_before = jobs_before(p, id, &first);
    out->reason = blocked != 0 ? blocked : POLICY_REASON_WAITING;
    if (p->config.blocking == POLICY_STRICT && first != id && p->groups[p->jobs[first].group].blocked != 0) {
        if (p->config.backfill != POLICY_NO_BACKFILL && blocked != 0)
            return POLICY_OK; /* it might go ahead, if it had room */
        out->reason =
            p->config.backfill == POLICY_NO_BACKFILL ? POLICY_REASON_BEHIND : POLICY_REASON_RESERVED;
        out->behind = pc_job_id(p, first);
        out->behind_reason = reason_now(p, &p->groups[p->jobs[first].group]);
    }
    return POLICY_OK;
}

int policy_explain(struct policy *p, policy_job which, struct policy_explanation *out)
{
    struct policy_explanation answer = {.size = sizeof answer};
    if (!pc_sized_fits(PC_EXPLANATION, out))
        return pc_refuse(p, POLICY_INVALID, "size of the explanation", out->size,
                         "of no version that this one knows");
    int status = p->cluster != NULL ? pq_explain(p, which, &answer) : explain_line(p, which, &answer);
    if (status == POLICY_OK)
        pc_sized_out(PC_EXPLANATION, out, &answer);
    return status;
}
