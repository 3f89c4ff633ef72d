/* SPDX-License-Identifier: MIT */
/* Facts about jobs; see jobs.h. */
#include "state/jobs.h"

#include "pending/ahead.h"
#include "pending/queue_classes.h"
#include "state/job_life.h"
#include "state/queues.h"
#include "state/shapes.h"
#include "state/sized.h"
#include "state/specs.h"
#include "state/tasks.h"

#include <string.h>

static const policy_job no_job = {POLICY_NO_ID, 0};

/* ---- held jobs ---- */

static bool sooner(const struct policy *p, uint32_t a, uint32_t b)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job_times *x = &c->times[a];
    const struct pc_job_times *y = &c->times[b];
    return x->eligible != y->eligible ? x->eligible < y->eligible
                                      : c->jobs[a].rank < c->jobs[b].rank;
}

static void moved(struct policy *p, uint32_t job, uint32_t position)
{
    p->cluster->jobs[job].place_in_class = position;
}

static const struct pc_idheap_type by_time = {sooner, moved};

static void count_early(struct policy *p, uint32_t job, int sign)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    struct pc_waiting *early = &c->queues[j->queue].early;
    early->jobs += sign > 0 ? 1 : UINT64_MAX;
    early->gpu_milli += sign * c->shapes[j->shape].first.of[PC_GPU];
    pc_pending_count_held(p, job, sign);
}

/* Makes the job live: it now requests resources. */
static void go_live(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    struct pc_job *j = &c->jobs[job];
    j->state = PC_LIVE;
    pc_contribute_pending(c, job, 1);
    pc_job_settle(p, job);
}

void pc_job_go_live(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    pc_idheap_remove(p, &c->held, &by_time, c->jobs[job].place_in_class);
    count_early(p, job, -1);
    go_live(p, job);
    c->displaced.happened = true;
    c->version++;
}

void pc_release_held(struct policy *p, policy_time now)
{
    const struct pc_cluster *c = p->cluster;
    while (c->held.count > 0 && c->times[c->held.ids[0]].eligible <= now)
        pc_job_go_live(p, c->held.ids[0]);
}

/* ---- submitting ---- */

/*
 * If devices are only counted, a job is a number of devices. What cannot be counted is refused,
 * never ignored; preferred topology levels have no effect.
 */
static int check_countable(struct policy *p, const struct policy_job_spec *spec)
{
    int32_t level = spec->topology.required;
    for (uint32_t i = 0; i < spec->group_count; i++)
        level = level != 0 ? level : spec->groups[i].topology.required;
    for (uint32_t i = 0; i < spec->role_count; i++) {
        struct policy_role room;
        const struct policy_role *role = pc_check_role_of_spec(p, spec, i, &room);
        if (role == NULL)
            return POLICY_INVALID;
        const struct policy_request *r = &role->request;
        level = level != 0 ? level : role->topology.required;
        if (role->min_tasks != role->tasks || role->joined)
            return pc_refuse(p, POLICY_UNSUPPORTED, "minimum of a role", role->min_tasks,
                             "all of its tasks: devices are only counted, and no job is elastic");
        if (r->device_mem_mib > 0 || r->mig != NULL || r->term_count > 0)
            return pc_refuse(
                p, POLICY_UNSUPPORTED, "device memory, MIG instances or node labels of a task",
                r->device_mem_mib, "devices and shares of them, which alone are counted");
    }
    return level == 0 ? POLICY_OK
                      : pc_refuse(p, POLICY_UNSUPPORTED, "topology: required level", level,
                                  "none: devices are only counted, on no node");
}

static int check(struct policy *p, const struct policy_job_spec *spec)
{
    const struct pc_cluster *c = p->cluster;
    int status = pc_check_job_spec(p, spec);
    if (status != POLICY_OK)
        return status;
    if (spec->queue.i >= c->queue_count || !c->queues[spec->queue.i].exists)
        return pc_refuse(p, POLICY_UNKNOWN, "queue", spec->queue.i, "not known");
    if (!c->queues[spec->queue.i].leaf)
        return pc_refuse(p, POLICY_CONFLICT, "queue", spec->queue.i,
                         "has queues below it; only leaves hold jobs");
    if (spec->workload < POLICY_TRAIN || spec->workload > POLICY_INFERENCE)
        return pc_refuse(p, POLICY_INVALID, "workload of a job", spec->workload, "0 to 2");
    return c->traits.counts_only ? check_countable(p, spec) : POLICY_OK;
}

