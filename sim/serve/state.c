/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The present state; see state.h. */
#include "sim/serve/state.h"

#include "policies/facts/hash.h"
#include "policies/facts/write.h"
#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

enum task_state { TASK_WAITS, TASK_GATED, TASK_HOLDS, TASK_RELEASES, TASK_SUCCEEDED, TASK_FAILED };

struct state_task {
    uint8_t state;
    bool fresh, evicted; /* started by an unconfirmed decision; since it last ran */
    uint32_t node;
    uint64_t devices;
};

struct state_item {
    uint64_t
        key; /* number, of jobs with the generation below it; of `world` with the kind above it */
    uint32_t number, gen;
    char *added;       /* the line of its fact, after the time */
    char *changed;     /* of a queue: that of the last change; NULL: there was none */
    int32_t state;     /* of a node */
    uint64_t unusable; /* devices of a node */
    struct state_task *tasks;
    uint32_t task_count;
    bool whole; /* a gang that is pending again, when evicted, once none of it holds devices */
    policy_time since; /* when the job last went from nothing to running */
    bool is_stale, has_progress;
    bool has_priority, suspended; /* another than it came with */
    int32_t priority;
    policy_time stale_since, told_ms;
    int64_t remaining_ms;
    UT_hash_handle hh;
};

/* ---- items ---- */

static struct state_item *find(struct state_item *const *all, uint64_t key)
{
    struct state_item *item = NULL;
    HASH_FIND(hh, *all, &key, sizeof key, item);
    return item;
}

static void drop(struct state_item **all, struct state_item *item)
{
    if (item == NULL)
        return;
    HASH_DEL(*all, item);
    free(item->added);
    free(item->changed);
    free(item->tasks);
    free(item);
}

static char *rest_of(const struct fact *fact)
{
    struct text rest = {.length = 0};
    fact_write_rest(&rest, fact);
    BUG_ON(rest.failed);
    char *copy = mem_text_n(rest.bytes, rest.length);
    text_fini(&rest);
    return copy;
}

static struct state_item *put(struct state_item **all, uint64_t key, const struct fact *fact)
{
    drop(all, find(all, key));
    struct state_item *item = mem_alloc(1, sizeof *item);
    item->key = key;
    item->number = fact->kind == FACT_JOB_ADD ? fact->job.i : (uint32_t)key;
    item->gen = fact->job.gen;
    item->added = rest_of(fact);
    HASH_ADD(hh, *all, key, sizeof item->key, item);
    return item;
}

static void drop_all(struct state_item **all)
{
    while (*all != NULL)
        drop(all, *all);
}

void service_state_fini(struct service_state *l)
{
    drop_all(&l->world);
    drop_all(&l->nodes);
    drop_all(&l->queues);
    drop_all(&l->jobs);
}

/* ---- tasks ---- */

static bool holds(const struct state_task *task)
{
    return task->state == TASK_HOLDS || task->state == TASK_RELEASES;
}

static bool is_over(const struct state_task *task)
{
    return task->state == TASK_SUCCEEDED || task->state == TASK_FAILED;
}

static bool any(const struct state_item *job, bool (*is)(const struct state_task *))
{
    for (uint32_t i = 0; i < job->task_count; i++)
        if (is(&job->tasks[i]))
            return true;
    return false;
}

static bool was_evicted(const struct state_task *task)
{
    return task->evicted;
}

static bool is_left(const struct state_task *task)
{
    return !is_over(task);
}

static void wait_again(struct state_item *job)
{
    for (uint32_t i = 0; i < job->task_count; i++)
        if (job->tasks[i].state != TASK_GATED)
            job->tasks[i] = (struct state_task){.state = TASK_WAITS};
}

/* A gang of which nothing runs any more: it is over, or pending as a whole. */
static void settle(struct service_state *l, struct state_item *job)
{
    bool over = job->whole ? !any(job, holds) && !any(job, was_evicted) : !any(job, is_left);
    if (over)
        drop(&l->jobs, job);
    else if (job->whole && !any(job, holds))
        wait_again(job);
}

