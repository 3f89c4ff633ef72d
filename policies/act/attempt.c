/* SPDX-License-Identifier: MIT */
/* Bounds of queues, and one attempt within them; see attempt.h. */
#include "act/attempt.h"

#include "act/reserve.h"
#include "cluster/chunk.h"
#include "cluster/nodes.h"
#include "cluster/tasks.h"
#include "order/line.h"
#include "place/gang.h"

/* ---- all or nothing ---- */

bool pq_is_whole(const struct cluster *c, uint32_t job)
{
    const struct pq_job *j = &c->jobs[job];
    const struct pq_shape *s = &c->shapes[j->shape];
    for (uint32_t i = 0; i < s->set_count; i++)
        if (pq_counts_of(c, j, i).active + pq_counts_of(c, j, i).releasing < s->sets[i].min_tasks)
            return false;
    return true;
}

bool pq_is_below_minimum(const struct cluster *c, uint32_t job)
{
    const struct pq_job *j = &c->jobs[job];
    const struct pq_shape *s = &c->shapes[j->shape];
    for (uint32_t i = 0; i < s->set_count; i++)
        if (pq_counts_of(c, j, i).active < s->sets[i].min_tasks)
            return true;
    return false;
}

bool pq_has_to_wait(const struct cluster *c, uint32_t job)
{
    const struct pq_job *j = &c->jobs[job];
    const struct pq_shape *s = &c->shapes[j->shape];
    for (uint32_t i = 0; i < s->set_count; i++) {
        bool waits = pq_counts_of(c, j, i).active > pq_counts_of(c, j, i).running;
        if (waits && pq_counts_of(c, j, i).running < s->sets[i].min_tasks)
            return true;
    }
    return false;
}

struct pq_place pq_only_promised(const struct cluster *c, uint32_t job, uint32_t task)
{
    const struct pq_place *place = &pq_task(c, job, task)->place;
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
        if (pq_task(c, job, task)->place.holding != PQ_RUNS)
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
    struct pq_amounts more = pq_amounts_of(c, job, tasks, true);
    if (tasks->count == 0 || pq_check_gate(p, job, &more).reason != 0 ||
        !pq_heed_reservation(p, job, tasks, &more))
        return false;
    uint32_t mark = pq_txn_mark(c);
    uint32_t placed;
    bool done = pq_place_gang(p, job, tasks, promise_only ? PQ_NOMINATED : PQ_SOONEST, &placed);
    if (done && !promise_only)
        done = pq_wait_for_rest(p, job, mark);
    if (!done)
        pq_txn_rollback(c, mark);
    return done;
}
