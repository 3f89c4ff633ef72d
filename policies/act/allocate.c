/* SPDX-License-Identifier: MIT */
/*
 * Allocate: take the next job in order, open a transaction, place its tasks one by one, commit when the gang is
 * whole, else roll back and remember why. Cost grows with what is decided, not with what idles.
 */
#include "act/allocate.h"
#include "act/backfill.h"
#include "core/groups.h"
#include "core/jobs.h"
#include "core/limits.h"
#include "core/multifactor.h"
#include "core/nodes.h"
#include "core/pending.h"
#include "core/sites.h"
#include "core/txn.h"
#include "place/near.h"

/* ---- placing one gang ---- */

/* Free thousandths in the site on devices of the types that all roles can use. */
static int64_t free_of_types(const struct pc_site *s, const struct pc_group *g)
{
    uint64_t types = 0;
    for (uint32_t i = 0; i < g->role_count; i++)
        types |= g->roles[i].request.types;
    if (types == ~UINT64_C(0))
        return s->milli;
    int64_t sum = 0;
    for (; types != 0; types &= types - 1)
        sum += s->milli_of_type[pc_lowest(types)];
    return sum;
}

static int32_t reason_by_count(const struct pc_site *s, const struct pc_group *g, int64_t free)
{
    if (g->gpu_milli <= free)
        return POLICY_REASON_FRAGMENTED;
    return g->gpu_milli <= free + s->unusable_milli ? POLICY_REASON_NODES_DOWN : POLICY_REASON_DEVICES_BUSY;
}

int32_t pc_reason_now(const struct policy *p, const struct pc_group *g)
{
    const struct pc_site *s = &p->sites[g->site];
    int32_t by_count = reason_by_count(s, g, free_of_types(s, g));
    return by_count == POLICY_REASON_FRAGMENTED && g->blocked == POLICY_REASON_CPU_OR_MEMORY ? g->blocked
                                                                                             : by_count;
}

/* Why a task of the group found no place, given what was free before the gang was tried. */
static int32_t reason_for(const struct policy *p, const struct pc_group *g, const struct pc_request *r,
                          int64_t free)
{
    const struct pc_site *s = &p->sites[g->site];
    int32_t by_count = reason_by_count(s, g, free);
    if (by_count != POLICY_REASON_FRAGMENTED || r == NULL || p->placement->counts)
        return by_count; /* counted devices: free, but over several pools */
    if (pc_bits_first(&s->nodes) == PC_NONE)
        return POLICY_REASON_NODES_DOWN;
    struct pc_request bare = *r;
    bare.cpu = bare.mem = 0;
    struct pc_pick pick;
    if ((r->cpu > 0 || r->mem > 0) &&
        p->placement->choose(p, s, &(struct pc_ask){.request = &bare, .any = true}, &pick))
        return POLICY_REASON_CPU_OR_MEMORY;
    return POLICY_REASON_FRAGMENTED;
}

static int32_t count_gang(struct policy *p, const struct pc_group *g, uint32_t *placed)
{
    for (uint32_t id = 0; id < p->pool_count; id++) {
        if (p->pools[id].free_milli < g->gpu_milli || !pc_site_has(p, g->site, id))
            continue;
        if (!pc_txn_count(p, id, g->gpu_milli))
            return POLICY_REASON_WAITING;
        *placed = (uint32_t)g->tasks;
        return 0;
    }
    return reason_for(p, g, NULL, p->sites[g->site].milli);
}

/* A smaller task of a gang whose first tasks take more devices each. */
static bool is_remainder(const struct pc_group *g, uint32_t role)
{
    return role > 0 && g->roles[role].request.devices < g->roles[0].request.devices;
}

int32_t pc_place_most(struct policy *p, const struct pc_group *g, uint64_t draw, uint32_t *placed)
{
    const struct pc_site *s = &p->sites[g->site];
    int64_t free = free_of_types(s, g);
    *placed = 0;
    pc_txn_begin(p);
    if (p->placement->counts)
        return count_gang(p, g, placed);
    if (p->near != NULL && g->tasks > 1) {
        int32_t reason = pc_place_near(p, g, placed);
        if (reason == 0 || reason == POLICY_REASON_WAITING)
            return reason;
    }
    for (uint32_t role = 0; role < g->role_count; role++) {
        struct pc_ask ask = {
            .request = &g->roles[role].request, .remainder = is_remainder(g, role), .draw = draw};
        for (int32_t i = 0; i < g->roles[role].tasks; i++, ask.draw++) {
            struct pc_pick pick;
            if (!p->placement->choose(p, s, &ask, &pick))
                return reason_for(p, g, ask.request, free);
            if (!pc_txn_place(p, pick.node, ask.request, pick.devices))
                return POLICY_REASON_WAITING;
            ++*placed;
        }
        draw = ask.draw;
    }
    return 0;
}

