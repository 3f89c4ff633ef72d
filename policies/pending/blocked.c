/* SPDX-License-Identifier: MIT */
/* Blocked job classes; see blocked.h. */
#include "pending/blocked.h"
#include "base/id_heap.h"
#include "state/nodes.h"
#include "state/pool_sets.h"

PC_INLINE void moved(struct policy *p, uint32_t id, uint32_t position)
{
    p->cluster->pending->classes[id].blocked_pos = position;
}

static const struct pc_idheap_type type = {pc_class_before, moved};

static struct pc_waiting_set *set_of(struct policy *p, const struct pc_job_class *k)
{
    return &p->cluster->pending->sets[k->set];
}

/* Classes with a single job may be blocked in any set. */
bool pc_blocked_reserve(struct policy *p, uint32_t set, int32_t need)
{
    struct pc_pending *w = p->cluster->pending;
    struct pc_waiting_set *s = &w->sets[set];
    uint32_t more = w->alone_reserved + 1;
    return PC_GROW(&p->memory, s->blocked[need].ids, s->blocked[need].capacity,
                   s->members[need] + more) &&
           PC_GROW(&p->memory, w->aside, w->aside_capacity, w->classes_live + more);
}

int32_t pc_blocked_need(const struct pc_shape *s)
{
    return s->need < PC_NEEDS ? s->need : PC_NEEDS - 1;
}

void pc_blocked_aside(struct policy *p, uint32_t id)
{
    struct pc_pending *w = p->cluster->pending;
    w->aside[w->aside_count++] = id;
}

void pc_blocked_forget(struct policy *p, uint32_t id)
{
    struct pc_pending *w = p->cluster->pending;
    for (uint32_t i = 0; i < w->aside_count; i++)
        if (w->aside[i] == id) {
            w->aside[i] = w->aside[--w->aside_count];
            return;
        }
}

void pc_blocked_remove(struct policy *p, uint32_t id)
{
    const struct pc_job_class *k = &p->cluster->pending->classes[id];
    struct pc_waiting_set *s = set_of(p, k);
    pc_idheap_remove(p, &s->blocked[k->need], &type, k->blocked_pos);
    if (s->blocked[k->need].count == 0)
        s->needs &= ~(UINT64_C(1) << k->need);
}

void pc_blocked_moved(struct policy *p, uint32_t id)
{
    const struct pc_job_class *k = &p->cluster->pending->classes[id];
    pc_idheap_fix(p, &set_of(p, k)->blocked[k->need], &type, k->blocked_pos);
}

void pc_blocked_rekeyed(struct policy *p)
{
    struct pc_pending *w = p->cluster->pending;
    for (uint32_t set = 0; set < w->set_count; set++)
        for (uint64_t needs = w->sets[set].needs; needs != 0; needs &= needs - 1)
            pc_idheap_rebuild(p, &w->sets[set].blocked[pc_lowest(needs)], &type);
}

/* The largest need that nodes with up to that many free devices may meet. */
static int32_t met_up_to(const struct policy *p, const struct pc_pool_set *s, int32_t free)
{
    if (p->cluster->traits.counts_only)
        return PC_NEEDS - 1;
    int32_t most = free < POLICY_MAX_DEVICES ? free : POLICY_MAX_DEVICES;
    while (most > 0 && !pc_lists_free(s, most))
        most--;
    return most < PC_NEEDS ? most : PC_NEEDS - 1;
}

int32_t pc_blocked_met(const struct policy *p, uint32_t set)
{
    const struct pc_pool_set *s = &p->cluster->pool_sets[set];
    return met_up_to(p, s, s->most_devices);
}

/* The largest need that may be met now: limited by what was released on one node, and by what is
 * still free on one. */
static int32_t largest_need(const struct policy *p, uint32_t set)
{
    const struct pc_pool_set *s = &p->cluster->pool_sets[set];
    return met_up_to(p, s, s->freed_whole);
}

/* Returns true if a task could use a node where something was released. */
static bool may_use(const struct policy *p, const struct pc_job_class *k)
{
    const struct pc_shape *s = &p->cluster->shapes[k->shape];
    const struct pc_pool_set *z = &p->cluster->pool_sets[k->set];
    if (p->cluster->traits.counts_only)
        return pc_pool_most_free(p->cluster, k->set) >= k->gpu_milli;
    for (uint32_t i = 0; i < s->role_count; i++) {
        const struct pc_request *r = &s->roles[i].request;
        if (r->memory > 0 || r->wants_mig) /* the amount of devices depends on the node */
            return true;
        if (r->share == 0 ? r->devices <= z->freed_whole : r->share <= z->freed_room)
            return true;
    }
    return false;
}

bool pc_blocked_may_wake(const struct policy *p, uint32_t id)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job_class *k = &c->pending->classes[id];
    return c->any_freed && c->pool_sets[k->set].freed && k->need <= largest_need(p, k->set) &&
           may_use(p, k);
}

/* The first class of one need that may use what was released; earlier ones that cannot are set
 * aside. */
static uint32_t first_of(struct policy *p, struct pc_idheap *heap)
{
    while (heap->count > 0) {
        uint32_t id = heap->ids[0];
        if (may_use(p, &p->cluster->pending->classes[id]))
            return id;
        pc_blocked_remove(p, id);
        pc_blocked_aside(p, id);
    }
    return PC_NONE;
}

uint32_t pc_blocked_first(struct policy *p)
{
    struct pc_pending *w = p->cluster->pending;
    uint32_t best = PC_NONE;
    for (uint32_t set = 0; p->cluster->any_freed && set < w->set_count; set++) {
        uint64_t needs = p->cluster->pool_sets[set].freed ? w->sets[set].needs : 0;
        if (needs != 0)
            needs &= ~UINT64_C(0) >> (PC_NEEDS - 1 - largest_need(p, set));
        for (; needs != 0; needs &= needs - 1) {
            uint32_t id = first_of(p, &w->sets[set].blocked[pc_lowest(needs)]);
            if (id != PC_NONE && (best == PC_NONE || pc_class_before(p, id, best)))
                best = id;
        }
    }
    return best;
}

void pc_pending_close(struct policy *p, bool complete)
{
    struct pc_cluster *c = p->cluster;
    struct pc_pending *w = c->pending;
    for (uint32_t i = 0; i < w->aside_count; i++) {
        const struct pc_job_class *k = &w->classes[w->aside[i]];
        if (k->blocked == 0)
            continue; /* its last job was backfilled after all */
        pc_idheap_add(p, &w->sets[k->set].blocked[k->need], &type, w->aside[i]);
        w->sets[k->set].needs |= UINT64_C(1) << k->need;
    }
    w->aside_count = 0;
    if (complete)
        pc_pool_sets_close(c);
}