static bool runs(const struct state_task *task)
{
    return task->state == TASK_HOLDS;
}

/* A job that does not return as a whole starts over although some of it is still being released. */
static void hold(struct state_item *job, uint32_t number, const struct state_task *task,
                 policy_time since)
{
    if (number >= job->task_count)
        return;
    if (!any(job, job->whole ? holds : runs))
        job->since = since;
    job->tasks[number] = *task;
}

static void forget_start(struct state_item *job)
{
    if (!job->whole && !any(job, runs))
        job->since = POLICY_NEVER;
}

static void set_state(struct state_item *job, uint32_t number, enum task_state state)
{
    for (uint32_t i = 0; i < job->task_count; i++)
        if (i == number || (number == POLICY_ALL_TASKS && holds(&job->tasks[i]))) {
            job->tasks[i].state = (uint8_t)state;
            job->tasks[i].fresh = false;
        }
}

static void end_tasks(struct service_state *l, struct state_item *job, const struct fact *f)
{
    bool again =
        job->whole && any(job, was_evicted); /* all start over, whatever became of the others */
    if (f->task == POLICY_ALL_TASKS && f->state != POLICY_EVICTED && !again) {
        drop(&l->jobs, job);
        return;
    }
    for (uint32_t i = 0; i < job->task_count; i++) {
        struct state_task *task = &job->tasks[i];
        if (i != f->task && (f->task != POLICY_ALL_TASKS || !holds(task)))
            continue;
        *task = (struct state_task){.state = f->state == POLICY_EVICTED     ? TASK_WAITS
                                             : f->state == POLICY_SUCCEEDED ? TASK_SUCCEEDED
                                                                            : TASK_FAILED,
                                    .evicted = f->state == POLICY_EVICTED};
    }
    forget_start(job);
    settle(l, job);
}

/* Running tasks were reported to have started, including those being released by now. */
static void confirm(struct state_item *job, uint32_t number)
{
    for (uint32_t i = 0; i < job->task_count; i++)
        if (i == number || (number == POLICY_ALL_TASKS && holds(&job->tasks[i])))
            job->tasks[i].fresh = false;
}

static void take_back(struct state_item *job)
{
    for (uint32_t i = 0; i < job->task_count; i++)
        if (job->tasks[i].fresh || (job->whole && job->tasks[i].state != TASK_GATED))
            job->tasks[i] = (struct state_task){.state = TASK_WAITS};
    forget_start(job);
}

/* ---- facts ---- */

static void add_job(struct service_state *l, const struct fact *f)
{
    const struct policy_job_spec *spec = f->spec;
    struct state_item *job = put(&l->jobs, hash_key(f->job.i, f->job.gen), f);
    int64_t least = 0;
    for (uint32_t i = 0; i < spec->role_count; i++) {
        job->task_count += (uint32_t)spec->roles[i].tasks;
        least += spec->roles[i].joined ? 0 : spec->roles[i].min_tasks;
    }
    job->whole = l->requeues_whole && least == job->task_count;
    job->tasks = mem_alloc(job->task_count, sizeof *job->tasks);
}

