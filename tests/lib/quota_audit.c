/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The auditor of decisions; see quota_world.h. */
#include "tests/lib/quota_world.h"

#include <string.h>

/* The decisions of one call, and the world before and after them. */
struct audit {
    struct quota_world *after;
    struct quota_world before;
    const struct policy *p;
    const struct policy_decision *d;
    size_t count;
    bool placed[QUOTA_JOBS], evicted[QUOTA_JOBS]; /* whether some task of the job was */
};

/* ---- before ---- */

static void begin(struct quota_world *w)
{
    for (uint32_t i = 0; i < QUOTA_JOBS; i++) {
        struct quota_job *job = &w->jobs[i];
        if (job->life == QUOTA_HELD && job->spec.eligible <= w->now)
            job->life = QUOTA_LIVE;
        for (uint32_t k = 0; k < job->tasks; k++)
            job->task[k].nominated = job->task[k].evicted = false;
    }
    quota_note_gangs(w); /* without promises a gang may be below its minimum again */
}

static struct quota_job *job_of(struct quota_world *w, const struct policy_decision *d)
{
    QUOTA_CHECK(w, d->job.i < QUOTA_JOBS, "job %u", d->job.i);
    struct quota_job *job = &w->jobs[d->job.i];
    QUOTA_CHECK(w, job->life == QUOTA_LIVE && job->id.gen == d->job.gen, "job %u is not there",
                d->job.i);
    QUOTA_CHECK(w, d->task < job->tasks, "job %u has no task %u", d->job.i, d->task);
    return job;
}

