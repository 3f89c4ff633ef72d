/* SPDX-License-Identifier: MIT */
/* Placing the tasks of one job; see gang.h. */
#include "place/gang.h"

#include "place/choose.h"
#include "place/near_areas.h"
#include "state/nodes.h"
#include "state/pool_sets.h"
#include "state/tasks.h"

struct gang {
    struct policy *p;
    struct pc_cluster *c;
    const struct pc_shape *shape;
    const struct pc_tasks *tasks;
    uint32_t job;
    enum pc_when when;
    uint32_t first; /* transaction mark at the start */
};

/* Number of tasks placed; each used a random draw. */
static uint32_t placed_so_far(const struct gang *g)
{
    return g->c->undo_count - g->first;
}

/* ---- tasks in an area ---- */

static bool place_tasks(struct gang *g, const struct pc_tasks *tasks, const struct pc_area *area)
{
    for (uint32_t i = 0; i < tasks->count; i++) {
        struct pc_place place = pc_task(g->c, g->job, tasks->ids[i])->place;
        struct pc_ask ask = pc_ask_for(g->p, g->job, tasks->ids[i], area, g->when);
        ask.draw += placed_so_far(g);
        if (!pc_find_place(&ask, g->when, &place) ||
            !pc_txn_move(g->p, g->job, tasks->ids[i], &place))
            return false;
    }
    return true;
}

static uint32_t set_of(const struct gang *g, uint32_t task)
{
    return pc_role_of(g->shape, task)->set;
}

/* Returns true if the pod set is in the group, directly or below it. Group 0 is the job. */
static bool is_inside(const struct gang *g, uint32_t set, int32_t group)
{
    int32_t of = g->shape->sets[set].group;
    while (of != group && of != 0)
        of = g->shape->groups[of - 1].parent;
    return of == group;
}

/* The gang's tasks in a group (set PC_NONE) or in one pod set, in the scratch memory of the
 * depth. */
static const struct pc_tasks *tasks_of(struct gang *g, uint32_t depth, int32_t group, uint32_t set)
{
    struct pc_tasks *list = &g->c->nested[depth];
    list->count = 0;
    if (!PC_GROW(&g->p->memory, list->ids, list->capacity, g->tasks->count)) {
        g->c->out_of_memory = true;
        return list;
    }
    for (uint32_t i = 0; i < g->tasks->count; i++) {
        uint32_t its = set_of(g, g->tasks->ids[i]);
        if (set == PC_NONE ? is_inside(g, its, group) : its == set)
            list->ids[list->count++] = g->tasks->ids[i];
    }
    return list;
}

static bool place_set(struct gang *g, uint32_t set, uint32_t depth, const struct pc_area *offered)
{
    const struct pc_tasks *tasks = tasks_of(g, depth, 0, set);
    struct pc_areas areas;
    pc_areas_begin(g->p, &areas, depth, g->job, &g->shape->sets[set].topology, tasks->ids,
                   tasks->count, offered);
    uint32_t mark = pc_txn_mark(g->c);
    for (const struct pc_area *area; (area = pc_areas_next(g->p, &areas)) != NULL;
         pc_txn_rollback(g->c, mark))
        if (place_tasks(g, tasks, area))
            return true;
    return false;
}

/* ---- nested groups ---- */

static bool place_group(struct gang *g, int32_t group, uint32_t depth,
                        const struct pc_area *offered);

static bool place_inside(struct gang *g, int32_t group, uint32_t depth, const struct pc_area *area)
{
    for (uint32_t i = 0; i < g->shape->group_count; i++)
        if (g->shape->groups[i].parent == group && !place_group(g, (int32_t)i + 1, depth + 1, area))
            return false;
    uint32_t done = PC_NONE;
    for (uint32_t i = 0; i < g->tasks->count; i++) {
        uint32_t set = set_of(g, g->tasks->ids[i]);
        if (set == done || g->shape->sets[set].group != group)
            continue;
        done = set;
        if (!place_set(g, set, depth + 1, area))
            return false;
    }
    return true;
}

