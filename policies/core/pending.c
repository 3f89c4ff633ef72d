/* SPDX-License-Identifier: MIT */
/* Lanes, groups and blocked groups; see pending.h and state.h. */
#include "core/pending.h"
#include "act/backfill.h"
#include "core/heap.h"
#include "core/multifactor.h"
#include "core/nodes.h"
#include "core/ranked.h"
#include "core/sites.h"
#include "core/waiting.h"

static bool group_before(const struct policy *p, uint32_t a, uint32_t b)
{
    return pc_entry_before(&p->groups[a].heap.entries[0], &p->groups[b].heap.entries[0]);
}

static void group_moved(struct policy *p, uint32_t id, uint32_t position)
{
    p->groups[id].heap_pos = position;
}

static bool lane_before(const struct policy *p, uint32_t a, uint32_t b)
{
    return group_before(p, p->lanes[a].groups.ids[0], p->lanes[b].groups.ids[0]);
}

static void lane_moved(struct policy *p, uint32_t id, uint32_t position)
{
    p->lanes[id].heap_pos = position;
}

static const struct pc_idheap_type groups_type = {group_before, group_moved};
static const struct pc_idheap_type lanes_type = {lane_before, lane_moved};

bool pc_lane_add(struct policy *p)
{
    if (!PC_GROW(&p->memory, p->lanes, p->lane_capacity, p->lane_count + 1) ||
        !PC_GROW(&p->memory, p->lanes_ready.ids, p->lanes_ready.capacity, p->lane_count + 1) ||
        !pc_ranked_reserve_lane(p))
        return false;
    p->lanes[p->lane_count++] = (struct pc_lane){
        .heap_pos = PC_NONE, .frozen = {POLICY_NO_ID, 0}
    };
    return true;
}

/* ---- what never fits ---- */

/* How many tasks of the request the site's nodes would hold if they were empty and healthy; counts up to `enough`. */
static int64_t site_holds(const struct policy *p, uint32_t site, const struct pc_request *r, int64_t enough)
{
    int64_t held = 0;
    for (uint32_t n = 0; n < p->node_count && held < enough; n++) {
        if (!p->nodes[n].exists || !pc_site_has(p, site, p->nodes[n].pool))
            continue;
        int64_t here = pc_node_holds(&p->nodes[n], r); /* may be INT64_MAX: nothing bounds it */
        held += here < enough ? here : enough;
    }
    return held;
}

/* Whether a node that is filled with tasks of the first kind has room left for one of the second. */
static bool rest_holds(const struct policy *p, uint32_t site, const struct pc_request *first,
                       const struct pc_request *second)
{
    for (uint32_t n = 0; n < p->node_count; n++) {
        struct pc_node left = p->nodes[n];
        if (!left.exists || !pc_site_has(p, site, left.pool))
            continue;
        int64_t full = pc_node_holds(&left, first);
        left.devices -= (int32_t)full * first->devices;
        left.cpu_total -= full * first->cpu;
        left.mem_total -= full * first->mem;
        left.max_tasks -= left.max_tasks >= 0 ? (int32_t)full : 0;
        if (pc_node_holds(&left, second) > 0)
            return true;
    }
    return false;
}

static bool asks_no_more(const struct pc_request *a, const struct pc_request *b)
{
    return a->devices <= b->devices && a->milli <= b->milli && a->cpu <= b->cpu && a->mem <= b->mem &&
           (b->types & ~a->types) == 0;
}

/* Where devices are only counted: one pool has to be large enough. */
static bool could_ever_count(const struct policy *p, const struct pc_group *g)
{
    for (uint32_t pool = 0; pool < p->pool_count; pool++)
        if (p->pools[pool].installed_milli >= g->gpu_milli && pc_site_has(p, g->site, pool))
            return true;
    return false;
}

/*
 * Whether the empty, healthy fleet could hold the job. Exact for a gang of equal tasks, and for one with a single
 * smaller task (the remainder of whole-node tasks): that fits where one of the others would, or beside them. For other
 * mixtures each role is looked at alone, which may call possible what is not, never the reverse.
 */
static bool could_ever_fit(const struct policy *p, const struct pc_group *g)
{
    if (p->placement->counts)
        return could_ever_count(p, g);
    for (uint32_t role = 1; role < g->role_count; role++)
        if (site_holds(p, g->site, &g->roles[role].request, g->roles[role].tasks) < g->roles[role].tasks)
            return false;
    const struct pc_role *first = &g->roles[0];
    const struct pc_role *last = &g->roles[g->role_count - 1];
    int64_t held = site_holds(p, g->site, &first->request, (int64_t)first->tasks + 1);
    bool remainder = g->role_count == 2 && last->tasks == 1 && first->request.milli == POLICY_WHOLE &&
                     asks_no_more(&last->request, &first->request);
    if (held < first->tasks || held > first->tasks || !remainder)
        return held >= first->tasks;
    return rest_holds(p, g->site, &first->request, &last->request);
}

