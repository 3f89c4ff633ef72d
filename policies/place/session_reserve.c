/* SPDX-License-Identifier: MIT */
/* Session reserves; see session_reserve.h. */
#include "place/session_reserve.h"

#include "state/mig.h"
#include "state/nodes.h"

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- the reserve ---- */

/* The part of the queue's reserve that its sessions do not hold yet. */
static int64_t own(const struct pc_queue *q)
{
    return q->exists && q->fixed_milli > q->build_milli ? q->fixed_milli - q->build_milli : 0;
}

/* Returns true if a queue's reserve is part of its parent's: both refer to the same nodes. */
static bool is_part_of_above(const struct pc_cluster *c, const struct pc_queue *q)
{
    return q->parent != POLICY_NO_ID && c->queues[q->parent].pool_set == q->pool_set;
}

static uint32_t most_depth(const struct pc_cluster *c)
{
    uint32_t most = 0;
    for (uint32_t q = 0; q < c->queue_count; q++)
        if (c->queues[q].exists && c->queues[q].depth > most)
            most = c->queues[q].depth;
    return most;
}

/* Bottom up: a queue reserves its own amount or the sum of its children's, whichever is larger. */
static void sum_up(struct pc_cluster *c)
{
    for (uint32_t z = 0; z < c->pool_set_count; z++)
        c->pool_sets[z].kept = 0;
    for (uint32_t q = 0; q < c->queue_count; q++)
        c->queues[q].kept_below = 0;
    for (uint32_t depth = most_depth(c) + 1; depth-- > 0;)
        for (uint32_t id = 0; id < c->queue_count; id++) {
            struct pc_queue *q = &c->queues[id];
            if (!q->exists || q->depth != depth)
                continue;
            q->kept = own(q) > q->kept_below ? own(q) : q->kept_below;
            if (is_part_of_above(c, q))
                c->queues[q->parent].kept_below += q->kept;
            else
                c->pool_sets[q->pool_set].kept += q->kept;
        }
}

/* ---- free capacity ---- */

/* What is left of a device split into instances, as a fraction of its slices; thousandths. */
static int64_t rest_of(struct pc_device d)
{
    int64_t compute = PC_MIG_COMPUTE - d.compute - d.compute_nominated;
    int64_t memory = PC_MIG_MEMORY - pc_popcount(d.slices | d.slices_nominated);
    return smaller(compute * POLICY_WHOLE / PC_MIG_COMPUTE, memory * POLICY_WHOLE / PC_MIG_MEMORY);
}

/*
 * Thousandths of devices free after release: instances of fixed counts as quotas weigh them; on
 * other nodes each device once, regardless of how many instances it could hold.
 */
static int64_t room_on(const struct pc_cluster *c, const struct pc_node *n)
{
    int64_t sum = 0;
    if (n->state != POLICY_NODE_UP)
        return 0;
    for (uint32_t i = 0; n->mig == POLICY_MIG_FIXED && i < POLICY_MAX_PROFILES; i++)
        sum += (int64_t)n->instances->soon[i] * c->slices[i] * POLICY_WHOLE;
    if (n->mig == POLICY_MIG_FIXED) /* only instances can be allocated there */
        return sum;
    if (n->mig != POLICY_MIG_FREE)
        return n->soon_milli;
    sum = (int64_t)pc_soon_whole(n) * POLICY_WHOLE;
    for (uint64_t rest = n->usable & ~(n->idle | n->leaving); rest != 0; rest &= rest - 1) {
        const struct pc_device d = pc_device_of(n, pc_lowest(rest));
        if ((d.slices | d.slices_nominated) != 0)
            sum += rest_of(d);
        else
            sum += (int64_t)(n->capacity - d.used - d.nominated) * POLICY_WHOLE / n->capacity;
    }
    return sum;
}

