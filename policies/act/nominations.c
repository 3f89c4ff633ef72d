/* SPDX-License-Identifier: MIT */
/*
 * Places nominated in the last decision are filled before any other job is served, at once if they
 * are free by now. Otherwise the next job in order could take the devices released by the victims,
 * the nominated job would need more victims, and so on forever; and a moved job could lose its new
 * place. For the same reason a job cannot be a victim in the decision that renews its nomination:
 * two jobs could otherwise take a place from each other forever and never start.
 */
#include "act/act.h"
#include "act/attempt.h"
#include "place/choose.h"
#include "state/gangs.h"
#include "state/nodes.h"
#include "state/tasks.h"

/* Returns true for a moved task that is still being released at its old place. */
static bool is_leaving(const struct pc_task *t)
{
    return t->end == PC_ALIVE && t->place.holding == PC_RELEASING && t->place.nominated == PC_NONE;
}

/* Returns true if a task still waits for the nominated place. */
static bool is_awaited(const struct pc_cluster *c, const struct pc_nomination *nomination)
{
    const struct pc_job *j = &c->jobs[nomination->job];
    return j->state == PC_LIVE && !j->shut && j->gen == nomination->gen &&
           c->nodes[nomination->node].exists &&
           (pc_is_pending(pc_task_of(j, nomination->task)) ||
            is_leaving(pc_task_of(j, nomination->task)));
}

/* Lists in c->placing the tasks of one job whose nominations in [first, behind) are still awaited.
 * Returns false if out of memory. */
static bool list_awaited(struct policy *p, uint32_t first, uint32_t behind)
{
    struct pc_cluster *c = p->cluster;
    c->placing.count = 0;
    if (!PC_GROW(&p->memory, c->placing.ids, c->placing.capacity, behind - first)) {
        c->out_of_memory = true;
        return false;
    }
    for (uint32_t i = first; i < behind; i++)
        if (is_awaited(c, &c->kept.of[i]))
            c->placing.ids[c->placing.count++] = c->kept.of[i].task;
    return true;
}

/*
 * Places these tasks on their nominated nodes, except those that no longer fit; the others keep
 * their nominations. Returns false if the job now exceeds a queue bound, or if out of memory.
 */
static bool place(struct policy *p, uint32_t job, uint32_t first, uint32_t behind)
{
    struct pc_cluster *c = p->cluster;
    struct pc_amounts more = pc_amounts_of(c, job, &c->placing, true);
    if (pc_check_limits(p, job, &more).reason != 0)
        return false;
    for (uint32_t i = first; i < behind; i++) {
        const struct pc_nomination *nomination = &c->kept.of[i];
        if (!is_awaited(c, nomination))
            continue;
        struct pc_place there = pc_task(c, job, nomination->task)->place;
        if (pc_choose_nominated(p, nomination, &there) &&
            !pc_txn_move(p, job, nomination->task, &there))
            return false;
    }
    return true;
}

/* Renews the nominations of one job that are still awaited, if its gang is still complete. */
static void keep(struct policy *p, uint32_t first, uint32_t behind)
{
    struct pc_cluster *c = p->cluster;
    const uint8_t reasons[2] = {0, 0};
    uint32_t job = c->kept.of[first].job;
    if (!list_awaited(p, first, behind) || c->placing.count == 0)
        return;
    uint32_t mark = pc_txn_mark(c);
    bool ran = c->jobs[job].running > 0;
    if (!place(p, job, first, behind) || pc_txn_mark(c) == mark ||
        !pc_wait_for_rest(p, job, mark) || pc_is_below_minimum(c, job) ||
        !pc_txn_commit(p, mark, job, reasons)) {
        pc_txn_rollback(c, mark);
        return;
    }
    c->kept_in = c->decision_number;
    c->queues[c->jobs[job].queue].kept_in = c->decision_number;
    c->job_kept_in[job] = c->decision_number; /* not a victim before it has really run */
    if (!ran && c->jobs[job].running > 0)
        c->jobs[job].detail->last_start = p->now;
}

void pc_renew_nominations(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    for (uint32_t first = 0, behind; first < c->kept.count && !c->out_of_memory; first = behind) {
        for (behind = first;
             behind < c->kept.count && c->kept.of[behind].job == c->kept.of[first].job;)
            behind++;
        keep(p, first, behind);
    }
    c->kept.count = 0;
}