static int bits(uint64_t set)
{
    int count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

/* ---- carrying out ---- */

static void check_node(const struct quota_world *w, const struct quota_job *job,
                       const struct policy_decision *d)
{
    const struct policy_request *r = &quota_role_of(job, d->task)->request;
    const struct quota_node *n = &w->nodes[d->node.i];
    bool counted = d->kind == POLICY_NOMINATE && r->mig == NULL && !quota_is_share(r);
    int32_t devices = counted ? 0 : r->mig != NULL ? n->spec.mig == POLICY_MIG_FREE : r->devices;
    QUOTA_CHECK(w, quota_suits(w, job, r, d->node.i), "job %u, task %u may not use node %u",
                d->job.i, d->task, d->node.i);
    QUOTA_CHECK(w, bits(d->devices) == devices && (d->devices & ~n->usable) == 0,
                "job %u, task %u on devices %llx", d->job.i, d->task,
                (unsigned long long)d->devices);
    QUOTA_CHECK(w, d->reason == 0 && d->for_job.i == POLICY_NO_ID, "job %u, task %u: reason %d",
                d->job.i, d->task, d->reason);
}

static void start(struct quota_world *w, struct quota_job *job, const struct policy_decision *d)
{
    struct quota_task *t = &job->task[d->task];
    QUOTA_CHECK(w, t->state == QUOTA_PENDING && !t->nominated,
                "job %u, task %u is started in state %d", d->job.i, d->task, (int)t->state);
    check_node(w, job, d);
    bool ran = false;
    for (uint32_t i = 0; i < job->tasks; i++)
        ran = ran || job->task[i].state == QUOTA_RUNS;
    if (!ran)
        job->last_start = w->now;
    t->state = QUOTA_RUNS;
    t->fresh = true;
    t->node = d->node.i;
    t->devices = d->devices;
}

static void nominate(struct quota_world *w, struct quota_job *job, const struct policy_decision *d)
{
    struct quota_task *t = &job->task[d->task];
    /* A task that moves keeps its new place while it is being released. */
    QUOTA_CHECK(
        w, !t->nominated && (t->state == QUOTA_PENDING || t->state == QUOTA_LEAVES || t->evicted),
        "job %u, task %u is nominated in state %d", d->job.i, d->task, (int)t->state);
    check_node(w, job, d);
    t->nominated = true;
    t->promised = d->node.i;
    t->promised_devices = d->devices;
}

static void evict(struct quota_world *w, struct quota_job *job, const struct policy_decision *d)
{
    struct quota_task *t = &job->task[d->task];
    bool serves = d->action == POLICY_CONSOLIDATE || d->action == POLICY_RECLAIM ||
                  d->action == POLICY_PREEMPT;
    QUOTA_CHECK(w, t->state == QUOTA_RUNS && !t->nominated,
                "job %u, task %u is evicted in state %d", d->job.i, d->task, (int)t->state);
    QUOTA_CHECK(w, t->node == d->node.i && t->devices == d->devices,
                "job %u, task %u is evicted elsewhere", d->job.i, d->task);
    QUOTA_CHECK(w, serves || d->action == POLICY_STALE || d->action == POLICY_LIMITS,
                "action %d evicts", d->action);
    bool anybody = w->pods.on && w->pods.victims == POLICY_VICTIMS_LOWER;
    QUOTA_CHECK(w, !serves || anybody || job->spec.preemptible, "job %u is not preemptible",
                d->job.i);
    QUOTA_CHECK(w, serves == (d->for_job.i != POLICY_NO_ID), "job %u gives way to %u", d->job.i,
                d->for_job.i);
    QUOTA_CHECK(w, d->reason >= POLICY_REASON_RECLAIM_OVER_QUOTA, "job %u is evicted for reason %d",
                d->job.i, d->reason);
    t->state = QUOTA_LEAVES;
    t->evicted = true;
}

static void carry_out(struct audit *a, const struct policy_decision *d)
{
    struct quota_world *w = a->after;
    struct quota_job *job = job_of(w, d);
    QUOTA_CHECK(w, d->node.i < QUOTA_NODES && w->nodes[d->node.i].exists, "node %u is not there",
                d->node.i);
    bool backfills = d->action == POLICY_BACKFILL; /* an allocation that respects a reservation */
    uint32_t action = (uint32_t)(backfills ? POLICY_ALLOCATE : d->action);
    QUOTA_CHECK(w, (w->options.actions >> action & 1) != 0 && (!backfills || w->options.backfill),
                "action %d is switched off", d->action);
    struct quota_amounts weight =
        quota_weigh_on(w, &quota_role_of(job, d->task)->request, d->node.i);
    QUOTA_CHECK(w, d->gpu_milli == weight.of[0] && d->pool == w->nodes[d->node.i].spec.pool,
                "job %u, task %u: %lld thousandths", d->job.i, d->task, (long long)d->gpu_milli);
    QUOTA_CHECK(w, d->kind >= POLICY_START && d->kind <= POLICY_EVICT, "kind %d", d->kind);
    if (d->kind == POLICY_START)
        start(w, job, d);
    else if (d->kind == POLICY_NOMINATE)
        nominate(w, job, d);
    else
        evict(w, job, d);
    *(d->kind == POLICY_EVICT ? &a->evicted[d->job.i] : &a->placed[d->job.i]) = true;
}

/* ---- nodes ---- */

static void nodes_are_possible(const struct audit *a)
{
    const struct quota_world *w = a->after;
    for (uint32_t i = 0; i < QUOTA_NODES; i++) {
        if (!w->nodes[i].exists)
            continue;
        const char *now = quota_overfull(w, i, false);
        QUOTA_CHECK(w, now == NULL, "%s of node %u is taken twice", now, i);
        const char *soon = quota_overfull(w, i, true);
        QUOTA_CHECK(w, soon == NULL, "%s of node %u is promised twice", soon, i);
    }
}

/* Returns true if every pod set has its minimum of such tasks, or the job has none. */

/* Whether every pod set has its minimum of such tasks, or the job has none at all. */
static bool is_whole(const struct quota_job *job, bool (*is)(const struct quota_task *))
{
    bool whole = true;
    bool any = false;
    for (uint32_t set = 0; set < quota_sets(job); set++) {
        int32_t found = quota_count(job, set, is);
        whole = whole && found >= quota_minimum(job, set);
        any = any || found > 0;
    }
    return whole || !any;
}

static bool was_started(const struct audit *a, uint32_t job)
{
    for (size_t i = 0; i < a->count; i++)
        if (a->d[i].kind == POLICY_START && a->d[i].job.i == job)
            return true;
    return false;
}

/* A gang starts as a whole. Later, tasks on the way to another place count as being there. */
static void gangs_are_whole(const struct audit *a)
{
    for (uint32_t i = 0; i < QUOTA_JOBS; i++) {
        const struct quota_job *job = &a->after->jobs[i];
        if (job->life != QUOTA_LIVE)
            continue;
        bool started = was_started(a, i);
        QUOTA_CHECK(a->after, is_whole(job, quota_is_active) || (a->before.jobs[i].odd && !started),
                    "the gang of job %u is not whole", i);
        QUOTA_CHECK(a->after, !started || a->evicted[i] || is_whole(job, quota_runs),
                    "the gang of job %u is started in part", i);
    }
}

/* Returns true if the task's pod set is in the group, directly or not; group 0 is the job. */
static bool stands_in(const struct quota_job *job, uint32_t task, int32_t group)
{
    int32_t g = quota_role_of(job, task)->group;
    while (g != 0 && g != group)
        g = job->groups[g - 1].parent;
    return g == group;
}

static uint32_t label_of(const struct quota_world *w, uint32_t node, uint32_t key)
{
    const struct quota_node *n = &w->nodes[node];
    for (uint32_t l = 0; l < n->spec.label_count; l++)
        if (n->labels[l].key == key)
            return n->labels[l].value;
    return UINT32_MAX;
}

/* Checks that the active tasks of a group (or, with `set` below UINT32_MAX, of a pod set) are in
 * one domain of each required level. */
static void stands_together(const struct audit *a, const struct quota_job *job, int32_t group,
                            uint32_t set, const struct policy_constraint *k)
{
    const struct quota_world *w = a->after;
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; k->topology != 0 && i < job->tasks; i++) {
        const struct quota_task *t = &job->task[i];
        if (!quota_is_active(t) ||
            (set == UINT32_MAX ? !stands_in(job, i, group) : quota_set_of(job, i) != set))
            continue;
        uint32_t node = t->nominated ? t->promised : t->node;
        QUOTA_CHECK(w, k->topology == 1 && k->required >= 0 && k->preferred >= 0,
                    "job %u is placed, but wants what is not known", job->id.i);
        if (k->required == 0 && k->preferred == 0)
            continue;
        first = first == UINT32_MAX ? node : first;
        for (uint32_t level = 1; level <= (uint32_t)k->required; level++)
            QUOTA_CHECK(w,
                        label_of(w, node, level) == label_of(w, first, level) &&
                            label_of(w, node, level) != UINT32_MAX,
                        "job %u on nodes %u and %u, not in one domain", job->id.i, first, node);
    }
}

