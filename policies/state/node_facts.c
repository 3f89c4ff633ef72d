/* SPDX-License-Identifier: MIT */
/* Facts about nodes, their devices, labels and topologies. */
#include "state/kinds.h"
#include "state/mig.h"
#include "state/nodes.h"
#include "state/offers.h"
#include "state/pool_sets.h"
#include "state/queues.h"
#include "state/shapes.h"
#include "state/sized.h"
#include "state/specs.h"
#include "state/tasks.h"

#include <string.h>

static const policy_node no_node = {POLICY_NO_ID};

static int check_spec(struct policy *p, const struct policy_node_spec *spec)
{
    int status = pc_check_node_spec(p, spec);
    if (status != POLICY_OK)
        return status;
    if (spec->device_mem_mib < 0 || spec->device_mem_mib > INT32_MAX)
        return pc_refuse(p, POLICY_INVALID, "device memory of a node", spec->device_mem_mib,
                         "at least 0");
    if (spec->cpu_milli > PC_MOST_ON_NODE || spec->mem_mib > PC_MOST_ON_NODE)
        return pc_refuse(p, POLICY_INVALID, "CPU or memory of a node",
                         spec->cpu_milli > PC_MOST_ON_NODE ? spec->cpu_milli : spec->mem_mib,
                         "at most 2^40, or -1: not modelled");
    if (spec->mig < POLICY_MIG_OFF || spec->mig > POLICY_MIG_FREE)
        return pc_refuse(p, POLICY_INVALID, "MIG mode of a node", spec->mig, "0 to 3");
    for (uint32_t i = 0; spec->mig_instances != NULL && i < POLICY_MAX_PROFILES; i++)
        if (spec->mig_instances[i] < 0 || spec->mig_instances[i] > 7 * POLICY_MAX_DEVICES)
            return pc_refuse(p, POLICY_INVALID, "MIG instances of a node", spec->mig_instances[i],
                             "0 to 448");
    return POLICY_OK;
}

/* Grows the table of ranks. */
static bool know_rank(struct policy *p, uint32_t rank)
{
    uint32_t known = p->rank_capacity;
    if (!PC_GROW(&p->memory, p->node_of_rank, p->rank_capacity, rank + 1))
        return false;
    for (; known < p->rank_capacity; known++)
        p->node_of_rank[known] = PC_NONE;
    return true;
}

/* Reserves memory for one more node in every list. */
static bool reserve(struct policy *p, const struct policy_node_spec *spec)
{
    struct pc_cluster *c = p->cluster;
    if (!know_rank(p, spec->rank) || !pc_bits_reserve(&c->up, &p->memory, p->rank_capacity) ||
        !pc_bits_reserve(&c->with_shared, &p->memory, p->rank_capacity) ||
        !pc_bits_reserve(&c->changed_nodes, &p->memory, p->rank_capacity) ||
        !pc_changes_reserve(&c->changes, &p->memory, p->rank_capacity))
        return false;
    if (spec->devices > c->most_devices)
        c->most_devices = spec->devices;
    for (int32_t i = 0; i <= c->most_devices; i++)
        if (!pc_bits_reserve(&c->by_soon[i], &p->memory, p->rank_capacity) ||
            !pc_bits_reserve(&c->roomy[i], &p->memory, p->rank_capacity))
            return false;
    for (uint32_t i = 0; i < c->selector_count; i++)
        if (!pc_bits_reserve(&c->selectors[i].nodes, &p->memory, p->rank_capacity))
            return false;
    return pc_offers_reserve(p) && pc_pool_sets_reserve(p, spec->pool, spec->rank, spec->devices);
}

static uint32_t free_node_id(const struct pc_cluster *c)
{
    for (uint32_t i = 0; i < c->node_count && c->nodes_removed > 0; i++)
        if (!c->nodes[i].exists)
            return i;
    return c->node_count;
}

/* Where shares count in MiB, device memory is rounded down to hundreds; less than one hundred
 * counts as unknown. */
