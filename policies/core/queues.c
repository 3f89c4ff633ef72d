/* SPDX-License-Identifier: MIT */
/* Facts about queues. */
#include "core/queues.h"
#include "act/allocate.h"
#include "cluster/cluster.h"
#include "core/groups.h"
#include "core/multifactor.h"
#include "core/pending.h"
#include "core/sites.h"
#include "core/sized.h"

static const policy_queue no_queue = {POLICY_NO_ID};

#define MOST_BOUND_POOLS 4096

static int check_share(struct policy *p, const struct policy_share *share, const char *what)
{
    if (share->quota < -1)
        return pc_refuse(p, POLICY_INVALID, what, share->quota, "quota has to be at least 0, or -1");
    if (share->limit < -1)
        return pc_refuse(p, POLICY_INVALID, what, share->limit, "limit has to be at least 0, or -1");
    if (share->weight < 0)
        return pc_refuse(p, POLICY_INVALID, what, share->weight, "weight has to be at least 0");
    return POLICY_OK;
}

int pc_check_queue_spec(struct policy *p, const struct policy_queue_spec *spec)
{
    if (spec->pool_count > MOST_BOUND_POOLS || (spec->pool_count > 0 && spec->pools == NULL))
        return pc_refuse(p, POLICY_INVALID, "pools of a queue", spec->pool_count,
                         "at most 4096, with their array");
    for (uint32_t i = 0; i < spec->pool_count; i++)
        if (spec->pools[i] >= POLICY_MAX_POOLS || (i > 0 && spec->pools[i] <= spec->pools[i - 1]))
            return pc_refuse(p, POLICY_INVALID, "pool of a queue", spec->pools[i],
                             "below 4096, in rising order");
    int status = check_share(p, &spec->gpu, "GPU share of a queue");
    if (status == POLICY_OK)
        status = check_share(p, &spec->cpu, "CPU share of a queue");
    return status == POLICY_OK ? check_share(p, &spec->mem, "memory share of a queue") : status;
}

static int check_parent(struct policy *p, policy_queue parent)
{
    if (parent.i == POLICY_NO_ID)
        return POLICY_OK;
    if (parent.i >= p->queue_count || !p->queues[parent.i].exists)
        return pc_refuse(p, POLICY_UNKNOWN, "parent queue", parent.i, "not known");
    if (p->queues[parent.i].jobs > 0)
        return pc_refuse(p, POLICY_CONFLICT, "parent queue", parent.i, "has jobs; only leaves hold jobs");
    return POLICY_OK;
}

/* The id for a new queue, with its lane: a removed one's, or one more. PC_NONE when there is no memory. */
static uint32_t new_id(struct policy *p)
{
    for (uint32_t i = 0; i < p->queue_count; i++)
        if (!p->queues[i].exists)
            return i;
    if (!PC_GROW(&p->memory, p->queues, p->queue_capacity, p->queue_count + 1) ||
        !pc_multifactor_reserve_queue(p))
        return PC_NONE;
    bool own_lane = p->config.scope == POLICY_SCOPE_QUEUE;
    if (own_lane && p->lane_count <= p->queue_count && !pc_lane_add(p))
        return PC_NONE;
    return p->queue_count++;
}

policy_queue policy_add_queue(struct policy *p, policy_time at, const struct policy_queue_spec *given)
{
    struct policy_queue_spec room;
    const struct policy_queue_spec *spec = pc_sized_fact(p, PC_QUEUE_SPEC, given, &room);
    if (spec == NULL)
        return no_queue;
    if (p->cluster != NULL)
        return pq_add_queue(p, at, spec);
    policy_time before = p->now;
    if (pc_check_queue_spec(p, spec) != POLICY_OK || check_parent(p, spec->parent) != POLICY_OK ||
        pc_at(p, at) != POLICY_OK)
        return no_queue;
    uint32_t site = pc_site_find(p, spec->pools, spec->pool_count);
    uint32_t id = site != PC_NONE ? new_id(p) : PC_NONE;
    if (id == PC_NONE) {
        pc_no_memory(p, before, "queue", p->queue_count);
        return no_queue;
    }
    p->queues[id] = (struct pc_queue){
        .exists = true,
        .site = site,
        .parent = spec->parent.i,
        .rank = spec->rank,
        .priority = spec->priority,
        .gpu = spec->gpu,
        .cpu = spec->cpu,
        .mem = spec->mem,
        .created = spec->created,
    };
    if (spec->parent.i != POLICY_NO_ID)
        p->queues[spec->parent.i].children++;
    pc_multifactor_queues_changed(p);
    return (policy_queue){id};
}

