/* SPDX-License-Identifier: MIT */
/* Facts about queues; see state/queues.h. */

#include "pending/pending.h"
#include "state/evictable.h"
#include "state/jobs.h"
#include "state/pool_quotas.h"
#include "state/pool_sets.h"
#include "state/queue_limits.h"
#include "state/queues.h"
#include "state/sized.h"
#include "state/specs.h"

#include <string.h>

static const policy_queue no_queue = {POLICY_NO_ID};

/* ---- facts ---- */

static struct pc_amounts vector(int64_t gpu, int64_t cpu, int64_t mem)
{
    return (struct pc_amounts){{gpu, cpu, mem}};
}

static int check_parent(struct policy *p, policy_queue parent)
{
    const struct pc_cluster *c = p->cluster;
    if (parent.i == POLICY_NO_ID)
        return POLICY_OK;
    if (parent.i >= c->queue_count || !c->queues[parent.i].exists)
        return pc_refuse(p, POLICY_UNKNOWN, "parent queue", parent.i, "not known");
    if (c->queues[parent.i].jobs > 0)
        return pc_refuse(p, POLICY_CONFLICT, "parent queue", parent.i,
                         "has jobs; only leaves hold jobs");
    return POLICY_OK;
}

/* A reserve beyond what the queue may have would never be used, and is refused. */
static int check_fixed(struct policy *p, const struct policy_queue_spec *spec)
{
    int64_t fixed = spec->fixed_milli;
    if (!pc_heeds_quotas(p) || p->cluster->pending != NULL)
        return POLICY_OK;
    if (fixed < 0 || fixed > PC_PLENTY)
        return pc_refuse(p, POLICY_INVALID, "fixed quota of a queue", fixed, "at least 0");
    if (!pc_within_one(fixed, spec->gpu.quota))
        return pc_refuse(
            p, POLICY_INVALID, "fixed quota of a queue", fixed,
            "at most its quota of devices: sessions that may not be preempted get no more");
    if (!pc_within_one(fixed, spec->gpu.limit))
        return pc_refuse(p, POLICY_INVALID, "fixed quota of a queue", fixed,
                         "at most its limit of devices");
    return POLICY_OK;
}

static uint32_t new_id(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; i < c->queue_count; i++)
        if (!c->queues[i].exists)
            return i;
    if (!PC_GROW(&p->memory, c->queues, c->queue_capacity, c->queue_count + 1))
        return PC_NONE;
    memset(&c->queues[c->queue_count], 0, sizeof *c->queues);
    return c->queue_count++;
}

static void set_limit(const struct policy *p, struct pc_queue *q)
{
    q->limit = pc_limit_of(p, q);
    q->limited = false;
    for (int r = 0; r < PC_RESOURCES; r++)
        q->limited |= q->limit.of[r] != POLICY_UNLIMITED;
}

/* Sets everything about a queue that may change, except its suspension. */
static void set_terms(struct policy *p, struct pc_queue *q, const struct policy_queue_spec *spec)
{
    struct pc_cluster *c = p->cluster;
    q->priority = spec->priority;
    q->quota = vector(spec->gpu.quota, spec->cpu.quota, spec->mem.quota);
    q->reported_limit = vector(spec->gpu.limit, spec->cpu.limit, spec->mem.limit);
    q->weight = vector(spec->gpu.weight, spec->cpu.weight, spec->mem.weight);
    q->preempt_min_ms = spec->preempt_min_runtime_ms;
    q->reclaim_min_ms = spec->reclaim_min_runtime_ms;
    c->fixed_milli -= q->fixed_milli;
    q->fixed_milli = p->config.pods.on || c->pending != NULL ? 0 : spec->fixed_milli;
    c->fixed_milli += q->fixed_milli;
    c->tiers_known = false;
    pc_groups_set(c, q, spec);
    set_limit(p, q);
}

/* Adds the queue to its parent's list of children. */
static bool join_siblings(struct policy *p, uint32_t parent, uint32_t id)
{
    struct pc_cluster *c = p->cluster;
    if (parent == POLICY_NO_ID) {
        if (!PC_GROW(&p->memory, c->roots, c->root_capacity, c->root_count + 1))
            return false;
        c->roots[c->root_count++] = id;
        return true;
    }
    struct pc_queue *q = &c->queues[parent];
    if (!PC_GROW(&p->memory, q->children, q->child_capacity, q->child_count + 1))
        return false;
    q->children[q->child_count++] = id;
    q->leaf = false;
    set_limit(p, q);
    return true;
}

