/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recomputes rates after a change. Max-min fairness by progressive filling: all rates rise together
 * until a flow reaches its demand or an uplink is full; those flows stop, the others rise further.
 * Rates are whole numbers, rounded down; of two uplinks that fill up at the same rate the one with
 * the smaller index goes first.
 */
#include "sim/fabric/share_internal.h"

#include "sim/base/heap.h"
#include "sim/base/mem.h"
#include "sim/base/order.h"

#include <stdlib.h>

/* ---- affected jobs ---- */

static void see_uplink(struct fabric_share *share, uint32_t id)
{
    if (share->uplinks[id].seen == share->round)
        return;
    share->uplinks[id].seen = share->round;
    share->some_uplinks = mem_grow(share->some_uplinks, &share->some_uplink_room,
                                   share->some_uplink_count + 1, sizeof *share->some_uplinks);
    share->some_uplinks[share->some_uplink_count++] = id;
}

static void see_flow(struct fabric_share *share, uint32_t id)
{
    if (share->flows[id].seen == share->round)
        return;
    share->flows[id].seen = share->round;
    share->some_flows = mem_grow(share->some_flows, &share->some_flow_room,
                                 share->some_flow_count + 1, sizeof *share->some_flows);
    share->some_flows[share->some_flow_count++] = id;
}

static void see_dirty(struct fabric_share *share)
{
    share->round++;
    share->some_uplink_count = share->some_flow_count = 0;
    for (size_t i = 0; i < share->dirty_uplink_count; i++) {
        share->uplinks[share->dirty_uplinks[i]].dirty = false;
        see_uplink(share, share->dirty_uplinks[i]);
    }
    for (size_t i = 0; i < share->dirty_flow_count; i++) {
        share->flows[share->dirty_flows[i]].dirty = false;
        if (share->flows[share->dirty_flows[i]].used)
            see_flow(share, share->dirty_flows[i]);
    }
    share->dirty_uplink_count = share->dirty_flow_count = 0;
}

static void see_flows_on(struct fabric_share *share, uint32_t uplink)
{
    for (uint32_t l = share->uplinks[uplink].links; l != SHARE_NONE; l = share->links[l].next)
        see_flow(share, share->links[l].flow);
}

/* From uplink to flow to tight uplink, as far as it goes. */
static void see_components(struct fabric_share *share)
{
    size_t uplinks = 0, flows = 0;
    while (uplinks < share->some_uplink_count || flows < share->some_flow_count) {
        while (uplinks < share->some_uplink_count)
            see_flows_on(share, share->some_uplinks[uplinks++]);
        for (; flows < share->some_flow_count; flows++)
            for (uint32_t l = share->flows[share->some_flows[flows]].links; l != SHARE_NONE;
                 l = share->links[l].sibling)
                if (share_is_tight(&share->uplinks[share->links[l].uplink]))
                    see_uplink(share, share->links[l].uplink);
    }
}

/* ---- the uplink that is full first: a heap whose keys may be too low, since levels only rise ----
 */

static bool before(const struct share_key *a, const struct share_key *b)
{
    return a->level != b->level ? a->level < b->level : a->uplink < b->uplink;
}

HEAP(key, struct share_key, before)

static int64_t level_of(const struct share_uplink *uplink)
{
    return uplink->left / uplink->weight;
}

static void fill_heap(struct fabric_share *share)
{
    share->heap =
        mem_grow(share->heap, &share->heap_room, share->some_uplink_count, sizeof *share->heap);
    share->heap_count = 0;
    for (size_t i = 0; i < share->some_uplink_count; i++) {
        uint32_t id = share->some_uplinks[i];
        struct share_uplink *uplink = &share->uplinks[id];
        if (!share_is_tight(uplink))
            continue;
        uplink->left = uplink->capacity;
        uplink->weight = 0;
        for (uint32_t l = uplink->links; l != SHARE_NONE; l = share->links[l].next)
            uplink->weight += share->links[l].weight;
        share->heap[share->heap_count++] = (struct share_key){level_of(uplink), id};
    }
    key_make(share->heap, share->heap_count);
}

/* The uplink with the lowest level; NULL when all flows of all have their rates. */
static const struct share_key *first_full(struct fabric_share *share)
{
    while (share->heap_count > 0) {
        struct share_key *first = &share->heap[0];
        const struct share_uplink *uplink = &share->uplinks[first->uplink];
        if (uplink->weight == 0) {
            (void)key_take(share->heap, &share->heap_count);
            continue;
        }
        int64_t level = level_of(uplink);
        if (level == first->level)
            return first;
        first->level = level;
        key_sink(share->heap, share->heap_count, 0);
    }
    return NULL;
}

/* ---- filling ---- */

