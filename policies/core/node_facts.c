/* SPDX-License-Identifier: MIT */
/* Facts about nodes and devices. */
#include "cluster/cluster.h"
#include "core/nodes.h"
#include "core/sites.h"
#include "core/sized.h"
#include "place/near.h"

#include <string.h>

static const policy_node no_node = {POLICY_NO_ID};

int pc_check_node_spec(struct policy *p, const struct policy_node_spec *spec)
{
    if (spec->devices < 0 || spec->devices > POLICY_MAX_DEVICES)
        return pc_refuse(p, POLICY_INVALID, "devices of a node", spec->devices, "0 to 64");
    if (spec->type >= POLICY_MAX_TYPES)
        return pc_refuse(p, POLICY_INVALID, "device type", spec->type, "below 64");
    if (spec->pool >= POLICY_MAX_POOLS)
        return pc_refuse(p, POLICY_INVALID, "pool", spec->pool, "below 4096");
    if (spec->cpu_milli < -1 || spec->cpu_milli > PC_PLENTY)
        return pc_refuse(p, POLICY_INVALID, "CPU of a node", spec->cpu_milli, "at least 0, or -1");
    if (spec->mem_mib < -1 || spec->mem_mib > PC_PLENTY)
        return pc_refuse(p, POLICY_INVALID, "memory of a node", spec->mem_mib, "at least 0, or -1");
    if (spec->max_tasks < -1)
        return pc_refuse(p, POLICY_INVALID, "tasks of a node", spec->max_tasks, "at least 0, or -1");
    if (spec->label_count > 0 && spec->labels == NULL)
        return pc_refuse(p, POLICY_INVALID, "labels of a node", spec->label_count, "no array beside it");
    if (spec->rank >= PC_BITS_MAX)
        return pc_refuse(p, POLICY_INVALID, "rank of a node", spec->rank, "below 4194304");
    if (spec->rank < p->rank_capacity && p->node_of_rank[spec->rank] != PC_NONE)
        return pc_refuse(p, POLICY_CONFLICT, "rank of a node", spec->rank, "taken by another node");
    return POLICY_OK;
}

bool pc_know_rank(struct policy *p, uint32_t rank)
{
    uint32_t known = p->rank_capacity;
    if (!PC_GROW(&p->memory, p->node_of_rank, p->rank_capacity, rank + 1))
        return false;
    for (; known < p->rank_capacity; known++)
        p->node_of_rank[known] = PC_NONE;
    return true;
}

static uint32_t free_node_id(const struct policy *p)
{
    for (uint32_t i = 0; i < p->node_count; i++)
        if (!p->nodes[i].exists)
            return i;
    return p->node_count;
}

policy_node policy_add_node(struct policy *p, policy_time at, const struct policy_node_spec *given)
{
    struct policy_node_spec whole;
    const struct policy_node_spec *spec = pc_sized_fact(p, PC_NODE_SPEC, given, &whole);
    if (spec == NULL)
        return no_node;
    if (p->cluster != NULL)
        return pq_add_node(p, at, spec);
    policy_time before = p->now;
    if (pc_check_node_spec(p, spec) != POLICY_OK || pc_at(p, at) != POLICY_OK)
        return no_node;
    uint32_t id = p->nodes_removed > 0 ? free_node_id(p) : p->node_count;
    uint16_t *room = pc_alloc(&p->memory, PC_NODE_COUNTS, sizeof *room);
    if (room == NULL || !pc_know_rank(p, spec->rank) ||
        !PC_GROW(&p->memory, p->nodes, p->node_capacity, id + 1) ||
        !pc_sites_reserve(p, spec->pool, spec->rank, spec->devices) || !pc_near_node_comes(p, id, spec)) {
        pc_release(&p->memory, room, PC_NODE_COUNTS, sizeof *room);
        pc_no_memory(p, before, "node", id);
        return no_node;
    }
    if (id == p->node_count)
        p->node_count++;
    else
        p->nodes_removed--;
    for (int32_t d = 0; d < POLICY_MAX_DEVICES; d++)
        room[d] = POLICY_WHOLE;
    memset(room + POLICY_MAX_DEVICES, 0, (PC_NODE_COUNTS - POLICY_MAX_DEVICES) * sizeof *room);
    struct pc_node *n = &p->nodes[id];
    int64_t cpu = spec->cpu_milli < 0 ? PC_PLENTY : spec->cpu_milli;
    int64_t mem = spec->mem_mib < 0 ? PC_PLENTY : spec->mem_mib;
    *n = (struct pc_node){
        .exists = true,
        .whole_only = spec->whole_only,
        .state = POLICY_NODE_UP,
        .pool = spec->pool,
        .type = spec->type,
        .rank = spec->rank,
        .devices = spec->devices,
        .max_tasks = spec->max_tasks,
        .cpu_free = cpu,
        .cpu_total = cpu,
        .mem_free = mem,
        .mem_total = mem,
        .usable = pc_all_devices(spec->devices),
        .room = room,
        .of_kind = room + POLICY_MAX_DEVICES,
        .version = ++p->versions,
        .claim = PC_NONE,
        .domain = PC_NONE,
    };
    pc_summarise(n);
    p->node_of_rank[n->rank] = id;
    pc_reindex(p, &(struct pc_node){.pool = n->pool}, n);
    struct pc_pool *pool = &p->pools[n->pool];
    pool->nodes++;
    pool->installed_milli += (int64_t)n->devices * POLICY_WHOLE;
    pool->free_milli += (int64_t)n->devices * POLICY_WHOLE;
    p->fleet_version++;
    return (policy_node){id};
}