static void leave_siblings(struct policy *p, uint32_t parent, uint32_t id)
{
    struct pc_cluster *c = p->cluster;
    uint32_t *list = parent == POLICY_NO_ID ? c->roots : c->queues[parent].children;
    uint32_t *count = parent == POLICY_NO_ID ? &c->root_count : &c->queues[parent].child_count;
    uint32_t at = 0;
    while (list[at] != id)
        at++;
    memmove(list + at, list + at + 1, (*count - at - 1) * sizeof *list);
    --*count;
    if (parent == POLICY_NO_ID)
        return;
    struct pc_queue *q = &c->queues[parent];
    q->leaf = *count == 0;
    set_limit(p, q);
}

/* Returns the set of the queue's pools, or PC_NONE if out of memory. Pools in an order of
 * preference are tried one by one (place/pool_tiers.h), so each has a set too, known before others
 * count sets.
 */
static uint32_t find_pools(struct policy *p, const struct policy_queue_spec *spec)
{
    if (!spec->ordered_pools || spec->pool_count < 2)
        return pc_pool_set_find(p, spec->pools, spec->pool_count);
    for (uint32_t i = 0; i < spec->pool_count; i++)
        if (pc_pool_set_find(p, &spec->pools[i], 1) == PC_NONE)
            return PC_NONE;
    return pc_pool_set_find_ordered(p, spec->pools, spec->pool_count, spec->strict_order);
}

policy_queue policy_add_queue(struct policy *p, policy_time at,
                              const struct policy_queue_spec *given)
{
    struct pc_cluster *c = p->cluster;
    struct policy_queue_spec room;
    const struct policy_queue_spec *spec = pc_sized_fact(p, PC_QUEUE_SPEC, given, &room);
    policy_time before = p->now;
    if (spec == NULL || pc_check_queue_spec(p, spec) != POLICY_OK ||
        pc_groups_check(p, spec) != POLICY_OK || check_fixed(p, spec) != POLICY_OK ||
        check_parent(p, spec->parent) != POLICY_OK || pc_at(p, at) != POLICY_OK)
        return no_queue;
    uint32_t parent = spec->parent.i;
    uint32_t set = find_pools(p, spec);
    struct pc_group_share *groups = NULL;
    uint32_t group_capacity = 0;
    uint32_t id = set != PC_NONE && pc_groups_make(p, spec) ? new_id(p) : PC_NONE;
    if (id == PC_NONE || !pc_pending_reserve_queue(p, id) || !pc_pending_reserve_set(p, set) ||
        !pc_usage_reserve(p) || !pc_modules_reserve_queue(p, id) ||
        !PC_GROW(&p->memory, groups, group_capacity, c->group_count) ||
        !join_siblings(p, parent, id)) {
        pc_release(&p->memory, groups, group_capacity, sizeof *groups);
        pc_no_memory(p, before, "queue", c->queue_count);
        return no_queue;
    }
    if (c->usages != NULL)
        memset(&c->usages[id], 0,
               sizeof *c->usages); /* that of a previous queue with the same number */
    struct pc_queue *q = &c->queues[id];
    *q = (struct pc_queue){
        .exists = true,
        .leaf = true,
        .parent = parent,
        .rank = spec->rank,
        .pool_set = set,
        .depth = parent == POLICY_NO_ID ? 0 : c->queues[parent].depth + 1,
        .created = spec->created,
        .suspended = spec->suspended,
        .shut = spec->suspended || (parent != POLICY_NO_ID && c->queues[parent].shut),
    };
    q->groups = groups;
    q->group_capacity = group_capacity;
    if (groups != NULL)
        memset(groups, 0, group_capacity * sizeof *groups);
    for (uint32_t size = 0; size < PC_SIZES; size++)
        q->of_size[size] = PC_NONE;
    set_terms(p, q, spec);
    c->displaced.happened = true;
    c->version++;
    pc_modules_queues_changed(p);
    return (policy_queue){id};
}

