/* SPDX-License-Identifier: MIT */
/* Handing out and telling what is remembered; see history.h. Here too: draws, and what backfill promised in lines. */
#include "core/history.h"
#include "act/backfill.h"
#include "cluster/jobs.h"
#include "core/jobs.h"
#include "core/pending.h"
#include "core/sized.h"
#include "core/waiting.h"
#include "place/place.h"
#include "query/plugins.h"

#include <string.h>

#define LONG_AGO (INT64_MIN / 2)

/* ---- what all kinds share ---- */

struct policy_history pc_no_history(void)
{
    struct policy_history h;
    memset(&h, 0, sizeof h);
    h.size = sizeof h;
    h.job.i = POLICY_NO_ID;
    h.queue.i = POLICY_NO_ID;
    h.node.i = POLICY_NO_ID;
    h.other.i = POLICY_NO_ID;
    return h;
}

int pc_history_check_job(struct policy *p, policy_job which, uint32_t *job)
{
    *job = p->cluster != NULL ? pq_job_find(p, which) : pc_job_find(p, which);
    return *job == PC_NONE ? POLICY_UNKNOWN : POLICY_OK;
}

int pc_history_check_time(struct policy *p, policy_time at, policy_time of)
{
    policy_time passed;
    if (of > at || of < LONG_AGO || __builtin_sub_overflow(at, of, &passed))
        return pc_refuse(p, POLICY_INVALID, "time of what is remembered", of, "one in the past");
    return pc_at(p, at);
}

/* ---- draws ---- */

static bool draws(const struct policy *p)
{
    return p->cluster == NULL ? p->placement == &pc_place_random : p->cluster->placement == &pq_place_random;
}

static bool get_draws(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    h->count = p->draws;
    return *i == 0 && p->draws > 0;
}

static int set_draws(struct policy *p, policy_time at, const struct policy_history *h)
{
    int status = pc_at(p, at);
    if (status == POLICY_OK)
        p->draws = h->count;
    return status;
}

static const struct pc_history_row draw_history = {POLICY_HISTORY_DRAWS, draws, get_draws, set_draws,
                                                   "the draws that were made: others follow"};

/* ---- promises of conservative backfill ---- */

static bool promises_all(const struct policy *p)
{
    return p->cluster == NULL && p->config.backfill == POLICY_CONSERVATIVE;
}

static bool waits(const struct pc_job *job)
{
    return job->state == PC_PENDING || job->state == PC_HELD;
}

/* A job that runs keeps its promise for the case that it has to wait again. */
static bool get_promise(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    for (; *i < p->job_count; (*i)++) {
        if (p->jobs[*i].state == PC_FREE || p->jobs[*i].promised == INT64_MAX)
            continue;
        h->job = pc_job_id(p, *i);
        h->at = p->jobs[*i].promised;
        return true;
    }
    return false;
}

/* Who waits, of whom the record is; a status. Time stays: the rest of the record is to be checked, too. */
static int find_waiting(struct policy *p, const struct policy_history *h, uint32_t *job)
{
    int status = pc_history_check_job(p, h->job, job);
    if (status == POLICY_OK && !waits(&p->jobs[*job]))
        status = pc_refuse(p, POLICY_CONFLICT, "job", *job, "runs already, so no start is promised to it");
    return status;
}

static int set_promise(struct policy *p, policy_time at, const struct policy_history *h)
{
    uint32_t job;
    int status = pc_history_check_job(p, h->job, &job);
    if (status != POLICY_OK || (status = pc_at(p, at)) != POLICY_OK)
        return status;
    pc_ahead_promise(p, job, h->at <= PC_SOME_DAY / 2 ? h->at : INT64_MAX); /* others may promise some day */
    return POLICY_OK;
}

static const struct pc_history_row promise_history = {
    POLICY_HISTORY_PROMISE, promises_all, get_promise, set_promise,
    "the times that were promised to those who wait: they are planned afresh"};