static void job_fact(struct service_state *l, const struct fact *f)
{
    struct state_item *job = find(&l->jobs, hash_key(f->job.i, f->job.gen));
    if (job == NULL)
        return;
    const struct state_task there = {.state = TASK_HOLDS, .node = f->node.i, .devices = f->devices};
    switch (f->kind) {
    case FACT_JOB_CANCEL:
        drop(&l->jobs, job);
        break;
    case FACT_STALE_SINCE:
        job->is_stale = true;
        job->stale_since = f->value;
        break;
    case FACT_PROGRESS:
        job->has_progress = true;
        job->remaining_ms = f->value;
        job->told_ms = f->at;
        break;
    case FACT_JOB_PRIORITY:
        job->has_priority = true;
        job->priority = f->state;
        break;
    case FACT_JOB_SUSPEND:
        job->suspended = f->state != 0;
        break;
    case FACT_TASK_RUNNING:
        hold(job, f->task, &there, f->value);
        break;
    case FACT_TASK_STARTED:
        confirm(job, f->task);
        break;
    case FACT_TASK_RELEASING:
        set_state(job, f->task, TASK_RELEASES);
        break;
    case FACT_TASK_GATED:
        set_state(job, f->task, f->state != 0 ? TASK_GATED : TASK_WAITS);
        break;
    case FACT_START_FAILED:
        take_back(job);
        break;
    case FACT_TASK_ENDED:
        end_tasks(l, job, f);
        break;
    default:
        break;
    }
}

static void node_fact(struct service_state *l, const struct fact *f)
{
    struct state_item *node = find(&l->nodes, f->node.i);
    uint64_t device = f->number < POLICY_MAX_DEVICES ? UINT64_C(1) << f->number : 0;
    if (node == NULL)
        return;
    if (f->kind == FACT_NODE_STATE)
        node->state = f->state;
    else if (f->kind == FACT_NODE_REMOVE)
        drop(&l->nodes, node);
    else
        node->unusable = f->state != 0 ? node->unusable & ~device : node->unusable | device;
}

static void change_queue(struct service_state *l, const struct fact *f)
{
    struct state_item *queue = find(&l->queues, f->queue.i);
    if (queue == NULL)
        return;
    free(queue->changed);
    queue->changed = rest_of(f);
}

/* What became of decisions, as the state that it was restored from had it. */
static void history_fact(struct service_state *l, const struct fact *f)
{
    const struct policy_history *h = f->spec;
    struct state_item *job = find(&l->jobs, hash_key(h->job.i, h->job.gen));
    for (uint32_t i = 0; job != NULL && i < job->task_count; i++) {
        struct state_task *task = &job->tasks[i];
        task->evicted |= h->kind == POLICY_HISTORY_EVICTED && !h->settled && !holds(task);
        task->fresh |= h->kind == POLICY_HISTORY_STARTED && i >= h->task && i - h->task < 64 &&
                       (h->devices >> (i - h->task) & 1) != 0;
    }
}

void service_state_fact(struct service_state *l, const struct fact *f)
{
    switch (f->kind) {
    case FACT_TOPOLOGY:
    case FACT_MIG_PROFILE:
    case FACT_TYPICAL_TASKS:
    case FACT_NAME:
        (void)put(&l->world, hash_key((uint32_t)(f->kind + FACT_KINDS * f->state), f->number), f);
        break;
    case FACT_OFFER:
        (void)put(&l->world,
                  hash_key((uint32_t)f->kind, ((const struct policy_offer *)f->spec)->pool), f);
        break;
    case FACT_NODE_ADD:
        (void)put(&l->nodes, f->node.i, f);
        break;
    case FACT_NODE_STATE:
    case FACT_NODE_REMOVE:
    case FACT_DEVICE_HEALTH:
        node_fact(l, f);
        break;
    case FACT_QUEUE_ADD:
        (void)put(&l->queues, f->queue.i, f);
        break;
    case FACT_QUEUE_SET:
        change_queue(l, f);
        break;
    case FACT_QUEUE_REMOVE:
        drop(&l->queues, find(&l->queues, f->queue.i));
        break;
    case FACT_JOB_ADD:
        add_job(l, f);
        break;
    case FACT_HISTORY:
        history_fact(l, f);
        break;
    default:
        job_fact(l, f);
        break;
    }
}

