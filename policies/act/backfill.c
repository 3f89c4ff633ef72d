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

/* All reservations that begin before `end`; how many. */
static uint32_t hold_before(struct policy *p, policy_time end, bool hold)
{
    uint32_t count = 0;
    p->rolling_back = true;
    for (uint32_t i = 0; i < p->reservations.count; i++)
        if (p->reservations.of[i].at < end) {
            hold_reservation(p, &p->reservations.of[i], hold);
            count++;
        }
    p->rolling_back = false;
    return count;
}

/* ---- reservations ---- */

/* Lets who runs end, those of one time together, until the group's jobs find a place; how many ended. */
static uint32_t find_time(struct policy *p, const struct pc_group *g, struct pc_reservation *r, int32_t *why)
{
    uint32_t ended = 0;
    uint32_t placed;
    r->at = p->now;
    *why = g->blocked;
    while (*why != 0 && *why != POLICY_REASON_WAITING && ended < p->running.count) {
        pc_txn_rollback(p);
        policy_time then = pc_running_end(p, ended);
        do
            let_go(p, p->running.of[ended].job, true);
        while (++ended < p->running.count && pc_running_end(p, ended) == then);
        r->at = then < PC_SOME_DAY ? then : PC_SOME_DAY;
        *why = pc_place_gang(p, g, p->draws, &placed);
    }
    return ended;
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
    uint32_t ended = find_time(p, &p->groups[group], r, &why);
    bool ok = why != POLICY_REASON_WAITING;
    if (why != 0)
        r->at = INT64_MAX;
    else
        ok = make_claims(p, r);
    pc_txn_rollback(p);
    for (uint32_t i = ended; i-- > 0;)
        let_go(p, p->running.of[i].job, false);
    if (!ok)
        return false;
    for (uint32_t i = 0; i < ended && why == 0; i++)
        deduct(p, r, p->running.of[i].job);
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

/*
 * Tries to start a job now. A group whose job failed with some end fails with every later one, too: then at least as much
 * is claimed. False: no memory.
 */
static bool try(struct policy *p, uint32_t id)
{
    struct pc_job *job = &p->jobs[id];
    struct pc_group *g = &p->groups[job->group];
    policy_time end = pc_end_from(job, p->now);
    if (g->backfill_round == p->backfill_round && end >= g->fails_from)
        return true;
    bool frozen = p->config.easy_variant == POLICY_EASY_FROZEN;
    uint32_t held = hold_before(p, end, !frozen);
    int32_t reason = frozen && held > 0 ? POLICY_REASON_RESERVED : 0;
    reason = reason != 0 ? reason : pc_try_start(p, id, POLICY_BACKFILL);
    if (!frozen)
        hold_before(p, end, false);
    if (reason == POLICY_REASON_WAITING)
        return false;
    if (reason != 0) {
        g->backfill_round = p->backfill_round;
        g->fails_from = held > 0 ? end : INT64_MIN;
        return true;
    }
    for (uint32_t i = 0; i < p->reservations.count; i++)
        if (p->reservations.of[i].at >= end && p->reservations.of[i].at < INT64_MAX)
            deduct(p, &p->reservations.of[i], id);
    return true;
}

/* Jobs of all lines in order; the first of a line has been looked at already. */
static bool go_ahead(struct policy *p)
{
    if (!pc_list_candidates(p))
        return false;
    for (uint32_t i = 0; i < p->candidates.count; i++) {
        uint32_t id = p->candidates.ids[i];
        const struct pc_lane *lane = &p->lanes[p->groups[p->jobs[id].group].lane];
        if (id != pc_group_head(&p->groups[lane->groups.ids[0]]) && !try(p, id))
            return false;
    }
    return true;
}

static bool backfill_easily(struct policy *p)
{
    bool ok = true;
    p->backfill_round++;
    for (uint32_t lane = 0; lane < p->lane_count && ok; lane++)
        if (pc_line_waits(p, lane))
            ok = p->config.easy_variant == POLICY_EASY_FROZEN ? reserve_frozen(p, lane) : reserve(p, lane);
    ok = ok && go_ahead(p);
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
        pc_refuse(p, POLICY_NO_MEMORY, "jobs that run", p->running.count, "no memory to look ahead");
    return ok;
}
