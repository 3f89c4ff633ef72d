/* SPDX-License-Identifier: MIT */
/* Classes of equivalent pending jobs; see queue_classes.h. */
#include "pending/queue_classes.h"

#include "pending/pending.h"
#include "state/compare.h"
#include "state/evictable.h"
#include "state/gangs.h"
#include "state/job_life.h"
#include "state/scarcity.h"
#include "state/shapes.h"
#include "state/tasks.h"

#include <string.h>

/* ---- the heap of a shared class, by job order: its jobs lack the same tasks ---- */

static bool comes_first(const struct policy *p, uint32_t a, uint32_t b)
{
    return pc_compare_jobs_as(p, a, 0, b, 0) < 0;
}

static void moved(struct policy *p, uint32_t job, uint32_t position)
{
    p->cluster->jobs[job].place_in_class = position;
}

static const struct pc_idheap_type in_order = {comes_first, moved};

/* ---- queries ---- */

bool pc_is_ready(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    for (uint32_t i = 0; i < s->set_count; i++)
        if (pc_counts_of(c, j, i).active + pc_counts_of(c, j, i).pending < s->sets[i].min_tasks)
            return false;
    return true;
}

bool pc_is_stale(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    bool below = false;
    if (j->active + j->releasing == 0)
        return false;
    for (uint32_t i = 0; i < s->set_count; i++) {
        const struct pc_counts n = pc_counts_of(c, j, i);
        if (n.succeeded > 0)
            return false;
        below = below || n.active + n.releasing < s->sets[i].min_tasks;
    }
    return below;
}

/* ---- the table of classes ---- */

/* An entirely pending job has a class; one with details, or not yet eligible, may need another. */
bool pc_classes_reserve_own(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    return PC_GROW(&p->memory, c->classes, c->class_capacity,
                   c->class_live + c->detail_count + c->held.count + c->shut_count + 1);
}

bool pc_classes_reserve(struct policy *p, uint32_t queue)
{
    struct pc_cluster *c = p->cluster;
    struct pc_queue *q = &c->queues[queue];
    uint32_t jobs = (uint32_t)q->jobs + 1;
    if (c->pending != NULL)
        return PC_GROW(&p->memory, c->held.ids, c->held.capacity, c->held.count + 1);
    return pc_classes_reserve_own(p) &&
           PC_GROW(&p->memory, c->stale, c->stale_capacity, c->job_count + 1) &&
           PC_GROW(&p->memory, c->held.ids, c->held.capacity, c->job_count + 1) &&
           PC_GROW(&p->memory, q->classes, q->class_capacity, jobs) &&
           pc_evictable_reserve(p, &q->active, jobs);
}

/* With backfill, jobs that end in time may start where others would delay the reservation: jobs
 * with different limits are not equivalent. */
static int64_t limit_of(const struct policy *p, const struct pc_job *j)
{
    return p->config.backfill != POLICY_NO_BACKFILL ? j->limit_ms : -1;
}

/* The memory is reserved: every class has at least one job. */
static uint32_t new_class(struct policy *p, const struct pc_job *j)
{
    struct pc_cluster *c = p->cluster;
    uint32_t id = c->class_free;
    struct pc_idheap kept = {0};
    if (id != PC_NONE) {
        c->class_free = c->classes[id].next_free;
        kept = c->classes[id].jobs;
    } else {
        id = c->class_count++;
    }
    struct pc_queue *q = &c->queues[j->queue];
    c->classes[id] = (struct pc_class){
        .queue = j->queue,
        .shape = j->shape,
        .priority = j->priority,
        .preemptible = j->preemptible,
        .workload = j->workload,
        .exists = true,
        .single = PC_NONE,
        .limit_ms = limit_of(p, j),
        .jobs = kept,
        .place_in_queue = q->class_count,
    };
    q->classes[q->class_count++] = id;
    c->class_live++;
    q->bare_classes += c->shapes[j->shape].bare;
    return id;
}

static void drop_class(struct pc_cluster *c, uint32_t id)
{
    struct pc_class *k = &c->classes[id];
    struct pc_queue *q = &c->queues[k->queue];
    uint32_t last = q->classes[--q->class_count];
    c->class_live--;
    q->bare_classes -= c->shapes[k->shape].bare;
    q->classes[k->place_in_queue] = last;
    c->classes[last].place_in_queue = k->place_in_queue;
    k->exists = false;
    k->next_free = c->class_free;
    c->class_free = id;
}

void pc_class_free(struct policy *p, struct pc_class *k)
{
    pc_release(&p->memory, k->jobs.ids, k->jobs.capacity, sizeof(uint32_t));
}

static uint32_t find_shared(const struct policy *p, const struct pc_job *j)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_queue *q = &c->queues[j->queue];
    for (uint32_t i = 0; i < q->class_count; i++) {
        const struct pc_class *k = &c->classes[q->classes[i]];
        if (k->single == PC_NONE && k->shape == j->shape && k->priority == j->priority &&
            k->preemptible == j->preemptible && k->workload == j->workload &&
            k->limit_ms == limit_of(p, j))
            return q->classes[i];
    }
    return PC_NONE;
}

