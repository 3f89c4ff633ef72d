/* SPDX-License-Identifier: MIT */
/*
 * EASY backfill; see backfill.h. A reservation is found on trial: what runs gives its devices back in the order of declared
 * ends until the first job of the line can be placed; then everything is taken again. Of that remain *claims*: what the
 * reservation needs of each node beyond what is given back there by its time. While a place is looked for on behalf of
 * somebody who would still run then, the claims are taken, so that he finds only what the reservation can spare.
 */
#include "act/backfill.h"
#include "act/allocate.h"
#include "core/jobs.h"
#include "core/nodes.h"
#include "core/pending.h"
#include "core/sites.h"
#include "core/txn.h"
#include "core/waiting.h"

#include <string.h>

/* ---- giving back on trial ---- */

static const struct pc_request *request_of(const struct policy *p, const struct pc_job *job,
                                           const struct pc_slot *slot)
{
    return &p->groups[job->group].roles[slot->role].request;
}

/* All that the job holds is free, or taken again; nobody is to think that something was freed. */
static void let_go(struct policy *p, uint32_t id, bool go)
{
    const struct pc_job *job = &p->jobs[id];
    p->rolling_back = true;
    for (uint32_t i = job->first_slot; i != PC_NONE; i = p->slots[i].next) {
        const struct pc_slot *slot = &p->slots[i];
        int64_t milli = p->groups[job->group].gpu_milli;
        if (slot->node == PC_NONE)
            pc_count(p, slot->pool, go ? -milli : milli);
        else if (go)
            pc_give(p, slot->node, request_of(p, job, slot), slot->devices);
        else
            pc_take(p, slot->node, request_of(p, job, slot), slot->devices);
    }
    p->rolling_back = false;
}

/* ---- claims ---- */

static bool claim(struct policy *p, uint32_t node, struct pc_keep **found)
{
    struct pc_keeps *all = &p->claims;
    const struct pc_reservation *r = &p->reservations.of[p->reservations.count]; /* the one being made */
    uint32_t i = p->nodes[node].claim;
    if (i == PC_NONE || i < r->first_claim) {
        if (!PC_GROW(&p->memory, all->of, all->capacity, all->count + 1))
            return false;
        all->of[all->count] = (struct pc_keep){.node = node, .next = i};
        i = p->nodes[node].claim = all->count++;
    }
    *found = &all->of[i];
    return true;
}

static void add_to_claim(struct pc_keep *c, const struct pc_request *request, uint64_t devices, int sign)
{
    c->cpu += sign * request->cpu;
    c->mem += sign * request->mem;
    for (uint64_t rest = devices; rest != 0; rest &= rest - 1)
        c->room[pc_lowest(rest)] += sign * request->milli;
}

/* What the job gives back by the time of the reservation is not to be kept free before. */
static void deduct(struct policy *p, struct pc_reservation *r, uint32_t id)
{
    const struct pc_job *job = &p->jobs[id];
    for (uint32_t i = job->first_slot; i != PC_NONE; i = p->slots[i].next) {
        const struct pc_slot *slot = &p->slots[i];
        if (slot->node == PC_NONE) {
            r->counted -= slot->pool == r->pool ? p->groups[job->group].gpu_milli : 0;
            continue;
        }
        uint32_t c = p->nodes[slot->node].claim;
        while (c != PC_NONE && c >= r->first_claim + r->claim_count)
            c = p->claims.of[c].next;
        if (c != PC_NONE && c >= r->first_claim)
            add_to_claim(&p->claims.of[c], request_of(p, job, slot), slot->devices, -1);
    }
}

/* The places of the open transaction become claims. */
static bool make_claims(struct policy *p, struct pc_reservation *r)
{
    for (uint32_t i = 0; i < p->undo_count; i++) {
        const struct pc_undo *u = &p->undo[i];
        struct pc_keep *c;
        if (u->node == PC_NONE) {
            r->pool = u->pool;
            r->counted = u->milli;
        } else if (!claim(p, u->node, &c)) {
            return false;
        } else {
            add_to_claim(c, u->request, u->devices, 1);
        }
    }
    r->claim_count = p->claims.count - r->first_claim;
    return true;
}

static int64_t within(int64_t wanted, int64_t most)
{
    int64_t some = wanted < most ? wanted : most;
    return some > 0 ? some : 0;
}

/* Takes what is written down as taken, or gives it back: whole devices at once, parts of devices one by one. */
static void move_taken(struct policy *p, const struct pc_keep *c, bool take)
{
    struct pc_request request = {.milli = POLICY_WHOLE, .cpu = c->cpu_taken, .mem = c->mem_taken};
    uint64_t whole = 0;
    for (int32_t d = 0; d < p->nodes[c->node].devices; d++)
        whole |= c->taken[d] == POLICY_WHOLE ? UINT64_C(1) << d : 0;
    request.devices = pc_popcount(whole);
    (take ? pc_take : pc_give)(p, c->node, &request, whole);
    for (int32_t d = 0; d < p->nodes[c->node].devices; d++)
        if (c->taken[d] > 0 && c->taken[d] < POLICY_WHOLE) {
            const struct pc_request part = {.devices = 1, .milli = c->taken[d]};
            (take ? pc_take : pc_give)(p, c->node, &part, UINT64_C(1) << d);
        }
}

