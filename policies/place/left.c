/* SPDX-License-Identifier: MIT */
/* What is left on a node; see left.h. */
#include "place/left.h"

#include "state/mig.h"
#include "state/nodes.h"

/* ---- nodes ---- */

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t pc_cpu_left(const struct pc_node *n, bool now)
{
    return now ? smaller(n->cpu_idle, n->cpu_soon) : n->cpu_soon;
}

int32_t pc_whole_left(const struct pc_node *n, bool now)
{
    int32_t whole = pc_soon_whole(n);
    if (now && pc_popcount(n->idle) < whole)
        whole = pc_popcount(n->idle);
    return whole > 0 ? whole : 0;
}

/* Thousandths of a shared device. */
static int32_t room_on(const struct pc_node *n, uint32_t d, bool now)
{
    const struct pc_device dev = pc_device_of(n, d);
    int64_t room = (int64_t)n->capacity - dev.used - dev.nominated - (now ? dev.releasing : 0);
    return room > 0 ? (int32_t)(room * POLICY_WHOLE / n->capacity) : 0;
}

/* Wholly free devices that can be allocated whole: none where instances are fixed. */
static int32_t whole_to_have(const struct pc_node *n, bool now)
{
    return n->mig == POLICY_MIG_FIXED ? 0 : pc_whole_left(n, now);
}

/* The lowest untouched devices, minus the number of nominated ones, whose identity is unknown. */
static uint64_t whole_devices(const struct pc_node *n, bool now)
{
    const uint64_t untouched = now ? n->idle : n->idle | n->leaving;
    uint64_t rest = untouched;
    for (int32_t i = whole_to_have(n, now); i > 0; i--)
        rest &= rest - 1;
    return untouched & ~rest;
}

int32_t pc_milli_left(const struct pc_node *n, bool now)
{
    int32_t sum = whole_to_have(n, now) * POLICY_WHOLE;
    for (uint64_t rest = n->shared; rest != 0; rest &= rest - 1)
        sum += room_on(n, pc_lowest(rest), now);
    return sum;
}

void pc_left_on(const struct pc_node *n, bool now, struct pc_left *left)
{
    left->cpu = pc_cpu_left(n, now);
    left->type = n->type;
    left->devices = n->devices;
    left->memory = n->memory;
    left->cuts = n->mig == POLICY_MIG_FREE;
    left->usable = n->usable;
    left->whole = whole_devices(n, now);
    left->sum = 0;
    for (int32_t d = 0; d < n->devices; d++) {
        left->room[d] = 0;
        if ((left->whole >> d & 1) != 0)
            left->room[d] = POLICY_WHOLE;
        else if ((n->shared >> d & 1) != 0)
            left->room[d] = (uint16_t)room_on(n, (uint32_t)d, now);
        left->sum += left->room[d];
    }
}

int32_t pc_shared_with_room(const struct pc_node *n, const struct pc_request *r, bool now)
{
    int32_t found = 0;
    int32_t units = pc_units(n, r);
    for (uint64_t rest = n->shared; rest != 0; rest &= rest - 1) {
        const struct pc_device d = pc_device_of(n, pc_lowest(rest));
        found += n->capacity - d.used - d.nominated - (now ? d.releasing : 0) >= units;
    }
    return found;
}

/* Returns true if an already split device has room for the instance. */
static bool fits_cut(const struct pc_cluster *c, const struct pc_node *n,
                     const struct pc_request *r)
{
    for (uint64_t rest = n->usable & ~(n->idle | n->leaving); rest != 0; rest &= rest - 1) {
        const struct pc_device d = pc_device_of(n, pc_lowest(rest));
        const struct pc_mig state = {(uint8_t)(d.slices | d.slices_nominated),
                                     (uint8_t)(d.compute + d.compute_nominated)};
        for (uint32_t i = 0; i < POLICY_MAX_PROFILES; i++)
            if (r->mig[i] > 0 && state.slices != 0 &&
                pc_mig_fits(&state, c->slices[i], c->memory_slices[i]))
                return true;
    }
    return false;
}

struct pc_want pc_want_on(const struct pc_cluster *c, const struct pc_node *n,
                          const struct pc_request *r)
{
    struct pc_want want = {r->devices, POLICY_WHOLE, r->cpu};
    if (r->share > 0)
        want.milli = r->share;
    else if (r->memory > 0)
        want.milli =
            (int32_t)(((int64_t)pc_units(n, r) * POLICY_WHOLE + n->capacity - 1) / n->capacity);
    else if (r->wants_mig)
        want.devices = n->mig == POLICY_MIG_FREE && !fits_cut(c, n, r);
    return want;
}

/* ---- devices ---- */

uint64_t pc_usual_devices(const struct pc_left *left, const struct pc_want *want)
{
    uint64_t chosen = 0;
    for (int32_t i = 0; i < want->devices; i++) {
        int32_t best = -1;
        for (int32_t d = 0; d < left->devices; d++)
            if ((chosen >> d & 1) == 0 && left->room[d] >= want->milli &&
                (best < 0 || left->room[d] < left->room[best]))
                best = d;
        if (best < 0)
            break; /* `left` does not have all information */
        chosen |= UINT64_C(1) << best;
    }
    return chosen;
}