static void domains_are_kept(const struct audit *a)
{
    for (uint32_t i = 0; i < QUOTA_JOBS; i++) {
        const struct quota_job *job = &a->after->jobs[i];
        if (job->life != QUOTA_LIVE || !a->placed[i] || job->elsewhere)
            continue;
        stands_together(a, job, 0, UINT32_MAX, &job->spec.topology);
        for (uint32_t g = 0; g < job->spec.group_count; g++)
            stands_together(a, job, (int32_t)g + 1, UINT32_MAX, &job->groups[g].topology);
        for (uint32_t k = 0, set = 0; k < job->tasks;
             k++, set = k < job->tasks ? quota_set_of(job, k) : 0)
            if (!quota_role_of(job, k)->joined)
                stands_together(a, job, 0, set, &quota_role_of(job, k)->topology);
    }
}

/* ---- bounds of queues ---- */

static void bound_is_kept(const struct audit *a, uint32_t queue, bool fixed)
{
    const struct quota_world *w = a->after;
    struct quota_amounts before = quota_allocated(&a->before, queue, fixed);
    struct quota_amounts after = quota_allocated(w, queue, fixed);
    struct quota_amounts bound = quota_bound(w, queue, !fixed);
    for (int r = 0; r < 3; r++)
        QUOTA_CHECK(w,
                    bound.of[r] == POLICY_UNLIMITED || after.of[r] <= bound.of[r] ||
                        after.of[r] <= before.of[r],
                    "queue %u goes from %lld to %lld of resource %d, above its %s of %lld", queue,
                    (long long)before.of[r], (long long)after.of[r], r, fixed ? "quota" : "limit",
                    (long long)bound.of[r]);
}