static void give(struct fabric_share *share, uint32_t id, int64_t rate)
{
    struct share_flow *flow = &share->flows[id];
    flow->solved = share->round;
    flow->next_rate = rate;
    for (uint32_t l = flow->links; l != SHARE_NONE; l = share->links[l].sibling) {
        struct share_uplink *uplink = &share->uplinks[share->links[l].uplink];
        share->effort.crossings++;
        if (!share_is_tight(uplink))
            continue;
        uplink->left -= share->links[l].weight * rate;
        uplink->weight -= share->links[l].weight;
    }
}

static int by_wish(const void *a, const void *b)
{
    const struct share_wish *x = a, *y = b;
    if (x->want != y->want)
        return x->want < y->want ? -1 : 1;
    return (x->flow > y->flow) - (x->flow < y->flow);
}

static void fill(struct fabric_share *share)
{
    size_t count = share->some_flow_count;
    struct share_wish *wishes = mem_grow(share->wishes, &share->wish_room, count, sizeof *wishes);
    share->wishes = wishes;
    for (size_t i = 0; i < count; i++)
        wishes[i] =
            (struct share_wish){share->flows[share->some_flows[i]].want, share->some_flows[i]};
    if (count > 1)
        qsort(wishes, count, sizeof *wishes, by_wish);
    fill_heap(share);
    for (size_t i = 0; i < count;) {
        if (share->flows[wishes[i].flow].solved == share->round) {
            i++;
            continue;
        }
        const struct share_key *full = first_full(share);
        if (full == NULL || wishes[i].want <= full->level) {
            give(share, wishes[i].flow, wishes[i].want);
            continue;
        }
        const struct share_key key = *full;
        (void)key_take(share->heap, &share->heap_count);
        for (uint32_t l = share->uplinks[key.uplink].links; l != SHARE_NONE;
             l = share->links[l].next)
            if (share->flows[share->links[l].flow].solved != share->round)
                give(share, share->links[l].flow, key.level);
    }
}

/* ---- by duty ---- */

int64_t share_by_duty(const struct fabric_share *share, const struct share_link *link)
{
    const struct share_uplink *uplink = &share->uplinks[link->uplink];
    int64_t idle_ppm =
        FABRIC_PPM - uplink->duty_ppm + share->jobs[link->flow / share->tiers].duty_ppm;
    idle_ppm = idle_ppm > 0 ? idle_ppm : 0;
    int64_t even = uplink->capacity / uplink->flows;
    int64_t idle = uplink->capacity / FABRIC_PPM * idle_ppm +
                   uplink->capacity % FABRIC_PPM * idle_ppm / FABRIC_PPM;
    return (even > idle ? even : idle) / link->weight;
}

/* Rates do not depend on each other, so only the jobs on the changed uplinks are affected. */
static void divide_by_duty(struct fabric_share *share)
{
    for (size_t i = 0; i < share->some_uplink_count; i++)
        see_flows_on(share, share->some_uplinks[i]);
    for (size_t i = 0; i < share->some_flow_count; i++) {
        struct share_flow *flow = &share->flows[share->some_flows[i]];
        flow->next_rate = flow->most;
        for (uint32_t l = flow->links; l != SHARE_NONE; l = share->links[l].sibling) {
            int64_t here = share_by_duty(share, &share->links[l]);
            flow->next_rate = here < flow->next_rate ? here : flow->next_rate;
            share->effort.crossings++;
        }
    }
}

/* ---- the whole ---- */

/* Lists the changed rates and their flows. */
static void find_changed(struct fabric_share *share)
{
    share->changed_count = 0;
    for (size_t i = 0; i < share->some_flow_count; i++) {
        struct share_flow *flow = &share->flows[share->some_flows[i]];
        uint32_t id = share->some_flows[i] / share->tiers;
        if (flow->rate == flow->next_rate)
            continue;
        flow->rate = flow->next_rate;
        if (share->jobs[id].changed)
            continue;
        share->jobs[id].changed = true;
        share->changed = mem_grow(share->changed, &share->changed_room, share->changed_count + 1,
                                  sizeof *share->changed);
        share->changed[share->changed_count++] = id;
    }
    for (size_t i = 0; i < share->changed_count; i++)
        share->jobs[share->changed[i]].changed = false;
    if (share->changed_count > 1)
        qsort(share->changed, share->changed_count, sizeof *share->changed, order_u32);
}

const uint32_t *fabric_share_settle(struct fabric_share *share, size_t *count)
{
    see_dirty(share);
    if (share->rule == FABRIC_MAX_MIN) {
        see_components(share);
        fill(share);
    } else {
        divide_by_duty(share);
    }
    share->effort.rounds += share->some_flow_count > 0;
    share->effort.flows += share->some_flow_count;
    find_changed(share);
    *count = share->changed_count;
    return share->changed;
}