static struct pc_node *find(struct policy *p, policy_node node)
{
    if (node.i < p->node_count && p->nodes[node.i].exists)
        return &p->nodes[node.i];
    pc_refuse(p, POLICY_UNKNOWN, "node", node.i, "not known");
    return NULL;
}

static int64_t usable_milli(const struct pc_node *n)
{
    return (int64_t)pc_popcount(n->usable) * POLICY_WHOLE;
}

int policy_remove_node(struct policy *p, policy_time at, policy_node node)
{
    if (p->cluster != NULL)
        return pq_remove_node(p, at, node);
    struct pc_node *n = find(p, node);
    if (n == NULL)
        return POLICY_UNKNOWN;
    if (n->tasks > 0)
        return pc_refuse(p, POLICY_CONFLICT, "tasks on the node", n->tasks,
                         "they have to end before it is removed");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    struct pc_node before = *n;
    n->exists = false;
    pc_near_node_goes(p, node.i);
    pc_reindex(p, &before, n);
    p->node_of_rank[n->rank] = PC_NONE;
    struct pc_pool *pool = &p->pools[n->pool];
    pool->nodes--;
    pool->installed_milli -= (int64_t)n->devices * POLICY_WHOLE;
    if (n->state == POLICY_NODE_UP)
        pool->free_milli -= usable_milli(n);
    pc_release(&p->memory, n->room, PC_NODE_COUNTS, sizeof *n->room);
    n->room = n->of_kind = NULL;
    p->nodes_removed++;
    p->fleet_version++;
    return POLICY_OK;
}

int policy_set_node_state(struct policy *p, policy_time at, policy_node node, int32_t state)
{
    if (p->cluster != NULL)
        return pq_set_node_state(p, at, node, state);
    struct pc_node *n = find(p, node);
    if (n == NULL)
        return POLICY_UNKNOWN;
    if (state < POLICY_NODE_UP || state > POLICY_NODE_DOWN)
        return pc_refuse(p, POLICY_INVALID, "state of a node", state, "0 up, 1 draining, 2 down");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    struct pc_node before = *n;
    n->state = state;
    pc_reindex(p, &before, n);
    bool was_up = before.state == POLICY_NODE_UP;
    bool is_up = state == POLICY_NODE_UP;
    if (was_up != is_up)
        p->pools[n->pool].free_milli += is_up ? usable_milli(n) : -usable_milli(n);
    return POLICY_OK;
}

int policy_set_device_health(struct policy *p, policy_time at, policy_node node, uint32_t device, bool usable)
{
    if (p->cluster != NULL)
        return pq_set_device_health(p, at, node, device, usable);
    struct pc_node *n = find(p, node);
    if (n == NULL)
        return POLICY_UNKNOWN;
    if (device >= (uint32_t)n->devices)
        return pc_refuse(p, POLICY_UNKNOWN, "device", device, "the node has no device of that number");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    uint64_t bit = UINT64_C(1) << device;
    if (((n->usable & bit) != 0) == usable)
        return POLICY_OK;
    struct pc_node before = *n;
    n->usable ^= bit;
    n->version = ++p->versions;
    pc_summarise(n);
    pc_reindex(p, &before, n);
    if (n->state == POLICY_NODE_UP)
        p->pools[n->pool].free_milli += usable ? POLICY_WHOLE : -POLICY_WHOLE;
    return POLICY_OK;
}
