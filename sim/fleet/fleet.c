/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fleet and its current use; see fleet.h. */
#include "sim/fleet/fleet.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

void fleet_init(struct fleet *fleet)
{
    *fleet = (struct fleet){0};
}

static void free_text(const char *text)
{
    free((char *)(uintptr_t)text);
}

void fleet_fini(struct fleet *fleet)
{
    for (size_t i = 0; i < fleet->node_count; i++) {
        struct fleet_node *node = &fleet->nodes[i];
        free_text(node->name);
        free((uint32_t *)(uintptr_t)node->domains);
        free(node->used);
        free(node->parts);
    }
    for (size_t i = 0; i < fleet->pool_count; i++)
        free_text(fleet->pools[i].name);
    for (uint32_t i = 0; i < fleet->level_count; i++) {
        free_text(fleet->levels[i].name);
        symbols_destroy(fleet->levels[i].domains);
    }
    free(fleet->nodes);
    free(fleet->pools);
    *fleet = (struct fleet){0};
}

/* ---- levels ---- */

void fleet_add_level(struct fleet *fleet, const char *name)
{
    BUG_ON(fleet->level_count == FLEET_LEVELS - 1 || fleet->node_count > 0);
    fleet->levels[fleet->level_count++] =
        (struct fleet_level){.name = mem_text(name), .domains = symbols_create()};
}

void fleet_close_levels(struct fleet *fleet)
{
    fleet->levels[fleet->level_count++] = (struct fleet_level){.name = mem_text("node")};
}

uint32_t fleet_domain(struct fleet *fleet, uint32_t level, const char *name)
{
    return symbols_add(fleet->levels[level].domains, name, strlen(name));
}

uint32_t fleet_domain_of(const struct fleet *fleet, uint32_t level, uint32_t node)
{
    return fleet->levels[level].domains == NULL ? node : fleet->nodes[node].domains[level];
}

const char *fleet_domain_name(const struct fleet *fleet, uint32_t level, uint32_t node)
{
    const struct symbols *domains = fleet->levels[level].domains;
    return domains == NULL ? fleet->nodes[node].name
                           : symbols_name(domains, fleet->nodes[node].domains[level]);
}

uint32_t fleet_find_level(const struct fleet *fleet, const char *name)
{
    uint32_t level = 0;
    while (level < fleet->level_count && strcmp(fleet->levels[level].name, name) != 0)
        level++;
    return level;
}

/* ---- pools and nodes ---- */

uint32_t fleet_add_pool(struct fleet *fleet, const char *name)
{
    fleet->pools =
        mem_grow(fleet->pools, &fleet->pool_capacity, fleet->pool_count + 1, sizeof *fleet->pools);
    fleet->pools[fleet->pool_count] =
        (struct fleet_pool){.name = mem_text(name), .first_node = (uint32_t)fleet->node_count};
    return (uint32_t)fleet->pool_count++;
}

uint32_t fleet_add_node(struct fleet *fleet, const struct fleet_node *given)
{
    fleet->nodes =
        mem_grow(fleet->nodes, &fleet->node_capacity, fleet->node_count + 1, sizeof *fleet->nodes);
    struct fleet_node *node = &fleet->nodes[fleet->node_count];
    *node = *given;
    node->name = mem_text(given->name);
    node->used = mem_alloc(FLEET_DEVICES, sizeof *node->used);
    node->idle = given->gpus;
    if (given->domains != NULL) {
        uint32_t *domains = mem_alloc(fleet->level_count, sizeof *domains);
        memcpy(domains, given->domains, (fleet->level_count - 1) * sizeof *domains);
        node->domains = domains;
    }
    struct fleet_pool *pool = &fleet->pools[given->pool];
    pool->node_count++;
    pool->milli += (int64_t)given->gpus * FLEET_WHOLE;
    if (given->gpus > pool->gpus_per_node)
        pool->gpus_per_node = given->gpus;
    fleet->milli += (int64_t)given->gpus * FLEET_WHOLE;
    return (uint32_t)fleet->node_count++;
}

/* ---- what tasks take ---- */

