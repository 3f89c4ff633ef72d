/* SPDX-License-Identifier: MIT */
/*
 * Allocate: pending jobs take what is idle, or is being released, in the order of queues and jobs. There is no bound at
 * the fair share: idle devices go to whoever comes first, and are reclaimed when an owner returns. A job that cannot be
 * placed is passed over, and one like it is not tried again until something was freed. Nobody is looked at who wants more
 * devices on a node than any node has.
 */
#include "act/act.h"
#include "act/attempt.h"
#include "cluster/chunk.h"
#include "cluster/classes.h"
#include "cluster/tasks.h"

/* The most whole devices that are free soon on one node. */
static int32_t most_free(const struct cluster *c)
{
    int32_t most = c->most_devices;
    while (most > 0 && c->listed[most] == 0)
        most--;
    return most;
}

/* Who fails may still be the one that gets a reservation: then what was found out before is no shortcut. */
static bool is_open(struct policy *p, uint32_t class)
{
    const struct cluster *c = p->cluster;
    const struct pq_class *k = &c->classes[class];
    if (p->config.quota.backfill)
        return true;
    return c->shapes[k->shape].need <= c->most_free && (k->blocked == 0 || k->blocked_in != c->freed);
}

/* Whether a bound stood in the way, or there was no room; what kind of room is seen when somebody asks. */
static void block(struct policy *p, uint32_t class)
{
    struct cluster *c = p->cluster;
    struct pq_class *k = &c->classes[class];
    struct pq_amounts more = pq_next_amounts(p, pq_class_head(k));
    int32_t bound = pq_check_gate(p, pq_class_head(k), &more).reason;
    k->blocked = bound != 0 ? bound : POLICY_REASON_DEVICES_BUSY;
    k->blocked_in = c->freed;
}

static bool place_now(struct policy *p, uint32_t job)
{
    struct cluster *c = p->cluster;
    const uint8_t reasons[2] = {0, 0};
    uint32_t mark = pq_txn_mark(c);
    bool ran = c->jobs[job].running > 0;
    if (!c->exhaustive && c->shapes[c->jobs[job].shape].need > c->most_free)
        return false;
    if (!pq_next_tasks(p, job, &c->placing) || !pq_attempt(p, job, &c->placing, false))
        return false;
    if (!pq_txn_commit(p, mark, job, reasons)) {
        pq_txn_rollback(c, mark);
        return false;
    }
    if (!ran && c->jobs[job].running > 0)
        c->jobs[job].last_start = p->now;
    c->most_free = most_free(c);
    return true;
}

/* With the option `backfill` the first job that finds no room, and could, gets a reservation. */
static bool place(struct policy *p, uint32_t job)
{
    if (place_now(p, job))
        return true;
    struct pq_amounts more = pq_next_amounts(p, job);
    if (p->config.quota.backfill && p->cluster->reserved_for == PC_NONE &&
        pq_check_gate(p, job, &more).reason == 0)
        pq_reserve(p, job);
    return false;
}

void pq_allocate(struct policy *p)
{
    static const struct pq_visit visit = {
        .admits = is_open, .once = true, .visit = place, .failed = block, .again = true};
    pq_keep_promises(p);
    p->cluster->most_free = most_free(p->cluster);
    pq_visit_pending(p, &visit);
    pq_drop_reservation(p);
}
