/* SPDX-License-Identifier: MIT */
/* Queue bounds, and one attempt within them; see attempt.h. */
#include "act/attempt.h"

#include "act/spare_reservation.h"
#include "order/queue_walk.h"
#include "place/gang.h"
#include "state/gangs.h"
#include "state/nodes.h"
#include "state/pool_quotas.h"
#include "state/tasks.h"

/* ---- all or nothing ---- */

bool pc_has_to_wait(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    for (uint32_t i = 0; i < s->set_count; i++) {
        bool waits = pc_counts_of(c, j, i).active > pc_counts_of(c, j, i).running;
        if (waits && pc_counts_of(c, j, i).running < s->sets[i].min_tasks)
            return true;
    }
    return false;
}

struct pc_place pc_only_nominated(const struct pc_cluster *c, uint32_t job, uint32_t task)
{
    const struct pc_place *place = &pc_task(c, job, task)->place;
    bool shares = pc_shares_devices(pc_request_of(c, job, task));
    struct pc_place nomination = pc_nowhere();
    nomination.nominated = place->node;
    nomination.nominated_devices = shares ? place->devices : 0;
    nomination.nominated_slice = place->slice;
    return nomination;
}

bool pc_wait_for_rest(struct policy *p, uint32_t job, uint32_t mark)
{
    struct pc_cluster *c = p->cluster;
    uint32_t placed = pc_has_to_wait(c, job) ? c->undo_count : mark;
    for (uint32_t i = mark; i < placed; i++) {
        uint32_t task = c->undo[i].task;
        if (pc_task(c, job, task)->place.holding != PC_RUNS)
            continue;
        struct pc_place nomination = pc_only_nominated(c, job, task);
        if (!pc_txn_move(p, job, task, &nomination))
            return false;
    }
    return true;
}

static bool place(struct policy *p, uint32_t job, const struct pc_tasks *tasks, enum pc_when when)
{
    struct pc_cluster *c = p->cluster;
    uint32_t mark = pc_txn_mark(c);
    uint32_t placed;
    bool done = pc_place_gang(p, job, tasks, when, &placed);
    if (done && when == PC_SOONEST)
        done = pc_wait_for_rest(p, job, mark);
    if (!done)
        pc_txn_rollback(c, mark);
    return done;
}

/* ---- one group of pools after the other, where quotas are by pool ---- */

/* The k-th group to try: in the queue's order of pools, if it has one; PC_NONE: one tried before.
 */
static uint32_t group_in_turn(const struct pc_cluster *c, uint32_t job, uint32_t k)
{
    const struct pc_pool_set *s = &c->pool_sets[c->queues[c->jobs[job].queue].pool_set];
    if (s->preferred == NULL)
        return c->groups[k].turn;
    uint32_t group = c->pools[s->preferred[k]].group;
    for (uint32_t i = 0; i < k; i++)
        if (c->pools[s->preferred[i]].group == group)
            return PC_NONE;
    return group;
}

static uint32_t turns_of(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_pool_set *s = &c->pool_sets[c->queues[c->jobs[job].queue].pool_set];
    return s->preferred != NULL ? s->pool_count : c->group_count;
}

/* Places all tasks in one group, either one where that much more is guaranteed to the queue, or one
 * of the others. */
static bool place_in_groups(struct policy *p, uint32_t job, const struct pc_tasks *tasks,
                            int64_t milli, enum pc_when when, bool guaranteed)
{
    struct pc_cluster *c = p->cluster;
    uint32_t only = pc_group_of_job(c, job);
    bool done = false;
    for (uint32_t k = 0; k < turns_of(c, job) && !done && !c->out_of_memory; k++) {
        uint32_t g = group_in_turn(c, job, k);
        if (g == PC_NONE ||
            pc_group_guarantees(&c->queues[c->jobs[job].queue], g, milli) != guaranteed ||
            (only != PC_NONE && only != g) || !pc_group_suits(c, job, g) ||
            !pc_group_allows(p, job, g, milli))
            continue;
        c->confined_to = pc_group_set(c, c->jobs[job].queue, g) + 1;
        done = place(p, job, tasks, when);
        c->confined_to = 0;
    }
    return done;
}

/* Returns true if no group exceeds its bounds after tasks were spread over several. */
static bool groups_allow(const struct policy *p, uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    for (uint32_t g = 0; g < c->group_count; g++)
        if (!pc_group_allows(p, job, g, 0))
            return false;
    return true;
}

static bool spread_over_groups(struct policy *p, uint32_t job, const struct pc_tasks *tasks,
                               enum pc_when when)
{
    struct pc_cluster *c = p->cluster;
    uint32_t mark = pc_txn_mark(c);
    if (!place(p, job, tasks, when))
        return false;
    if (groups_allow(p, job))
        return true;
    pc_txn_rollback(c, mark);
    return false;
}

/* At once before after release, and guaranteed places before others. */
static bool place_by_group(struct policy *p, uint32_t job, const struct pc_tasks *tasks,
                           int64_t milli, bool promise_only)
{
    const struct pc_cluster *c = p->cluster;
    const enum pc_when when[] = {PC_AT_ONCE, promise_only ? PC_NOMINATED : PC_SOONEST};
    for (int i = promise_only ? 1 : 0; i < 2; i++)
        if (place_in_groups(p, job, tasks, milli, when[i], true) ||
            (!c->guaranteed_only && place_in_groups(p, job, tasks, milli, when[i], false)))
            return true;
    return c->queues[c->jobs[job].queue].spans_pools && !c->guaranteed_only &&
           spread_over_groups(p, job, tasks, when[1]);
}

bool pc_attempt(struct policy *p, uint32_t job, const struct pc_tasks *tasks, bool promise_only)
{
    struct pc_cluster *c = p->cluster;
    struct pc_amounts more = pc_amounts_of(c, job, tasks, true);
    if (tasks->count == 0 || pc_check_limits(p, job, &more).reason != 0 ||
        !pc_heed_reservation(p, job, tasks, &more))
        return false;
    if (c->group_count == 0 || more.of[PC_GPU] == 0)
        return place(p, job, tasks, promise_only ? PC_NOMINATED : PC_SOONEST);
    return place_by_group(p, job, tasks, more.of[PC_GPU], promise_only);
}
