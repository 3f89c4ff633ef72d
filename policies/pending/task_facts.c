/* SPDX-License-Identifier: MIT */
/* Facts about tasks: found running, started, releasing, gated, ended. */
#include "base/bits.h"
#include "pending/pending.h"
#include "pending/queue_classes.h"
#include "state/jobs.h"
#include "state/mig.h"
#include "state/nodes.h"
#include "state/queues.h"
#include "state/tasks.h"

/* ---- lookup ---- */

/* Returns the task of a live job, or NULL with the error set. */
static const struct pc_task *find_task(struct policy *p, policy_job which, uint32_t task,
                                       uint32_t *job)
{
    struct pc_cluster *c = p->cluster;
    *job = pc_job_find(p, which);
    if (*job == PC_NONE)
        return NULL;
    if (task >= c->shapes[c->jobs[*job].shape].tasks) {
        pc_refuse(p, POLICY_UNKNOWN, "task", task, "the job has no task of that number");
        return NULL;
    }
    if (c->jobs[*job].state != PC_LIVE && c->pending == NULL) {
        pc_refuse(p, POLICY_CONFLICT, "job", *job, "is not eligible yet");
        return NULL;
    }
    return pc_task(c, *job, task);
}

/* Updates the job after a change of its tasks; `outside`: not caused by a decision. */
static int changed(struct policy *p, uint32_t job, bool outside)
{
    struct pc_cluster *c = p->cluster;
    c->displaced.happened |= outside;
    pc_job_settle(p, job);
    c->version++;
    pc_usage_queues(p, c->jobs[job].queue);
    return POLICY_OK;
}

static void set_end(struct pc_cluster *c, uint32_t job, uint32_t task, uint8_t end)
{
    const struct pc_place place = pc_task(c, job, task)->place;
    pc_change(c, job, task, &place, end);
}

/*
 * Without a queue order, a gang whose minimums cover all of its tasks becomes pending as a whole,
 * when its last task has ended; tasks of all others become pending one by one.
 */
static bool waits_as_a_whole(const struct pc_cluster *c, uint32_t job)
{
    return c->pending != NULL && !c->shapes[c->jobs[job].shape].elastic;
}

/* All tasks of the gang have ended: it is pending as it was before it started. */
static void wait_again(struct pc_cluster *c, uint32_t job)
{
    c->jobs[job].evicted = false;
    for (uint32_t i = 0; i < c->shapes[c->jobs[job].shape].tasks; i++)
        if (pc_task(c, job, i)->end == PC_GONE)
            set_end(c, job, i, PC_ALIVE);
}

/* ---- found running ---- */

static int check_devices(struct policy *p, const struct pc_node *n, const struct pc_request *r,
                         uint64_t devices)
{
    if (pc_popcount(devices) != r->devices || (devices & ~pc_all_devices(n->devices)) != 0)
        return pc_refuse(p, POLICY_INVALID, "devices of the task", pc_popcount(devices),
                         "as many as it asks for, and the node has");
    int32_t units = pc_wants_share(r) ? pc_units(n, r) : n->capacity;
    for (uint64_t rest = devices; rest != 0; rest &= rest - 1) {
        const struct pc_device d = pc_device_of(n, pc_lowest(rest));
        if (d.used + d.releasing + units > n->capacity || d.slices != 0 || d.slices_leaving != 0)
            return pc_refuse(p, POLICY_CONFLICT, "device", pc_lowest(rest), "taken already");
    }
    return POLICY_OK;
}

