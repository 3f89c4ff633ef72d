/* SPDX-License-Identifier: MIT */
/* What is kept for build sessions; see kept.h. */
#include "place/kept.h"

#include "cluster/nodes.h"

static int64_t owed(const struct pq_queue *q)
{
    return q->exists && q->fixed_milli > q->build_milli ? q->fixed_milli - q->build_milli : 0;
}

bool pq_measure_kept(const struct policy *p)
{
    struct cluster *c = p->cluster;
    if (c->fixed_milli == 0 || c->kept_ignored)
        return false;
    for (uint32_t z = 0; z < c->zone_count; z++)
        c->zones[z].kept = 0;
    for (uint32_t q = 0; q < c->queue_count; q++)
        if (owed(&c->queues[q]) > 0)
            c->zones[c->queues[q].zone].kept += owed(&c->queues[q]);
    bool any = false;
    for (uint32_t z = 0; z < c->zone_count; z++) {
        struct pq_zone *zone = &c->zones[z];
        if (zone->kept == 0)
            continue;
        any = true;
        zone->spare = -zone->kept;
        for (uint32_t rank = pc_bits_first(&zone->nodes); rank != PC_NONE;
             rank = pc_bits_next(&zone->nodes, rank + 1))
            zone->spare += c->nodes[p->node_of_rank[rank]].soon_milli;
    }
    return any;
}

/* Of a device that is cut into instances the whole is gone for everybody else, and no more than that. */
static int64_t weight_on(const struct pq_node *n, const struct pq_request *r)
{
    int64_t weight = pq_weigh_on(n, r).of[PQ_GPU];
    return n->mig == POLICY_MIG_FREE && r->wants_mig && weight > POLICY_WHOLE ? POLICY_WHOLE : weight;
}

bool pq_spares_kept(const struct policy *p, const struct pq_job *j, const struct pq_node *n,
                    const struct pq_request *r)
{
    const struct cluster *c = p->cluster;
    int64_t weight = weight_on(n, r);
    if (weight == 0)
        return true;
    for (uint32_t q = j->queue; q != POLICY_NO_ID && j->workload == POLICY_BUILD; q = c->queues[q].parent)
        if (c->queues[q].build_milli + weight <= c->queues[q].fixed_milli)
            return true;
    for (uint32_t z = 0; z < c->zone_count; z++)
        if (c->zones[z].kept > 0 && c->zones[z].spare < weight && pc_bits_has(&c->zones[z].nodes, n->rank))
            return false;
    return true;
}

uint32_t pq_keeper(const struct policy *p, uint32_t zone)
{
    const struct cluster *c = p->cluster;
    for (uint32_t q = 0; q < c->queue_count; q++) {
        if (owed(&c->queues[q]) == 0)
            continue;
        const struct pc_bits *nodes = &c->zones[c->queues[q].zone].nodes;
        for (uint32_t rank = pc_bits_first(nodes); rank != PC_NONE; rank = pc_bits_next(nodes, rank + 1))
            if (pc_bits_has(&c->zones[zone].nodes, rank))
                return q;
    }
    return POLICY_NO_ID;
}
