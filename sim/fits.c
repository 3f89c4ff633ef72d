/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an empty fleet can hold of a job; see fits.h. */
#include "sim/fits.h"

#include "sim/base/mem.h"

#include <stdlib.h>

/* One domain, or the whole fleet: the capacity of the nodes counted so far. */
struct room {
    int64_t devices; /* on nodes that can hold any task */
    bool rest;       /* a node filled with tasks of the first role has room for one of the second */
};

static bool wants_share(const struct policy_request *r)
{
    return r->device_mem_mib > 0 || (r->device_milli > 0 && r->device_milli < POLICY_WHOLE);
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Instances of the profile on an empty node: existing ones, or those its devices could be divided
 * into. */
static int64_t instances(const struct fleet *fleet, const struct fleet_node *node,
                         const struct policy_request *r, int32_t profile)
{
    const struct fleet_profile *p = &fleet->profiles[profile - 1];
    if (node->mig == POLICY_MIG_FIXED)
        return node->parts != NULL ? node->parts->instances[profile - 1] : 0;
    if (node->mig != POLICY_MIG_FREE || (r->types != 0 && (r->types >> node->gpu_type & 1) == 0))
        return 0;
    return node->gpus * smaller(FLEET_COMPUTE / p->compute, 8 / p->memory);
}

static int64_t by_devices(const struct fleet_node *node, const struct policy_request *r)
{
    bool share = wants_share(r);
    if ((r->types != 0 && (r->types >> node->gpu_type & 1) == 0) || node->mig == POLICY_MIG_FIXED ||
        (share && node->mig == POLICY_MIG_SINGLE) || node->gpus < r->devices)
        return 0;
    int64_t each = 1;
    if (r->device_mem_mib > 0)
        each = node->device_mem_mib / r->device_mem_mib;
    else if (share)
        each = POLICY_WHOLE / r->device_milli;
    return node->gpus * each / r->devices;
}

/* Number of tasks of the request that the empty node holds. */
static int64_t holds(const struct fleet *fleet, const struct fleet_node *node,
                     const struct policy_request *r, int32_t profile)
{
    int64_t most = node->max_tasks >= 0 ? node->max_tasks : INT64_MAX;
    bool whole = r->devices > 0 && r->devices == node->gpus && !wants_share(r) && profile == 0;
    if (node->whole_only && !whole)
        return 0;
    if (r->cpu_milli > 0 && node->cpu_milli >= 0)
        most = smaller(most, node->cpu_milli / r->cpu_milli);
    if (r->mem_mib > 0 && node->mem_mib >= 0)
        most = smaller(most, node->mem_mib / r->mem_mib);
    if (profile > 0)
        return smaller(most, instances(fleet, node, r, profile));
    return r->devices > 0 ? smaller(most, by_devices(node, r)) : most;
}

/* Tasks of the role that have to start together: the minimum of its pod set, which is stored with
 * the set's first role. */
static int64_t wanted(const struct sim_ask *ask, uint32_t role)
{
    uint32_t first = role;
    int64_t before = 0;
    while (first > 0 && ask->roles[first].joined)
        before += ask->roles[--first].tasks;
    int64_t left = ask->roles[first].min_tasks - before;
    return left < 0 ? 0 : smaller(left, ask->roles[role].tasks);
}

static int32_t profile_of(const struct sim_ask *ask, uint32_t role)
{
    return ask->profiles != NULL ? ask->profiles[role] : ask->profile;
}

static bool asks_no_more(const struct policy_request *a, const struct policy_request *b)
{
    return a->devices <= b->devices && !wants_share(a) && !wants_share(b) &&
           a->cpu_milli <= b->cpu_milli && a->mem_mib <= b->mem_mib && a->types == b->types;
}

/* A gang and its remainder: the second role fits wherever one task of the first does, or beside the
 * tasks that fill a node. */
static bool has_remainder(const struct sim_ask *ask)
{
    return ask->role_count == 2 && ask->roles[1].tasks == 1 && profile_of(ask, 0) == 0 &&
           profile_of(ask, 1) == 0 && ask->roles[0].min_tasks >= ask->roles[0].tasks &&
           asks_no_more(&ask->roles[1].request, &ask->roles[0].request);
}

static bool rest_holds(const struct fleet *fleet, const struct fleet_node *node,
                       const struct sim_ask *ask, int64_t full)
{
    const struct policy_request *first = &ask->roles[0].request;
    struct fleet_node left = *node;
    left.gpus -= (int)(full * first->devices);
    left.cpu_milli -= left.cpu_milli >= 0 ? full * first->cpu_milli : 0;
    left.mem_mib -= left.mem_mib >= 0 ? full * first->mem_mib : 0;
    left.max_tasks -= left.max_tasks >= 0 ? (int)full : 0;
    return (full == 0 || !node->whole_only) && holds(fleet, &left, &ask->roles[1].request, 0) > 0;
}

/* Returns true if the room counted so far suffices; `held` are the tasks of each role that fit. */
static bool is_enough(const struct sim_ask *ask, const struct room *room, const int64_t *held)
{
    int64_t devices = 0;
    for (uint32_t i = 0; i < ask->role_count; i++) {
        const struct policy_request *r = &ask->roles[i].request;
        if (held[i] < wanted(ask, i))
            return false;
        devices += wants_share(r) ? 0 : wanted(ask, i) * r->devices;
    }
    if (room->devices < devices)
        return false;
    return !has_remainder(ask) || held[0] > ask->roles[0].tasks || room->rest;
}

static void add_node(const struct fleet *fleet, const struct fleet_node *node,
                     const struct sim_ask *ask, struct room *room, int64_t *held)
{
    bool any = false;
    for (uint32_t i = 0; i < ask->role_count; i++) {
        int64_t here = holds(fleet, node, &ask->roles[i].request, profile_of(ask, i));
        any |= here > 0;
        held[i] += smaller(here, (int64_t)ask->roles[i].tasks + 1);
    }
    room->devices += any ? node->gpus : 0;
    if (!room->rest && has_remainder(ask))
        room->rest = rest_holds(fleet, node, ask, holds(fleet, node, &ask->roles[0].request, 0));
}

static bool may_use(const struct sim_queue *queue, uint32_t pool)
{
    for (uint32_t i = 0; i < queue->pool_count; i++)
        if (queue->pools[i] == pool)
            return true;
    return queue->pool_count == 0;
}

/* Where devices are counted, not placed: a single pool has to be large enough. */
static bool could_count(const struct sim *sim, const struct sim_ask *ask)
{
    int64_t milli = 0;
    for (uint32_t i = 0; i < ask->role_count; i++) {
        const struct policy_request *r = &ask->roles[i].request;
        milli += (int64_t)ask->roles[i].tasks * r->devices *
                 (wants_share(r) ? r->device_milli : POLICY_WHOLE);
    }
    for (uint32_t pool = 0; pool < sim->fleet->pool_count; pool++)
        if (may_use(ask->queue, pool) && sim->fleet->pools[pool].milli >= milli)
            return true;
    return false;
}

/* Number of domains of the required level; without one the whole fleet counts as one. */
static uint32_t domains_of(const struct fleet *fleet, const struct sim_ask *ask)
{
    uint32_t domains = 1;
    for (uint32_t n = 0; ask->required > 0 && n < fleet->node_count; n++)
        if (fleet_domain_of(fleet, (uint32_t)ask->required - 1, n) >= domains)
            domains = fleet_domain_of(fleet, (uint32_t)ask->required - 1, n) + 1;
    return domains;
}

/* `rooms` of the domains and `held` of the roles in each are initially zero. */
static bool has_room(const struct sim *sim, const struct sim_ask *ask, struct room *rooms,
                     int64_t *held)
{
    const struct fleet *fleet = sim->fleet;
    for (uint32_t p = 0; p < fleet->pool_count; p++) {
        const struct fleet_pool *pool = &fleet->pools[p];
        if (!may_use(ask->queue, p))
            continue;
        for (uint32_t n = pool->first_node; n < pool->first_node + pool->node_count; n++) {
            uint32_t d =
                ask->required > 0 ? fleet_domain_of(fleet, (uint32_t)ask->required - 1, n) : 0;
            int64_t *there = held + (size_t)d * ask->role_count;
            add_node(fleet, &fleet->nodes[n], ask, &rooms[d], there);
            if (is_enough(ask, &rooms[d], there))
                return true;
        }
    }
    return false;
}

/* Called for every job; nearly all of them need no memory for it. */
bool sim_could_start(const struct sim *sim, const struct sim_ask *ask)
{
    if (sim->counts)
        return could_count(sim, ask);
    if (ask->required <= 0 && ask->role_count <= 2)
        return has_room(sim, ask, &(struct room){0}, (int64_t[2]){0});
    uint32_t domains = domains_of(sim->fleet, ask);
    struct room *rooms = mem_alloc(domains, sizeof *rooms);
    int64_t *held = mem_alloc((size_t)domains * ask->role_count, sizeof *held);
    bool found = has_room(sim, ask, rooms, held);
    free(held);
    free(rooms);
    return found;
}