static int check_instances(struct policy *p, const struct pc_node *n, const struct pc_request *r,
                           uint64_t devices, uint8_t *slice)
{
    const struct pc_cluster *c = p->cluster;
    if (n->mig == POLICY_MIG_FIXED) {
        if (devices != 0)
            return pc_refuse(p, POLICY_INVALID, "devices of the task", pc_popcount(devices),
                             "none: instances of fixed counts are only counted");
        for (uint32_t i = 0; i < POLICY_MAX_PROFILES; i++)
            if (r->mig[i] > n->instances->idle[i])
                return pc_refuse(p, POLICY_CONFLICT, "MIG instances left", n->instances->idle[i],
                                 "fewer than the task has");
        return POLICY_OK;
    }
    if (n->mig != POLICY_MIG_FREE || !pc_is_one_instance(r) || pc_popcount(devices) != 1 ||
        (devices & ~pc_all_devices(n->devices)) != 0)
        return pc_refuse(p, POLICY_INVALID, "devices of the task", pc_popcount(devices),
                         "the one that its instance was made on");
    const struct pc_device d = pc_device_of(n, pc_lowest(devices));
    struct pc_mig state = {.slices = (uint8_t)(d.slices | d.slices_leaving),
                           .compute = (uint8_t)(d.compute + d.compute_leaving)};
    for (uint32_t i = 0; i < POLICY_MAX_PROFILES; i++) {
        if (r->mig[i] == 0)
            continue;
        int32_t start = pc_mig_place(&state, c->slices[i], c->memory_slices[i]);
        if (d.used + d.releasing > 0 || start < 0)
            return pc_refuse(p, POLICY_CONFLICT, "device", pc_lowest(devices),
                             "has no room for the instance");
        *slice = (uint8_t)start;
    }
    return POLICY_OK;
}

/* Lanes rely on free CPU, memory and task slots, which must not become negative. */
static int check_rest(struct policy *p, const struct pc_node *n, const struct pc_request *r)
{
    if (p->cluster->pending == NULL)
        return POLICY_OK;
    if (n->cpu_idle < r->cpu || n->mem_idle < r->mem)
        return pc_refuse(p, POLICY_CONFLICT, "CPU or memory of the node", n->cpu_idle,
                         "taken already");
    if (n->tasks_idle <= 0)
        return pc_refuse(p, POLICY_CONFLICT, "tasks on the node", n->max_tasks - n->tasks_idle,
                         "it takes no more");
    return POLICY_OK;
}

/* The lowest idle devices, for an embedder that does not know which ones are used. */
static uint64_t any_idle(const struct pc_node *n, const struct pc_request *r)
{
    uint64_t chosen = 0;
    uint64_t idle = n->idle;
    for (int32_t i = 0; i < r->devices && idle != 0; i++, idle &= idle - 1)
        chosen |= idle & (~idle + 1);
    return chosen;
}

/* Eviction costs depend on how long a job has run, on each of its nodes. */
static void restart(struct pc_cluster *c, uint32_t job, policy_time since)
{
    const struct pc_job *j = &c->jobs[job];
    c->jobs[job].detail->last_start = since;
    for (uint32_t i = 0; j->running > 0 && i < c->shapes[j->shape].tasks; i++)
        if (j->detail->tasks[i].place.holding == PC_RUNS)
            pc_changes_note(&c->changes, c->nodes[j->detail->tasks[i].place.node].rank);
}

