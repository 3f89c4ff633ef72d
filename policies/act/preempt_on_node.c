/* SPDX-License-Identifier: MIT */
/*
 * Preemption task by task, like DefaultPreemption of kube-scheduler, but without disruption
 * budgets, and on every node (kube-scheduler tries a tenth of them, at least 100).
 *
 * On a node: all tasks of lower priority are removed; if the task then fits, they are put back one
 * by one while it still fits, the most important first: higher priority, then longer running (since
 * the job's last start from nothing), then the job's rank and the task's number. A task that is not
 * put back is a victim. Among the nodes where this succeeds, the first difference decides:
 *   1. the highest priority of a victim, the lower the better;
 *   2. the sum of the victims' priorities, each plus 2^31 as in kube-scheduler, so that no victim
 *      counts as negative: the smaller the better;
 *   3. the number of victims, the smaller the better;
 *   4. the earliest start among the victims of the highest priority, the later the better;
 *   5. the node's rank.
 *
 * With the option `victims` set to lower, victims may belong to non-preemptible jobs: Kubernetes
 * has no such attribute.
 */
#include "act/allocate_tasks.h"
#include "act/eviction_costs.h"

#include "base/sort.h"
#include "place/choose.h"
#include "state/evictable.h"
#include "state/nodes.h"
#include "state/tasks.h"

/* ---- one node ---- */

static bool is_more_important(const void *context, uint32_t a, uint32_t b)
{
    const struct pc_cluster *c = context;
    const struct pc_victim *v = &c->popped.of[a];
    const struct pc_victim *w = &c->popped.of[b];
    const struct pc_job *x = &c->jobs[v->job];
    const struct pc_job *y = &c->jobs[w->job];
    if (x->priority != y->priority)
        return x->priority > y->priority;
    if (pc_last_start(x) != pc_last_start(y))
        return pc_last_start(x) < pc_last_start(y);
    return x->rank != y->rank ? x->rank < y->rank : v->task < w->task;
}

/* Lists in c->popped the tasks of lower priority on the node, and in c->gathered their indexes, the
 * most important first. Returns false if out of memory. */
static bool gather(struct policy *p, uint32_t node, int32_t priority)
{
    struct pc_cluster *c = p->cluster;
    c->popped.count = c->gathered_count = 0;
    for (struct pc_evictable_task g = c->nodes[node].first_evictable; g.job != PC_NONE;
         g = pc_task(c, g.job, g.task)->next) {
        const struct pc_place *place = &pc_task(c, g.job, g.task)->place;
        if (c->jobs[g.job].priority >= priority || place->holding != PC_RUNS || place->node != node)
            continue;
        if (!PC_GROW(&p->memory, c->popped.of, c->popped.capacity, c->popped.count + 1) ||
            !PC_GROW(&p->memory, c->gathered, c->gathered_capacity, c->gathered_count + 1)) {
            c->out_of_memory = true;
            return false;
        }
        c->gathered[c->gathered_count++] = c->popped.count;
        c->popped.of[c->popped.count++] =
            (struct pc_victim){g.job, g.task, PC_NONE, PC_NONE, *place};
    }
    pc_sort_ids(c->gathered, c->gathered_count, is_more_important, c);
    return true;
}

static bool evict(struct policy *p, const struct pc_victim *v)
{
    struct pc_place place = v->before;
    place.holding = PC_RELEASING;
    return pc_txn_move(p, v->job, v->task, &place);
}

/* Evicts all gathered tasks and puts back, in order, those that leave enough room for the task.
 * Returns false if the task does not fit even without them, or if out of memory. */
static bool make_room(struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; i < c->gathered_count; i++)
        if (!evict(p, &c->popped.of[c->gathered[i]]))
            return false;
    if (!pc_nomination_on(p, job, task, node, NULL))
        return false;
    for (uint32_t i = 0; i < c->gathered_count; i++) {
        const struct pc_victim *v = &c->popped.of[c->gathered[i]];
        if (!pc_txn_move(p, v->job, v->task, &v->before))
            return false;
        if (!pc_nomination_on(p, job, task, node, NULL) && !evict(p, v))
            return false;
    }
    return true;
}

static struct pc_cost count_cost(const struct pc_cluster *c)
{
    struct pc_cost cost = {0};
    for (uint32_t i = 0; i < c->gathered_count;
         i++) { /* the first victim has the highest priority */
        const struct pc_victim *v = &c->popped.of[c->gathered[i]];
        const struct pc_job *j = &c->jobs[v->job];
        if (pc_task_of(j, v->task)->place.holding == PC_RUNS)
            continue;
        if (cost.victims == 0) {
            cost.highest = j->priority;
            cost.since = pc_last_start(j);
        }
        cost.sum += j->priority + (INT64_C(1) << 31);
        cost.victims++;
    }
    return cost;
}

