/* SPDX-License-Identifier: MIT */
/*
 * What was freed for a job goes to that job: tasks that were promised a place in the last decision are placed there
 * before anybody else is served, at once if the place is free by now. Without this the next job in order could take what
 * victims gave up, the one they gave it up for would ask for more victims, and so on without an end; and a job that was
 * moved could lose its new place. For the same reason it is no victim in the decision that keeps its promise: else two
 * jobs could take a place from each other for ever without one of them ever starting.
 */
#include "act/act.h"
#include "act/attempt.h"
#include "cluster/chunk.h"
#include "cluster/nodes.h"
#include "cluster/tasks.h"
#include "place/choose.h"

/* A task that was moved is still being released at its old place for a while. */
static bool is_leaving(const struct pq_task *t)
{
    return t->end == PQ_ALIVE && t->place.holding == PQ_RELEASING && t->place.promised == PC_NONE;
}

static bool is_kept(const struct cluster *c, const struct pq_promise *kept)
{
    const struct pq_job *j = &c->jobs[kept->job];
    return j->state == PQ_LIVE && j->gen == kept->gen && c->nodes[kept->node].exists &&
           (pq_is_pending(&j->tasks[kept->task]) || is_leaving(&j->tasks[kept->task]));
}

/* Places one job's tasks on the nodes they were promised; false when one of them does not fit there any more. */
static bool place(struct policy *p, uint32_t job, uint32_t first, uint32_t behind)
{
    struct cluster *c = p->cluster;
    c->placing.count = 0;
    if (!PC_GROW(&p->memory, c->placing.ids, c->placing.capacity, behind - first)) {
        c->out_of_memory = true;
        return false;
    }
    for (uint32_t i = first; i < behind; i++)
        c->placing.ids[c->placing.count++] = c->kept.of[i].task;
    struct pq_amounts more = pq_amounts_of(c, job, &c->placing, true);
    if (pq_check_gate(p, job, &more).reason != 0)
        return false;
    for (uint32_t i = first; i < behind; i++) {
        const struct pq_promise *kept = &c->kept.of[i];
        struct pq_place there = c->jobs[job].tasks[kept->task].place;
        if (!pq_choose_on(p, job, kept->task, kept->node, kept->devices, &there) ||
            !pq_txn_move(p, job, kept->task, &there))
            return false;
    }
    return true;
}

/* Whether the gang stands with what runs and is promised. What is being released of it does not come back by itself. */
static bool stands(const struct cluster *c, uint32_t job)
{
    const struct pq_job *j = &c->jobs[job];
    const struct pq_shape *s = &c->shapes[j->shape];
    for (uint32_t i = 0; i < s->set_count; i++)
        if (j->counts[i].active < s->sets[i].min_tasks)
            return false;
    return true;
}

void pq_keep_promises(struct policy *p)
{
    struct cluster *c = p->cluster;
    const uint8_t reasons[2] = {0, 0};
    for (uint32_t first = 0, behind; first < c->kept.count && !c->out_of_memory; first = behind) {
        uint32_t job = c->kept.of[first].job;
        bool all = true;
        for (behind = first; behind < c->kept.count && c->kept.of[behind].job == job; behind++)
            all = all && is_kept(c, &c->kept.of[behind]);
        uint32_t mark = pq_txn_mark(c);
        bool ran = all && c->jobs[job].running > 0;
        if (!all || !place(p, job, first, behind) || !pq_wait_for_rest(p, job, mark) || !stands(c, job) ||
            !pq_txn_commit(p, mark, job, reasons)) {
            pq_txn_rollback(c, mark);
            continue;
        }
        c->jobs[job].kept_in = c->decision_number; /* it is no victim before it has really run */
        if (!ran && c->jobs[job].running > 0)
            c->jobs[job].last_start = p->now;
    }
    c->kept.count = 0;
}