void service_state_decision(struct service_state *l, const struct fact_decision *d)
{
    struct state_item *node = d->d.job.i == POLICY_NO_ID ? find(&l->nodes, d->d.node.i) : NULL;
    if (node != NULL)
        node->state = d->d.kind == POLICY_ORDER ? POLICY_NODE_ORDERED : POLICY_NODE_OFF;
    struct state_item *job = find(&l->jobs, hash_key(d->d.job.i, d->d.job.gen));
    const struct state_task started = {
        .state = TASK_HOLDS, .fresh = true, .node = d->d.node.i, .devices = d->d.devices};
    if (job != NULL && d->d.kind == POLICY_START)
        hold(job, d->d.task, &started, d->at);
    /* a task that is evicted alone counts as being released from then on */
    if (job != NULL && d->d.kind == POLICY_EVICT && !job->whole && d->d.task < job->task_count &&
        holds(&job->tasks[d->d.task]))
        job->tasks[d->d.task].state = TASK_RELEASES;
}

static bool is_added(struct state_item *const *all, uint64_t key, const struct fact *f)
{
    const struct state_item *item = find(all, key);
    char *rest = item != NULL ? rest_of(f) : NULL;
    bool same = item != NULL && strcmp(item->added, rest) == 0;
    free(rest);
    return same;
}

static bool has_started(const struct service_state *l, const struct fact *f)
{
    const struct state_item *job = find(&l->jobs, hash_key(f->job.i, f->job.gen));
    uint32_t started = 0;
    for (uint32_t i = 0; job != NULL && i < job->task_count; i++)
        if (i == f->task || f->task == POLICY_ALL_TASKS) {
            const struct state_task *task = &job->tasks[i];
            started += task->state == TASK_HOLDS && !task->fresh;
            if (task->state == TASK_HOLDS && task->fresh)
                return false;
        }
    return started > 0;
}

bool service_state_has(const struct service_state *l, const struct fact *f)
{
    if (f->kind == FACT_NODE_ADD)
        return is_added(&l->nodes, f->node.i, f);
    if (f->kind == FACT_QUEUE_ADD)
        return is_added(&l->queues, f->queue.i, f);
    if (f->kind == FACT_JOB_ADD)
        return is_added(&l->jobs, hash_key(f->job.i, f->job.gen), f);
    return f->kind == FACT_TASK_STARTED && has_started(l, f);
}

/* ---- telling anew ---- */

struct telling {
    struct state_sink sink;
    policy_time now;
    uint64_t count;
    struct text line;
};

static void hand_out(struct telling *t)
{
    t->sink.line(t->sink.self, &t->line);
    t->line.length = 0;
    t->count++;
}

static void tell_fact(struct telling *t, struct fact fact)
{
    fact.at = t->now;
    fact_write(&t->line, &fact);
    hand_out(t);
}

static void tell_rest(struct telling *t, const char *rest)
{
    fact_write_time(&t->line, t->now);
    text_put(&t->line, rest);
    hand_out(t);
}

static void tell_added(struct telling *t, const struct state_item *item)
{
    tell_rest(t, item->added);
    if (item->changed != NULL)
        tell_rest(t, item->changed);
}

/* Ended tasks of a gang that returns as a whole are not reported: they start over with it, or it is
 * over too. */
static void tell_task(struct telling *t, const struct state_item *job, uint32_t number)
{
    const struct state_task *task = &job->tasks[number];
    struct fact fact = {.job = {job->number, job->gen}, .task = number};
    if (holds(task)) {
        fact.kind = FACT_TASK_RUNNING;
        fact.node.i = task->node;
        fact.devices = task->devices;
        fact.value = job->since;
        tell_fact(t, fact);
    }
    fact.state = task->state == TASK_FAILED ? POLICY_FAILED : task->state == TASK_GATED;
    fact.kind = task->state == TASK_RELEASES ? FACT_TASK_RELEASING
                : task->state == TASK_GATED  ? FACT_TASK_GATED
                                             : FACT_TASK_ENDED;
    if (task->state != TASK_WAITS && task->state != TASK_HOLDS && !(job->whole && is_over(task)))
        tell_fact(t, fact);
}

