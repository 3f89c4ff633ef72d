/* SPDX-License-Identifier: MIT */
/* History of preemptive orders; see state/history.h. */
#include "order/order.h"
#include "order/ranking_index.h"
#include "pending/pending.h"
#include "state/history.h"
#include "state/job_life.h"
#include "state/jobs.h"

static bool is_ranked(const struct policy *p)
{
    return pc_ranking_of(p) != NULL;
}

/* The embedder knows the remaining time of jobs; attained service is only known here. */
static bool goes_by_service(const struct policy *p)
{
    return is_ranked(p) && p->order == &pc_order_attained;
}

static bool goes_by_the_rest(const struct policy *p)
{
    return is_ranked(p) && !goes_by_service(p);
}

/* Entry i over all lanes, and its rank in its lane, from 1. Returns false past the last one. */
static bool entry_of(const struct policy *p, uint32_t i, struct pc_rank_entry *entry,
                     uint32_t *place)
{
    const struct pc_ranking *r = pc_ranking_of(p);
    for (uint32_t lane = 0; lane < r->lane_count; lane++) {
        const struct pc_rank_lane *l = &r->lanes[lane];
        if (i < l->count) {
            *entry = l->entries[i];
            *place = l->from_history ? pc_ranking_past(r, entry->job)->place_before : i + 1;
            return true;
        }
        i -= l->count;
    }
    return false;
}

static bool is_current(const struct policy *p, const struct pc_rank_entry *e)
{
    return p->cluster->jobs[e->job].state != PC_FREE && p->cluster->jobs[e->job].gen == e->gen;
}

static void fill(const struct policy *p, uint32_t id, uint32_t place, struct policy_history *h)
{
    const struct pc_ranking *r = pc_ranking_of(p);
    const struct pc_contender *c = &r->of[id];
    const struct pc_rank_run *run = pc_ranking_past(r, id);
    const struct pc_rank_lane *lane = &r->lanes[c->lane];
    bool leaves = p->cluster->jobs[id].life == PC_LEAVES;
    h->job = pc_job_id(p->cluster, id);
    h->at = p->now;
    h->attained = pc_ranking_attained(p, id);
    h->remaining = pc_ranking_remaining(p, id);
    if (pc_ranking_runs(p, id)) {
        h->from = run->since;
        h->until = c->remaining_ms < INT64_MAX - run->since || run->since < 0
                       ? run->since + c->remaining_ms
                       : INT64_MAX;
    }
    h->timed = true;
    h->started = run->started;
    h->evicted = c->turn >= PC_RANKING_EVICTED ? c->turn - PC_RANKING_EVICTED : 0;
    h->entered = h->evicted > 0 ? c->entered : 0;
    h->level = run->level;
    h->place =
        pc_ranking_looks_always(p) || c->chosen ? place : 0; /* chosen jobs start in this order */
    h->chosen = c->chosen;
    h->leaving = leaves;
    h->settled = leaves && run->left_in == lane->news;
}

/* A job that has never run and has no report has no state beyond its submission. */
static bool get_job(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    struct pc_rank_entry entry;
    uint32_t place;
    for (; entry_of(p, *i, &entry, &place); (*i)++) {
        if (!is_current(p, &entry))
            continue;
        fill(p, entry.job, place, h);
        if (h->attained != 0 || h->started != 0 || h->evicted != 0 || h->place != 0 || h->chosen ||
            pc_ranking_of(p)->of[entry.job].reported)
            return true;
    }
    return false;
}