/* ---- joining and leaving ---- */

static void join(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    struct pc_job *j = &c->jobs[job];
    bool pristine = (uint32_t)j->pending == c->shapes[j->shape].tasks;
    uint32_t id = pristine ? find_shared(p, j) : PC_NONE;
    if (id == PC_NONE)
        id = new_class(p, j);
    struct pc_class *k = &c->classes[id];
    j->class = id;
    if (pristine && PC_GROW(&p->memory, k->jobs.ids, k->jobs.capacity, k->jobs.count + 1)) {
        pc_idheap_add(p, &k->jobs, &in_order, job);
        return;
    }
    if (k->jobs.count > 0) { /* no room in the shared one */
        id = new_class(p, j);
        j->class = id;
        k = &c->classes[id];
    }
    k->single = job;
}

static void leave(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    struct pc_job *j = &c->jobs[job];
    struct pc_class *k = &c->classes[j->class];
    if (k->single == PC_NONE)
        pc_idheap_remove(p, &k->jobs, &in_order, j->place_in_class);
    if (k->jobs.count == 0)
        drop_class(c, j->class);
    j->class = PC_NONE;
}

static void unlist_stale(struct pc_cluster *c, uint32_t job)
{
    uint32_t at = 0;
    while (c->stale[at] != job)
        at++;
    c->stale[at] = c->stale[--c->stale_count];
    c->jobs[job].stale = false;
}

/* Returns true if every pod set has its minimum without nominations. */
static bool runs_whole(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    for (uint32_t i = 0; i < s->set_count; i++)
        if (pc_counts_of(c, j, i).running + pc_counts_of(c, j, i).releasing < s->sets[i].min_tasks)
            return false;
    return true;
}

/* The start of staleness outlasts nominations, which may be broken, and nothing else. */
static void settle_stale(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    struct pc_job *j = &c->jobs[job];
    bool stale = pc_is_stale(c, job);
    if (stale && !j->stale) {
        j->stale = true;
        j->detail->stale_since =
            j->detail->stale_reported != POLICY_NEVER ? j->detail->stale_reported : p->now;
        c->stale[c->stale_count++] = job;
    } else if (!stale && j->stale) {
        unlist_stale(c, job);
        j->detail->stale_reported = j->active > j->running ? j->detail->stale_since : POLICY_NEVER;
    }
    if (j->detail != NULL && runs_whole(c, job))
        j->detail->stale_reported = POLICY_NEVER;
}

/* ---- evictable jobs ---- */

static void count_giver(struct pc_cluster *c, const struct pc_job *j, uint64_t by)
{
    for (uint32_t q = j->queue; q != POLICY_NO_ID; q = c->queues[q].parent) {
        c->queues[q].givers += by;
        c->queues[q].part_givers += c->shapes[j->shape].shares ? by : 0;
    }
}

/* The list of active jobs of the same size class. */
static uint32_t *list_of_size(struct pc_cluster *c, const struct pc_job *j)
{
    return &c->queues[j->queue].of_size[pc_size_of(&c->shapes[j->shape])];
}

static void enlist_by_size(struct pc_cluster *c, uint32_t job)
{
    struct pc_job *j = &c->jobs[job];
    uint32_t *first = list_of_size(c, j);
    j->detail->last_of_size = PC_NONE;
    j->detail->next_of_size = *first;
    if (*first != PC_NONE)
        c->jobs[*first].detail->last_of_size = job;
    *first = job;
}

static void unlist_by_size(struct pc_cluster *c, const struct pc_job *j)
{
    *(j->detail->last_of_size != PC_NONE ? &c->jobs[j->detail->last_of_size].detail->next_of_size
                                         : list_of_size(c, j)) = j->detail->next_of_size;
    if (j->detail->next_of_size != PC_NONE)
        c->jobs[j->detail->next_of_size].detail->last_of_size = j->detail->last_of_size;
}

static void unlist_active(struct policy *p, uint32_t job)
{
    struct pc_job *j = &p->cluster->jobs[job];
    unlist_by_size(p->cluster, j);
    pc_evictable_remove(p, &p->cluster->queues[j->queue].active, job);
    count_giver(p->cluster, j, UINT64_MAX);
    j->gives = false;
}

/* The node of a job's only task, if it gives that at once; else PC_NONE. */
static uint32_t active_on(const struct pc_cluster *c, const struct pc_job *j, int8_t gives_as)
{
    bool single = c->shapes[j->shape].tasks == 1 && gives_as == 0;
    return single ? pc_stands_on(&pc_task_of(j, 0)->place) : PC_NONE;
}