int policy_remove_queue(struct policy *p, policy_time at, policy_queue queue)
{
    if (p->cluster != NULL)
        return pq_remove_queue(p, at, queue);
    if (queue.i >= p->queue_count || !p->queues[queue.i].exists)
        return pc_refuse(p, POLICY_UNKNOWN, "queue", queue.i, "not known");
    struct pc_queue *q = &p->queues[queue.i];
    if (q->jobs > 0)
        return pc_refuse(p, POLICY_CONFLICT, "jobs of the queue", (int64_t)q->jobs, "they have to end first");
    if (q->children > 0)
        return pc_refuse(p, POLICY_CONFLICT, "queues below it", q->children, "they have to be removed first");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    if (q->parent != POLICY_NO_ID)
        p->queues[q->parent].children--;
    q->exists = false;
    pc_groups_sweep(p, queue.i);
    pc_multifactor_forget(p, queue.i);
    pc_multifactor_queues_changed(p);
    return POLICY_OK;
}

/* Groups of which a question looks at each; with more of them waiting, it takes the reasons as they were found. */
#define LOOK_ANEW 256

/* Moves the counts of blocked groups from the reason that was found to the one that holds now. */
static void look_anew(const struct policy *p, const struct pc_site *s, struct policy_backlog *backlog)
{
    uint32_t waiting = 0;
    for (uint64_t needs = s->waiting_needs; needs != 0; needs &= needs - 1)
        waiting += s->waiting[pc_lowest(needs)].count;
    for (uint64_t needs = waiting <= LOOK_ANEW ? s->waiting_needs : 0; needs != 0; needs &= needs - 1) {
        const struct pc_idheap *heap = &s->waiting[pc_lowest(needs)];
        for (uint32_t i = 0; i < heap->count; i++) {
            const struct pc_group *g = &p->groups[heap->ids[i]];
            int32_t now = pc_reason_now(p, g);
            backlog->jobs[g->counted_reason] -= g->counted_jobs;
            backlog->jobs[now] += g->counted_jobs;
            backlog->gpu_milli[g->counted_reason] -= (int64_t)g->counted_jobs * g->gpu_milli;
            backlog->gpu_milli[now] += (int64_t)g->counted_jobs * g->gpu_milli;
        }
    }
}

int policy_backlog(const struct policy *p, policy_queue queue, struct policy_backlog *backlog)
{
    if (p->cluster != NULL)
        return pq_backlog(p, queue, backlog);
    if (queue.i >= p->queue_count || !p->queues[queue.i].exists)
        return POLICY_UNKNOWN;
    const struct pc_site *s = &p->sites[p->queues[queue.i].site];
    uint64_t jobs = s->pending_jobs;
    int64_t milli = s->pending_milli;
    for (int32_t reason = 0; reason < POLICY_REASONS; reason++) {
        bool stands = reason != POLICY_REASON_NONE;
        backlog->jobs[reason] = stands ? s->backlog[reason].jobs : 0;
        backlog->gpu_milli[reason] = stands ? s->backlog[reason].gpu_milli : 0;
        if (stands && reason != POLICY_REASON_NOT_ELIGIBLE) {
            jobs -= s->backlog[reason].jobs;
            milli -= s->backlog[reason].gpu_milli;
        }
    }
    look_anew(p, s, backlog);
    /* What was not found to be blocked itself was either not looked at yet or stands behind something that is. */
    int32_t rest = policy_has_work(p)  ? POLICY_REASON_WAITING
                   : p->ranked != NULL ? POLICY_REASON_OUTRANKED
                                       : POLICY_REASON_BEHIND;
    backlog->jobs[rest] += jobs;
    backlog->gpu_milli[rest] += milli;
    return POLICY_OK;
}