int fleet_milli(const struct fleet_node *node, int milli, int64_t device_mem_mib)
{
    if (device_mem_mib == 0)
        return milli;
    return node->device_mem_mib > 0 ? (int)(device_mem_mib * FLEET_WHOLE / node->device_mem_mib)
                                    : 0;
}

static int64_t milli_of_slices(int64_t compute)
{
    return (compute * FLEET_WHOLE + FLEET_COMPUTE / 2) / FLEET_COMPUTE;
}

int fleet_profile_milli(const struct fleet_profile *profile)
{
    return (int)milli_of_slices(profile->compute);
}

int fleet_instance_milli(const struct fleet *fleet, uint32_t id, uint64_t devices, int profile)
{
    const struct fleet_node *node = &fleet->nodes[id];
    int64_t compute = fleet->profiles[profile - 1].compute, used = 0;
    int device = devices != 0 ? __builtin_ctzll(devices) : 0;
    if (devices != 0 && device < node->gpus) {
        compute += node->parts != NULL ? node->parts->compute[device] : 0;
        used = node->used[device];
    }
    for (int i = 0; devices == 0 && node->parts != NULL && i < fleet->profile_count; i++)
        compute += (int64_t)node->parts->instances_used[i] * fleet->profiles[i].compute;
    if (devices == 0)
        used = node->milli_used;
    int64_t milli = milli_of_slices(compute) - used;
    return milli > 0 ? (int)milli : 0;
}

/*
 * Device memory that corresponds to a share, in MiB / 1000, so that sums of shares are exact.
 * Schedulers divide the device's memory rounded down to whole hundreds of MiB, so shares add up to
 * no more than that.
 */
static int64_t load_of(const struct fleet_node *node, int milli, int64_t device_mem_mib)
{
    return device_mem_mib > 0 ? device_mem_mib * FLEET_WHOLE
                              : milli * (node->device_mem_mib / 100 * 100);
}

/* Until now there were shares alone. */
static struct fleet_parts *parts_of(struct fleet_node *node)
{
    if (node->parts != NULL)
        return node->parts;
    node->parts = mem_alloc(1, sizeof *node->parts);
    for (int device = 0; device < node->gpus; device++)
        node->parts->load[device] = load_of(node, node->used[device], 0);
    return node->parts;
}

int fleet_most_gpus(const struct fleet *fleet)
{
    int most = 0;
    for (size_t i = 0; i < fleet->pool_count; i++)
        if (fleet->pools[i].gpus_per_node > most)
            most = fleet->pools[i].gpus_per_node;
    return most;
}

struct fleet_parts *fleet_parts(struct fleet *fleet, uint32_t id)
{
    return parts_of(&fleet->nodes[id]);
}

static void add_to_parts(const struct fleet *fleet, struct fleet_node *node,
                         const struct fleet_use *use, int sign)
{
    struct fleet_parts *parts = node->parts;
    const struct fleet_profile *p = use->profile > 0 ? &fleet->profiles[use->profile - 1] : NULL;
    if (p != NULL)
        parts->instances_used[use->profile - 1] += sign;
    for (uint64_t rest = use->devices; rest != 0; rest &= rest - 1) {
        int device = __builtin_ctzll(rest);
        parts->load[device] += sign * load_of(node, use->milli, use->device_mem_mib);
        if (p == NULL)
            continue;
        parts->compute[device] = (uint8_t)(parts->compute[device] + sign * p->compute);
        parts->memory[device] = (uint8_t)(parts->memory[device] + sign * p->memory);
    }
}

static inline void add(struct fleet *fleet, struct fleet_node *node, const struct fleet_use *use,
                       int sign)
{
    int64_t milli = use->profile > 0 && use->devices == 0 ? sign * use->milli : 0;
    for (uint64_t rest = use->devices; rest != 0; rest &= rest - 1) {
        int device = __builtin_ctzll(rest);
        node->idle -= node->used[device] == 0;
        node->used[device] = (uint16_t)(node->used[device] + sign * use->milli);
        node->idle += node->used[device] == 0;
        milli += sign * use->milli;
    }
    if (node->parts != NULL)
        add_to_parts(fleet, node, use, sign);
    node->tasks += sign;
    node->cpu_used += sign * use->cpu_milli;
    node->mem_used += sign * use->mem_mib;
    node->milli_used += milli;
    fleet->pools[node->pool].milli_used += milli;
    fleet->milli_used += milli;
}