/* Remaining work decreases while the job runs. */
static int64_t remaining(const struct telling *t, const struct state_item *job)
{
    policy_time from = job->told_ms > job->since ? job->told_ms : job->since;
    uint64_t run = any(job, holds) && t->now > from ? (uint64_t)t->now - (uint64_t)from : 0;
    int64_t told = job->remaining_ms > 0 ? job->remaining_ms : 0;
    return run < (uint64_t)told ? told - (int64_t)run : 0;
}

static void tell_job(struct telling *t, const struct state_item *job)
{
    struct fact fact = {.job = {job->number, job->gen}};
    tell_added(t, job);
    fact.kind = FACT_JOB_PRIORITY;
    fact.state = job->priority;
    if (job->has_priority)
        tell_fact(t, fact);
    fact.kind = FACT_JOB_SUSPEND;
    fact.state = true;
    if (job->suspended)
        tell_fact(t, fact);
    fact.state = 0;
    for (uint32_t i = 0; i < job->task_count; i++)
        tell_task(t, job, i);
    fact.kind = FACT_STALE_SINCE;
    fact.value = job->stale_since;
    if (job->is_stale)
        tell_fact(t, fact);
    fact.kind = FACT_PROGRESS;
    fact.value = remaining(t, job);
    if (job->has_progress)
        tell_fact(t, fact);
}

static void tell_node(struct telling *t, const struct state_item *node)
{
    if (node->state != POLICY_NODE_UP)
        tell_fact(t, (struct fact){
                         .kind = FACT_NODE_STATE, .node = {node->number}, .state = node->state});
    for (uint64_t rest = node->unusable; rest != 0; rest &= rest - 1)
        tell_fact(t, (struct fact){.kind = FACT_DEVICE_HEALTH,
                                   .node = {node->number},
                                   .number = (uint32_t)__builtin_ctzll(rest)});
}

static void tell_usage(struct telling *t, const struct policy *policy, policy_queue ours,
                       uint32_t theirs)
{
    struct policy_queue_info info = {.size = sizeof info};
    if (policy_queue_info(policy, ours, &info) != POLICY_OK)
        return;
    if (info.usage_ppm.gpu != 0 || info.usage_ppm.cpu != 0 || info.usage_ppm.mem != 0)
        tell_fact(t, (struct fact){.kind = FACT_USAGE, .queue = {theirs}, .spec = &info.usage_ppm});
}

/* What the policy remembers, in the service's ids. */
static void tell_history(struct telling *t, const struct policy *policy, const struct fact_map *map)
{
    struct policy_history h = {.size = sizeof h};
    for (uint64_t next = 0; policy_history(policy, &next, &h);) {
        fact_map_history(map, &h);
        tell_fact(t, (struct fact){.kind = FACT_HISTORY, .spec = &h});
    }
}

uint64_t service_state_tell(const struct service_state *l, const struct policy *policy,
                            const struct fact_map *map, policy_time now, struct state_sink sink)
{
    struct telling t = {.sink = sink, .now = now};
    const struct state_item *item;
    for (item = l->world; item != NULL; item = item->hh.next)
        tell_added(&t, item);
    for (item = l->nodes; item != NULL; item = item->hh.next)
        tell_added(&t, item);
    for (item = l->queues; item != NULL; item = item->hh.next)
        tell_added(&t, item);
    for (item = l->jobs; item != NULL; item = item->hh.next)
        tell_job(&t, item);
    for (item = l->queues; item != NULL; item = item->hh.next)
        tell_usage(&t, policy, fact_map_queue(map, (policy_queue){item->number}), item->number);
    for (item = l->nodes; item != NULL; item = item->hh.next)
        tell_node(&t, item);
    tell_history(&t, policy, map);
    text_fini(&t.line);
    return t.count;
}