/* ---- keeping lists and totals true ---- */

/* The group may be tried again, or has nothing to wait for any more. */
static void unblock(struct policy *p, uint32_t id)
{
    struct pc_group *g = &p->groups[id];
    g->blocked = 0;
    if (g->waiting_pos != PC_NONE)
        pc_waiting_remove(p, id);
}

/* The backlog counts a blocked group's jobs under its reason; with strict blocking only the first one has it. */
static void account(struct policy *p, struct pc_group *g)
{
    int32_t reason = g->never_fits   ? POLICY_REASON_NEVER_FITS
                     : g->over_limit ? POLICY_REASON_OVER_LIMIT
                                     : g->blocked;
    reason = g->pending == 0 ? 0 : reason;
    uint64_t jobs = reason == 0 ? 0 : g->pending;
    if (p->config.blocking == POLICY_STRICT && reason != 0 && !g->never_fits && !g->over_limit)
        jobs = 1;
    if (reason == g->counted_reason && jobs == g->counted_jobs)
        return;
    struct pc_backlog_cell *cells = p->sites[g->site].backlog;
    cells[g->counted_reason].jobs -= g->counted_jobs;
    cells[g->counted_reason].gpu_milli -= (int64_t)g->counted_jobs * g->gpu_milli;
    cells[reason].jobs += jobs;
    cells[reason].gpu_milli += (int64_t)jobs * g->gpu_milli;
    g->counted_reason = reason;
    g->counted_jobs = jobs;
}

static void settle_lane(struct policy *p, uint32_t id)
{
    struct pc_lane *lane = &p->lanes[id];
    bool ready = lane->groups.count > 0 && p->groups[lane->groups.ids[0]].blocked == 0;
    if (ready && lane->heap_pos == PC_NONE)
        pc_idheap_add(p, &p->lanes_ready, &lanes_type, id);
    else if (ready)
        pc_idheap_fix(p, &p->lanes_ready, &lanes_type, lane->heap_pos);
    else if (lane->heap_pos != PC_NONE)
        pc_idheap_remove(p, &p->lanes_ready, &lanes_type, lane->heap_pos);
}

/* After any change of a group: its place in the backlog, in its lane, and its lane's place among the ready ones. */
static void settle(struct policy *p, uint32_t id)
{
    struct pc_group *g = &p->groups[id];
    struct pc_lane *lane = &p->lanes[g->lane];
    if (g->blocked != 0 && g->pending == 0)
        unblock(p, id);
    if (g->waiting_pos != PC_NONE)
        pc_waiting_moved(p, id);
    if (g->over_limit && g->pending == 0) {
        g->over_limit = false;
        p->held_back--;
    }
    account(p, g);
    pc_ahead_hide(p, id, g->never_fits || g->over_limit);
    bool listed = g->pending > 0 && !g->never_fits && !g->over_limit &&
                  (g->blocked == 0 || p->config.blocking == POLICY_STRICT);
    if (listed && g->heap_pos == PC_NONE)
        pc_idheap_add(p, &lane->groups, &groups_type, id);
    else if (listed)
        pc_idheap_fix(p, &lane->groups, &groups_type, g->heap_pos);
    else if (g->heap_pos != PC_NONE)
        pc_idheap_remove(p, &lane->groups, &groups_type, g->heap_pos);
    settle_lane(p, g->lane);
}

static void judge(struct policy *p, uint32_t id)
{
    struct pc_group *g = &p->groups[id];
    if (g->fleet_version == p->fleet_version)
        return;
    g->fleet_version = p->fleet_version;
    g->never_fits = !could_ever_fit(p, g);
    if (g->never_fits && g->blocked != 0)
        unblock(p, id);
}

static void count_pending(struct policy *p, struct pc_group *g, int sign)
{
    struct pc_site *s = &p->sites[g->site];
    g->pending += (uint32_t)sign;
    s->pending_jobs += (uint64_t)(int64_t)sign;
    s->pending_milli += sign * g->gpu_milli;
}

static void count_held(struct policy *p, const struct pc_group *g, int sign)
{
    struct pc_backlog_cell *cell = &p->sites[g->site].backlog[POLICY_REASON_NOT_ELIGIBLE];
    p->held_jobs += (uint32_t)sign;
    cell->jobs += (uint64_t)(int64_t)sign;
    cell->gpu_milli += sign * g->gpu_milli;
}

/* ---- the calls ---- */

