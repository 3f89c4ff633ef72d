/* SPDX-License-Identifier: MIT */
/*
 * Placing tasks of one job; see attempt.h. Groups are placed before the pod sets beside them, each inside the area of
 * its parent; when an area fails its placements are rolled back and the next one is tried.
 */
#include "act/attempt.h"

#include "act/reserve.h"
#include "cluster/chunk.h"
#include "cluster/nodes.h"
#include "cluster/tasks.h"
#include "order/line.h"
#include "place/choose.h"

struct attempt {
    struct policy *p;
    struct cluster *c;
    const struct pq_shape *shape;
    const struct pq_tasks *tasks;
    uint32_t job;
    bool promise_only;
};

/* ---- bounds of queues ---- */

struct pq_gate pq_check_gate(const struct policy *p, uint32_t job, const struct pq_amounts *more)
{
    const struct cluster *c = p->cluster;
    const struct pq_job *j = &c->jobs[job];
    bool free_of_quotas = !pq_is_bound_by_quota(p, j);
    for (uint32_t q = j->queue; q != POLICY_NO_ID; q = pq_above(c, q)) {
        const struct pq_queue *queue = &c->queues[q];
        int r = pq_exceeds(&queue->allocated, more, &queue->limit);
        if (r < PQ_RESOURCES)
            return (struct pq_gate){POLICY_REASON_OVER_LIMIT, q, r};
        r = free_of_quotas ? PQ_RESOURCES : pq_exceeds(&queue->fixed, more, &queue->quota);
        if (r < PQ_RESOURCES)
            return (struct pq_gate){POLICY_REASON_OVER_QUOTA, q, r};
    }
    return (struct pq_gate){0, POLICY_NO_ID, PQ_RESOURCES};
}

/* ---- tasks on an area ---- */

static bool place_tasks(struct attempt *a, const struct pq_tasks *tasks, const struct pq_area *area)
{
    for (uint32_t i = 0; i < tasks->count; i++) {
        struct pq_place place = a->c->jobs[a->job].tasks[tasks->ids[i]].place;
        if (!pq_choose(a->p, a->job, tasks->ids[i], area, a->promise_only, &place) ||
            !pq_txn_move(a->p, a->job, tasks->ids[i], &place))
            return false;
    }
    return true;
}

static uint32_t set_of(const struct attempt *a, uint32_t task)
{
    return pq_role_of(a->shape, task)->set;
}

/* Whether the pod set stands in the group, directly or below it. Group 0 is the job. */
static bool is_inside(const struct attempt *a, uint32_t set, int32_t group)
{
    int32_t g = a->shape->sets[set].group;
    while (g != group && g != 0)
        g = a->shape->groups[g - 1].parent;
    return g == group;
}

/* The attempt's tasks that belong to a group (set PC_NONE) or to one pod set, in the scratch of the depth. */
static const struct pq_tasks *tasks_of(struct attempt *a, uint32_t depth, int32_t group, uint32_t set)
{
    struct pq_tasks *list = &a->c->nested[depth];
    list->count = 0;
    if (!PC_GROW(&a->p->memory, list->ids, list->capacity, a->tasks->count)) {
        a->c->out_of_memory = true;
        return list;
    }
    for (uint32_t i = 0; i < a->tasks->count; i++) {
        uint32_t its = set_of(a, a->tasks->ids[i]);
        if (set == PC_NONE ? is_inside(a, its, group) : its == set)
            list->ids[list->count++] = a->tasks->ids[i];
    }
    return list;
}

static bool place_set(struct attempt *a, uint32_t set, uint32_t depth, const struct pq_area *offered)
{
    const struct pq_tasks *tasks = tasks_of(a, depth, 0, set);
    struct pq_areas areas;
    pq_areas_begin(a->p, &areas, depth, a->job, &a->shape->sets[set].topology, tasks->ids, tasks->count,
                   offered);
    uint32_t mark = pq_txn_mark(a->c);
    for (const struct pq_area *area; (area = pq_areas_next(a->p, &areas)) != NULL;
         pq_txn_rollback(a->c, mark))
        if (place_tasks(a, tasks, area))
            return true;
    return false;
}

/* ---- groups inside each other ---- */

static bool place_group(struct attempt *a, int32_t group, uint32_t depth, const struct pq_area *offered);