static void hold_claim(struct policy *p, struct pc_keep *c)
{
    const struct pc_node *n = &p->nodes[c->node];
    c->cpu_taken = within(c->cpu, n->cpu_free);
    c->mem_taken = within(c->mem, n->mem_free);
    for (int32_t d = 0; d < n->devices; d++)
        c->taken[d] = (uint16_t)within(c->room[d], n->room[d]);
    move_taken(p, c, true);
}

static void hold_reservation(struct policy *p, struct pc_reservation *r, bool hold)
{
    if (r->held == hold)
        return;
    r->held = hold;
    if (r->pool != PC_NONE && hold)
        r->counted_taken = within(r->counted, p->pools[r->pool].free_milli);
    if (r->pool != PC_NONE)
        pc_count(p, r->pool, hold ? r->counted_taken : -r->counted_taken);
    for (uint32_t c = r->first_claim; c < r->first_claim + r->claim_count; c++)
        if (hold)
            hold_claim(p, &p->claims.of[c]);
        else
            move_taken(p, &p->claims.of[c], false);
}

/*
 * Of all reservations those are held that begin before `end`; how many. When one is not held any more, what others take on
 * the same nodes is found anew: it had been there first.
 */
static uint32_t hold_before(struct policy *p, policy_time end)
{
    uint32_t count = 0;
    bool anew = false;
    for (uint32_t i = 0; i < p->reservations.count; i++)
        anew |= p->reservations.of[i].held && p->reservations.of[i].at >= end;
    p->rolling_back = true;
    for (uint32_t i = 0; i < p->reservations.count && anew; i++)
        hold_reservation(p, &p->reservations.of[i], false);
    for (uint32_t i = 0; i < p->reservations.count; i++)
        if (p->reservations.of[i].at < end) {
            hold_reservation(p, &p->reservations.of[i], true);
            count++;
        }
    p->rolling_back = false;
    return count;
}

/* ---- reservations ---- */

/*
 * Lets who runs end, those of one time together, until the group's jobs find a place; the first that did not end, or
 * PC_NONE.
 */
static uint32_t find_time(struct policy *p, const struct pc_group *g, struct pc_reservation *r, int32_t *why)
{
    uint32_t next = pc_running_first(p);
    uint32_t placed;
    r->at = p->now;
    *why = g->blocked;
    while (*why != 0 && *why != POLICY_REASON_WAITING && next != PC_NONE) {
        pc_txn_rollback(p);
        policy_time then = pc_running_end(p, next);
        do {
            let_go(p, next, true);
            next = pc_running_next(p, next);
        } while (next != PC_NONE && pc_running_end(p, next) == then);
        r->at = then < PC_SOME_DAY ? then : PC_SOME_DAY;
        *why = pc_place_gang(p, g, p->draws, &placed);
    }
    return next;
}

/*
 * Finds time and places for the first job of a line. It may have none, as when nodes are down: then nobody can delay it,
 * and its time is never. False: no memory.
 */
static bool reserve(struct policy *p, uint32_t lane)
{
    uint32_t group = p->lanes[lane].groups.ids[0];
    if (!PC_GROW(&p->memory, p->reservations.of, p->reservations.capacity, p->reservations.count + 1))
        return false;
    struct pc_reservation *r = &p->reservations.of[p->reservations.count];
    *r = (struct pc_reservation){.first_claim = p->claims.count, .pool = PC_NONE};
    int32_t why;
    uint32_t next = find_time(p, &p->groups[group], r, &why);
    bool ok = why != POLICY_REASON_WAITING;
    if (why != 0)
        r->at = INT64_MAX;
    else
        ok = make_claims(p, r);
    pc_txn_rollback(p);
    for (uint32_t i = pc_running_first(p); i != next; i = pc_running_next(p, i))
        let_go(p, i, false);
    if (!ok)
        return false;
    for (uint32_t i = pc_running_first(p); i != next && why == 0; i = pc_running_next(p, i))
        deduct(p, r, i);
    p->reservations.count++;
    return true;
}

/* The time is found when the job becomes the first of its line, and kept; there are no places. */
static bool reserve_frozen(struct policy *p, uint32_t id)
{
    struct pc_lane *lane = &p->lanes[id];
    if (!PC_GROW(&p->memory, p->reservations.of, p->reservations.capacity, p->reservations.count + 1))
        return false;
    uint32_t first = pc_group_head(&p->groups[lane->groups.ids[0]]);
    if (lane->frozen.i != first || lane->frozen.gen != p->jobs[first].gen) {
        if (!reserve(p, id))
            return false;
        lane->frozen = pc_job_id(p, first);
        lane->frozen_at = p->reservations.of[--p->reservations.count].at;
    }
    p->reservations.of[p->reservations.count++] =
        (struct pc_reservation){.at = lane->frozen_at, .first_claim = p->claims.count, .pool = PC_NONE};
    return true;
}

