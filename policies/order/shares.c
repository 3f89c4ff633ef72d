/* SPDX-License-Identifier: MIT */
/* Divides the cluster among the queues, once per decision, from the sums kept by the queues. */
#include "order/fair_share.h"
#include "order/pool_shares.h"
#include "order/queue_walk.h"

static const int64_t units[PC_RESOURCES] = {POLICY_WHOLE, 1, 1};

/* Divides one resource among siblings. */
static void divide(struct policy *p, int resource, int64_t amount, const uint32_t *queues,
                   uint32_t count)
{
    struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; i < count; i++) {
        const struct pc_queue *q = &c->queues[queues[i]];
        c->claims[i] = (struct pc_claim){
            .quota = q->quota.of[resource],
            .limit = q->limit.of[resource],
            .weight = q->weight.of[resource],
            .request = q->request.of[resource],
            .usage_ppm = q->usage_ppm.of[resource],
            .created = q->created,
            .rank = q->rank,
            .priority = q->priority,
        };
    }
    pc_divide(amount, units[resource], p->config.quota.usage_k_ppm, c->claims, count,
              c->claim_order);
    for (uint32_t i = 0; i < count; i++) {
        struct pc_queue *q = &c->queues[queues[i]];
        q->fair.of[resource] = c->claims[i].share;
        q->allocatable.of[resource] =
            pc_allocatable(q->quota.of[resource], q->limit.of[resource], c->claims[i].share);
    }
}

/* A resource that some node does not model is not divided: every queue may have what it
 * requests. */
static void divide_nothing(struct pc_cluster *c, int resource, const uint32_t *queues,
                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        c->queues[queues[i]].fair.of[resource] = PC_PLENTY;
        c->queues[queues[i]].allocatable.of[resource] = c->queues[queues[i]].limit.of[resource];
    }
}

static void divide_all(struct policy *p, const struct pc_amounts *amounts, const uint32_t *queues,
                       uint32_t count)
{
    for (int r = 0; r < PC_RESOURCES; r++)
        if (p->cluster->unmodelled[r] > 0)
            divide_nothing(p->cluster, r, queues, count);
        else
            divide(p, r, amounts->of[r], queues, count);
}

/* Lists all leaves, for a flat hierarchy. */
static uint32_t list_leaves(const struct pc_cluster *c, uint32_t *list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->queue_count; i++)
        if (c->queues[i].exists && c->queues[i].leaf)
            list[count++] = i;
    return count;
}

bool pc_divide_shares(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    if (!PC_GROW(&p->memory, c->claims, c->claim_capacity, c->queue_count) ||
        !PC_GROW(&p->memory, c->claim_order, c->claim_order_capacity, c->queue_count) ||
        !PC_GROW(&p->memory, c->walk, c->walk_capacity, c->queue_count))
        return false;
    if (c->flat) {
        c->walk_count = list_leaves(c, c->walk);
        divide_all(p, &c->capacity, c->walk, c->walk_count);
        pc_divide_groups(p);
        return true;
    }
    divide_all(p, &c->capacity, c->roots, c->root_count);
    c->walk_count = 0;
    for (uint32_t i = 0; i < c->root_count; i++)
        c->walk[c->walk_count++] = c->roots[i];
    for (uint32_t at = 0; at < c->walk_count; at++) {
        const struct pc_queue *q = &c->queues[c->walk[at]];
        if (q->child_count == 0)
            continue;
        divide_all(p, &q->fair, q->children, q->child_count);
        for (uint32_t i = 0; i < q->child_count; i++)
            c->walk[c->walk_count++] = q->children[i];
    }
    pc_divide_groups(p);
    return true;
}
