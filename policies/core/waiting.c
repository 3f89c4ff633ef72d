/* SPDX-License-Identifier: MIT */
/* Groups that wait for something to be freed; the idea is in waiting.h. */
#include "core/waiting.h"
#include "core/heap.h"
#include "core/sites.h"

static bool before(const struct policy *p, uint32_t a, uint32_t b)
{
    return pc_entry_before(&p->groups[a].heap.entries[0], &p->groups[b].heap.entries[0]);
}

static void moved(struct policy *p, uint32_t id, uint32_t position)
{
    p->groups[id].waiting_pos = position;
}

static const struct pc_idheap_type type = {before, moved};

static struct pc_idheap *heap_of(struct policy *p, const struct pc_group *g)
{
    return &p->sites[g->site].waiting[g->need];
}

bool pc_waiting_reserve(struct policy *p, uint32_t site, int32_t need)
{
    struct pc_site *s = &p->sites[site];
    return PC_GROW(&p->memory, s->waiting[need].ids, s->waiting[need].capacity, s->members[need] + 1) &&
           PC_GROW(&p->memory, p->aside, p->aside_capacity, p->group_live + 1);
}

static int32_t capped(int64_t devices)
{
    return devices < PC_NEEDS ? (int32_t)devices : PC_NEEDS - 1;
}

int32_t pc_waiting_need(const struct policy *p, const struct pc_group *g)
{
    if (p->placement->counts) {
        return capped(g->gpu_milli / POLICY_WHOLE);
    }
    int32_t need = PC_NEEDS - 1;
    for (uint32_t i = 0; i < g->role_count; i++) {
        const struct pc_request *r = &g->roles[i].request;
        int32_t its = r->milli == POLICY_WHOLE ? r->devices : 0;
        need = its < need ? its : need;
    }
    return need;
}

void pc_waiting_aside(struct policy *p, uint32_t id)
{
    p->aside[p->aside_count++] = id;
}

void pc_waiting_remove(struct policy *p, uint32_t id)
{
    struct pc_group *g = &p->groups[id];
    pc_idheap_remove(p, heap_of(p, g), &type, g->waiting_pos);
    if (heap_of(p, g)->count == 0)
        p->sites[g->site].waiting_needs &= ~(UINT64_C(1) << g->need);
}

void pc_waiting_moved(struct policy *p, uint32_t id)
{
    struct pc_group *g = &p->groups[id];
    pc_idheap_fix(p, heap_of(p, g), &type, g->waiting_pos);
}

void pc_waiting_rekeyed(struct policy *p)
{
    for (uint32_t site = 0; site < p->site_count; site++)
        for (uint64_t needs = p->sites[site].waiting_needs; needs != 0; needs &= needs - 1)
            pc_idheap_rebuild(p, &p->sites[site].waiting[pc_lowest(needs)], &type);
}

/*
 * The most that is free in one pool of the site, where devices are only counted. Not the sum over its pools: that may
 * be less, because a pool whose nodes went down lacks what its jobs still hold.
 */
static int64_t most_counted(const struct policy *p, uint32_t site)
{
    int64_t most = 0;
    for (uint32_t pool = 0; pool < p->pool_count; pool++)
        if (p->pools[pool].free_milli > most && pc_site_has(p, site, pool))
            most = p->pools[pool].free_milli;
    return most;
}

/* The largest need that may be met on nodes with up to so many free devices. */
static int32_t met_up_to(const struct policy *p, uint32_t site, int32_t free)
{
    if (p->placement->counts)
        return capped(most_counted(p, site) / POLICY_WHOLE);
    int32_t most = free < POLICY_MAX_DEVICES ? free : POLICY_MAX_DEVICES;
    while (most > 0 && pc_bits_first(&p->sites[site].by_free[most]) == PC_NONE)
        most--;
    return capped(most);
}

int32_t pc_waiting_met(const struct policy *p, uint32_t site)
{
    return met_up_to(p, site, p->sites[site].most_devices);
}

/* The largest need that may be met now: no more than was freed on one node, and than is still free on one. */
static int32_t largest_need(const struct policy *p, uint32_t site)
{
    return met_up_to(p, site, p->sites[site].freed_whole);
}

/* Whether one of the job's tasks could use one of the nodes where something was freed. */
static bool may_use(const struct policy *p, const struct pc_group *g)
{
    const struct pc_site *s = &p->sites[g->site];
    if (p->placement->counts)
        return most_counted(p, g->site) >= g->gpu_milli;
    for (uint32_t i = 0; i < g->role_count; i++) {
        const struct pc_request *r = &g->roles[i].request;
        if (r->milli == POLICY_WHOLE ? r->devices <= s->freed_whole : r->milli <= s->freed_room)
            return true;
    }
    return false;
}

bool pc_waiting_may_wake(const struct policy *p, const struct pc_group *g)
{
    return p->any_freed && p->sites[g->site].freed && g->need <= largest_need(p, g->site) && may_use(p, g);
}

/* The first of one need that may use what was freed; those before it that may not stand aside. */
static uint32_t first_of(struct policy *p, struct pc_idheap *heap)
{
    while (heap->count > 0) {
        uint32_t id = heap->ids[0];
        if (may_use(p, &p->groups[id]))
            return id;
        pc_waiting_remove(p, id);
        pc_waiting_aside(p, id);
    }
    return PC_NONE;
}

uint32_t pc_waiting_first(struct policy *p)
{
    uint32_t best = PC_NONE;
    for (uint32_t site = 0; p->any_freed && site < p->site_count; site++) {
        uint64_t needs = p->sites[site].freed ? p->sites[site].waiting_needs : 0;
        if (needs != 0)
            needs &= ~UINT64_C(0) >> (PC_NEEDS - 1 - largest_need(p, site));
        for (; needs != 0; needs &= needs - 1) {
            uint32_t id = first_of(p, &p->sites[site].waiting[pc_lowest(needs)]);
            if (id != PC_NONE && (best == PC_NONE || before(p, id, best)))
                best = id;
        }
    }
    return best;
}

void pc_waiting_close(struct policy *p, bool complete)
{
    for (uint32_t i = 0; i < p->aside_count; i++) {
        const struct pc_group *g = &p->groups[p->aside[i]];
        if (g->blocked == 0)
            continue; /* its last job went ahead after all */
        pc_idheap_add(p, heap_of(p, g), &type, p->aside[i]);
        p->sites[g->site].waiting_needs |= UINT64_C(1) << g->need;
    }
    p->aside_count = 0;
    if (!complete)
        return;
    for (uint32_t site = 0; p->any_freed && site < p->site_count; site++) {
        p->sites[site].freed = false;
        p->sites[site].freed_whole = p->sites[site].freed_room = 0;
    }
    p->any_freed = false;
}
