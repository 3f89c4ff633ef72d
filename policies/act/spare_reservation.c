/* SPDX-License-Identifier: MIT */
/*
 * Which jobs must respect the reservation; see spare_reservation.h. A trial shows whether a task
 * delays the reserved job, on the one node where the task would be placed.
 */
#include "act/spare_reservation.h"

#include "act/victims/victims.h"
#include "place/choose.h"
#include "state/gangs.h"
#include "state/nodes.h"
#include "state/queues.h"
#include "state/tasks.h"

/* ---- ends of jobs ---- */

static policy_time end_from(const struct pc_job *j, policy_time begin)
{
    if (j->limit_ms < 0 || j->limit_ms >= PC_SOME_DAY / 2 || begin == POLICY_NEVER)
        return PC_NEVER_ENDS;
    return begin + j->limit_ms;
}

/* A job that exceeds its declared limit may end at any time. */
policy_time pc_expected_end(const struct policy *p, const struct pc_job *j)
{
    policy_time end = end_from(j, j->running > 0 ? pc_last_start(j) : p->now);
    return end < p->now ? p->now : end;
}

/* When the task will end on the node: a victim that is put back continues; anything else that is
 * placed starts now. */
static policy_time end_on(const struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    const struct pc_task *t = pc_task_of(j, task);
    if (t->trial && t->place.node == node)
        return end_from(j, pc_last_start(j));
    return job == c->reservation.candidate ? c->reservation.ends : pc_expected_end(p, j);
}

/* ---- lifetime ---- */

void pc_suspend_reservation(struct pc_cluster *c)
{
    struct pc_reservation *r = &c->reservation;
    for (uint32_t i = 0; i < r->count; i++) {
        struct pc_node *n = &c->nodes[r->of[i].node];
        n->reserved = n->ending = PC_NONE;
        n->reserved_whole = 0;
    }
    r->count = 0;
    r->in_force = false;
}

void pc_give_up_reservation(struct pc_cluster *c)
{
    pc_suspend_reservation(c);
    c->reservation.job = PC_NONE;
}

/* ---- what other jobs may do ---- */

static bool is_on(const struct pc_cluster *c, uint32_t job, uint32_t task, uint32_t node)
{
    const struct pc_place *place = &pc_task(c, job, task)->place;
    return place->nominated != PC_NONE ? place->nominated == node
                                       : place->holding == PC_RUNS && place->node == node;
}

/* Returns true if the job still exists: it may have ended between decisions. */
static bool is_there(const struct pc_cluster *c, const struct pc_ref *ref)
{
    return c->jobs[ref->job].gen == ref->gen && c->jobs[ref->job].state == PC_LIVE;
}

/* Releases a task placed or put back by this decision if it ends before the reservation. */
static bool let_fresh_end(struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    struct pc_cluster *c = p->cluster;
    if (job == c->reservation.job || !is_on(c, job, task, node) ||
        end_on(p, job, task, node) > c->reservation.at)
        return true;
    return pc_txn_release(p, job, task);
}

/* Tentatively advances this node to the time of the reservation. */
static bool let_time_come(struct policy *p, uint32_t node)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_reservation *r = &c->reservation;
    for (uint32_t i = c->nodes[node].ending; i != PC_NONE; i = r->of[i].next)
        if (is_on(c, r->of[i].job, r->of[i].task, node) &&
            !pc_txn_release(p, r->of[i].job, r->of[i].task))
            return false;
    for (uint32_t i = 0; i < c->noted_count; i++)
        if (is_there(c, &c->noted[i]) && !let_fresh_end(p, c->noted[i].job, c->noted[i].task, node))
            return false;
    for (uint32_t i = 0, end = c->undo_count; i < end; i++)
        if (!let_fresh_end(p, c->undo[i].job, c->undo[i].task, node))
            return false;
    return true;
}

static bool nomination(struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    const struct pc_cluster *c = p->cluster;
    bool spread = p->config.quota.device_placement == POLICY_SPREAD;
    struct pc_place place = pc_task(c, job, task)->place;
    bool now;
    place.nominated = node;
    place.nominated_devices = pc_choose_devices(c, &c->nodes[node], pc_request_of(c, job, task),
                                                spread, true, &now, &place.nominated_slice);
    return pc_txn_move(p, job, task, &place);
}

