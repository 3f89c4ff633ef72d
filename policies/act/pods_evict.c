/* SPDX-License-Identifier: MIT */
/*
 * Preemption among tasks one by one, as DefaultPreemption of kube-scheduler does it; without disruption budgets, which are
 * not modelled, and with a look at every node (kube-scheduler looks at a tenth of them, but at least 100).
 *
 * On a node: all tasks of lower priority go; when the task fits then, they come back one by one as long as it still does,
 * the most important first: larger priority, then longer running (since the job's last start from nothing), then the job's
 * rank and the task's number. Who does not come back is a victim. Of all nodes where that helps, by, first difference decides:
 *   1. the highest priority of a victim, the lower the better;
 *   2. the sum of the victims' priorities, each with 2^31 added as kube-scheduler does, so that none counts as less than
 *      nothing: the smaller the better;
 *   3. the number of victims, the smaller the better;
 *   4. the earliest start among the victims of the highest priority, the later the better;
 *   5. the node's rank.
 * Victims of the option `victims` lower need not be of jobs that may be preempted: Kubernetes knows no such thing.
 */
#include "act/pods.h"

#include "base/sort.h"
#include "cluster/nodes.h"
#include "cluster/tasks.h"
#include "place/choose.h"

/* What eviction on a node costs. */
struct cost {
    int32_t highest;
    int64_t sum;
    uint32_t victims;
    policy_time since; /* earliest start of those of the highest priority */
};

/* ---- who runs where ---- */

void pq_pod_forget_givers(struct policy *p)
{
    struct cluster *c = p->cluster;
    for (uint32_t i = 0; i < c->popped.count; i++)
        c->nodes[c->popped.of[i].before.node].popped = PC_NONE;
    c->popped.count = 0;
}

static bool has_lower(const struct cluster *c, int32_t priority)
{
    bool found = false;
    for (uint32_t q = 0; q < c->queue_count && !found; q++) /* the first to give has the lowest */
        found = c->queues[q].active.count > 0 && c->jobs[c->queues[q].active.ids[0]].priority < priority;
    return found;
}

static bool list_job(struct policy *p, uint32_t job)
{
    struct cluster *c = p->cluster;
    const struct pq_job *j = &c->jobs[job];
    for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++) {
        const struct pq_place *place = &j->tasks[task].place;
        if (place->holding != PQ_RUNS)
            continue;
        if (!PC_GROW(&p->memory, c->popped.of, c->popped.capacity, c->popped.count + 1)) {
            c->out_of_memory = true;
            return false;
        }
        uint32_t *head = &c->nodes[place->node].popped;
        c->popped.of[c->popped.count] = (struct pq_victim){job, task, *head, PC_NONE, *place};
        *head = c->popped.count++;
    }
    return true;
}

/* Once in a decision: who may be evicted for a task of that priority, and so for all that have their turn behind it. */
static bool list_givers(struct policy *p, int32_t priority)
{
    const struct cluster *c = p->cluster;
    if (c->popped.count > 0)
        return true;
    for (uint32_t q = 0; q < c->queue_count; q++)
        for (uint32_t i = 0; i < c->queues[q].active.count; i++) {
            uint32_t job = c->queues[q].active.ids[i];
            if (c->jobs[job].priority < priority && !list_job(p, job))
                return false;
        }
    return true;
}

/* ---- one node ---- */

static bool is_more_important(const void *context, uint32_t a, uint32_t b)
{
    const struct cluster *c = context;
    const struct pq_victim *v = &c->popped.of[a];
    const struct pq_victim *w = &c->popped.of[b];
    const struct pq_job *x = &c->jobs[v->job];
    const struct pq_job *y = &c->jobs[w->job];
    if (x->priority != y->priority)
        return x->priority > y->priority;
    if (x->last_start != y->last_start)
        return x->last_start < y->last_start;
    return x->rank != y->rank ? x->rank < y->rank : v->task < w->task;
}

/* Lists in c->gathered who runs there with a lower priority, the most important first. False: no memory. */
static bool gather(struct policy *p, uint32_t node, int32_t priority)
{
    struct cluster *c = p->cluster;
    c->gathered_count = 0;
    for (uint32_t i = c->nodes[node].popped; i != PC_NONE; i = c->popped.of[i].next_on_node) {
        const struct pq_job *j = &c->jobs[c->popped.of[i].job];
        if (j->priority >= priority || j->tasks[c->popped.of[i].task].place.holding != PQ_RUNS)
            continue;
        if (!PC_GROW(&p->memory, c->gathered, c->gathered_capacity, c->gathered_count + 1)) {
            c->out_of_memory = true;
            return false;
        }
        c->gathered[c->gathered_count++] = i;
    }
    pc_sort_ids(c->gathered, c->gathered_count, is_more_important, c);
    return true;
}