static int check(struct policy *p, policy_time at, const struct policy_history *h, uint32_t *id)
{
    int status = pc_history_check_job(p, h->job, id);
    if (status != POLICY_OK)
        return status;
    if (h->attained < 0)
        return pc_refuse(p, POLICY_INVALID, "attained service", h->attained, "at least 0");
    if (h->remaining < 0)
        return pc_refuse(p, POLICY_INVALID, "remaining time", h->remaining, "at least 0");
    if (h->level < 0)
        return pc_refuse(p, POLICY_INVALID, "level", h->level, "at least 0");
    if (h->started >= PC_RANKING_EVICTED || h->evicted >= PC_RANKING_EVICTED)
        return pc_refuse(p, POLICY_INVALID, "number of a start or eviction", (int64_t)h->started,
                         "below 2^63");
    if (h->from > h->at || h->from < INT64_MIN / 2 || (h->until < h->from && h->until != 0))
        return pc_refuse(p, POLICY_INVALID, "time since which it has been running", h->from,
                         "before that of the record");
    return pc_history_check_time(p, at, h->at);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Service attained since `from` is reverted if the start fails, so it is kept separately. */
static void run_from(struct policy *p, uint32_t id, const struct policy_history *h)
{
    struct pc_ranking *r = pc_ranking_of(p);
    struct pc_contender *c = &r->of[id];
    struct pc_rank_run *run = pc_ranking_run(r, id);
    int64_t got = pc_times(run->rate, h->at - h->from);
    run->attained = h->attained > got ? h->attained - got : 0;
    run->since = h->from;
    if (h->timed)
        c->remaining_ms = h->until == INT64_MAX ? INT64_MAX : h->until - h->from;
}

static int set_job(struct policy *p, policy_time at, const struct policy_history *h)
{
    uint32_t id;
    int status = check(p, at, h, &id);
    if (status != POLICY_OK)
        return status;
    struct pc_ranking *r = pc_ranking_of(p);
    if (!pc_ranking_reserve_runs(p, r, p->cluster->detail_count + 1))
        return POLICY_NO_MEMORY;
    struct pc_contender *c = &r->of[id];
    struct pc_rank_run *run = pc_ranking_keep_run(r, id);
    struct pc_rank_lane *lane = &r->lanes[c->lane];
    int64_t ran = 0;
    if (h->leaving && pc_ranking_runs(p, id))
        pc_job_release(p, id); /* its eviction was decided */
    if (pc_ranking_runs(p, id)) {
        pc_ranking_pause(p, id);
        ran = at - h->at;
    }
    pc_ranking_idle(
        r, run, p->cluster->jobs[id].life != PC_STARTED && p->cluster->jobs[id].life != PC_LEAVES);
    int64_t got = pc_times(run->rate, ran);
    run->attained = h->attained < INT64_MAX - got ? h->attained + got : INT64_MAX;
    c->reported = c->reported || (h->timed && h->remaining != c->remaining_ms);
    if (h->timed && h->remaining == INT64_MAX)
        c->remaining_ms = INT64_MAX;
    else if (h->timed)
        c->remaining_ms = h->remaining > ran ? h->remaining - ran : 0;
    if (pc_ranking_runs(p, id) && (h->from != 0 || h->until != 0))
        run_from(p, id, h);
    run->started = h->started > 0 ? h->started : run->started;
    if (h->evicted > 0) {
        c->turn = PC_RANKING_EVICTED | h->evicted;
        c->entered = h->entered;
    }
    int32_t thresholds = p->config.ranked.thresholds;
    run->level = h->level < thresholds ? h->level : thresholds;
    run->left_in = lane->news - !h->settled;
    c->chosen = h->chosen && pc_ranking_waits(p, id);
    run->place_before = h->place;
    lane->from_history = lane->from_history || h->place > 0 || c->chosen;
    pc_ranking_dirty(p, id);
    r->numbers = larger(r->numbers, larger(h->started, h->evicted));
    return POLICY_OK;
}

static const struct pc_history_row ranking_history = {POLICY_HISTORY_JOB, goes_by_the_rest, get_job,
                                                      set_job, NULL};
static const struct pc_history_row attained_history = {
    POLICY_HISTORY_JOB, goes_by_service, get_job, set_job,
    "the attained service of jobs: all start in the first queue"};

/* ---- nothing has happened since the last decision ---- */

/* Returns true if a job of the lane was eligible by now and no decision has seen it. */
static bool is_due(const struct policy *p, uint32_t lane)
{
    const struct pc_cluster *c = p->cluster;
    for (uint32_t id = 0; id < c->job_count; id++)
        if (c->jobs[id].state == PC_HELD && pc_eligible(c, &c->jobs[id]) <= p->now &&
            pc_ranking_of(p)->of[id].lane == lane)
            return true;
    return false;
}

static bool get_settled(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_ranking *r = pc_ranking_of(p);
    bool by_queue = p->config.scope == POLICY_SCOPE_QUEUE;
    bool all_stale = r->all || p->cluster->pending->judged_version != p->cluster->fleet_version;
    for (; *i < r->lane_count && !all_stale; (*i)++) {
        if ((by_queue && !p->cluster->queues[*i].exists) || r->lanes[*i].stale || is_due(p, *i))
            continue;
        h->due = r->lanes[*i].owed;
        h->queue.i = by_queue ? *i : POLICY_NO_ID;
        h->until = r->lanes[*i].wakeup;
        return true;
    }
    return false;
}

/* Lanes without a record keep their state: new nodes make all of them stale. */
static void settle(struct pc_ranking *r, uint32_t id, policy_time wakeup, bool owed)
{
    for (uint32_t i = 0; i < r->lane_count && r->all; i++)
        r->lanes[i].stale = true;
    r->all = r->any = false;
    r->lanes[id].stale = false;
    r->lanes[id].owed = owed;
    r->lanes[id].wakeup = wakeup;
    r->wakeup = INT64_MAX;
    for (uint32_t i = 0; i < r->lane_count; i++) {
        r->any = r->any || r->lanes[i].stale || r->lanes[i].owed;
        r->wakeup = r->lanes[i].wakeup < r->wakeup ? r->lanes[i].wakeup : r->wakeup;
    }
}

static int set_settled(struct policy *p, policy_time at, const struct policy_history *h)
{
    struct pc_ranking *r = pc_ranking_of(p);
    bool by_queue = p->config.scope == POLICY_SCOPE_QUEUE;
    uint32_t lane = by_queue ? h->queue.i : 0;
    if (lane >= r->lane_count || (by_queue && !p->cluster->queues[lane].exists))
        return pc_refuse(p, POLICY_UNKNOWN, "queue", h->queue.i, "not known");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    pc_pending_wake(p);
    settle(r, lane, h->until, h->due);
    return POLICY_OK;
}

static const struct pc_history_row ranking_settled = {POLICY_HISTORY_DECIDED, is_ranked,
                                                      get_settled, set_settled, NULL};

const struct pc_history_row *const pc_ranking_records[] = {&ranking_history, &attained_history,
                                                           &ranking_settled, NULL};