/* ---- the frozen time of the first job of each line ---- */

static bool is_frozen(const struct policy *p)
{
    return p->cluster == NULL && p->config.backfill == POLICY_EASY &&
           p->config.easy_variant == POLICY_EASY_FROZEN;
}

static bool get_frozen(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    for (; *i < p->lane_count; (*i)++) {
        policy_job job = p->lanes[*i].frozen;
        if (job.i >= p->job_count || p->jobs[job.i].gen != job.gen || !waits(&p->jobs[job.i]))
            continue;
        h->job = job;
        h->at = p->lanes[*i].frozen_at;
        return true;
    }
    return false;
}

static int set_frozen(struct policy *p, policy_time at, const struct policy_history *h)
{
    uint32_t job;
    int status = find_waiting(p, h, &job);
    if (status != POLICY_OK || (status = pc_at(p, at)) != POLICY_OK || h->due)
        return status; /* a reservation without a time: the first of the line gets one in the next decision */
    struct pc_lane *lane = &p->lanes[p->groups[p->jobs[job].group].lane];
    lane->frozen = h->job;
    lane->frozen_at = h->at;
    return POLICY_OK;
}

static const struct pc_history_row frozen_history = {
    POLICY_HISTORY_PROMISE, is_frozen, get_frozen, set_frozen,
    "the time found for the first job of a line: it is found afresh"};

/* ---- kinds of jobs that are not tried again for the time being ---- */

static bool is_plain_line(const struct policy *p)
{
    return p->cluster == NULL && p->ranked == NULL;
}

/* What was freed since the last decision is not told, so whoever may use it has to be tried again. */
static bool get_blocked(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    for (; *i < p->group_count; (*i)++) {
        const struct pc_group *g = &p->groups[*i];
        if (g->jobs == 0 || g->pending == 0 || g->blocked == 0 || pc_waiting_may_wake(p, g))
            continue;
        h->job = pc_job_id(p, pc_group_head(g));
        h->level = g->blocked;
        return true;
    }
    return false;
}

static int set_blocked(struct policy *p, policy_time at, const struct policy_history *h)
{
    uint32_t job;
    int status = find_waiting(p, h, &job);
    if (status == POLICY_OK && (h->level <= POLICY_REASON_WAITING || h->level >= POLICY_REASONS))
        status = pc_refuse(p, POLICY_INVALID, "reason", h->level, "one for which a job may be pending");
    if (status != POLICY_OK || (status = pc_at(p, at)) != POLICY_OK)
        return status;
    const struct pc_group *g = &p->groups[p->jobs[job].group];
    if (p->jobs[job].state != PC_PENDING || g->blocked != 0 || g->never_fits || g->over_limit)
        return POLICY_OK; /* it is not tried anyway */
    pc_pending_block(p, p->jobs[job].group, h->level);
    pc_waiting_close(p, false);
    return POLICY_OK;
}

static const struct pc_history_row blocked_history = {POLICY_HISTORY_BLOCKED, is_plain_line, get_blocked,
                                                      set_blocked, NULL};

/* ---- gangs that were evicted in part, and jobs that are being ended at their limits ---- */

static bool is_line(const struct policy *p)
{
    return p->cluster == NULL;
}

static bool get_evicted(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    for (; *i < p->job_count; (*i)++) {
        const struct pc_job *job = &p->jobs[*i];
        if (job->state != PC_ACTIVE || !(job->evicted || job->stopping))
            continue;
        h->job = pc_job_id(p, *i);
        h->leaving = job->stopping;
        h->settled = job->stopping && !job->evicted;
        return true;
    }
    return false;
}