bool pc_measure_session_reserve(const struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    if (c->fixed_milli == 0 || c->session_reserve_ignored)
        return false;
    sum_up(c);
    bool any = false;
    for (uint32_t z = 0; z < c->pool_set_count; z++) {
        struct pc_pool_set *pool_set = &c->pool_sets[z];
        if (pool_set->kept == 0)
            continue;
        any = true;
        pool_set->spare = -pool_set->kept;
        for (uint32_t rank = pc_bits_first(&pool_set->nodes); rank != PC_NONE;
             rank = pc_bits_next(&pool_set->nodes, rank + 1))
            pool_set->spare += room_on(c, &c->nodes[p->node_of_rank[rank]]);
    }
    return any;
}

/* ---- which jobs may use it ---- */

/* Upper bound on the decrease of the room on the node. */
static int64_t room_taken(const struct pc_cluster *c, const struct pc_node *n,
                          const struct pc_request *r)
{
    if (n->mig != POLICY_MIG_FREE || !r->wants_mig)
        return pc_weigh_on(n, r).of[PC_GPU];
    int64_t taken = 0;
    for (uint32_t i = 0; i < POLICY_MAX_PROFILES; i++) {
        int64_t compute =
            ((int64_t)c->slices[i] * POLICY_WHOLE + PC_MIG_COMPUTE - 1) / PC_MIG_COMPUTE;
        int64_t memory =
            ((int64_t)c->memory_slices[i] * POLICY_WHOLE + PC_MIG_MEMORY - 1) / PC_MIG_MEMORY;
        taken += r->mig[i] * (compute > memory ? compute : memory);
    }
    return taken;
}

/* How much the reserve of each pool set shrinks once the job has that much more. */
static void reckon_relief(struct pc_cluster *c, const struct pc_job *j, int64_t weight)
{
    for (uint32_t z = 0; z < c->pool_set_count; z++)
        c->pool_sets[z].relief = 0;
    int64_t less_below = 0;
    for (uint32_t id = j->queue; id != POLICY_NO_ID && j->workload == POLICY_BUILD;) {
        const struct pc_queue *q = &c->queues[id];
        int64_t own_then = own(q) > weight ? own(q) - weight : 0;
        int64_t below_then = q->kept_below - less_below;
        int64_t less = q->kept - (own_then > below_then ? own_then : below_then);
        bool part = is_part_of_above(c, q);
        less_below = part ? less : 0;
        c->pool_sets[q->pool_set].relief += part ? 0 : less;
        id = q->parent;
    }
}

bool pc_spares_session_reserve(const struct policy *p, const struct pc_job *j,
                               const struct pc_node *n, const struct pc_request *r)
{
    struct pc_cluster *c = p->cluster;
    int64_t taken = room_taken(c, n, r);
    if (taken == 0)
        return true;
    reckon_relief(c, j, pc_weigh_on(n, r).of[PC_GPU]);
    bool spared = true;
    for (uint32_t z = 0; z < c->pool_set_count; z++) {
        const struct pc_pool_set *pool_set = &c->pool_sets[z];
        if (pool_set->kept == 0 || !pc_bits_has(&pool_set->nodes, n->rank))
            continue;
        if (pool_set->relief >= taken)
            return true;
        spared = spared && pool_set->spare + pool_set->relief >= taken;
    }
    return spared;
}

uint32_t pc_keeper(const struct policy *p, uint32_t pool_set)
{
    const struct pc_cluster *c = p->cluster;
    for (uint32_t q = 0; q < c->queue_count; q++) {
        if (own(&c->queues[q]) == 0)
            continue;
        const struct pc_bits *nodes = &c->pool_sets[c->queues[q].pool_set].nodes;
        for (uint32_t rank = pc_bits_first(nodes); rank != PC_NONE;
             rank = pc_bits_next(nodes, rank + 1))
            if (pc_bits_has(&c->pool_sets[pool_set].nodes, rank))
                return q;
    }
    return POLICY_NO_ID;
}