int32_t pc_place_gang(struct policy *p, const struct pc_group *g, uint64_t draw, uint32_t *placed)
{
    const struct pc_site *s = &p->sites[g->site];
    if (p->placement->counts)
        return pc_place_most(p, g, draw, placed);
    int64_t free = free_of_types(s, g);
    if (g->gpu_milli <= free && g->whole_devices <= s->whole)
        return pc_place_most(p, g, draw, placed);
    pc_txn_begin(p);
    *placed = 0;
    return reason_for(p, g, NULL, free);
}

/* ---- starting it ---- */

static void decide_start(struct policy *p, uint32_t job, const struct pc_slot *slot, int32_t action)
{
    struct policy_decision *d = pc_decide_about(p, job, slot);
    d->kind = POLICY_START;
    d->action = action;
}

/* The open transaction holds the gang's placements in order of its tasks: makes slots and decisions of them. */
static bool start(struct policy *p, uint32_t id, int32_t action)
{
    struct pc_job *job = &p->jobs[id];
    const struct pc_group *g = &p->groups[job->group];
    uint32_t count = p->undo_count;
    if (!pc_slots_reserve(p, count) ||
        !PC_GROW(&p->memory, p->decisions, p->decision_capacity, p->decision_count + count))
        return false;
    uint32_t role = g->role_count - 1;
    int32_t left = g->roles[role].tasks;
    for (uint32_t i = count; i-- > 0;) {
        const struct pc_undo *u = &p->undo[i];
        struct pc_slot slot = {
            .devices = u->devices, .node = u->node, .pool = u->pool, .task = i, .role = (uint16_t)role};
        if (u->node != PC_NONE)
            slot.pool = p->nodes[u->node].pool;
        pc_slot_push(p, job, slot);
        if (--left == 0 && role > 0)
            left = g->roles[--role].tasks;
    }
    for (uint32_t slot = job->first_slot; slot != PC_NONE; slot = p->slots[slot].next)
        decide_start(p, id, &p->slots[slot], action);
    return true;
}

bool pc_start_placed(struct policy *p, uint32_t id, int32_t action)
{
    if (!start(p, id, action)) {
        pc_txn_rollback(p); /* what is not decided stays pending */
        return false;
    }
    pc_txn_commit(p);
    pc_pending_remove(p, id);
    p->jobs[id].state = PC_ACTIVE;
    pc_running_add(p, id, p->now);
    for (uint32_t slot = p->jobs[id].first_slot; slot != PC_NONE; slot = p->slots[slot].next)
        pc_running_holds(p, id, &p->slots[slot], 1);
    pc_limits_count(p, &p->groups[p->jobs[id].group], 1);
    pc_multifactor_runs(p, id);
    return true;
}

int32_t pc_try_start(struct policy *p, uint32_t id, int32_t action)
{
    const struct pc_group *g = &p->groups[p->jobs[id].group];
    uint32_t placed;
    if (pc_over_limit(p, g) != PC_NONE)
        return POLICY_REASON_OVER_LIMIT;
    int32_t reason = pc_place_gang(p, g, p->draws, &placed);
    if (reason == 0 && !pc_start_placed(p, id, action))
        return POLICY_REASON_WAITING;
    if (reason != POLICY_REASON_WAITING)
        p->draws += placed;
    if (reason != 0)
        pc_txn_rollback(p);
    return reason;
}

/* With conservative backfill it is not enough to have room now: whoever comes first is not to delay others' promises. */
static int32_t look(struct policy *p, uint32_t id)
{
    const struct pc_group *g = &p->groups[p->jobs[id].group];
    uint32_t placed;
    if (pc_over_limit(p, g) != PC_NONE)
        return POLICY_REASON_OVER_LIMIT;
    int32_t reason = pc_place_gang(p, g, p->draws, &placed);
    pc_txn_rollback(p);
    return reason != 0 ? reason : POLICY_REASON_RESERVED;
}

/* The group whose first job is to be tried, or PC_NONE. */
static uint32_t next_group(struct policy *p)
{
    uint32_t group = pc_pending_next(p);
    while (group == PC_NONE && pc_limits_pass(p))
        group = pc_pending_next(p);
    return group;
}

bool pc_allocate(struct policy *p)
{
    for (uint32_t group = next_group(p); group != PC_NONE; group = next_group(p)) {
        uint32_t id = pc_group_head(&p->groups[group]);
        bool starts = p->config.backfill != POLICY_CONSERVATIVE;
        int32_t reason = starts ? pc_try_start(p, id, POLICY_ALLOCATE) : look(p, id);
        if (reason == POLICY_REASON_WAITING) {
            pc_refuse(p, POLICY_NO_MEMORY, "tasks", p->groups[group].tasks, "no memory to start them");
            return false;
        }
        if (reason == POLICY_REASON_OVER_LIMIT)
            pc_pending_hold_back(p, group, true);
        else if (reason != 0)
            pc_pending_block(p, group, reason);
    }
    return true;
}