static void fill_device(const struct pc_cluster *c, struct pc_node *n,
                        const struct policy_node_spec *spec)
{
    int64_t odd = c->traits.thousandths ? 0 : spec->device_mem_mib % 100;
    n->devices = spec->devices;
    n->memory = spec->device_mem_mib >= 100 ? (int32_t)(spec->device_mem_mib - odd) : 0;
    n->in_memory = n->memory > 0 && !c->traits.thousandths;
    n->capacity = n->in_memory ? n->memory : POLICY_WHOLE;
    n->usable = pc_all_devices(spec->devices);
}

static void fill(struct pc_node *n, const struct policy_node_spec *spec)
{
    n->exists = true;
    n->whole_only = spec->whole_only;
    n->state = POLICY_NODE_UP;
    n->mig = spec->mig;
    n->pool = spec->pool;
    n->type = spec->type;
    n->rank = spec->rank;
    n->cpu_total = n->cpu_idle = n->cpu_soon = spec->cpu_milli < 0 ? PC_PLENTY : spec->cpu_milli;
    n->mem_total = n->mem_idle = n->mem_soon = spec->mem_mib < 0 ? PC_PLENTY : spec->mem_mib;
    n->max_tasks = n->tasks_idle = n->tasks_soon =
        spec->max_tasks < 0 ? INT32_MAX / 2 : spec->max_tasks;
    n->listed = n->free_listed = -1;
    n->empty_since = POLICY_NEVER;
    n->popped = n->reserved = n->ending = PC_NONE;
    n->first_evictable = (struct pc_evictable_task){PC_NONE, PC_NONE};
}

/* Where instances come in fixed counts they are counted; false: no memory. */
static bool make_instances(const struct policy *p, struct pc_node *n,
                           const struct policy_node_spec *spec)
{
    if (spec->mig != POLICY_MIG_FIXED)
        return true;
    n->instances = pc_alloc(&p->memory, 1, sizeof *n->instances);
    if (n->instances == NULL)
        return false;
    memset(n->instances, 0, sizeof *n->instances);
    for (uint32_t i = 0; spec->mig_instances != NULL && i < POLICY_MAX_PROFILES; i++)
        n->instances->total[i] = n->instances->idle[i] = n->instances->soon[i] =
            spec->mig_instances[i];
    return true;
}

/* The labels of a node, and its instances. */
static bool make_parts(const struct policy *p, struct pc_node *n,
                       const struct policy_node_spec *spec)
{
    if (spec->label_count > 0 &&
        (n->labels = pc_alloc(&p->memory, spec->label_count, sizeof *n->labels)) == NULL)
        return false;
    n->label_count = spec->label_count;
    if (spec->label_count > 0)
        memcpy(n->labels, spec->labels, spec->label_count * sizeof *n->labels);
    return make_instances(p, n, spec);
}

void pc_node_free(struct policy *p, struct pc_node *n)
{
    pc_devices_free(p->cluster, n);
    pc_release(&p->memory, n->labels, n->label_count, sizeof *n->labels);
    pc_release(&p->memory, n->instances, 1, sizeof *n->instances);
    n->labels = NULL;
    n->label_count = 0;
    n->instances = NULL;
}

/*
 * Adds the node to the cluster's capacity (sign 1) or removes it (-1). Capacity uses the weights of
 * requests: a freely partitioned device counts as seven instances of one slice.
 */
