/* SPDX-License-Identifier: MIT */
/* What is free on nodes, and the sites' indexes over it; see nodes.h. */
#include "core/nodes.h"
#include "core/ranked.h"
#include "place/near.h"

#include <string.h>

/* ---- questions ---- */

static int devices_with_room(const struct pc_node *n, int32_t milli)
{
    int found = pc_popcount(n->whole);
    for (uint64_t rest = n->partial; rest != 0; rest &= rest - 1)
        found += n->room[pc_lowest(rest)] >= milli;
    return found;
}

/* True when the node takes such tasks at all: a node sold whole takes only tasks that want all of it. */
static bool suits(const struct pc_node *n, const struct pc_request *r)
{
    if (n->whole_only && (r->devices != n->devices || r->milli != POLICY_WHOLE))
        return false;
    return r->devices == 0 || (r->types >> n->type & 1) != 0;
}

bool pc_fits(const struct pc_node *n, const struct pc_request *r)
{
    if (r->cpu > n->cpu_free || r->mem > n->mem_free || n->state != POLICY_NODE_UP)
        return false;
    if (n->max_tasks >= 0 && n->tasks >= n->max_tasks)
        return false;
    if (!suits(n, r))
        return false;
    if (r->devices == 0)
        return true;
    if (pc_popcount(n->whole) >= r->devices)
        return true;
    return r->milli < POLICY_WHOLE && devices_with_room(n, r->milli) >= r->devices;
}

uint64_t pc_devices(const struct pc_node *n, const struct pc_request *r)
{
    uint64_t chosen = 0;
    uint64_t candidates = r->milli < POLICY_WHOLE ? n->whole | n->partial : n->whole;
    for (int32_t i = 0; i < r->devices; i++) {
        uint32_t best = PC_NONE;
        for (uint64_t rest = candidates & ~chosen; rest != 0; rest &= rest - 1) {
            uint32_t device = pc_lowest(rest);
            if (n->room[device] < r->milli)
                continue;
            if (best == PC_NONE || n->room[device] < n->room[best])
                best = device;
            if (r->milli == POLICY_WHOLE)
                break; /* all are equal: the lowest */
        }
        chosen |= UINT64_C(1) << best;
    }
    return chosen;
}

int64_t pc_node_holds(const struct pc_node *n, const struct pc_request *r)
{
    int64_t most = n->max_tasks >= 0 ? n->max_tasks : INT64_MAX;
    if (!suits(n, r))
        return 0;
    if (r->cpu > 0 && n->cpu_total / r->cpu < most)
        most = n->cpu_total / r->cpu;
    if (r->mem > 0 && n->mem_total / r->mem < most)
        most = n->mem_total / r->mem;
    if (r->devices == 0)
        return most;
    if (n->devices < r->devices)
        return 0;
    /* Dealt out in turns, the shares of one task never meet on a device, so only their sum matters. */
    int64_t by_devices = (int64_t)n->devices * (POLICY_WHOLE / r->milli) / r->devices;
    return by_devices < most ? by_devices : most;
}

int32_t pc_most_room(const struct pc_node *n)
{
    if (n->whole != 0)
        return POLICY_WHOLE;
    int32_t most = 0;
    for (uint64_t rest = n->partial; rest != 0; rest &= rest - 1)
        if (n->room[pc_lowest(rest)] > most)
            most = n->room[pc_lowest(rest)];
    return most;
}

/* ---- indexes ---- */

static void site_add(struct pc_site *s, const struct pc_node *n)
{
    pc_bits_add(&s->nodes, n->rank);
    pc_bits_add(&s->by_free[pc_popcount(n->whole)], n->rank);
    if (n->partial != 0)
        pc_bits_add(&s->shared, n->rank);
    s->whole += pc_popcount(n->whole);
    s->milli += n->free_milli;
    s->milli_of_type[n->type] += n->free_milli;
    if (s->domains.near != NULL)
        pc_near_count(&s->domains, n, 1);
}

static void site_remove(struct pc_site *s, const struct pc_node *n)
{
    pc_bits_remove(&s->nodes, n->rank);
    pc_bits_remove(&s->by_free[pc_popcount(n->whole)], n->rank);
    if (n->partial != 0)
        pc_bits_remove(&s->shared, n->rank);
    s->whole -= pc_popcount(n->whole);
    s->milli -= n->free_milli;
    s->milli_of_type[n->type] -= n->free_milli;
    if (s->domains.near != NULL)
        pc_near_count(&s->domains, n, -1);
}

void pc_summarise(struct pc_node *n)
{
    n->whole = 0;
    n->partial = 0;
    n->free_milli = 0;
    for (uint64_t rest = n->usable; rest != 0; rest &= rest - 1) {
        uint32_t device = pc_lowest(rest);
        n->free_milli += n->room[device];
        if (n->room[device] == POLICY_WHOLE)
            n->whole |= UINT64_C(1) << device;
        else if (n->room[device] > 0)
            n->partial |= UINT64_C(1) << device;
    }
}

int64_t pc_unusable_milli(const struct pc_node *n)
{
    if (n->state == POLICY_NODE_UP && n->usable == pc_all_devices(n->devices))
        return 0;
    int64_t sum = 0;
    for (int32_t d = 0; d < n->devices; d++)
        if (n->state != POLICY_NODE_UP || (n->usable >> d & 1) == 0)
            sum += n->room[d];
    return sum;
}

