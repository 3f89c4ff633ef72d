/* SPDX-License-Identifier: MIT */
/* Why a job is pending in its lane, found by repeating the search, so it may cost as much as a
 * decision. */
#include "act/allocate_lanes.h"
#include "order/ranking.h"
#include "pending/missing.h"
#include "query/query.h"
#include "state/gangs.h"
#include "state/jobs.h"
#include "state/nodes.h"
#include "state/queue_limits.h"
#include "state/tasks.h"

/* Larger gangs that fit no fleet are not examined task by task. */
#define HUGE 100000

/* Number of pending jobs of the lane ahead of it, and the first of all. */
static uint64_t jobs_before(const struct pc_cluster *c, uint32_t id, uint32_t *first)
{
    const struct pc_job_class *mine = pc_class_of(c, id);
    struct pc_job_class it = {.first = pc_entry_of(c, id), .above = mine->above};
    struct pc_job_class best = it;
    uint64_t before = 0;
    *first = id;
    for (uint32_t i = 0; i < c->job_count; i++) {
        if (c->jobs[i].state != PC_LIVE || c->jobs[i].class == PC_NONE)
            continue;
        const struct pc_job_class *k = pc_class_of(c, i);
        if (k->lane != mine->lane || k->never_fits || k->over_limit)
            continue;
        struct pc_job_class other = {.first = pc_entry_of(c, i), .above = k->above};
        before += pc_class_stands_before(&other, &it);
        if (pc_class_stands_before(&other, &best)) {
            best = other;
            *first = i;
        }
    }
    return before;
}

/* Idle capacity in the pool set on nodes of types that the job may use. */
static void look_at_nodes(const struct policy *p, const struct pc_job_class *k,
                          struct policy_explanation *out)
{
    const struct pc_pool_set *s = &p->cluster->pool_sets[k->set];
    if (p->cluster->traits.counts_only) { /* nodes are irrelevant */
        out->free_milli = s->milli;
        out->free_whole = s->milli / POLICY_WHOLE;
        return;
    }
    for (uint32_t rank = pc_bits_first(&s->up); rank != PC_NONE;
         rank = pc_bits_next(&s->up, rank + 1)) {
        const struct pc_node *n = &p->cluster->nodes[p->node_of_rank[rank]];
        if ((k->types >> n->type & 1) == 0)
            continue;
        int32_t whole = pc_popcount(n->idle);
        out->free_milli += n->idle_milli;
        out->free_whole += whole;
        out->most_free = whole > out->most_free ? whole : out->most_free;
    }
}

/* How many tasks with this request the node can hold now, judged by the request alone. */
static int64_t node_takes(const struct pc_cluster *c, const struct pc_node *n,
                          const struct pc_request *r)
{
    struct pc_node free = *n;
    free.cpu_total = n->cpu_idle;
    free.mem_total = n->mem_idle;
    free.max_tasks = n->tasks_idle;
    free.devices = pc_popcount(n->idle);
    free.whole_only = n->whole_only && free.devices < n->devices;
    return pc_node_holds(c, &free, r);
}

/* For a gang larger than any fleet: whole idle devices for its first role, without a search per
 * task. */
static int32_t count_places(const struct policy *p, const struct pc_job_class *k)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_bits *up = &c->pool_sets[k->set].up;
    const struct pc_role *role = &c->shapes[k->shape].roles[0];
    int64_t places = 0;
    for (uint32_t rank = pc_bits_first(up); rank != PC_NONE && places < role->tasks;
         rank = pc_bits_next(up, rank + 1))
        places += node_takes(c, &c->nodes[p->node_of_rank[rank]], &role->request);
    return (int32_t)(places < role->tasks ? places : role->tasks);
}

/* Tries the job alone: why it cannot start now, and how many of its tasks fit. Returns false if out
 * of memory. */
static bool try_alone(struct policy *p, uint32_t job, int32_t *blocked, int32_t *fit)
{
    struct pc_cluster *c = p->cluster;
    uint32_t mark = pc_txn_mark(c);
    uint32_t placed;
    c->out_of_memory = false;
    *blocked = pc_try_place(p, job, false, &placed);
    pc_txn_rollback(c, mark);
    int32_t most = pc_try_place(p, job, true, &placed);
    pc_txn_rollback(c, mark);
    *fit = (int32_t)placed;
    return *blocked != POLICY_REASON_WAITING && most != POLICY_REASON_WAITING;
}