static void settle_active(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    struct pc_job *j = &c->jobs[job];
    bool active = pc_may_give(p, j) && j->active > 0;
    int8_t gives_as = (int8_t)pc_elastic_state(c, job, true);
    struct pc_amounts amounts = {{0, 0, 0}};
    uint32_t node = PC_NONE;
    if (active) {
        amounts = pc_active_amounts(c, job);
        node = active_on(c, j, gives_as);
    }
    if (j->gives && (!active || gives_as != j->detail->gives_as ||
                     !pc_equal_amounts(&amounts, &j->detail->active_amounts)))
        unlist_active(p, job);
    else if (j->gives && node != j->detail->active_on)
        pc_evictable_move(p, &c->queues[j->queue].active, job, node);
    if (j->detail != NULL)
        j->detail->gives_as = gives_as;
    if (!active || j->gives)
        return;
    j->detail->active_amounts = amounts;
    j->detail->active_on = node;
    pc_evictable_add(p, &c->queues[j->queue].active, job);
    pc_scarcity_note(c, job);
    enlist_by_size(c, job);
    count_giver(c, j, 1);
    j->gives = true;
}

void pc_settle_absent(struct pc_cluster *c, uint32_t job, bool absent)
{
    struct pc_job *j = &c->jobs[job];
    struct pc_waiting *sums = c->queues[j->queue].absent;
    const int64_t milli = c->shapes[j->shape].first.of[PC_GPU];
    if (!absent && j->absent == PC_PRESENT)
        return; /* the usual case */
    sums[j->absent].jobs--;
    sums[j->absent].gpu_milli -= milli;
    j->absent = !absent ? PC_PRESENT : j->shut ? PC_SHUT : PC_UNREADY;
    sums[j->absent].jobs++;
    sums[j->absent].gpu_milli += milli;
    sums[PC_PRESENT] = (struct pc_waiting){0, 0}; /* these are not used */
}

/* ---- changing keys ---- */

/* A running job keeps the key that it started with, unless some of its tasks are pending. */
static void rekey(struct policy *p, uint32_t job)
{
    struct pc_job *j = &p->cluster->jobs[job];
    if (j->state != PC_LIVE || (j->running + j->releasing > 0 && j->class == PC_NONE))
        return;
    struct pc_evictable *active = &p->cluster->queues[j->queue].active;
    if (j->gives)
        pc_evictable_remove(p, active, job);
    j->key = p->order->rekey(p, job);
    if (j->gives) {
        pc_evictable_add(p, active, job);
        pc_scarcity_note(p->cluster, job);
    }
}

void pc_rekey_pending(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    if (c->pending != NULL) {
        for (uint32_t job = 0; job < c->job_count;
             job++) /* those in no class because too few tasks may start */
            if (c->jobs[job].state == PC_LIVE && c->jobs[job].running + c->jobs[job].releasing == 0)
                c->jobs[job].key = p->order->rekey(p, job);
        pc_pending_rekey(p);
        return;
    }
    for (uint32_t job = 0; job < c->job_count; job++)
        rekey(p, job);
    for (uint32_t i = 0; i < c->class_count; i++)
        if (c->classes[i].exists && c->classes[i].jobs.count > 0)
            pc_idheap_rebuild(p, &c->classes[i].jobs, &in_order);
}

/* ---- interface ---- */

void pc_job_settle(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    struct pc_job *j = &c->jobs[job];
    if (c->pending != NULL) {
        pc_job_tell(p, job);
        pc_pending_settle(p, job);
        if (j->detail != NULL)
            pc_detail_drop(c, job);
        return;
    }
    if (j->class != PC_NONE)
        leave(p, job);
    if (j->gives && p->order->rekey != NULL) /* a job that becomes pending gets another key */
        unlist_active(p, job);
    pc_job_tell(p, job);
    bool waits = j->state == PC_LIVE && j->pending > 0;
    bool ready = waits && !j->shut && pc_is_ready(c, job);
    if (ready)
        join(p, job);
    pc_settle_absent(c, job, waits && !ready);
    settle_active(p, job);
    settle_stale(p, job);
    pc_detail_drop(c, job);
}

void pc_job_reprioritize(struct policy *p, uint32_t job, int32_t priority)
{
    struct pc_cluster *c = p->cluster;
    struct pc_job *j = &c->jobs[job];
    if (c->pending == NULL && j->class != PC_NONE)
        leave(p, job);
    if (j->gives)
        unlist_active(p, job);
    j->priority = priority;
    pc_modules_job_reprioritized(p, job);
    bool rekeyed = p->order->rekey != NULL && j->state == PC_LIVE && j->life == PC_WAITS;
    struct pc_key key = rekeyed                         ? p->order->rekey(p, job)
                        : p->order->by_priority != NULL ? p->order->by_priority(p, job)
                                                        : j->key;
    if (c->pending != NULL) {
        pc_pending_rekey_job(p, job, key);
        return;
    }
    j->key = key;
    pc_job_settle(p, job);
}

void pc_job_unlist(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    if (c->pending != NULL) {
        pc_pending_forget(p, job);
        return;
    }
    if (c->jobs[job].class != PC_NONE)
        leave(p, job);
    if (c->jobs[job].gives)
        unlist_active(p, job);
    if (c->jobs[job].stale)
        unlist_stale(c, job);
    pc_settle_absent(c, job, false);
}