bool pc_is_cheaper(const struct pc_cost *a, const struct pc_cost *b)
{
    if (a->highest != b->highest)
        return a->highest < b->highest;
    if (a->sum != b->sum)
        return a->sum < b->sum;
    if (a->victims != b->victims)
        return a->victims < b->victims;
    return a->since > b->since;
}

/* Returns false if too few whole devices would be free even without all gathered tasks; true if
 * that cannot be decided by counting. */
static bool may_make_room(const struct pc_cluster *c, const struct pc_node *n,
                          const struct pc_request *r)
{
    if (c->exhaustive || r->devices == 0 || pc_shares_devices(r))
        return true;
    int32_t room = pc_soon_whole(n);
    for (uint32_t i = 0; i < c->gathered_count; i++) {
        const struct pc_victim *v = &c->popped.of[c->gathered[i]];
        const struct pc_request *its = pc_request_of(c, v->job, v->task);
        room += pc_devices_under(its);
    }
    return room >= r->devices;
}

/* Evicts tentatively. Returns the cost of making room on the node; no victims: impossible there. */
static struct pc_cost try_node(struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_cost none = {0};
    if (!gather(p, node, c->jobs[job].priority) || c->gathered_count == 0 ||
        !may_make_room(c, &c->nodes[node], pc_request_of(c, job, task)))
        return none;
    return make_room(p, job, task, node) ? count_cost(c) : none;
}

struct pc_cost pc_cost_on(struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_node *n = &c->nodes[node];
    struct pc_cost cost = {0};
    uint32_t mark = pc_txn_mark(c);
    if (n->first_evictable.job == PC_NONE || n->state != POLICY_NODE_UP ||
        !pc_node_suits(c, n, pc_request_of(c, job, task)) ||
        !pc_bits_has(&c->pool_sets[c->queues[c->jobs[job].queue].pool_set].nodes, n->rank))
        return cost;
    cost = try_node(p, job, task, node);
    pc_txn_rollback(c, mark);
    return cost;
}

/* ---- all nodes ---- */

/* Tries every node: the reference for pc_cheapest_node(), and for tasks that it does not cover. */
static uint32_t look_at_each(struct policy *p, uint32_t job, uint32_t task)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_bits *nodes = &c->pool_sets[c->queues[c->jobs[job].queue].pool_set].nodes;
    uint32_t best = PC_NONE;
    struct pc_cost least = {0};
    for (uint32_t rank = pc_bits_first(nodes); rank != PC_NONE;
         rank = pc_bits_next(nodes, rank + 1)) {
        const struct pc_cost cost = pc_cost_on(p, job, task, p->node_of_rank[rank]);
        if (cost.victims > 0 && (best == PC_NONE || pc_is_cheaper(&cost, &least))) {
            best = p->node_of_rank[rank];
            least = cost;
        }
    }
    return best;
}

static bool has_lower(const struct pc_cluster *c, int32_t priority)
{
    bool found = false;
    for (uint32_t q = 0; q < c->queue_count && !found;
         q++) /* the first victim has the lowest priority */
        found = c->queues[q].active.count > 0 &&
                c->jobs[pc_evictable_first(&c->queues[q].active)].priority < priority;
    return found;
}

/* Evicts on the node and nominates the task to it. */
static bool evict_on(struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    struct pc_cluster *c = p->cluster;
    struct pc_place there = pc_nowhere();
    if (try_node(p, job, task, node).victims > 0 && pc_nomination_on(p, job, task, node, &there) &&
        pc_queued_task_settle(p, job, task, &there))
        return true;
    pc_txn_rollback(c, 0);
    return false;
}

bool pc_evict_for_task(struct policy *p, uint32_t job, uint32_t task)
{
    struct pc_cluster *c = p->cluster;
    int32_t priority = c->jobs[job].priority;
    uint32_t node;
    if ((p->config.quota.actions >> POLICY_PREEMPT & 1) == 0 || !has_lower(c, priority))
        return false;
    if (!pc_cheapest_node(p, job, task, &node))
        node = look_at_each(p, job, task);
    if (node == PC_NONE || c->out_of_memory)
        return false;
    c->action = POLICY_PREEMPT;
    bool done = evict_on(p, job, task, node);
    c->action = POLICY_ALLOCATE;
    return done;
}