static void note_freed(struct policy *p, struct pc_site *s, const struct pc_node *n)
{
    int32_t whole = pc_popcount(n->whole);
    int32_t room = pc_most_room(n);
    p->any_freed = true;
    s->freed = true;
    s->freed_whole = whole > s->freed_whole ? whole : s->freed_whole;
    s->freed_room = room > s->freed_room ? room : s->freed_room;
}

static void site_remove_or_add(struct pc_site *s, const struct pc_node *n, bool add)
{
    if (!n->exists)
        return;
    int sign = add ? 1 : -1;
    s->installed_devices += sign * n->devices;
    s->unusable_milli += sign * pc_unusable_milli(n);
    if (n->state != POLICY_NODE_UP)
        return;
    if (add)
        site_add(s, n);
    else
        site_remove(s, n);
}

void pc_reindex(struct policy *p, const struct pc_node *before, const struct pc_node *after)
{
    p->backfill_due = true;
    pc_ranked_nodes_changed(p);
    struct pc_pool *pool = &p->pools[after->pool];
    for (uint32_t i = 0; i < pool->site_count; i++) {
        struct pc_site *s = &p->sites[pool->sites[i]];
        site_remove_or_add(s, before, false);
        site_remove_or_add(s, after, true);
        if (after->exists && after->state == POLICY_NODE_UP)
            note_freed(p, s, after);
    }
}

void pc_index_node(struct pc_site *s, const struct pc_node *n)
{
    site_remove_or_add(s, n, true);
}

void pc_unindex_node(struct pc_site *s, const struct pc_node *n)
{
    site_remove_or_add(s, n, false);
}

/*
 * The hot path: a node that stays up, whose free devices changed. Moves it between the lists that really change.
 */
void pc_reindex_room(struct pc_site *s, const struct pc_node *n, const struct pc_node *before)
{
    int was = pc_popcount(before->whole);
    int is = pc_popcount(n->whole);
    if (was != is) {
        pc_bits_remove(&s->by_free[was], n->rank);
        pc_bits_add(&s->by_free[is], n->rank);
        s->whole += is - was;
    }
    if (before->partial == 0 && n->partial != 0)
        pc_bits_add(&s->shared, n->rank);
    else if (before->partial != 0 && n->partial == 0)
        pc_bits_remove(&s->shared, n->rank);
    s->milli += n->free_milli - before->free_milli;
    s->milli_of_type[n->type] += n->free_milli - before->free_milli;
    if (s->domains.near != NULL) {
        pc_near_count(&s->domains, before, -1);
        pc_near_count(&s->domains, n, 1);
    }
}

/* Adds `sign` times the request's share to the room of the devices. */
static void change_room(struct pc_node *n, const struct pc_request *r, uint64_t devices, int sign)
{
    for (uint64_t rest = devices; rest != 0; rest &= rest - 1) {
        uint32_t device = pc_lowest(rest);
        uint64_t bit = UINT64_C(1) << device;
        n->room[device] = (uint16_t)(n->room[device] + sign * r->milli);
        if ((n->usable & bit) == 0)
            continue;
        n->free_milli += sign * r->milli;
        n->whole = n->room[device] == POLICY_WHOLE ? n->whole | bit : n->whole & ~bit;
        n->partial =
            n->room[device] > 0 && n->room[device] < POLICY_WHOLE ? n->partial | bit : n->partial & ~bit;
    }
}

static void change(struct policy *p, uint32_t id, const struct pc_request *r, uint64_t devices, int sign)
{
    struct pc_node *n = &p->nodes[id];
    const struct pc_node before = *n;
    int64_t unusable = pc_unusable_milli(n);
    n->cpu_free += sign * r->cpu;
    n->mem_free += sign * r->mem;
    n->tasks -= sign;
    n->version = ++p->versions;
    if (r->devices > 0)
        n->of_kind[pc_kind(r)] = (uint16_t)(n->of_kind[pc_kind(r)] - sign);
    change_room(n, r, devices, sign);
    unusable = pc_unusable_milli(n) - unusable;

    const struct pc_pool *pool = &p->pools[n->pool];
    for (uint32_t i = 0; i < pool->site_count; i++) {
        struct pc_site *s = &p->sites[pool->sites[i]];
        s->unusable_milli += unusable;
        if (n->state != POLICY_NODE_UP)
            continue;
        pc_reindex_room(s, n, &before);
        if (sign > 0 && !p->rolling_back)
            note_freed(p, s, n);
    }
}

void pc_take(struct policy *p, uint32_t id, const struct pc_request *r, uint64_t devices)
{
    change(p, id, r, devices, -1);
}

void pc_give(struct policy *p, uint32_t id, const struct pc_request *r, uint64_t devices)
{
    change(p, id, r, devices, 1);
}

void pc_count(struct policy *p, uint32_t id, int64_t gpu_milli)
{
    struct pc_pool *pool = &p->pools[id];
    pool->free_milli -= gpu_milli;
    for (uint32_t i = 0; i < pool->site_count; i++) {
        struct pc_site *s = &p->sites[pool->sites[i]];
        s->milli -= gpu_milli;
        s->freed |= gpu_milli < 0 && !p->rolling_back;
    }
    p->any_freed |= gpu_milli < 0 && !p->rolling_back;
}
