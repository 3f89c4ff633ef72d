/* SPDX-License-Identifier: MIT */
/* History of multifactor priority: usage of users, and the last calculation; see
 * state/history.h. */
#include "order/multifactor_use.h"
#include "pending/queue_classes.h"
#include "state/history.h"
#include "state/jobs.h"
#include "state/tasks.h"

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
    m->stale = true; /* unless the last calculation is restored, too */
    return POLICY_OK;
}

static const struct pc_history_row user_history = {
    POLICY_HISTORY_USER, is_multifactor, get_user, set_user,
    "the usage of queues and users: all start from zero"};

/* ---- gangs charged for more than they hold ---- */

/*
 * Record of the module: tasks of the gang `job` have ended, and its user is charged for `capacity`
 * thousandths of devices until the last one has.
 */

static bool get_charged(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_multifactor *m = pc_multifactor_of(p);
    for (; *i < c->job_count; (*i)++) {
        const struct pc_job *j = &c->jobs[*i];
        if (j->state != PC_LIVE || pc_holding(j) == 0 || m->jobs[*i].held <= pc_held_milli(j))
            continue;
        h->job = pc_job_id(c, *i);
        h->capacity = m->jobs[*i].held;
        return true;
    }
    return false;
}

/* The charge counts from the last update of the association: the USER record came before. */
static int set_charged(struct policy *p, policy_time at, const struct policy_history *h)
{
    uint32_t job = pc_job_find(p, h->job);
    if (job == PC_NONE)
        return POLICY_UNKNOWN;
    const struct pc_job *j = &p->cluster->jobs[job];
    const struct pc_shape *s = &p->cluster->shapes[j->shape];
    if (j->state != PC_LIVE || pc_holding(j) == 0 || s->elastic)
        return pc_refuse(p, POLICY_CONFLICT, "job", job, "no gang that runs");
    if (h->capacity < pc_held_milli(j) || h->capacity > s->total.of[PC_GPU])
        return pc_refuse(p, POLICY_INVALID, "thousandths of devices", h->capacity,
                         "between what the job holds and what all of its tasks ask for");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    struct pc_claimant *claimant = &pc_multifactor_of(p)->jobs[job];
    pc_multifactor_of(p)->of[claimant->association].running += h->capacity - claimant->held;
    claimant->held = h->capacity;
    return POLICY_OK;
}

static const struct pc_history_row charged_history = {POLICY_HISTORY_MODULE, NULL, get_charged,
                                                      set_charged, NULL};

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

/* A changed fleet or higher highest priorities trigger a calculation as usual. */
static int set_priorities(struct policy *p, policy_time at, const struct policy_history *h)
{
    struct pc_multifactor *m = pc_multifactor_of(p);
    if (h->from > at)
        return pc_refuse(p, POLICY_INVALID, "time that ages are counted up to", h->from,
                         "not in the future");
    if (h->count > UINT32_MAX)
        return pc_refuse(p, POLICY_INVALID, "users", (int64_t)h->count,
                         "no more than there may be");
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

const struct pc_history_row *const pc_multifactor_records[] = {&user_history, &charged_history,
                                                               &priority_history, NULL};
