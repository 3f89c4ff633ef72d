/* SPDX-License-Identifier: MIT */
/*
 * Limits on running jobs; see limits.h. Build sessions end after a maximum time (usually 8 to 12
 * hours, optionally extended to the end of a working day), and jobs end that hold devices without
 * using them. Both are off by default. Declared limits are kept in order of expiry and restart with
 * every start from scratch.
 */
#include "act/limits.h"

#include "act/act.h"
#include "act/actions.h"
#include "act/decisions.h"
#include "base/treap.h"
#include "state/jobs.h"
#include "state/tasks.h"

#include <string.h>

#define DAY_MS   INT64_C(86400000)
#define SOME_DAY (INT64_MAX / 8) /* longer limits count as none */

/* Returns the first end of a working day at or after `due`. */
static policy_time align(const struct policy *p, policy_time due)
{
    int64_t end = p->config.quota.workday_end_ms;
    if (end < 0)
        return due;
    int64_t day = due - ((due % DAY_MS + DAY_MS) % DAY_MS) + end;
    return day < due ? day + DAY_MS : day;
}

static policy_time session_ends(const struct policy *p, const struct pc_job *j)
{
    int64_t own = pc_interactive_limit(p->cluster, j);
    int64_t limit = own != 0 ? own : p->config.quota.interactive_limit_ms;
    if (j->workload != POLICY_BUILD || limit <= 0 || pc_last_start(j) == POLICY_NEVER)
        return INT64_MAX;
    return align(p, pc_last_start(j) + limit);
}

/* Jobs on CPUs alone hold no devices and are not ended. */
static bool holds_devices(const struct pc_cluster *c, const struct pc_job *j)
{
    const struct pc_shape *s = &c->shapes[j->shape];
    for (uint32_t i = 0; i < s->role_count; i++) {
        const struct pc_role *role = &s->roles[i];
        bool asks = role->request.devices > 0 || role->request.wants_mig;
        for (uint32_t k = 0; asks && k < role->tasks; k++)
            if (pc_task_of(j, role->first_task + k)->place.holding == PC_RUNS)
                return true;
    }
    return false;
}

static policy_time idle_ends(const struct policy *p, const struct pc_job *j)
{
    const struct policy_quota_options *o = &p->config.quota;
    if (o->idle_limit_ms <= 0 || pc_last_start(j) == POLICY_NEVER ||
        j->detail->idle_since == POLICY_NEVER || !holds_devices(p->cluster, j))
        return INT64_MAX;
    policy_time counted = pc_last_start(j) +
                          (j->workload == POLICY_BUILD ? o->idle_grace_ms : o->idle_grace_train_ms);
    return (j->detail->idle_since > counted ? j->detail->idle_since : counted) + o->idle_limit_ms;
}

static void note_time(struct pc_cluster *c, policy_time due)
{
    c->next_time = due < c->next_time ? due : c->next_time;
}

/* ---- declared limits ---- */

/* A running job with a declared limit. */
struct deadline {
    struct pc_treap_links links;
    uint32_t job; /* or the next free slot */
    policy_time end;
    uint64_t rank;
};

struct deadlines {
    uint32_t *of_job; /* PC_NONE: declares no limit; UNLISTED; or an index into `of` */
    uint32_t job_capacity;
    struct deadline *of;
    uint32_t count, capacity, free, root;
};

#define UNLISTED (PC_NONE - 1)

static bool ends_before(const void *a, const void *b)
{
    const struct deadline *x = a;
    const struct deadline *y = b;
    if (x->end != y->end)
        return x->end < y->end;
    return x->rank != y->rank ? x->rank < y->rank : x->job < y->job;
}

static const struct pc_treap_type by_end = {sizeof(struct deadline), ends_before,
                                            pc_treap_pull_nothing};

static void *create(struct policy *p)
{
    struct deadlines *all = pc_alloc(&p->memory, 1, sizeof *all);
    if (all != NULL)
        *all = (struct deadlines){.root = PC_NONE, .free = PC_NONE};
    return all;
}

static void destroy(struct policy *p, void *self)
{
    struct deadlines *all = self;
    pc_release(&p->memory, all->of_job, all->job_capacity, sizeof *all->of_job);
    pc_release(&p->memory, all->of, all->capacity, sizeof *all->of);
    pc_release(&p->memory, all, 1, sizeof *all);
}

static bool reserve_job(struct policy *p, void *self, uint32_t job,
                        const struct policy_job_spec *spec)
{
    struct deadlines *all = self;
    (void)spec;
    return PC_GROW(&p->memory, all->of_job, all->job_capacity, job + 1);
}

static bool reserve_holders(struct policy *p, void *self, uint32_t most)
{
    struct deadlines *all = self;
    return PC_GROW(&p->memory, all->of, all->capacity, most);
}

