/* SPDX-License-Identifier: MIT */
/*
 * Allocate: pending jobs take idle or releasing devices in the order of queues and jobs. The fair
 * share is no bound: idle devices go to the first job in order and are reclaimed when their owner
 * returns. A job that cannot be placed is skipped, and equivalent jobs are not tried until
 * something is released. Jobs that request more devices per node than any node has are never tried.
 */
#include "act/act.h"
#include "act/actions.h"
#include "act/attempt.h"
#include "act/backfill_planned.h"
#include "act/backfill_single.h"
#include "act/backfills.h"
#include "pending/queue_classes.h"
#include "state/gangs.h"
#include "state/tasks.h"

/* Returns the most whole devices free after release on one node. */
static int32_t most_free(const struct pc_cluster *c)
{
    int32_t most = c->most_devices;
    while (most > 0 && c->listed[most] == 0)
        most--;
    return most;
}

/*
 * Returns false if an earlier failure of the class still holds. It does not hold with backfill,
 * because a job that fails may still get the reservation, nor for jobs with unequal tasks: with
 * fewer free devices, their first tasks may go elsewhere and leave room for the others.
 */
static bool is_open(struct policy *p, uint32_t class)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_class *k = &c->classes[class];
    if (pc_backfill_of(p) != NULL)
        return true;
    bool lasts = !c->shapes[k->shape].mixed || k->blocked != POLICY_REASON_DEVICES_BUSY;
    bool blocked = k->blocked != 0 && k->blocked_in == c->freed && lasts;
    return c->shapes[k->shape].need <= c->most_free && !blocked;
}

/* Records why the job failed: a queue bound, or no room. The exact reason for no room is computed
 * on request. */
static void block(struct policy *p, uint32_t class)
{
    struct pc_cluster *c = p->cluster;
    struct pc_class *k = &c->classes[class];
    struct pc_amounts more = pc_next_amounts(p, pc_class_head(k));
    int32_t bound = pc_check_limits(p, pc_class_head(k), &more).reason;
    k->blocked = bound != 0 ? bound : POLICY_REASON_DEVICES_BUSY;
    k->blocked_in = c->freed;
}

static bool place_now(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    const uint8_t reasons[2] = {0, 0};
    uint32_t mark = pc_txn_mark(c);
    bool ran = c->jobs[job].running > 0;
    if (!c->exhaustive && c->shapes[c->jobs[job].shape].need > c->most_free)
        return false;
    if (!pc_next_tasks(p, job, &c->placing) || !pc_attempt(p, job, &c->placing, false))
        return false;
    if (!pc_txn_commit(p, mark, job, reasons)) {
        pc_txn_rollback(c, mark);
        return false;
    }
    if (!ran && c->jobs[job].running > 0)
        c->jobs[job].detail->last_start = p->now;
    c->most_free = most_free(c);
    p->draws += c->placing.count;
    return true;
}

/* Returns true if the job with the reservation had its turn and could not be placed. */
static bool is_behind_reservation(const struct pc_cluster *c)
{
    uint32_t class = c->reservation.in_force ? c->jobs[c->reservation.job].class : PC_NONE;
    return class != PC_NONE && c->classes[class].failed_in == c->action_number;
}

/* With the option `backfill`, the first job that does not fit but could later gets the
 * reservation. */
static bool place(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    c->action = is_behind_reservation(c) ? POLICY_BACKFILL : POLICY_ALLOCATE;
    bool placed = place_now(p, job);
    c->action = POLICY_ALLOCATE;
    if (placed || pc_backfill_of(p) == NULL || c->reservation.job != PC_NONE || c->out_of_memory ||
        !pc_is_below_minimum(c, job))
        return placed;
    struct pc_amounts more = pc_next_amounts(p, job);
    if (pc_check_limits(p, job, &more).reason == 0)
        (void)pc_reserve(p, job);
    return false;
}

/* Conservative: no job may delay the planned start of another. */
static bool serve_planned(struct policy *p, uint32_t job)
{
    return pc_planned_serve(p, job, place_now);
}

static void run(struct policy *p)
{
    static const struct pc_visit visit = {
        .admits = is_open, .once = true, .visit = place, .failed = block, .again = true};
    static const struct pc_visit planned = {.admits = is_open,
                                            .once = true,
                                            .visit = serve_planned,
                                            .failed = block,
                                            .again = true,
                                            .goes_on = pc_planned_goes_on};
    pc_renew_nominations(p);
    p->cluster->most_free = most_free(p->cluster);
    if (pc_backfill_of(p) != NULL)
        pc_backfill_of(p)->run(p);
    pc_visit_pending(p, pc_plans(p) ? &planned : &visit);
}

const struct pc_action pc_action_allocate = {
    .row = {"allocate", "pending jobs get free devices"},
    .action = POLICY_ALLOCATE,
    .run = run,
};