/* Why the job cannot start now; the reason stored with its class is that of the last attempt. */
static int32_t reason_now(struct policy *p, uint32_t job)
{
    uint32_t mark = pc_txn_mark(p->cluster);
    uint32_t placed;
    int32_t reason = pc_try_place(p, job, false, &placed);
    pc_txn_rollback(p->cluster, mark);
    return reason != 0 ? reason : POLICY_REASON_WAITING;
}

/* Returns true if a limit of one of its queues holds it back. */
static bool explain_limit(struct policy *p, uint32_t job, struct policy_explanation *out)
{
    const struct pc_cluster *c = p->cluster;
    if (!p->config.queue_limits)
        return false;
    struct pc_amounts more = pc_next_amounts(p, job);
    struct pc_limit_check gate = pc_check_limits(p, job, &more);
    if (gate.reason == 0)
        return false;
    const struct pc_queue *queue = &c->queues[gate.queue];
    out->reason = gate.reason;
    out->queue = (policy_queue){gate.queue};
    out->resource = gate.resource;
    out->queue_has = queue->allocated.of[gate.resource];
    out->queue_may = queue->limit.of[gate.resource];
    out->job_wants = more.of[gate.resource];
    return true;
}

static void explain_order(struct policy *p, uint32_t job, int32_t blocked,
                          struct policy_explanation *out)
{
    const struct pc_cluster *c = p->cluster;
    uint32_t first;
    out->jobs_before = jobs_before(c, job, &first);
    out->reason = blocked != 0 ? blocked : POLICY_REASON_WAITING;
    if (p->config.blocking != POLICY_STRICT || first == job || pc_class_of(c, first)->blocked == 0)
        return;
    bool backfills = p->config.backfill != POLICY_NO_BACKFILL;
    if (backfills && blocked != 0)
        return; /* it could be backfilled if it had room */
    out->reason = backfills ? POLICY_REASON_RESERVED : POLICY_REASON_BEHIND;
    out->behind = pc_job_id(c, first);
    out->behind_reason = reason_now(p, first);
}

static void describe(struct policy *p, uint32_t job, const struct pc_job_class *k,
                     struct policy_explanation *out)
{
    const struct pc_shape *s = &p->cluster->shapes[k->shape];
    *out = (struct policy_explanation){
        .size = sizeof *out,
        .behind = {POLICY_NO_ID, 0},
        .queue = {POLICY_NO_ID},
        .wanted_milli = k->gpu_milli,
        .tasks = (int32_t)s->tasks,
    };
    if (s->elastic && pc_next_tasks(p, job, &p->cluster->placing))
        out->tasks = (int32_t)p->cluster->placing.count;
    for (uint32_t i = 0; i < s->role_count; i++) {
        int32_t whole = pc_wants_share(&s->roles[i].request) ? 0 : s->roles[i].request.devices;
        out->largest_request = whole > out->largest_request ? whole : out->largest_request;
    }
    look_at_nodes(p, k, out);
}

int pc_explain_in_lane(struct policy *p, uint32_t job, struct policy_explanation *out)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    const struct pc_job_class *k = pc_class_of(c, job);
    bool pending = j->state == PC_HELD || j->class != PC_NONE || j->absent != PC_PRESENT;
    int32_t blocked;
    describe(p, job, k, out);
    if (!pending)
        return POLICY_OK;
    if (k->never_fits && c->shapes[k->shape].tasks > HUGE) {
        out->tasks_fit_now = count_places(p, k);
        out->reason = j->state == PC_HELD ? POLICY_REASON_NOT_ELIGIBLE : POLICY_REASON_NEVER_FITS;
        return POLICY_OK;
    }
    c->trying = true; /* tentative: releases do not count */
    bool tried = try_alone(p, job, &blocked, &out->tasks_fit_now);
    if (tried && j->class != PC_NONE && !k->never_fits && pc_ranking_of(p) != NULL)
        pc_explain_ranked(p, job, blocked, out);
    else if (tried && j->class != PC_NONE && !k->never_fits && !explain_limit(p, job, out))
        explain_order(p, job, blocked, out);
    c->trying = false;
    if (!tried || c->out_of_memory)
        return pc_refuse(p, POLICY_NO_MEMORY, "tasks", out->tasks,
                         "no memory to look where they fit");
    if (j->state == PC_HELD)
        out->reason = POLICY_REASON_NOT_ELIGIBLE;
    else if (j->absent != PC_PRESENT)
        out->reason = pc_reason_of_absent(p, job, out);
    else if (k->never_fits)
        out->reason = POLICY_REASON_NEVER_FITS;
    return POLICY_OK;
}