int pc_pending_add(struct policy *p, uint32_t id)
{
    struct pc_job *job = &p->jobs[id];
    struct pc_group *g = &p->groups[job->group];
    bool held = job->eligible > p->now;
    if (!pc_ahead_reserve(p, id))
        return POLICY_NO_MEMORY;
    if (!held)
        pc_multifactor_waits(p, id);
    struct pc_entry entry = {held ? job->eligible : job->key, job->rank, id, job->ticket + 1};
    if (!pc_heap_push(held ? &p->held : &g->heap, &p->memory, entry)) {
        if (!held)
            pc_multifactor_waits_no_more(p, id);
        return POLICY_NO_MEMORY;
    }
    job->ticket++;
    job->state = held ? PC_HELD : PC_PENDING;
    if (held) {
        count_held(p, g, 1);
        return POLICY_OK;
    }
    p->backfill_due = true;
    count_pending(p, g, 1);
    pc_ahead_add(p, id);
    judge(p, job->group);
    settle(p, job->group);
    pc_ranked_waits(p, id);
    return POLICY_OK;
}

void pc_pending_remove(struct policy *p, uint32_t id)
{
    struct pc_job *job = &p->jobs[id];
    struct pc_group *g = &p->groups[job->group];
    bool held = job->state == PC_HELD;
    job->ticket++; /* its entry in the heap is stale now */
    if (held) {
        count_held(p, g, -1);
        pc_heap_tidy(p, &p->held, p->held_jobs);
        return;
    }
    pc_ranked_waits_no_more(p, id);
    pc_multifactor_waits_no_more(p, id);
    count_pending(p, g, -1);
    pc_ahead_remove(p, id);
    pc_heap_tidy(p, &g->heap, g->pending);
    settle(p, job->group);
}

int pc_pending_release_held(struct policy *p, policy_time now)
{
    while (p->held.count > 0 && p->held.entries[0].key <= now) {
        uint32_t id = p->held.entries[0].job; /* current: what is stale was dropped when it became so */
        if (pc_pending_add(p, id) != POLICY_OK)
            return POLICY_NO_MEMORY;
        count_held(p, &p->groups[p->jobs[id].group], -1);
        pc_heap_tidy(p, &p->held, p->held_jobs);
    }
    return POLICY_OK;
}

void pc_pending_wake(struct policy *p)
{
    if (p->judged_version == p->fleet_version)
        return;
    for (uint32_t id = 0; id < p->group_count; id++)
        if (p->groups[id].pending > 0) {
            judge(p, id);
            settle(p, id);
        }
    p->judged_version = p->fleet_version;
}

uint32_t pc_pending_next(struct policy *p)
{
    for (;;) {
        uint32_t ready = p->lanes_ready.count > 0 ? p->lanes[p->lanes_ready.ids[0]].groups.ids[0] : PC_NONE;
        uint32_t woken = pc_waiting_first(p);
        if (woken == PC_NONE || (ready != PC_NONE && group_before(p, ready, woken)))
            return ready;
        unblock(p, woken);
        settle(p, woken);
    }
}

void pc_pending_block(struct policy *p, uint32_t id, int32_t reason)
{
    p->groups[id].blocked = reason;
    pc_waiting_aside(p, id);
    settle(p, id);
}

void pc_pending_hold_back(struct policy *p, uint32_t id, bool hold)
{
    struct pc_group *g = &p->groups[id];
    p->held_back += hold ? 1 : UINT32_MAX;
    g->over_limit = hold;
    unblock(p, id);
    settle(p, id);
}

/* The jobs of one group. */
static void rekey_group(struct policy *p, struct pc_group *g)
{
    for (uint32_t i = 0; i < g->heap.count; i++) {
        struct pc_entry *e = &g->heap.entries[i];
        if (p->jobs[e->job].ticket == e->ticket)
            e->key = p->jobs[e->job].key = pc_multifactor_key(p, e->job);
    }
    pc_heap_rebuild(&g->heap);
    pc_heap_tidy(p, &g->heap, g->pending);
}

void pc_pending_rekey(struct policy *p)
{
    for (uint32_t i = 0; i < p->group_count; i++)
        if (p->groups[i].pending > 0)
            rekey_group(p, &p->groups[i]);
    pc_waiting_rekeyed(p);
    pc_ahead_rekey(p);
    p->lanes_ready.count = 0;
    for (uint32_t i = 0; i < p->lane_count; i++) {
        p->lanes[i].heap_pos = PC_NONE;
        pc_idheap_rebuild(p, &p->lanes[i].groups, &groups_type);
    }
    for (uint32_t i = 0; i < p->lane_count; i++)
        settle_lane(p, i);
    p->backfill_due = true;
}