static void bounds_are_kept(const struct audit *a)
{
    for (uint32_t q = 0; q < QUOTA_QUEUES; q++)
        if (a->after->queues[q].exists &&
            (a->after->options.full_hierarchy || quota_is_leaf(a->after, q))) {
            bound_is_kept(a, q, false);
            if (!a->after->pods.on)
                bound_is_kept(a, q, true);
        }
}

/* Checks the sums that the policy reports for queues against counts. */
static void sums_are_told(const struct audit *a)
{
    const struct quota_world *w = a->after;
    for (uint32_t q = 0; q < QUOTA_QUEUES; q++) {
        struct policy_queue_info info = {.size = sizeof info};
        if (!w->queues[q].exists)
            continue;
        QUOTA_CHECK(w, policy_queue_info(a->p, (policy_queue){q}, &info) == POLICY_OK, "queue %u",
                    q);
        struct quota_amounts allocated = quota_allocated(w, q, false);
        struct quota_amounts fixed = quota_allocated(w, q, true);
        struct quota_amounts request = quota_requested(w, q);
        QUOTA_CHECK(w,
                    info.allocated.gpu == allocated.of[0] &&
                        info.allocated.cpu == allocated.of[1] &&
                        info.allocated.mem == allocated.of[2],
                    "queue %u has %lld, not %lld", q, (long long)allocated.of[0],
                    (long long)info.allocated.gpu);
        QUOTA_CHECK(w, info.non_preemptible.gpu == fixed.of[0], "queue %u has %lld fixed, not %lld",
                    q, (long long)fixed.of[0], (long long)info.non_preemptible.gpu);
        QUOTA_CHECK(w,
                    info.request.gpu == request.of[0] && info.request.cpu == request.of[1] &&
                        info.request.mem == request.of[2],
                    "queue %u asks for %lld, not %lld", q, (long long)request.of[0],
                    (long long)info.request.gpu);
    }
}

/* ---- rules of the actions ---- */

static const struct quota_job *served(const struct audit *a, const struct policy_decision *d)
{
    const struct quota_world *w = &a->before;
    QUOTA_CHECK(w,
                d->for_job.i < QUOTA_JOBS && w->jobs[d->for_job.i].life == QUOTA_LIVE &&
                    w->jobs[d->for_job.i].id.gen == d->for_job.gen,
                "job %u is served, but not there", d->for_job.i);
    return &w->jobs[d->for_job.i];
}

static void nobody_loses(const struct audit *a, const struct policy_decision *d)
{
    const struct quota_job *job = &a->after->jobs[d->job.i];
    QUOTA_CHECK(a->after, served(a, d)->spec.preemptible, "consolidation for job %u", d->for_job.i);
    QUOTA_CHECK(a->after, job->task[d->task].nominated, "job %u, task %u loses its place", d->job.i,
                d->task);
    QUOTA_CHECK(a->after, d->reason == POLICY_REASON_MOVED, "reason %d", d->reason);
    int32_t most = a->after->options.consolidation_victims;
    bool seen[QUOTA_JOBS] = {false};
    int32_t jobs = 0;
    for (size_t i = 0; i < a->count; i++)
        if (a->d[i].kind == POLICY_EVICT && a->d[i].action == POLICY_CONSOLIDATE &&
            a->d[i].for_job.i == d->for_job.i && !seen[a->d[i].job.i]) {
            seen[a->d[i].job.i] = true;
            jobs++;
        }
    QUOTA_CHECK(a->after, most < 0 || jobs <= most + 1, "%d jobs are moved, at most %d", jobs,
                most);
}