static void forget_claims(struct policy *p)
{
    for (uint32_t i = 0; i < p->claims.count; i++)
        p->nodes[p->claims.of[i].node].claim = PC_NONE;
    p->claims.count = p->reservations.count = 0;
}

/* ---- who goes ahead ---- */

/* The latest time before `end` at which a reservation begins; INT64_MIN: none does. */
static policy_time last_before(const struct policy *p, policy_time end)
{
    policy_time last = INT64_MIN;
    for (uint32_t i = 0; i < p->reservations.count; i++)
        if (p->reservations.of[i].at < end && p->reservations.of[i].at > last)
            last = p->reservations.of[i].at;
    return last;
}

/* The longest that may run and end at that time. */
static int64_t most_until(const struct policy *p, policy_time end)
{
    return end == INT64_MIN ? INT64_MIN : end - p->now;
}

static uint64_t needs_up_to(int32_t need)
{
    return ~UINT64_C(0) >> (PC_NEEDS - 1 - need);
}

/*
 * What may start beside all reservations, and what only if it ends before one begins: frozen, before all. Candidates
 * that begin lines were looked at already, and so were those like them.
 */
static void open_candidates(struct policy *p, bool frozen)
{
    policy_time last = last_before(p, INT64_MAX);
    for (uint32_t i = 0; frozen && i < p->reservations.count; i++)
        last = p->reservations.of[i].at < last ? p->reservations.of[i].at : last;
    pc_candidates_begin(&p->candidates);
    for (uint32_t site = 0; site < p->site_count && site < p->candidates.set_count; site++) {
        uint64_t now = needs_up_to(pc_waiting_met(p, site));
        hold_before(p, INT64_MAX);
        uint64_t beside = frozen && last != INT64_MIN ? 0 : needs_up_to(pc_waiting_met(p, site));
        hold_before(p, INT64_MIN);
        pc_candidates_open(&p->candidates, site, beside, now, most_until(p, last));
    }
    for (uint32_t lane = 0; lane < p->lane_count; lane++)
        if (pc_line_waits(p, lane))
            pc_candidates_failed(&p->candidates, p->lanes[lane].groups.ids[0], INT64_MIN);
}

/* Tries to start a job now: 0, or why not. */
static int32_t try(struct policy *p, uint32_t id, uint32_t group, bool beside_all)
{
    uint32_t site = p->groups[group].site;
    int32_t met = pc_waiting_met(p, site);
    if (beside_all)
        pc_candidates_close(&p->candidates, site, ~needs_up_to(met),
                            most_until(p, last_before(p, INT64_MAX)));
    return p->groups[group].need > met ? POLICY_REASON_FRAGMENTED : pc_try_start(p, id, POLICY_BACKFILL);
}

/* A job whose group failed beside reservations may still do before they begin. False: no memory. */
static bool go_ahead(struct policy *p, bool frozen)
{
    bool ok = true;
    uint32_t group;
    uint32_t all = 0; /* reservations with a time */
    open_candidates(p, frozen);
    for (uint32_t i = 0; i < p->reservations.count; i++)
        all += p->reservations.of[i].at < INT64_MAX;
    for (uint32_t id = pc_candidates_next(&p->candidates, &group); id != PC_NONE && ok;
         id = pc_candidates_next(&p->candidates, &group)) {
        policy_time end = pc_end_from(&p->jobs[id], p->now);
        uint32_t held = frozen ? 0 : hold_before(p, end);
        int32_t reason = try(p, id, group, held == all);
        ok = reason != POLICY_REASON_WAITING;
        if (reason != 0)
            pc_candidates_failed(&p->candidates, group,
                                 held > 0 ? most_until(p, last_before(p, end)) : INT64_MIN);
        for (uint32_t i = 0; reason == 0 && i < p->reservations.count; i++)
            if (p->reservations.of[i].at >= end && p->reservations.of[i].at < INT64_MAX)
                deduct(p, &p->reservations.of[i], id);
    }
    hold_before(p, INT64_MIN);
    return ok;
}

static bool backfill_easily(struct policy *p)
{
    bool ok = true;
    bool frozen = p->config.easy_variant == POLICY_EASY_FROZEN;
    for (uint32_t lane = 0; lane < p->lane_count && ok; lane++)
        if (pc_line_waits(p, lane))
            ok = frozen ? reserve_frozen(p, lane) : reserve(p, lane);
    ok = ok && go_ahead(p, frozen);
    forget_claims(p);
    return ok;
}

bool pc_backfill(struct policy *p)
{
    bool ok = true;
    if (p->config.backfill == POLICY_NO_BACKFILL || !p->backfill_due)
        return true;
    if (p->config.backfill == POLICY_EASY)
        ok = backfill_easily(p);
    else
        ok = pc_backfill_conservatively(p) &&
             pc_allocate(p); /* which says why those wait that are the first now */
    p->backfill_due = !ok;
    if (!ok)
        pc_refuse(p, POLICY_NO_MEMORY, "jobs", p->job_count, "no memory to look ahead");
    return ok;
}