int policy_task_running(struct policy *p, policy_time at, policy_job which, uint32_t task,
                        policy_node node, uint64_t devices, policy_time since)
{
    struct pc_cluster *c = p->cluster;
    uint32_t job;
    const struct pc_task *t = find_task(p, which, task, &job);
    if (t == NULL)
        return p->error.status;
    if (t->place.holding != PC_NOTHING || t->end == PC_SUCCEEDED || t->end == PC_FAILED)
        return pc_refuse(p, POLICY_CONFLICT, "task", task, "runs already, or has ended");
    if (c->traits.counts_only)
        return pc_refuse(p, POLICY_UNSUPPORTED, "task", task, "this placement only counts devices");
    if (node.i >= c->node_count || !c->nodes[node.i].exists)
        return pc_refuse(p, POLICY_UNKNOWN, "node", node.i, "not known");
    const struct pc_node *n = &c->nodes[node.i];
    const struct pc_request *r = pc_request_of(c, job, task);
    struct pc_place place = pc_nowhere();
    place.node = node.i;
    place.holding = PC_RUNS;
    place.devices = devices == 0 && !pc_wants_share(r) && !r->wants_mig ? any_idle(n, r) : devices;
    int status = r->wants_mig ? check_instances(p, n, r, devices, &place.slice)
                              : check_devices(p, n, r, place.devices);
    policy_time before = p->now;
    if (status != POLICY_OK || (status = check_rest(p, n, r)) != POLICY_OK ||
        (status = pc_at_with_detail(p, at, job)) != POLICY_OK)
        return status;
    if (pc_shares_devices(r) && place.devices != 0 && !pc_devices_make(p, node.i))
        return pc_no_memory(p, before, "task", task);
    if (c->jobs[job].state == PC_HELD) {
        c->jobs[job].detail->users++;
        pc_job_go_live(p, job);
        c->jobs[job].detail->users--;
    }
    if (since > c->jobs[job].detail->last_start)
        restart(c, job, since);
    pc_move(c, job, task, &place);
    return changed(p, job, true);
}

/* ---- outcomes of decisions ---- */

static int none_started(struct policy *p, uint32_t job)
{
    return pc_refuse(p, POLICY_CONFLICT, "job", job, "is pending: no task of it was started");
}

int policy_task_started(struct policy *p, policy_time at, policy_job which, uint32_t task)
{
    struct pc_cluster *c = p->cluster;
    uint32_t job;
    const struct pc_task *t = find_task(p, which, task == POLICY_ALL_TASKS ? 0 : task, &job);
    if (t == NULL)
        return p->error.status;
    if (task != POLICY_ALL_TASKS && t->place.holding == PC_RUNS) {
        const int status = pc_at(p, at);
        if (status == POLICY_OK)
            pc_task_at(c, job, task)->place.started = 0;
        return status;
    }
    uint32_t first = task == POLICY_ALL_TASKS ? 0 : task;
    uint32_t behind = task == POLICY_ALL_TASKS ? c->shapes[c->jobs[job].shape].tasks : task + 1;
    uint32_t found = 0;
    for (uint32_t i = first; i < behind; i++)
        found += pc_task(c, job, i)->place.holding == PC_RUNS;
    if (found == 0 && !pc_job_holds(c, job))
        return none_started(p, job);
    if (found == 0 && task == POLICY_ALL_TASKS)
        return pc_refuse(p, POLICY_CONFLICT, "job", job, "no task of it is to run");
    if (found == 0)
        return pc_refuse(p, POLICY_CONFLICT, "task", task, "was not started");
    int status = pc_at(p, at);
    for (uint32_t i = first; i < behind && status == POLICY_OK; i++)
        pc_task_at(c, job, i)->place.started = 0;
    return status;
}

static void release(struct policy *p, uint32_t job, uint32_t task)
{
    struct pc_place place = pc_task(p->cluster, job, task)->place;
    if (place.holding != PC_RUNS)
        return;
    place.holding = PC_RELEASING;
    place.started = 0;
    pc_move(p->cluster, job, task, &place);
}

void pc_job_release(struct policy *p, uint32_t job)
{
    for (uint32_t i = 0; i < p->cluster->shapes[p->cluster->jobs[job].shape].tasks; i++)
        release(p, job, i);
    (void)changed(p, job, false);
}

int policy_task_releasing(struct policy *p, policy_time at, policy_job which, uint32_t task)
{
    const struct pc_cluster *c = p->cluster;
    uint32_t job;
    bool all = task == POLICY_ALL_TASKS;
    if (find_task(p, which, all ? 0 : task, &job) == NULL)
        return p->error.status;
    uint32_t first = all ? 0 : task;
    uint32_t behind = all ? c->shapes[c->jobs[job].shape].tasks : task + 1;
    uint32_t held = 0;
    uint32_t run = 0;
    for (uint32_t i = first; i < behind; i++) {
        held += pc_task(c, job, i)->place.holding != PC_NOTHING;
        run += pc_task(c, job, i)->place.holding == PC_RUNS;
    }
    if (held == 0)
        return pc_job_holds(c, job) ? pc_refuse(p, POLICY_CONFLICT, "task", task, "does not run")
                                    : none_started(p, job);
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    for (uint32_t i = first; i < behind; i++)
        release(p, job, i);
    if (run > 0)
        status = changed(p, job, true);
    pc_modules_job_answered(p, job);
    return status;
}