/* ---- changes of a queue that has jobs ---- */

/* Checks that everything immutable is unchanged. */
static int check_kept(struct policy *p, const struct pc_queue *q,
                      const struct policy_queue_spec *spec)
{
    const struct pc_pool_set *pools = &p->cluster->pool_sets[q->pool_set];
    if (spec->parent.i != q->parent || spec->rank != q->rank || spec->created != q->created)
        return pc_refuse(p, POLICY_CONFLICT, "parent, rank or creation time of a queue",
                         spec->parent.i, "what it was: it cannot change");
    if (spec->pool_count != pools->pool_count ||
        (spec->ordered_pools && spec->pool_count > 1) != (pools->preferred != NULL) ||
        (pools->preferred != NULL && spec->strict_order != pools->strict) ||
        (pools->pool_count > 0 &&
         memcmp(spec->pools, pools->preferred != NULL ? pools->preferred : pools->pools,
                pools->pool_count * sizeof *pools->pools) != 0))
        return pc_refuse(p, POLICY_CONFLICT, "pools of a queue", spec->pool_count,
                         "what they were: they cannot change");
    return POLICY_OK;
}

/* Returns true if the spec changes nothing. */
static bool has_terms(const struct policy *p, const struct pc_queue *q,
                      const struct policy_queue_spec *spec)
{
    const struct pc_amounts quota = vector(spec->gpu.quota, spec->cpu.quota, spec->mem.quota);
    const struct pc_amounts limit = vector(spec->gpu.limit, spec->cpu.limit, spec->mem.limit);
    const struct pc_amounts weight = vector(spec->gpu.weight, spec->cpu.weight, spec->mem.weight);
    bool keeps = !p->config.pods.on && p->cluster->pending == NULL;
    return pc_groups_same(p, q, spec) && pc_equal_amounts(&quota, &q->quota) &&
           pc_equal_amounts(&limit, &q->reported_limit) && pc_equal_amounts(&weight, &q->weight) &&
           spec->priority == q->priority && spec->preempt_min_runtime_ms == q->preempt_min_ms &&
           spec->reclaim_min_runtime_ms == q->reclaim_min_ms && spec->suspended == q->suspended &&
           (keeps ? spec->fixed_milli == q->fixed_milli : true);
}

int policy_set_queue(struct policy *p, policy_time at, policy_queue queue,
                     const struct policy_queue_spec *given)
{
    struct pc_cluster *c = p->cluster;
    struct policy_queue_spec room;
    const struct policy_queue_spec *spec = pc_sized_fact(p, PC_QUEUE_SPEC, given, &room);
    policy_time before = p->now;
    if (spec == NULL || pc_check_queue_spec(p, spec) != POLICY_OK ||
        pc_groups_check(p, spec) != POLICY_OK || check_fixed(p, spec) != POLICY_OK)
        return p->error.status;
    if (queue.i >= c->queue_count || !c->queues[queue.i].exists)
        return pc_refuse(p, POLICY_UNKNOWN, "queue", queue.i, "not known");
    struct pc_queue *q = &c->queues[queue.i];
    int status = check_kept(p, q, spec);
    if (status == POLICY_OK)
        status = pc_at(p, at);
    if (status != POLICY_OK || has_terms(p, q, spec))
        return status;
    if (!pc_groups_make(p, spec) || !pc_jobs_reserve_shut(p))
        return pc_no_memory(p, before, "queue", queue.i);
    set_terms(p, q, spec);
    if (spec->suspended != q->suspended) {
        q->suspended = spec->suspended;
        pc_jobs_settle_shut(p);
    }
    c->limits_eased = true; /* a job that a limit held back may start now, */
    c->freed++;             /* and so may one blocked by a bound of its queue */
    c->displaced.happened = true;
    c->version++;
    pc_modules_queues_changed(p);
    return POLICY_OK;
}

void pc_queue_free(struct policy *p, struct pc_queue *q)
{
    pc_release(&p->memory, q->children, q->child_capacity, sizeof *q->children);
    pc_evictable_free(p, &q->active);
    pc_release(&p->memory, q->classes, q->class_capacity, sizeof *q->classes);
    pc_release(&p->memory, q->groups, q->group_capacity, sizeof *q->groups);
    memset(q, 0, sizeof *q);
}