static void count_capacity(struct pc_cluster *c, const struct pc_node *n, int sign)
{
    if (!n->exists || n->state != POLICY_NODE_UP)
        return;
    int64_t of_device = n->mig == POLICY_MIG_FREE ? PC_MIG_COMPUTE * POLICY_WHOLE : POLICY_WHOLE;
    int64_t gpu = pc_popcount(n->usable) * of_device;
    for (uint32_t i = 0; n->mig == POLICY_MIG_FIXED && i < POLICY_MAX_PROFILES; i++)
        gpu += (int64_t)n->instances->total[i] * c->slices[i] * POLICY_WHOLE;
    c->capacity.of[PC_GPU] += sign * gpu;
    c->pools[n->pool].capacity_milli += sign * gpu;
    if (n->cpu_total < PC_PLENTY)
        c->capacity.of[PC_CPU] += sign * n->cpu_total;
    else
        c->unmodelled[PC_CPU] += sign;
    if (n->mem_total < PC_PLENTY)
        c->capacity.of[PC_MEM] += sign * n->mem_total;
    else
        c->unmodelled[PC_MEM] += sign;
}

/* Finds the smallest known device memory, to which pending memory requests are relative. */
static void find_smallest_memory(struct pc_cluster *c)
{
    c->smallest_memory = 0;
    for (uint32_t i = 0; i < c->node_count; i++) {
        const struct pc_node *n = &c->nodes[i];
        if (n->exists && n->memory > 0 && n->devices > 0 &&
            (c->smallest_memory == 0 || n->memory < c->smallest_memory))
            c->smallest_memory = n->memory;
    }
}

/* Memory requests weigh relative to the smallest device: subtract them before a change of the
 * fleet, add them again after it. */
static void weigh_memory_requests(struct pc_cluster *c, int sign)
{
    for (uint32_t job = 0; job < c->job_count; job++) {
        if (c->jobs[job].state != PC_LIVE || !c->shapes[c->jobs[job].shape].wants_memory)
            continue;
        if (c->jobs[job].detail == NULL)
            pc_contribute_pending(c, job, sign);
        for (uint32_t task = 0;
             c->jobs[job].detail != NULL && task < c->shapes[c->jobs[job].shape].tasks; task++)
            pc_contribute(c, job, task, sign);
    }
}

/* Updates the smallest memory after a node came or went. */
static void settle_smallest_memory(struct pc_cluster *c, const struct pc_node *n)
{
    bool matters = n->exists ? c->smallest_memory == 0 || n->memory < c->smallest_memory
                             : n->memory == c->smallest_memory;
    if (n->devices == 0 || n->memory == 0 || !matters)
        return;
    int64_t before = c->smallest_memory;
    find_smallest_memory(c);
    int64_t after = c->smallest_memory;
    if (before == after)
        return;
    c->smallest_memory = before;
    weigh_memory_requests(c, -1);
    c->smallest_memory = after;
    weigh_memory_requests(c, 1);
}

static void stand_in_lists(struct pc_cluster *c, uint32_t id, bool add)
{
    struct pc_node *n = &c->nodes[id];
    for (uint32_t i = 0; i < c->selector_count; i++)
        if (add && pc_selector_matches(&c->selectors[i], n))
            pc_bits_add(&c->selectors[i].nodes, n->rank);
        else if (pc_bits_has(&c->selectors[i].nodes, n->rank))
            pc_bits_remove(&c->selectors[i].nodes, n->rank);
    if (add && n->state == POLICY_NODE_UP)
        pc_bits_add(&c->up, n->rank);
    else if (pc_bits_has(&c->up, n->rank))
        pc_bits_remove(&c->up, n->rank);
}

/* Nodes came or went: domains are rebuilt on next use. */
static void forget_domains(struct pc_cluster *c)
{
    for (uint32_t i = 0; i < POLICY_MAX_TOPOLOGIES; i++)
        c->topologies[i].stale = true;
}

/* Called after any change of the fleet. */
static void changed(struct policy *p)
{
    p->cluster->displaced.happened = true;
    p->cluster->version++;
    p->cluster->freed++;
    pc_usage_capacity(p);
    pc_modules_nodes_changed(p);
}