/* Groups are at most PC_MAX_DEPTH - 2 deep, as checked at submission. */
static bool place_group(struct gang *g, int32_t group, uint32_t depth,
                        const struct pc_area *offered)
{
    const struct pc_tasks *tasks = tasks_of(g, depth, group, PC_NONE);
    if (tasks->count == 0)
        return !g->c->out_of_memory;
    struct pc_areas areas;
    const struct policy_constraint *constraint =
        group == 0 ? &g->shape->topology : &g->shape->groups[group - 1].topology;
    pc_areas_begin(g->p, &areas, depth, g->job, constraint, tasks->ids, tasks->count, offered);
    uint32_t mark = pc_txn_mark(g->c);
    for (const struct pc_area *area; (area = pc_areas_next(g->p, &areas)) != NULL;
         pc_txn_rollback(g->c, mark))
        if (place_inside(g, group, depth, area))
            return true;
    return false;
}

/* ---- without constraints ---- */

/* Tries the smallest domain that holds the whole gang, for placements that prefer that. */
static bool place_near(struct gang *g)
{
    if ((g->c->placement->traits & PC_GANGS_NEAR) == 0 || g->tasks->count < 2)
        return false;
    uint32_t mark = pc_txn_mark(g->c);
    struct pc_near near = pc_near_begin(g->p, g->job, g->tasks);
    for (const struct pc_area *area; (area = pc_near_next(g->p, &near)) != NULL;
         pc_txn_rollback(g->c, mark))
        if (place_tasks(g, g->tasks, area)) {
            pc_near_end(g->p, &near);
            return true;
        }
    return false;
}

static bool place_anywhere(struct gang *g)
{
    const struct pc_area everywhere = {0};
    return place_near(g) || (!g->c->out_of_memory && place_tasks(g, g->tasks, &everywhere));
}

/* ---- counted devices ---- */

/* Places all tasks in the first pool with enough devices. */
static bool count_gang(struct gang *g)
{
    uint32_t set = g->c->confined_to > 0 ? g->c->confined_to - 1
                                         : g->c->queues[g->c->jobs[g->job].queue].pool_set;
    const struct pc_pool_set *s = &g->c->pool_sets[set];
    int64_t milli = 0;
    for (uint32_t i = 0; i < g->tasks->count; i++)
        milli += pc_weigh_pending(g->c, pc_request_of(g->c, g->job, g->tasks->ids[i])).of[PC_GPU];
    uint32_t pool = 0;
    while (pool < g->c->pool_count &&
           (g->c->pools[pool].free_milli < milli || !pc_pool_set_has(s, pool)))
        pool++;
    struct pc_place place = pc_nowhere();
    place.holding = PC_RUNS;
    place.started = 1;
    place.counted = pool + 1;
    for (uint32_t i = 0; i < g->tasks->count && pool < g->c->pool_count; i++)
        if (!pc_txn_move(g->p, g->job, g->tasks->ids[i], &place))
            return false;
    return pool < g->c->pool_count;
}

/* ---- all or nothing ---- */

bool pc_place_gang(struct policy *p, uint32_t job, const struct pc_tasks *tasks, enum pc_when when,
                   uint32_t *placed)
{
    struct pc_cluster *c = p->cluster;
    struct gang g = {
        .p = p,
        .c = c,
        .shape = &c->shapes[c->jobs[job].shape],
        .tasks = tasks,
        .job = job,
        .when = when,
        .first = pc_txn_mark(c),
    };
    const struct pc_area everywhere = {0};
    bool done = c->traits.counts_only  ? count_gang(&g)
                : g.shape->constrained ? place_group(&g, 0, 0, &everywhere)
                                       : place_anywhere(&g);
    *placed = placed_so_far(&g);
    return done && !c->out_of_memory;
}

bool pc_place_alike(struct policy *p, uint32_t job, uint32_t *placed)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    const uint32_t tasks = c->shapes[j->shape].tasks;
    const struct pc_area everywhere = {0};
    struct pc_ask ask = pc_ask_for(p, job, 0, &everywhere, PC_AT_ONCE);
    struct pc_place place = pc_nowhere();
    for (*placed = 0; *placed < tasks; ++*placed) {
        ask.task = *placed;
        ask.draw = p->draws + *placed;
        if (!pc_find_place(&ask, PC_AT_ONCE, &place))
            return false;
        if (j->detail == NULL && !pc_detail_make(p, job)) {
            c->out_of_memory = true;
            return false;
        }
        pc_start_at(c, job, *placed, &place);
    }
    return true;
}