static int set_evicted(struct policy *p, policy_time at, const struct policy_history *h)
{
    uint32_t job;
    int status = pc_history_check_job(p, h->job, &job);
    if (status == POLICY_OK && p->jobs[job].state != PC_ACTIVE)
        status = pc_refuse(p, POLICY_CONFLICT, "job", job, "does not run, so nothing is left to be evicted");
    if (status != POLICY_OK || (status = pc_at(p, at)) != POLICY_OK)
        return status;
    p->jobs[job].evicted = !h->settled;
    p->jobs[job].stopping = h->leaving && p->config.time_limits;
    return POLICY_OK;
}

static const struct pc_history_row evicted_history = {POLICY_HISTORY_EVICTED, is_line, get_evicted,
                                                      set_evicted, NULL};

/* ---- nothing has happened since the last decision ---- */

/* Nor has a time come that it waited for. */
static bool get_settled(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    h->until = policy_next_wakeup(p);
    return *i == 0 && p->now != INT64_MIN && !policy_has_work(p) && h->until > p->now;
}

static int set_settled(struct policy *p, policy_time at, const struct policy_history *h)
{
    (void)h;
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    pc_pending_wake(p);
    pc_waiting_close(p, true);
    p->limits_eased = p->backfill_due = false;
    return POLICY_OK;
}

static const struct pc_history_row settled_line = {POLICY_HISTORY_DECIDED, is_plain_line, get_settled,
                                                   set_settled, NULL};

/* ---- all of it ---- */

static const struct pc_history_row *const rows[] = {
    &pc_ranked_history,      &pc_attained_history, &pq_ranking_history,   &pq_attained_history,
    &promise_history,        &frozen_history,      &pq_promise_history,   &pq_frozen_history,
    &pc_user_history,        &pc_priority_history, &pq_user_history,      &pq_priority_history,
    &draw_history,           &pq_usage_history,    &pq_idle_history,      &pq_nomination_history,
    &pq_stale_history,       &pq_started_history,  &pq_displaced_history, &evicted_history,
    &pq_reservation_history, &pc_plugin_history,   &blocked_history,      &settled_line,
    &pc_ranked_settled,      &pq_ranking_settled,  &pq_settled,           &pq_evicted_history,
    &pq_blocked_history,     &pq_lanes_settled,
};
#define ROWS (sizeof rows / sizeof *rows)

const char *policy_forgets(const struct policy *p, size_t i, int32_t *kind)
{
    for (size_t row = 0; row < ROWS; row++)
        if (rows[row]->lost != NULL && rows[row]->is_kept(p) && i-- == 0) {
            *kind = rows[row]->kind;
            return rows[row]->lost;
        }
    *kind = 0;
    const struct pc_plugin *x = p->plugin;
    bool more = i == 0 && x != NULL && x->self != NULL && x->of.save == NULL;
    return more ? "what the library of the policy itself remembers" : NULL;
}

bool policy_history(const struct policy *p, uint64_t *next, struct policy_history *given)
{
    if (!pc_sized_fits(PC_HISTORY, given))
        return false;
    for (uint64_t row = *next >> 32; row < ROWS; row++) {
        struct policy_history h = pc_no_history();
        uint32_t i = row == *next >> 32 ? (uint32_t)*next : 0;
        h.kind = rows[row]->kind;
        if (!rows[row]->is_kept(p) || !rows[row]->get(p, &i, &h))
            continue;
        *next = (row << 32 | i) + 1;
        pc_sized_out(PC_HISTORY, given, &h);
        return true;
    }
    return false;
}

int policy_set_history(struct policy *p, policy_time at, const struct policy_history *given)
{
    struct policy_history room;
    const struct policy_history *h = pc_sized_fact(p, PC_HISTORY, given, &room);
    if (h == NULL)
        return POLICY_INVALID;
    for (size_t row = 0; row < ROWS; row++)
        if (rows[row]->kind == h->kind && rows[row]->is_kept(p))
            return rows[row]->set(p, at, h);
    return pc_refuse(p, POLICY_UNSUPPORTED, "kind of history", h->kind,
                     "this policy remembers none of that kind");
}