/* Tentatively gives the reserved job its places on this node. Returns false if they do not fit. */
static bool takes_its_places(struct policy *p, uint32_t node)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_reservation *r = &c->reservation;
    for (uint32_t i = c->nodes[node].reserved; i != PC_NONE; i = r->of[i].next) {
        uint32_t task = r->of[i].task;
        if (pc_is_pending(pc_task(c, r->job, task)) &&
            (!pc_fits_soon(c, &c->nodes[node], pc_request_of(c, r->job, task)) ||
             !nomination(p, r->job, task, node)))
            return false;
    }
    return true;
}

bool pc_spares_reservation(struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_node *n = &c->nodes[node];
    if (!c->reservation.in_force || !c->reservation.binds || n->reserved == PC_NONE ||
        end_on(p, job, task, node) <= c->reservation.at)
        return true;
    const struct pc_request *wants = pc_request_of(c, job, task);
    if (!pc_shares_devices(wants) && pc_popcount(n->usable) - wants->devices < n->reserved_whole)
        return false; /* the usual case when whole nodes are reserved */
    uint32_t mark = pc_txn_mark(c);
    bool spared =
        nomination(p, job, task, node) && let_time_come(p, node) && takes_its_places(p, node);
    pc_txn_rollback(c, mark);
    return spared;
}

/* ---- which jobs must respect it ---- */

/* Returns true if the reserved job could take the places back as soon as this job ran: then keeping
 * them free has no use. */
static bool could_evict(const struct policy *p, uint32_t job, const struct pc_amounts *more)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_reservation *r = &c->reservation;
    const struct pc_job *j = &c->jobs[job];
    const struct pc_job *holder = &c->jobs[r->job];
    bool reclaim = j->queue != holder->queue;
    uint32_t action = reclaim ? POLICY_RECLAIM : POLICY_PREEMPT;
    if ((p->config.quota.actions >> action & 1) == 0 || !holder->preemptible ||
        pc_minimum_run(p, p->cluster->jobs[r->job].queue, job, reclaim) > 0)
        return false;
    return reclaim ? pc_could_reclaim(p, job, more, holder->queue, &r->wants)
                   : j->priority > holder->priority;
}

static bool binds(const struct policy *p, uint32_t job, const struct pc_amounts *more)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_reservation *r = &c->reservation;
    if (!r->in_force || r->job == job || !pc_is_below_minimum(c, r->job))
        return false;
    uint32_t class = c->jobs[job].class;
    if (class != PC_NONE && class == c->jobs[r->job].class) /* an equivalent, older job */
        return false;
    return !could_evict(p, job, more);
}

/* Returns true if the reserved job stays within the bounds of its queues. */
static bool leaves_bounds(const struct pc_cluster *c, const struct pc_job *j,
                          const struct pc_amounts *more)
{
    const struct pc_reservation *r = &c->reservation;
    bool fixed = !j->preemptible && !c->jobs[r->job].preemptible;
    for (uint32_t q = c->jobs[r->job].queue; q != POLICY_NO_ID; q = pc_above(c, q)) {
        if (!pc_is_below(c, j->queue, q))
            continue;
        struct pc_amounts all = pc_sum(&c->queues[q].allocated, more);
        struct pc_amounts of_fixed = pc_sum(&c->queues[q].fixed, more);
        if (pc_exceeds(&all, &r->wants, &c->queues[q].limit) < PC_RESOURCES ||
            (fixed && pc_exceeds(&of_fixed, &r->wants, &c->queues[q].quota) < PC_RESOURCES))
            return false;
    }
    return true;
}

bool pc_heed_reservation(struct policy *p, uint32_t job, const struct pc_tasks *tasks,
                         const struct pc_amounts *more)
{
    struct pc_cluster *c = p->cluster;
    struct pc_reservation *r = &c->reservation;
    r->binds = tasks->count > 0 && binds(p, job, more);
    if (!r->binds)
        return true;
    r->candidate = job;
    r->ends = pc_expected_end(p, &c->jobs[job]); /* a partly placed job has no start time yet */
    const struct pc_job *j = &c->jobs[job];
    bool victim = pc_task_of(j, tasks->ids[0])->trial; /* takes no more than it had */
    return victim || r->ends <= r->at || leaves_bounds(c, j, more);
}