static void job_added(struct policy *p, void *self, uint32_t job,
                      const struct policy_job_spec *spec)
{
    struct deadlines *all = self;
    (void)p;
    all->of_job[job] = spec->limit_ms >= 0 ? UNLISTED : PC_NONE;
}

static void job_started(struct policy *p, void *self, uint32_t job, policy_time since)
{
    struct deadlines *all = self;
    const struct pc_job *j = &p->cluster->jobs[job];
    policy_time start = since == POLICY_NEVER ? p->now : since;
    if (all->of_job[job] != UNLISTED || j->limit_ms >= SOME_DAY)
        return;
    uint32_t id = all->free != PC_NONE ? all->free : all->count++;
    if (id == all->free)
        all->free = all->of[id].job;
    all->of_job[job] = id;
    all->of[id] = (struct deadline){.job = job, .end = start + j->limit_ms, .rank = j->rank};
    pc_treap_add(&by_end, all->of, &all->root, id);
}

static void unlist(struct policy *p, void *self, uint32_t job)
{
    struct deadlines *all = self;
    uint32_t id = all->of_job[job];
    (void)p;
    if (id >= UNLISTED)
        return;
    pc_treap_remove(&by_end, all->of, &all->root, id);
    all->of[id].job = all->free;
    all->free = id;
    all->of_job[job] = UNLISTED;
}

static void job_stopped(struct policy *p, void *self, uint32_t job, bool ran)
{
    (void)ran;
    unlist(p, self, job);
}

static const char *check(const struct policy *p, const void *self)
{
    const struct deadlines *all = self;
    for (uint32_t i = 0; i < p->cluster->job_count; i++) {
        const struct pc_job *j = &p->cluster->jobs[i];
        if (j->state != PC_FREE && all->of_job[i] < UNLISTED &&
            (pc_holding(j) == 0 || all->of[all->of_job[i]].job != i))
            return "the jobs that run up to a limit";
    }
    return NULL;
}

const struct pc_module pc_deadlines_module = {
    .name = "declared limits",
    .create = create,
    .destroy = destroy,
    .reserve_job = reserve_job,
    .reserve_holders = reserve_holders,
    .job_added = job_added,
    .job_started = job_started,
    .job_leaves = unlist,
    .job_stopped = job_stopped,
    .job_over = unlist,
    .check = check,
};

/* Returns the deadline that expires first, or NULL. */
static const struct deadline *first_deadline(const struct policy *p)
{
    struct deadlines *all = pc_module_self(p, &pc_deadlines_module);
    uint32_t first = all == NULL ? PC_NONE : pc_treap_first(&by_end, all->of, all->root);
    return first == PC_NONE ? NULL : &all->of[first];
}

policy_time pc_next_deadline(const struct policy *p)
{
    const struct deadline *first = first_deadline(p);
    return first == NULL ? INT64_MAX : first->end;
}

/* ---- the action ---- */

/* With a queue order, a later action may still change the outcome for a task. */
static bool end_job(struct policy *p, uint32_t job, uint8_t reason)
{
    return p->cluster->pending != NULL ? pc_evict_now(p, job, POLICY_LIMITS, reason, PC_NONE)
                                       : pc_evict_job(p, job, reason);
}

/* The job hooks remove every ended job from the list. */
static void enforce_declared(struct policy *p)
{
    for (const struct deadline *d = first_deadline(p);
         d != NULL && d->end <= p->now && !p->cluster->out_of_memory; d = first_deadline(p))
        if (!end_job(p, d->job, POLICY_REASON_TIME_LIMIT))
            return;
}

void pc_enforce_limits(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    enforce_declared(p);
    bool by_jobs = c->limited_jobs && (p->config.quota.actions >> POLICY_LIMITS & 1) != 0;
    if (p->config.quota.idle_limit_ms <= 0 && p->config.quota.interactive_limit_ms <= 0 && !by_jobs)
        return;
    for (uint32_t job = 0; job < c->job_count && !c->out_of_memory; job++) {
        const struct pc_job *j = &c->jobs[job];
        if (j->state != PC_LIVE || j->running == 0)
            continue;
        policy_time session = session_ends(p, j);
        policy_time idle = idle_ends(p, j);
        if (session <= p->now)
            (void)end_job(p, job, POLICY_REASON_TIME_LIMIT);
        else if (idle <= p->now)
            (void)end_job(p, job, POLICY_REASON_IDLE);
        else
            note_time(c, session < idle ? session : idle);
    }
}

const struct pc_action pc_action_limits = {
    .row = {"limits", "jobs end at their time limit, or if they hold devices without using them"},
    .action = POLICY_LIMITS,
    .run = pc_enforce_limits,
};