static bool evict(struct policy *p, const struct pq_victim *v)
{
    struct pq_place place = v->before;
    place.holding = PQ_RELEASING;
    return pq_txn_move(p, v->job, v->task, &place);
}

/* All go, and come back in order unless the task would find no room then. False: it finds none, or no memory. */
static bool make_room(struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    struct cluster *c = p->cluster;
    for (uint32_t i = 0; i < c->gathered_count; i++)
        if (!evict(p, &c->popped.of[c->gathered[i]]))
            return false;
    if (!pq_promise_on(p, job, task, node, NULL))
        return false;
    for (uint32_t i = 0; i < c->gathered_count; i++) {
        const struct pq_victim *v = &c->popped.of[c->gathered[i]];
        if (!pq_txn_move(p, v->job, v->task, &v->before))
            return false;
        if (!pq_promise_on(p, job, task, node, NULL) && !evict(p, v))
            return false;
    }
    return true;
}

static struct cost count_cost(const struct cluster *c)
{
    struct cost cost = {0};
    for (uint32_t i = 0; i < c->gathered_count; i++) { /* the first victim has the highest priority */
        const struct pq_victim *v = &c->popped.of[c->gathered[i]];
        const struct pq_job *j = &c->jobs[v->job];
        if (j->tasks[v->task].place.holding == PQ_RUNS)
            continue;
        if (cost.victims == 0) {
            cost.highest = j->priority;
            cost.since = j->last_start;
        }
        cost.sum += j->priority + (INT64_C(1) << 31);
        cost.victims++;
    }
    return cost;
}

static bool is_cheaper(const struct cost *a, const struct cost *b)
{
    if (a->highest != b->highest)
        return a->highest < b->highest;
    if (a->sum != b->sum)
        return a->sum < b->sum;
    if (a->victims != b->victims)
        return a->victims < b->victims;
    return a->since > b->since;
}

/* Evicts on trial; what it costs to make room on the node, or no victims: it cannot be done there. */
static struct cost try_node(struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    struct cluster *c = p->cluster;
    struct cost none = {0};
    if (!gather(p, node, c->jobs[job].priority) || c->gathered_count == 0)
        return none;
    return make_room(p, job, task, node) ? count_cost(c) : none;
}

/* ---- all nodes ---- */

/* Where evicting costs least, or PC_NONE. */
static uint32_t find_node(struct policy *p, uint32_t job, uint32_t task)
{
    struct cluster *c = p->cluster;
    const struct pc_bits *zone = &c->pool_sets[c->queues[c->jobs[job].queue].zone].nodes;
    const struct pq_request *r = pq_request_of(c, job, task);
    uint32_t best = PC_NONE;
    struct cost least = {0};
    for (uint32_t rank = pc_bits_first(zone); rank != PC_NONE; rank = pc_bits_next(zone, rank + 1)) {
        uint32_t node = p->node_of_rank[rank];
        const struct pq_node *n = &c->nodes[node];
        if (n->popped == PC_NONE || n->state != POLICY_NODE_UP || !pq_node_suits(c, n, r))
            continue;
        const struct cost cost = try_node(p, job, task, node);
        pq_txn_rollback(c, 0);
        if (cost.victims > 0 && (best == PC_NONE || is_cheaper(&cost, &least))) {
            best = node;
            least = cost;
        }
    }
    return c->out_of_memory ? PC_NONE : best;
}

/* Evicts there, and promises the node. */
static bool evict_on(struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    struct cluster *c = p->cluster;
    struct pq_place there = pq_nowhere();
    if (try_node(p, job, task, node).victims > 0 && pq_promise_on(p, job, task, node, &there) &&
        pq_pod_settle(p, job, task, &there))
        return true;
    pq_txn_rollback(c, 0);
    return false;
}

bool pq_pod_evict(struct policy *p, uint32_t job, uint32_t task)
{
    struct cluster *c = p->cluster;
    int32_t priority = c->jobs[job].priority;
    if ((p->config.quota.actions >> POLICY_PREEMPT & 1) == 0 || !has_lower(c, priority) ||
        !list_givers(p, priority))
        return false;
    uint32_t node = find_node(p, job, task);
    if (node == PC_NONE)
        return false;
    c->action = POLICY_PREEMPT;
    bool done = evict_on(p, job, task, node);
    c->action = POLICY_ALLOCATE;
    return done;
}