static bool place_inside(struct attempt *a, int32_t group, uint32_t depth, const struct pq_area *area)
{
    for (uint32_t g = 0; g < a->shape->group_count; g++)
        if (a->shape->groups[g].parent == group && !place_group(a, (int32_t)g + 1, depth + 1, area))
            return false;
    uint32_t done = PC_NONE;
    for (uint32_t i = 0; i < a->tasks->count; i++) {
        uint32_t set = set_of(a, a->tasks->ids[i]);
        if (set == done || a->shape->sets[set].group != group)
            continue;
        done = set;
        if (!place_set(a, set, depth + 1, area))
            return false;
    }
    return true;
}

/* Groups are at most PQ_MAX_DEPTH - 2 deep, which is checked when a job is submitted. */
static bool place_group(struct attempt *a, int32_t group, uint32_t depth, const struct pq_area *offered)
{
    const struct pq_tasks *tasks = tasks_of(a, depth, group, PC_NONE);
    if (tasks->count == 0)
        return !a->c->out_of_memory;
    struct pq_areas areas;
    const struct policy_constraint *constraint =
        group == 0 ? &a->shape->topology : &a->shape->groups[group - 1].topology;
    pq_areas_begin(a->p, &areas, depth, a->job, constraint, tasks->ids, tasks->count, offered);
    uint32_t mark = pq_txn_mark(a->c);
    for (const struct pq_area *area; (area = pq_areas_next(a->p, &areas)) != NULL;
         pq_txn_rollback(a->c, mark))
        if (place_inside(a, group, depth, area))
            return true;
    return false;
}

/* ---- all or nothing ---- */

bool pq_is_whole(const struct cluster *c, uint32_t job)
{
    const struct pq_job *j = &c->jobs[job];
    const struct pq_shape *s = &c->shapes[j->shape];
    for (uint32_t i = 0; i < s->set_count; i++)
        if (j->counts[i].active + j->counts[i].releasing < s->sets[i].min_tasks)
            return false;
    return true;
}

bool pq_is_below_minimum(const struct cluster *c, uint32_t job)
{
    const struct pq_job *j = &c->jobs[job];
    const struct pq_shape *s = &c->shapes[j->shape];
    for (uint32_t i = 0; i < s->set_count; i++)
        if (j->counts[i].active < s->sets[i].min_tasks)
            return true;
    return false;
}

bool pq_has_to_wait(const struct cluster *c, uint32_t job)
{
    const struct pq_job *j = &c->jobs[job];
    const struct pq_shape *s = &c->shapes[j->shape];
    for (uint32_t i = 0; i < s->set_count; i++) {
        bool waits = j->counts[i].active > j->counts[i].running;
        if (waits && j->counts[i].running < s->sets[i].min_tasks)
            return true;
    }
    return false;
}

struct pq_place pq_only_promised(const struct cluster *c, uint32_t job, uint32_t task)
{
    const struct pq_place *place = &c->jobs[job].tasks[task].place;
    bool shares = pq_shares_devices(pq_request_of(c, job, task));
    struct pq_place promise = pq_nowhere();
    promise.promised = place->node;
    promise.promised_devices = shares ? place->devices : 0;
    promise.promised_slice = place->slice;
    return promise;
}

bool pq_wait_for_rest(struct policy *p, uint32_t job, uint32_t mark)
{
    struct cluster *c = p->cluster;
    uint32_t placed = pq_has_to_wait(c, job) ? c->undo_count : mark;
    for (uint32_t i = mark; i < placed; i++) {
        uint32_t task = c->undo[i].task;
        if (c->jobs[job].tasks[task].place.holding != PQ_RUNS)
            continue;
        struct pq_place promise = pq_only_promised(c, job, task);
        if (!pq_txn_move(p, job, task, &promise))
            return false;
    }
    return true;
}

bool pq_attempt(struct policy *p, uint32_t job, const struct pq_tasks *tasks, bool promise_only)
{
    struct cluster *c = p->cluster;
    struct attempt a = {
        .p = p,
        .c = c,
        .shape = &c->shapes[c->jobs[job].shape],
        .tasks = tasks,
        .job = job,
        .promise_only = promise_only,
    };
    struct pq_amounts more = pq_amounts_of(c, job, tasks, true);
    if (tasks->count == 0 || pq_check_gate(p, job, &more).reason != 0 ||
        !pq_heed_reservation(p, job, tasks, &more))
        return false;
    const struct pq_area everywhere = {0};
    uint32_t mark = pq_txn_mark(c);
    bool placed;
    if (!a.shape->constrained)
        placed = place_tasks(&a, tasks, &everywhere);
    else
        placed = place_group(&a, 0, 0, &everywhere);
    if (placed && !promise_only)
        placed = pq_wait_for_rest(p, job, mark);
    if (!placed || c->out_of_memory)
        pq_txn_rollback(c, mark);
    return placed && !c->out_of_memory;
}