static uint32_t new_id(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    if (c->job_free != PC_NONE) {
        uint32_t id = c->job_free;
        c->job_free = c->jobs[id].shape;
        return id;
    }
    if (!PC_GROW(&p->memory, c->jobs, c->job_capacity, c->job_count + 1) ||
        (c->pending == NULL &&
         !(PC_GROW(&p->memory, c->marks, c->mark_capacity, c->job_count + 1) &&
           PC_GROW(&p->memory, c->job_kept_in, c->job_kept_capacity, c->job_count + 1))))
        return PC_NONE;
    memset(&c->jobs[c->job_count], 0, sizeof *c->jobs);
    return c->job_count++;
}

/* Stores the times that few jobs specify. Returns false if out of memory. */
static bool store_times(struct policy *p, uint32_t id, const struct policy_job_spec *spec)
{
    struct pc_cluster *c = p->cluster;
    if (spec->eligible == 0 && spec->interactive_limit_ms == 0)
        return true;
    if (!PC_GROW(&p->memory, c->times, c->time_capacity, id + 1))
        return false;
    c->times[id] = (struct pc_job_times){
        .eligible = spec->eligible == 0 ? INT64_MIN : spec->eligible,
        .interactive_limit_ms = spec->interactive_limit_ms,
    };
    c->jobs[id].timed = true;
    return true;
}

static void give_back_id(struct pc_cluster *c, uint32_t id)
{
    c->jobs[id].state = PC_FREE;
    c->jobs[id].gen++;
    c->jobs[id].shape = c->job_free;
    c->job_free = id;
    __builtin_prefetch(&c->jobs[id].key, 1); /* the next job's, which is compared at once */
}

/* Reserves memory for the job in its class. Returns false if out of memory. */
static bool join_class(struct policy *p, struct pc_job *j, uint32_t id)
{
    if (!pc_classes_reserve(p, j->queue))
        return false;
    if (p->cluster->pending == NULL)
        return true;
    j->home = pc_class_join(p, j->queue, j->shape);
    if (j->home == PC_NONE || p->cluster->pending->ahead == NULL ||
        pc_ahead_reserve(p, id, j->home))
        return j->home != PC_NONE;
    pc_class_leave(p, j->home);
    return false;
}

static bool is_within_all_bounds(struct policy *p, uint32_t shape)
{
    const struct pc_cluster *c = p->cluster;
    for (int r = 0; r < PC_RESOURCES; r++)
        if (c->shapes[shape].total.of[r] > PC_MOST - c->jobs_total.of[r]) {
            pc_refuse(p, POLICY_INVALID, "devices, CPU or memory of a job",
                      c->shapes[shape].total.of[r],
                      "with all other jobs more than 2^51 (thousandths, MiB)");
            return false;
        }
    return true;
}

/* Initializes the entry of a new job. */
static void fill(const struct policy *p, struct pc_job *j, const struct policy_job_spec *spec,
                 uint32_t shape)
{
    const uint32_t gen = j->gen, ticket = j->ticket;
    memset(j, 0, sizeof *j);
    j->gen = gen;
    j->ticket = ticket;
    j->queue = spec->queue.i;
    j->shape = shape;
    j->workload = (uint8_t)spec->workload;
    j->preemptible = spec->preemptible;
    j->priority = spec->priority;
    j->key = p->order->key(p, spec);
    j->rank = spec->rank;
    j->submitted = spec->submitted;
    j->limit_ms = spec->limit_ms >= 0 ? spec->limit_ms : spec->run_ms;
    j->class = PC_NONE;
    j->shut = p->cluster->queues[spec->queue.i].shut;
}

policy_job policy_submit(struct policy *p, policy_time at, const struct policy_job_spec *given)
{
    struct pc_cluster *c = p->cluster;
    struct policy_job_spec room;
    const struct policy_job_spec *spec = pc_sized_fact(p, PC_JOB_SPEC, given, &room);
    policy_time before = p->now;
    if (spec == NULL || check(p, spec) != POLICY_OK || pc_at(p, at) != POLICY_OK)
        return no_job;
    uint32_t shape = pc_shape_find(p, spec);
    if (shape == PC_NONE || !is_within_all_bounds(p, shape)) {
        if (shape != PC_NONE)
            pc_shape_drop(p, shape);
        p->now = before;
        return no_job;
    }
    uint32_t id = new_id(p);
    if (id != PC_NONE)
        fill(p, &c->jobs[id], spec, shape);
    if (id == PC_NONE || !store_times(p, id, spec) ||
        (p->modules.count > 0 && !pc_modules_reserve_job(p, id, spec)) ||
        !join_class(p, &c->jobs[id], id)) {
        if (id != PC_NONE)
            give_back_id(c, id);
        pc_shape_drop(p, shape);
        pc_no_memory(p, before, "job", (int64_t)c->job_count);
        return no_job;
    }
    if (c->pending == NULL) {
        c->marks[id] = (struct pc_job_marks){0};
        c->job_kept_in[id] = 0;
    }
    if (p->modules.count > 0)
        pc_modules_job_added(p, id, spec);
    pc_add(&c->jobs_total, &c->shapes[shape].total, 1);
    c->queues[spec->queue.i].jobs++;
    c->shut_count += c->jobs[id].shut;
    c->limited_jobs = c->limited_jobs || spec->interactive_limit_ms > 0;
    c->displaced.happened = true;
    c->version++;
    if (pc_eligible(c, &c->jobs[id]) > p->now) {
        c->jobs[id].state = PC_HELD;
        pc_idheap_add(p, &c->held, &by_time, id);
        count_early(p, id, 1);
    } else {
        go_live(p, id);
    }
    return pc_job_id(c, id);
}