int policy_task_gated(struct policy *p, policy_time at, policy_job which, uint32_t task, bool gated)
{
    uint32_t job;
    const struct pc_task *t = find_task(p, which, task, &job);
    if (t == NULL)
        return p->error.status;
    if (t->place.holding != PC_NOTHING || t->end == PC_SUCCEEDED || t->end == PC_FAILED)
        return pc_refuse(p, POLICY_CONFLICT, "task", task, "is not pending");
    int status = pc_at_with_detail(p, at, job);
    if (status != POLICY_OK)
        return status;
    struct pc_detail *d = p->cluster->jobs[job].detail;
    d->users++;
    pc_drop_nominations(p);
    d->users--;
    set_end(p->cluster, job, task, gated ? PC_GATED : PC_ALIVE);
    status = changed(p, job, true);
    if (p->cluster->has_modules)
        pc_modules_job_resized(p, job);
    return status;
}

static void forget_start(struct pc_cluster *c, uint32_t job)
{
    if (c->jobs[job].detail != NULL && c->jobs[job].running == 0)
        c->jobs[job].detail->last_start = POLICY_NEVER;
}

int policy_start_failed(struct policy *p, policy_time at, policy_job which)
{
    struct pc_cluster *c = p->cluster;
    uint32_t job;
    if (find_task(p, which, 0, &job) == NULL)
        return p->error.status;
    if (c->pending != NULL && !pc_job_holds(c, job))
        return none_started(p, job);
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    const struct pc_place nowhere = pc_nowhere();
    bool whole = waits_as_a_whole(c, job);
    for (uint32_t i = 0; i < c->shapes[c->jobs[job].shape].tasks; i++)
        if (whole ? pc_task(c, job, i)->place.holding != PC_NOTHING
                  : pc_task(c, job, i)->place.started)
            pc_move(c, job, i, &nowhere);
    wait_again(c, job);
    forget_start(c, job);
    c->start_failed = true;
    status = changed(p, job, true);
    c->start_failed = false;
    return status;
}

/* Returns true if some task of the job is running, pending or may become pending. */
static bool lives_on(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_job *j = &c->jobs[job];
    for (uint32_t i = 0; i < c->shapes[j->shape].tasks; i++)
        if (pc_task_of(j, i)->place.holding != PC_NOTHING || pc_task_of(j, i)->end <= PC_GATED)
            return true;
    return false;
}

/* The place after an eviction: nothing held; a moved task keeps its nomination. */
static struct pc_place after_eviction(const struct pc_task *t)
{
    struct pc_place place = pc_nowhere();
    place.nominated = t->place.nominated;
    place.nominated_devices = t->place.nominated_devices;
    place.nominated_slice = t->place.nominated_slice;
    return place;
}

/* Ends a task of a gang that only becomes pending as a whole: the job continues, becomes pending or
 * is over. */
static int end_one_of_gang(struct policy *p, policy_time at, uint32_t job, uint32_t task,
                           int32_t outcome)
{
    struct pc_cluster *c = p->cluster;
    struct pc_job *j = &c->jobs[job];
    if (pc_task(c, job, task)->place.holding == PC_NOTHING)
        return pc_refuse(p, POLICY_CONFLICT, "task", task, "does not run");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    const struct pc_place nowhere = pc_nowhere();
    pc_change(c, job, task, &nowhere, PC_GONE);
    j->evicted |= outcome == POLICY_EVICTED;
    if (!j->evicted && j->running + j->releasing == 0) {
        pc_job_over(p, job);
        return POLICY_OK;
    }
    if (j->running + j->releasing == 0) {
        wait_again(c, job);
        forget_start(c, job);
    }
    return changed(p, job, true);
}

