/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fleet and what is in use on it; see fleet.h. */
#include "sim/fleet/fleet.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

void fleet_init(struct fleet *fleet)
{
    *fleet = (struct fleet){0};
}

void fleet_fini(struct fleet *fleet)
{
    for (size_t i = 0; i < fleet->node_count; i++) {
        free((char *)(uintptr_t)fleet->nodes[i].name);
        free(fleet->nodes[i].used);
    }
    for (size_t i = 0; i < fleet->pool_count; i++)
        free((char *)(uintptr_t)fleet->pools[i].name);
    free(fleet->nodes);
    free(fleet->pools);
    *fleet = (struct fleet){0};
}

uint32_t fleet_add_pool(struct fleet *fleet, const char *name)
{
    fleet->pools = mem_grow(fleet->pools, &fleet->pool_capacity, fleet->pool_count + 1, sizeof *fleet->pools);
    fleet->pools[fleet->pool_count] =
        (struct fleet_pool){.name = mem_text(name), .first_node = (uint32_t)fleet->node_count};
    return (uint32_t)fleet->pool_count++;
}

uint32_t fleet_add_node(struct fleet *fleet, const struct fleet_node *given)
{
    fleet->nodes = mem_grow(fleet->nodes, &fleet->node_capacity, fleet->node_count + 1, sizeof *fleet->nodes);
    struct fleet_node *node = &fleet->nodes[fleet->node_count];
    *node = *given;
    node->name = mem_text(given->name);
    node->used = mem_alloc(FLEET_DEVICES, sizeof *node->used);
    struct fleet_pool *pool = &fleet->pools[given->pool];
    pool->node_count++;
    pool->milli += (int64_t)given->gpus * FLEET_WHOLE;
    if (given->gpus > pool->gpus_per_node)
        pool->gpus_per_node = given->gpus;
    fleet->milli += (int64_t)given->gpus * FLEET_WHOLE;
    return (uint32_t)fleet->node_count++;
}

static void add(struct fleet *fleet, struct fleet_node *node, const struct fleet_use *use, int sign)
{
    int64_t milli = 0;
    for (uint64_t rest = use->devices; rest != 0; rest &= rest - 1) {
        int device = __builtin_ctzll(rest);
        node->used[device] = (uint16_t)(node->used[device] + sign * use->milli);
        milli += sign * use->milli;
    }
    node->tasks += sign;
    node->cpu_used += sign * use->cpu_milli;
    node->mem_used += sign * use->mem_mib;
    node->milli_used += milli;
    fleet->pools[node->pool].milli_used += milli;
    fleet->milli_used += milli;
}

bool fleet_take(struct fleet *fleet, uint32_t id, const struct fleet_use *use, struct err *err)
{
    struct fleet_node *node = &fleet->nodes[id];
    for (uint64_t rest = use->devices; rest != 0; rest &= rest - 1) {
        int device = __builtin_ctzll(rest);
        if (device >= node->gpus || node->used[device] + use->milli > FLEET_WHOLE)
            return err_set(err, EXIT_INVARIANT,
                           "device %d of node '%s' taken twice: %d of 1000 in use, %d more", device,
                           node->name, node->used[device], use->milli);
    }
    if ((node->cpu_milli >= 0 && node->cpu_used + use->cpu_milli > node->cpu_milli) ||
        (node->mem_mib >= 0 && node->mem_used + use->mem_mib > node->mem_mib))
        return err_set(err, EXIT_INVARIANT, "CPU or memory of node '%s' taken twice", node->name);
    if (node->max_tasks >= 0 && node->tasks >= node->max_tasks)
        return err_set(err, EXIT_INVARIANT, "more than %d tasks on node '%s'", node->max_tasks, node->name);
    add(fleet, node, use, 1);
    return true;
}

void fleet_give(struct fleet *fleet, uint32_t id, const struct fleet_use *use)
{
    add(fleet, &fleet->nodes[id], use, -1);
}

bool fleet_count(struct fleet *fleet, uint32_t id, int64_t milli, struct err *err)
{
    struct fleet_pool *pool = &fleet->pools[id];
    if (pool->milli_used + milli > pool->milli || pool->milli_used + milli < 0)
        return err_set(err, EXIT_INVARIANT, "pool '%s': %lld of %lld thousandths in use, %lld more",
                       pool->name, (long long)pool->milli_used, (long long)pool->milli, (long long)milli);
    pool->milli_used += milli;
    fleet->milli_used += milli;
    return true;
}