int policy_remove_queue(struct policy *p, policy_time at, policy_queue queue)
{
    struct pc_cluster *c = p->cluster;
    if (queue.i >= c->queue_count || !c->queues[queue.i].exists)
        return pc_refuse(p, POLICY_UNKNOWN, "queue", queue.i, "not known");
    struct pc_queue *q = &c->queues[queue.i];
    if (q->jobs > 0)
        return pc_refuse(p, POLICY_CONFLICT, "jobs of the queue", (int64_t)q->jobs,
                         "they have to end first");
    if (q->child_count > 0)
        return pc_refuse(p, POLICY_CONFLICT, "queues below it", q->child_count,
                         "they have to be removed first");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    leave_siblings(p, q->parent, queue.i);
    c->fixed_milli -= q->fixed_milli;
    c->tiers_known = false;
    pc_modules_queue_over(p, queue.i);
    pc_queue_free(p, q);
    pc_pending_drop_queue(p, queue.i);
    pc_modules_queues_changed(p);
    c->displaced.happened = true;
    c->version++;
    return POLICY_OK;
}

int policy_set_usage(struct policy *p, policy_time at, policy_queue queue,
                     const struct policy_amounts *ppm)
{
    struct pc_cluster *c = p->cluster;
    if (c == NULL || c->pending != NULL)
        return pc_refuse(p, POLICY_UNSUPPORTED, "use of queue", queue.i,
                         "only the quota policy knows it");
    if (queue.i >= c->queue_count || !c->queues[queue.i].exists)
        return pc_refuse(p, POLICY_UNKNOWN, "queue", queue.i, "not known");
    if (ppm->gpu < 0 || ppm->cpu < 0 || ppm->mem < 0)
        return pc_refuse(p, POLICY_INVALID, "use of a queue", ppm->gpu, "at least 0");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    c->queues[queue.i].usage_ppm = vector(ppm->gpu, ppm->cpu, ppm->mem);
    pc_usage_reported(p, queue.i);
    c->displaced.happened = true;
    c->version++;
    return POLICY_OK;
}

int policy_queue_info(const struct policy *p, policy_queue queue, struct policy_queue_info *out)
{
    const struct pc_cluster *c = p->cluster;
    if (c == NULL)
        return POLICY_UNSUPPORTED;
    if (queue.i >= c->queue_count || !c->queues[queue.i].exists)
        return POLICY_UNKNOWN;
    if (!pc_sized_fits(PC_QUEUE_INFO, out))
        return POLICY_INVALID;
    const struct pc_queue *q = &c->queues[queue.i];
    const struct policy_queue_info answer = {
        .fair_share = pc_public(&q->fair),
        .allocated = pc_public(&q->allocated),
        .non_preemptible = pc_public(&q->fixed),
        .request = pc_public(&q->request),
        .usage_ppm = pc_public(&q->usage_ppm),
    };
    pc_sized_out(PC_QUEUE_INFO, out, &answer);
    return POLICY_OK;
}

int policy_pool_share(const struct policy *p, policy_queue queue, uint32_t pool,
                      struct policy_pool_share *out)
{
    const struct pc_cluster *c = p->cluster;
    if (c == NULL || c->group_count == 0)
        return POLICY_UNSUPPORTED;
    if (queue.i >= c->queue_count || !c->queues[queue.i].exists || pool >= c->pool_count)
        return POLICY_UNKNOWN;
    if (!pc_sized_fits(PC_POOL_SHARE, out))
        return POLICY_INVALID;
    uint32_t group = c->pools[pool].group;
    const struct pc_group_share *s = &c->queues[queue.i].groups[group];
    const struct policy_pool_share answer = {
        .group = group,
        .guaranteed = s->due,
        .fair_share = s->fair,
        .allocated = s->allocated,
        .non_preemptible = s->fixed,
        .request = s->request,
        .capacity = c->groups[group].capacity,
    };
    pc_sized_out(PC_POOL_SHARE, out, &answer);
    return POLICY_OK;
}
