/* SPDX-License-Identifier: MIT */
/* What multifactor priority remembers: use of users, and the last calculation; see history.h. */
#include "order/multifactor_use.h"
#include "pending/queue_classes.h"
#include "state/history.h"

static bool is_multifactor(const struct policy *p)
{
    return pc_multifactor_of(p) != NULL;
}

/* ---- users ---- */

#define MOST_USED (UINT64_C(1) << 62)

static bool get_user(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_multifactor *m = pc_multifactor_of(p);
    if (*i >= m->sorted_count)
        return false;
    const struct pc_association *a = &m->of[m->sorted[*i]];
    h->queue.i = a->queue;
    h->user = a->user;
    h->at = a->until;
    h->used = a->used;
    h->used_since = a->since_bound;
    h->place = a->place;
    return true;
}

static int set_user(struct policy *p, policy_time at, const struct policy_history *h)
{
    if (h->queue.i >= p->cluster->queue_count || !p->cluster->queues[h->queue.i].exists)
        return pc_refuse(p, POLICY_UNKNOWN, "queue", h->queue.i, "not known");
    if (h->used > MOST_USED || h->used_since > MOST_USED)
        return pc_refuse(p, POLICY_INVALID, "use of the user", h->user, "less than 2^62");
    policy_time before = p->now;
    int status = pc_history_check_time(p, at, h->at);
    if (status != POLICY_OK)
        return status;
    struct pc_multifactor *m = pc_multifactor_of(p);
    uint32_t id = pc_multifactor_find(p, h->queue.i, h->user);
    if (id == PC_NONE)
        return pc_no_memory(p, before, "user", h->user);
    struct pc_association *a = &m->of[id];
    a->used = h->used;
    a->since_bound = h->used_since;
    a->until = h->at;
    a->bound = pc_multifactor_bound(p, h->at);
    a->place = h->place;
    m->stale = true; /* unless it is told of the last calculation, too */
    return POLICY_OK;
}

static const struct pc_history_row user_history = {POLICY_HISTORY_USER, is_multifactor, get_user, set_user,
                                                   "what queues and users had used: all begin with nothing"};

/* ---- the last calculation ---- */

static bool get_priorities(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_multifactor *m = pc_multifactor_of(p);
    h->at = m->at;
    h->from = m->base;
    h->until = m->cap;
    h->count = m->users_ranked;
    h->level = m->top_job;
    h->capacity = m->installed;
    h->due = m->stale || m->fleet_version != p->cluster->fleet_version;
    return *i == 0 && m->at != POLICY_NEVER;
}

/* Another fleet or other highest priorities than before are as news as ever. */
static int set_priorities(struct policy *p, policy_time at, const struct policy_history *h)
{
    struct pc_multifactor *m = pc_multifactor_of(p);
    if (h->from > at)
        return pc_refuse(p, POLICY_INVALID, "time that ages are counted up to", h->from, "not in the future");
    if (h->count > UINT32_MAX)
        return pc_refuse(p, POLICY_INVALID, "users", (int64_t)h->count, "no more than there may be");
    int status = pc_history_check_time(p, at, h->at);
    if (status != POLICY_OK)
        return status;
    bool is_new = m->top_job > h->level;
    m->top_job = h->level > m->top_job ? h->level : m->top_job;
    m->users_ranked = (uint32_t)h->count;
    m->at = h->at;
    m->base = h->from;
    m->installed = pc_multifactor_installed(p);
    m->fleet_version = p->cluster->fleet_version;
    m->stale = h->due || is_new || m->installed != h->capacity;
    m->is_reported = true;
    pc_multifactor_find_cap(p);
    pc_rekey_pending(p);
    m->cap = h->until;
    return POLICY_OK;
}

static const struct pc_history_row priority_history = {POLICY_HISTORY_PRIORITIES, is_multifactor,
                                                       get_priorities, set_priorities, NULL};

const struct pc_history_row *const pc_multifactor_records[] = {&user_history, &priority_history, NULL};