policy_node policy_add_node(struct policy *p, policy_time at, const struct policy_node_spec *given)
{
    struct pc_cluster *c = p->cluster;
    struct policy_node_spec room;
    const struct policy_node_spec *spec = pc_sized_fact(p, PC_NODE_SPEC, given, &room);
    policy_time before = p->now;
    if (spec == NULL || check_spec(p, spec) != POLICY_OK || pc_at(p, at) != POLICY_OK)
        return no_node;
    uint32_t id = free_node_id(c);
    struct pc_node fresh;
    memset(&fresh, 0, sizeof fresh);
    if (!make_parts(p, &fresh, spec) || !reserve(p, spec) || !pc_kinds_reserve(p, id) ||
        !PC_GROW(&p->memory, c->nodes, c->node_capacity, id + 1) ||
        (c->traits.evicts && !PC_GROW(&p->memory, c->leavings, c->leavings_capacity, id + 1))) {
        pc_node_free(p, &fresh);
        pc_no_memory(p, before, "node", id);
        return no_node;
    }
    fill(&fresh, spec);
    fill_device(c, &fresh, spec);
    if (id == c->node_count)
        c->node_count++;
    else
        c->nodes_removed--;
    c->nodes[id] = fresh;
    if (c->traits.evicts)
        c->leavings[id].known = false;
    p->node_of_rank[fresh.rank] = id;
    stand_in_lists(c, id, true);
    pc_pool_sets_add(c, &c->nodes[id]);
    c->fleet_version++;
    forget_domains(c);
    pc_node_settle(c, id);
    pc_pool_sets_freed(c, &c->nodes[id]);
    pc_offers_note(p, &c->nodes[id], true);
    count_capacity(c, &c->nodes[id], 1);
    settle_smallest_memory(c, &c->nodes[id]);
    changed(p);
    return (policy_node){id};
}

static struct pc_node *find(struct policy *p, policy_node node)
{
    if (node.i < p->cluster->node_count && p->cluster->nodes[node.i].exists)
        return &p->cluster->nodes[node.i];
    pc_refuse(p, POLICY_UNKNOWN, "node", node.i, "not known");
    return NULL;
}

int policy_remove_node(struct policy *p, policy_time at, policy_node node)
{
    struct pc_node *n = find(p, node);
    if (n == NULL)
        return POLICY_UNKNOWN;
    if (n->tasks_idle != n->max_tasks)
        return pc_refuse(p, POLICY_CONFLICT, "tasks on the node", n->max_tasks - n->tasks_idle,
                         "they have to end before it is removed");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    pc_drop_nominations(p);
    count_capacity(p->cluster, n, -1);
    pc_node_unlist(p->cluster, node.i);
    stand_in_lists(p->cluster, node.i, false);
    forget_domains(p->cluster);
    pc_offers_note(p, n, false);
    n->exists = false;
    pc_pool_sets_settle(p->cluster, n);
    pc_pool_sets_remove(p->cluster, n);
    p->cluster->fleet_version++;
    p->node_of_rank[n->rank] = PC_NONE;
    pc_node_free(p, n);
    n->mig = POLICY_MIG_OFF;
    p->cluster->nodes_removed++;
    settle_smallest_memory(p->cluster, n);
    changed(p);
    return POLICY_OK;
}

void pc_node_set_state(struct policy *p, uint32_t node, int32_t state)
{
    struct pc_node *n = &p->cluster->nodes[node];
    count_capacity(p->cluster, n, -1);
    pc_offers_note(p, n, false);
    n->state = state;
    pc_offers_note(p, n, true);
    count_capacity(p->cluster, n, 1);
    stand_in_lists(p->cluster, node, true);
    pc_node_settle(p->cluster, node);
    pc_pool_sets_freed(p->cluster, n);
    changed(p);
}

int policy_set_node_state(struct policy *p, policy_time at, policy_node node, int32_t state)
{
    if (find(p, node) == NULL)
        return POLICY_UNKNOWN;
    if (state < POLICY_NODE_UP || state > POLICY_NODE_ORDERED)
        return pc_refuse(p, POLICY_INVALID, "state of a node", state,
                         "0 up, 1 draining, 2 down, 3 off, 4 ordered");
    int status = pc_at(p, at);
    if (status == POLICY_OK)
        pc_node_set_state(p, node.i, state);
    return status;
}

