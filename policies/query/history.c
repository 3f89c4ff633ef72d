/* SPDX-License-Identifier: MIT */
/* Exporting and restoring history; see state/history.h. Also the record of random draws. */
#include "state/history.h"
#include "place/place.h"
#include "query/plugins.h"
#include "state/jobs.h"
#include "state/sized.h"

#include <string.h>

#define LONG_AGO (INT64_MIN / 2)

/* ---- common ---- */

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

static const struct pc_history_row draw_history = {
    POLICY_HISTORY_DRAWS, draws, get_draws, set_draws, "the random draws so far: others follow"};

/* ---- all of it ---- */

/* Records of the state itself, whatever the rows of the policy; modules bring their own. */
static const struct pc_history_row *const state_rows[] = {
    &draw_history,      &pc_usage_history,   &pc_idle_history,      &pc_nomination_history,
    &pc_stale_history,  &pc_started_history, &pc_displaced_history, &pc_reservation_history,
    &pc_plugin_history, &pc_settled,         &pc_evicted_history,   &pc_blocked_history,
    &pc_lanes_settled,
};
#define STATE_ROWS (sizeof state_rows / sizeof *state_rows)

struct entry {
    const struct pc_history_row *row; /* NULL: past the last one */
    const struct pc_module *module;   /* the owner; NULL: the state */
};

/* Row i of the policy: those of its modules, then those of the state. */
static struct entry entry_at(const struct policy *p, uint64_t i)
{
    for (uint32_t m = 0; m < p->modules.count; m++) {
        const struct pc_module *module = p->modules.at[m].of;
        for (const struct pc_history_row *const *row = module->history; row != NULL && *row != NULL;
             row++)
            if (i-- == 0)
                return (struct entry){*row, module};
    }
    return (struct entry){i < STATE_ROWS ? state_rows[i] : NULL, NULL};
}

static bool is_kept(const struct policy *p, const struct entry *e)
{
    return e->row->is_kept == NULL || e->row->is_kept(p);
}

const char *policy_forgets(const struct policy *p, size_t i, int32_t *kind)
{
    struct entry e;
    for (uint64_t row = 0; (e = entry_at(p, row)).row != NULL; row++)
        if (e.row->lost != NULL && is_kept(p, &e) && i-- == 0) {
            *kind = e.row->kind;
            return e.row->lost;
        }
    *kind = 0;
    const struct pc_plugin *x = p->plugin;
    bool more = i == 0 && x != NULL && x->self != NULL && x->of.save == NULL;
    return more ? "the plugin's own saved state" : NULL;
}

/* Visits all rows twice: kinds that only hold for an unchanged state come last
 * (policy_history_is_of_then()). */
bool policy_history(const struct policy *p, uint64_t *next, struct policy_history *given)
{
    if (!pc_sized_fits(PC_HISTORY, given))
        return false;
    uint64_t rows = 0;
    while (entry_at(p, rows).row != NULL)
        rows++;
    for (uint64_t at = *next >> 32; at < 2 * rows; at++) {
        const struct entry e = entry_at(p, at % rows);
        struct policy_history h = pc_no_history();
        uint32_t i = at == *next >> 32 ? (uint32_t)*next : 0;
        h.kind = e.row->kind;
        if (h.kind == POLICY_HISTORY_MODULE)
            h.data = e.module->name;
        if (policy_history_is_of_then(h.kind) != (at >= rows) || !is_kept(p, &e) ||
            !e.row->get(p, &i, &h))
            continue;
        *next = (at << 32 | i) + 1;
        pc_sized_out(PC_HISTORY, given, &h);
        return true;
    }
    return false;
}

static bool takes(const struct policy *p, const struct entry *e, const struct policy_history *h)
{
    bool named = h->kind != POLICY_HISTORY_MODULE ||
                 (e->module != NULL && h->data != NULL && pc_text_equal(e->module->name, h->data));
    return e->row->kind == h->kind && named && is_kept(p, e);
}

int policy_set_history(struct policy *p, policy_time at, const struct policy_history *given)
{
    struct policy_history room;
    const struct policy_history *h = pc_sized_fact(p, PC_HISTORY, given, &room);
    struct entry e;
    if (h == NULL)
        return POLICY_INVALID;
    for (uint64_t row = 0; (e = entry_at(p, row)).row != NULL; row++)
        if (takes(p, &e, h))
            return e.row->set(p, at, h);
    return pc_refuse(p, POLICY_UNSUPPORTED, "kind of history", h->kind,
                     "this policy keeps no history of that kind");
}
