/* SPDX-License-Identifier: MIT */
/* Handing out and telling what is remembered; see history.h. Here too: draws. */
#include "state/history.h"
#include "place/place.h"
#include "query/plugins.h"
#include "state/jobs.h"
#include "state/sized.h"

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
    *job = pc_job_find(p, which);
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
    return p->cluster->placement == &pc_place_random;
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

/* ---- all of it ---- */

static const struct pc_history_row *const rows[] = {
    &pc_ranking_history,   &pc_attained_history,    &pc_promise_history, &pc_frozen_history,
    &pc_user_history,      &pc_priority_history,    &draw_history,       &pc_usage_history,
    &pc_idle_history,      &pc_nomination_history,  &pc_stale_history,   &pc_started_history,
    &pc_displaced_history, &pc_reservation_history, &pc_plugin_history,  &pc_ranking_settled,
    &pc_settled,           &pc_evicted_history,     &pc_blocked_history, &pc_lanes_settled,
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