int policy_set_device_health(struct policy *p, policy_time at, policy_node node, uint32_t device,
                             bool usable)
{
    struct pc_node *n = find(p, node);
    if (n == NULL)
        return POLICY_UNKNOWN;
    if (device >= (uint32_t)n->devices)
        return pc_refuse(p, POLICY_UNKNOWN, "device", device,
                         "the node has no device of that number");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    uint64_t bit = UINT64_C(1) << device;
    if (((n->usable & bit) != 0) == usable)
        return POLICY_OK;
    count_capacity(p->cluster, n, -1);
    n->usable ^= bit;
    count_capacity(p->cluster, n, 1);
    pc_node_settle(p->cluster, node.i);
    pc_pool_sets_freed(p->cluster, n);
    changed(p);
    return POLICY_OK;
}

/* ---- topologies and profiles ---- */

int policy_set_topology(struct policy *p, policy_time at, uint32_t topology, const uint32_t *levels,
                        uint32_t count)
{
    if (topology < 1 || topology > POLICY_MAX_TOPOLOGIES)
        return pc_refuse(p, POLICY_INVALID, "topology", topology, "1 to 16");
    if (count < 1 || count > POLICY_MAX_LEVELS || levels == NULL)
        return pc_refuse(p, POLICY_INVALID, "levels of a topology", count,
                         "1 to 16, with their array");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    struct pc_topology *t = &p->cluster->topologies[topology - 1];
    memcpy(t->levels, levels, count * sizeof *levels);
    t->level_count = count;
    t->known = true;
    t->stale = true;
    p->cluster->displaced.happened = true;
    p->cluster->version++;
    p->cluster->freed++;
    return POLICY_OK;
}

int policy_set_mig_profile(struct policy *p, policy_time at, uint32_t profile, int32_t compute,
                           int32_t memory)
{
    if (profile >= POLICY_MAX_PROFILES)
        return pc_refuse(p, POLICY_INVALID, "MIG profile", profile, "0 to 15");
    if (compute < 1 || compute > 7 || memory < 1 || memory > 8)
        return pc_refuse(p, POLICY_INVALID, "slices of a MIG profile", compute,
                         "1 to 7 for computing, 1 to 8 of memory");
    struct pc_cluster *c = p->cluster;
    if (c->slices[profile] != 0 &&
        (c->slices[profile] != compute || c->memory_slices[profile] != memory))
        return pc_refuse(p, POLICY_CONFLICT, "MIG profile", profile, "has other slices already");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    for (uint32_t i = 0; i < c->node_count; i++)
        count_capacity(c, &c->nodes[i], -1); /* nodes may already have instances of it */
    c->slices[profile] = compute;
    c->memory_slices[profile] = memory;
    for (uint32_t i = 0; i < c->node_count; i++) {
        count_capacity(c, &c->nodes[i], 1);
        if (c->nodes[i].exists)
            pc_node_settle(c, i);
    }
    changed(p);
    return POLICY_OK;
}

int policy_node_info(const struct policy *p, policy_node node, struct policy_node_info *out)
{
    if (node.i >= p->cluster->node_count || !p->cluster->nodes[node.i].exists)
        return POLICY_UNKNOWN;
    if (!pc_sized_fits(PC_NODE_INFO, out))
        return POLICY_INVALID;
    const struct pc_node *n = &p->cluster->nodes[node.i];
    int32_t beyond = n->nominated_whole - pc_popcount(n->leaving); /* nominations of idle devices */
    const struct policy_node_info answer = {
        .idle = pc_popcount(n->idle) - (beyond > 0 ? beyond : 0),
        .releasing = beyond < 0 ? -beyond : 0,
    };
    pc_sized_out(PC_NODE_INFO, out, &answer);
    return POLICY_OK;
}