/*
 * Checks the memory of the devices, for any mix of shares and memory requests. The policy rounds
 * each share down to whole MiB, so up to one MiB per task on the node may be missing.
 */
static bool check_load(struct fleet_node *node, const struct fleet_use *use, struct err *err)
{
    const struct fleet_parts *parts = parts_of(node);
    int64_t more = load_of(node, use->milli, use->device_mem_mib);
    for (uint64_t rest = use->devices; rest != 0; rest &= rest - 1) {
        int device = __builtin_ctzll(rest);
        int64_t load = parts->load[device];
        if (load + more > (node->device_mem_mib + node->tasks) * FLEET_WHOLE)
            return err_set(
                err, EXIT_INVARIANT,
                "memory of device %d of node '%s' taken twice: %lld of %lld MiB in use, %lld more",
                device, node->name, (long long)(load / FLEET_WHOLE),
                (long long)node->device_mem_mib, (long long)(more / FLEET_WHOLE));
    }
    return true;
}

/* An instance is one that the node has, or is created on a device that has the slices and holds
 * nothing else. */
static bool check_instance(const struct fleet *fleet, struct fleet_node *node,
                           const struct fleet_use *use, struct err *err)
{
    const struct fleet_profile *p = &fleet->profiles[use->profile - 1];
    const struct fleet_parts *parts = parts_of(node);
    if (use->devices == 0) {
        if (parts->instances_used[use->profile - 1] < parts->instances[use->profile - 1])
            return true;
        return err_set(err, EXIT_INVARIANT, "all %d instances '%s' of node '%s' are in use",
                       parts->instances[use->profile - 1], p->name, node->name);
    }
    int device = __builtin_ctzll(use->devices);
    if ((use->devices & (use->devices - 1)) != 0 || device >= node->gpus ||
        (node->used[device] > 0 && parts->memory[device] == 0) ||
        parts->compute[device] + p->compute > FLEET_COMPUTE ||
        parts->memory[device] + p->memory > 8)
        return err_set(err, EXIT_INVARIANT,
                       "device %d of node '%s' has no room for an instance '%s'", device,
                       node->name, p->name);
    return true;
}

static bool check_devices(const struct fleet_node *node, const struct fleet_use *use,
                          struct err *err)
{
    const struct fleet_parts *parts = node->parts;
    for (uint64_t rest = use->devices; rest != 0; rest &= rest - 1) {
        int device = __builtin_ctzll(rest);
        if (device >= node->gpus || node->used[device] + use->milli > FLEET_WHOLE ||
            (parts != NULL && parts->memory[device] > 0))
            return err_set(err, EXIT_INVARIANT,
                           "device %d of node '%s' taken twice: %d of 1000 in use, %d more", device,
                           node->name, node->used[device], use->milli);
    }
    return true;
}

bool fleet_take(struct fleet *fleet, uint32_t id, const struct fleet_use *use, struct err *err)
{
    struct fleet_node *node = &fleet->nodes[id];
    if (!fleet_is_up(node))
        return err_set(err, EXIT_INVARIANT, "node '%s' takes no tasks now", node->name);
    if (use->profile > 0 ? !check_instance(fleet, node, use, err) : !check_devices(node, use, err))
        return false;
    if ((use->device_mem_mib > 0 || (node->parts != NULL && use->profile == 0)) &&
        !check_load(node, use, err))
        return false;
    if ((node->cpu_milli >= 0 && node->cpu_used + use->cpu_milli > node->cpu_milli) ||
        (node->mem_mib >= 0 && node->mem_used + use->mem_mib > node->mem_mib))
        return err_set(err, EXIT_INVARIANT, "CPU or memory of node '%s' taken twice", node->name);
    if (node->max_tasks >= 0 && node->tasks >= node->max_tasks)
        return err_set(err, EXIT_INVARIANT, "more than %d tasks on node '%s'", node->max_tasks,
                       node->name);
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
                       pool->name, (long long)pool->milli_used, (long long)pool->milli,
                       (long long)milli);
    pool->milli_used += milli;
    fleet->milli_used += milli;
    return true;
}
