/* SPDX-License-Identifier: MIT */
/* What trials leave to others; see reserves.h. */
#include "act/victims/reserves.h"

#include "act/victims/victim.h"
#include "pending/queue_classes.h"
#include "state/queues.h"

/* Returns true if the job may not take from sessions what is reserved for this queue; its own
 * sessions may take it from each other. */
static bool is_kept_from(const struct pc_search *s, uint32_t queue)
{
    const struct pc_job *other = &s->c->jobs[s->job];
    return s->c->queues[queue].fixed_milli > 0 &&
           (other->workload != POLICY_BUILD || !pc_is_below(s->c, other->queue, queue));
}

bool pc_is_kept(const struct pc_search *s, uint32_t job)
{
    const struct pc_cluster *c = s->c;
    if (c->jobs[job].workload != POLICY_BUILD)
        return false;
    for (uint32_t q = c->jobs[job].queue; q != POLICY_NO_ID; q = c->queues[q].parent)
        if (is_kept_from(s, q) && c->queues[q].build_milli <= c->queues[q].fixed_milli)
            return true;
    return false;
}

/* What a job, or with PC_NONE what all jobs lose in this trial, in thousandths of devices. */
static int64_t loss_of(const struct pc_search *s, uint32_t job)
{
    const struct pc_cluster *c = s->c;
    int64_t sum = 0;
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        const struct pc_victim *v = &c->evicted.of[i];
        const struct pc_task *t = pc_task(c, v->job, v->task);
        if ((job == PC_NONE || v->job == job) && !pc_is_put_back(t) && !pc_is_moved(t))
            sum += pc_weigh_on(pc_node_of_victim(c, v), pc_request_of_victim(c, v)).of[PC_GPU];
    }
    return sum;
}

/* The largest loss of a session below the queue. */
static int64_t largest_loss(const struct pc_search *s, uint32_t queue)
{
    const struct pc_cluster *c = s->c;
    int64_t largest = 0;
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        uint32_t job = c->evicted.of[i].job;
        if (c->jobs[job].workload != POLICY_BUILD || !pc_is_below(c, c->jobs[job].queue, queue))
            continue;
        int64_t loss = loss_of(s, job);
        largest = loss > largest ? loss : largest;
    }
    return largest;
}

bool pc_leaves_sessions(const struct pc_search *s)
{
    const struct pc_cluster *c = s->c;
    for (uint32_t q = 0; c->fixed_milli > 0 && q < c->queue_count; q++) {
        if (!c->queues[q].exists || !is_kept_from(s, q))
            continue;
        int64_t largest = largest_loss(s, q);
        if (largest > 0 && c->queues[q].build_milli + largest <= c->queues[q].fixed_milli)
            return false;
    }
    return true;
}

bool pc_leaves_plan(const struct pc_search *s)
{
    return !pc_is_held_back(s->c, s->job) || loss_of(s, PC_NONE) >= s->asks.of[PC_GPU];
}