static void has_lower_priority(const struct audit *a, const struct policy_decision *d)
{
    const struct quota_job *job = &a->after->jobs[d->job.i];
    const struct quota_job *other = served(a, d);
    QUOTA_CHECK(a->after, a->after->pods.on || job->spec.queue.i == other->spec.queue.i,
                "job %u is preempted by one of another queue", d->job.i);
    QUOTA_CHECK(a->after, job->spec.priority < other->spec.priority,
                "job %u is preempted by one of priority %d", d->job.i, other->spec.priority);
}

static void is_of_another_queue(const struct audit *a, const struct policy_decision *d)
{
    QUOTA_CHECK(a->after, a->after->jobs[d->job.i].spec.queue.i != served(a, d)->spec.queue.i,
                "job %u is reclaimed by its own queue", d->job.i);
}

static void was_stale(const struct audit *a, const struct policy_decision *d)
{
    const struct quota_job *job = &a->before.jobs[d->job.i];
    int64_t grace = a->after->options.staleness_grace_ms;
    QUOTA_CHECK(a->after,
                job->below_since != POLICY_NEVER && a->after->now - job->below_since >= grace,
                "job %u is no stale gang", d->job.i);
    for (uint32_t i = 0; i < job->tasks; i++)
        QUOTA_CHECK(a->after, a->after->jobs[d->job.i].task[i].state != QUOTA_RUNS,
                    "job %u, task %u stays", d->job.i, i);
}

static void was_over_its_time(const struct audit *a, const struct policy_decision *d)
{
    const struct policy_quota_options *o = &a->after->options;
    const struct quota_job *job = &a->before.jobs[d->job.i];
    int64_t limit = job->spec.interactive_limit_ms != 0 ? job->spec.interactive_limit_ms
                                                        : o->interactive_limit_ms;
    bool session = d->reason == POLICY_REASON_TIME_LIMIT;
    QUOTA_CHECK(a->after, session || (d->reason == POLICY_REASON_IDLE && o->idle_limit_ms > 0),
                "reason %d", d->reason);
    QUOTA_CHECK(a->after, !session || (job->spec.workload == POLICY_BUILD && limit > 0),
                "job %u has no limit", d->job.i);
    QUOTA_CHECK(a->after,
                job->last_start != POLICY_NEVER &&
                    a->after->now - job->last_start >= (session ? limit : o->idle_limit_ms),
                "job %u has not run for so long", d->job.i);
    bool holds = false;
    for (uint32_t i = 0; i < job->tasks; i++) {
        const struct policy_request *r = &quota_role_of(job, i)->request;
        holds = holds || (job->task[i].state == QUOTA_RUNS && (r->devices > 0 || r->mig != NULL));
    }
    QUOTA_CHECK(a->after, session || holds, "job %u holds no devices", d->job.i);
}

static const struct {
    int32_t action;
    void (*check)(const struct audit *, const struct policy_decision *);
} rules[] = {
    {POLICY_CONSOLIDATE, nobody_loses},   {POLICY_RECLAIM, is_of_another_queue},
    {POLICY_PREEMPT, has_lower_priority}, {POLICY_STALE, was_stale},
    {POLICY_LIMITS, was_over_its_time},
};

static void rules_are_kept(const struct audit *a)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
            if (a->d[i].kind == POLICY_EVICT && a->d[i].action == rules[k].action)
                rules[k].check(a, &a->d[i]);
}

void quota_audit(struct quota_world *w, const struct policy *p, const struct policy_decision *d,
                 size_t count)
{
    begin(w);
    struct audit a = {.after = w, .before = *w, .p = p, .d = d, .count = count};
    for (size_t i = 0; i < count; i++)
        carry_out(&a, &d[i]);
    nodes_are_possible(&a);
    if (!w->pods.on) {
        gangs_are_whole(&a);
        domains_are_kept(&a);
        quota_audit_kept(w, d, count);
    }
    bounds_are_kept(&a);
    rules_are_kept(&a);
    sums_are_told(&a);
    quota_audit_shares(&a.before, p);
    quota_audit_reclaim(&a.before, w, p, d, count);
    quota_note_gangs(w);
}