/* ---- the end ---- */

void pc_job_over(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    struct pc_job *j = &c->jobs[job];
    if (c->has_modules)
        pc_job_tell_over(p, job);
    if (j->state == PC_HELD) {
        pc_idheap_remove(p, &c->held, &by_time, j->place_in_class);
        count_early(p, job, -1);
    }
    pc_job_unlist(p, job);
    if (j->state == PC_LIVE)
        pc_withdraw(c, job);
    pc_detail_free(c, j);
    pc_add(&c->jobs_total, &c->shapes[j->shape].total, -1);
    pc_shape_drop(p, j->shape);
    c->queues[j->queue].jobs--;
    c->shut_count -= j->shut;
    give_back_id(c, job);
    c->displaced.happened = true;
    c->version++;
}

bool pc_job_holds(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_job *j = &c->jobs[job];
    if (j->running > 0)
        return true;
    for (uint32_t task = 0; j->detail != NULL && task < c->shapes[j->shape].tasks; task++)
        if (j->detail->tasks[task].place.holding != PC_NOTHING)
            return true;
    return false;
}

int policy_cancel(struct policy *p, policy_time at, policy_job which)
{
    struct pc_cluster *c = p->cluster;
    uint32_t id = pc_job_find(p, which);
    if (id == PC_NONE)
        return POLICY_UNKNOWN;
    if (pc_job_holds(c, id))
        return pc_refuse(p, POLICY_CONFLICT, "job", id, "it runs; report the end of its tasks");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    pc_job_over(p, id);
    return POLICY_OK;
}

/* ---- other facts ---- */

int pc_at_with_detail(struct policy *p, policy_time at, uint32_t job)
{
    policy_time before = p->now;
    int status = pc_at(p, at);
    bool may_part = p->cluster->shapes[p->cluster->jobs[job].shape].elastic;
    if (status == POLICY_OK &&
        ((may_part && !pc_pending_allow_alone(p, job)) || !pc_detail_make(p, job)))
        status = pc_no_memory(p, before, "job", job);
    return status;
}

int policy_set_stale_since(struct policy *p, policy_time at, policy_job which, policy_time since)
{
    if (p->cluster->pending != NULL)
        return pc_refuse(p, POLICY_UNSUPPORTED, "job", which.i,
                         "only the quota policy knows stale gangs");
    uint32_t id = pc_job_find(p, which);
    if (id == PC_NONE)
        return POLICY_UNKNOWN;
    if (since > at)
        return pc_refuse(p, POLICY_INVALID, "stale since", since, "not after now");
    int status = pc_at_with_detail(p, at, id);
    if (status != POLICY_OK)
        return status;
    struct pc_detail *d = p->cluster->jobs[id].detail;
    d->stale_reported = since;
    if (p->cluster->jobs[id].stale && since != POLICY_NEVER)
        d->stale_since = since;
    p->cluster->version++;
    return POLICY_OK;
}

int policy_report_activity(struct policy *p, policy_time at, policy_job which,
                           int64_t utilization_ppm)
{
    if (p->cluster->pending != NULL)
        return pc_refuse(p, POLICY_UNSUPPORTED, "job", which.i,
                         "only the quota policy detects idle jobs");
    uint32_t id = pc_job_find(p, which);
    if (id == PC_NONE)
        return POLICY_UNKNOWN;
    if (utilization_ppm < 0 || utilization_ppm > 1000000)
        return pc_refuse(p, POLICY_INVALID, "utilization", utilization_ppm, "0 to 1000000");
    int status = pc_at_with_detail(p, at, id);
    if (status != POLICY_OK)
        return status;
    struct pc_detail *d = p->cluster->jobs[id].detail;
    if (utilization_ppm >= p->config.quota.idle_below_ppm)
        d->idle_since = POLICY_NEVER;
    else if (d->idle_since == POLICY_NEVER)
        d->idle_since = d->reported > d->last_start ? d->reported : d->last_start;
    d->reported = at;
    p->cluster->version++;
    return POLICY_OK;
}
