/* SPDX-License-Identifier: MIT */
/* Queue bounds, and one attempt within them; see attempt.h. */
#include "act/attempt.h"

#include "act/spare_reservation.h"
#include "order/queue_walk.h"
#include "place/gang.h"
#include "state/gangs.h"
#include "state/nodes.h"
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

bool pc_attempt(struct policy *p, uint32_t job, const struct pc_tasks *tasks, bool promise_only)
{
    struct pc_cluster *c = p->cluster;
    struct pc_amounts more = pc_amounts_of(c, job, tasks, true);
    if (tasks->count == 0 || pc_check_limits(p, job, &more).reason != 0 ||
        !pc_heed_reservation(p, job, tasks, &more))
        return false;
    uint32_t mark = pc_txn_mark(c);
    uint32_t placed;
    bool done = pc_place_gang(p, job, tasks, promise_only ? PC_NOMINATED : PC_SOONEST, &placed);
    if (done && !promise_only)
        done = pc_wait_for_rest(p, job, mark);
    if (!done)
        pc_txn_rollback(c, mark);
    return done;
}