static int end_one(struct policy *p, policy_time at, uint32_t job, uint32_t task, int32_t outcome)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_task *t = pc_task(c, job, task);
    bool evicted = outcome == POLICY_EVICTED;
    bool outside = t->place.holding != PC_RELEASING || !evicted;
    if (t->end > PC_GATED || (evicted && t->place.holding == PC_NOTHING))
        return pc_refuse(p, POLICY_CONFLICT, "task", task, "does not run");
    int status = pc_at_with_detail(p, at, job);
    if (status != POLICY_OK)
        return status;
    t = pc_task(c, job, task); /* with details now */
    const struct pc_place then = evicted ? after_eviction(t) : pc_nowhere();
    uint8_t end = outcome == POLICY_SUCCEEDED ? PC_SUCCEEDED : PC_FAILED;
    pc_change(c, job, task, &then, evicted ? t->end : end);
    c->freed++;
    forget_start(c, job);
    uint32_t queue = c->jobs[job].queue;
    if (lives_on(c, job))
        return changed(p, job, outside);
    pc_job_over(p, job);
    pc_usage_queues(p, queue);
    return POLICY_OK;
}

/*
 * In a large cluster the details of a job that ends, which the next one to start will reuse, and
 * the node that gets devices back were last accessed long ago: prefetches both at once. Inline,
 * because compilers drop calls of functions that only prefetch.
 */
PC_INLINE void prefetch(const struct pc_cluster *c, const struct pc_job *j)
{
    if (j->detail == NULL)
        return;
    __builtin_prefetch(j->detail, 1);
    __builtin_prefetch(&j->detail->size_class, 1);
    __builtin_prefetch(&j->detail->tasks[0].place, 1);
    __builtin_prefetch(&j->detail->tasks[0].before, 1);
    if (c->pending == NULL || j->near >= c->node_count)
        return;
    const struct pc_node *n = &c->nodes[j->near];
    __builtin_prefetch(n, 1);
    __builtin_prefetch(&n->held, 1);
    __builtin_prefetch(&n->idle_milli, 1);
}

int policy_task_ended(struct policy *p, policy_time at, policy_job which, uint32_t task,
                      int32_t outcome)
{
    struct pc_cluster *c = p->cluster;
    uint32_t job;
    bool all = task == POLICY_ALL_TASKS;
    if (find_task(p, which, all ? 0 : task, &job) == NULL)
        return p->error.status;
    prefetch(c, &c->jobs[job]);
    if (outcome < POLICY_SUCCEEDED || outcome > POLICY_EVICTED)
        return pc_refuse(p, POLICY_INVALID, "outcome", outcome, "0 succeeded, 1 failed, 2 evicted");
    bool whole = waits_as_a_whole(c, job);
    if (!all)
        return whole ? end_one_of_gang(p, at, job, task, outcome)
                     : end_one(p, at, job, task, outcome);
    struct pc_job *j = &c->jobs[job];
    if ((outcome == POLICY_EVICTED || whole) && !pc_job_holds(c, job))
        return none_started(p, job);
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    uint32_t queue = j->queue;
    c->freed++;
    if (outcome != POLICY_EVICTED && !j->evicted) {
        pc_job_over(p, job);
        if (c->usages != NULL)
            pc_usage_queues(p, queue);
        return POLICY_OK;
    }
    bool outside = false;
    for (uint32_t i = 0; i < c->shapes[j->shape].tasks; i++) {
        const struct pc_place then = after_eviction(pc_task_of(j, i));
        outside |= pc_task_of(j, i)->place.holding == PC_RUNS;
        if (pc_task_of(j, i)->place.holding != PC_NOTHING)
            pc_move(c, job, i, &then);
    }
    wait_again(c, job);
    forget_start(c, job);
    return changed(p, job, outside);
}
