/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fixed quotas: the devices kept for build sessions, added up from tasks and queues; see
 * quota_world.h. */
#include "tests/lib/quota_world.h"

/* Devices of the active sessions at and below the queue. */
static int64_t sessions_have(const struct quota_world *w, uint32_t queue)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < QUOTA_JOBS; i++) {
        const struct quota_job *job = &w->jobs[i];
        bool below = false;
        if (job->life != QUOTA_LIVE || job->spec.workload != POLICY_BUILD)
            continue;
        for (uint32_t q = job->spec.queue.i; q != POLICY_NO_ID; q = w->queues[q].spec.parent.i)
            below = below || q == queue;
        for (uint32_t k = 0; below && k < job->tasks; k++) {
            const struct quota_task *t = &job->task[k];
            uint32_t node = t->nominated ? t->promised : t->node;
            if (quota_is_active(t))
                sum += quota_weigh_on(w, &quota_role_of(job, k)->request, node).of[0];
        }
    }
    return sum;
}

/* The devices that the queue keeps, or the queues below it that are bound to the same pools,
 * whichever is more. */
static int64_t kept_by(const struct quota_world *w, uint32_t queue)
{
    const struct quota_queue *q = &w->queues[queue];
    int64_t own = q->spec.fixed_milli > 0 ? q->spec.fixed_milli - sessions_have(w, queue) : 0;
    int64_t below = 0;
    for (uint32_t i = 0; i < QUOTA_QUEUES; i++)
        if (w->queues[i].exists && w->queues[i].spec.parent.i == queue &&
            w->queues[i].pools == q->pools)
            below += kept_by(w, i);
    own = own > 0 ? own : 0;
    return own > below ? own : below;
}

static int64_t kept_in(const struct quota_world *w, uint32_t pools)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < QUOTA_QUEUES; i++) {
        uint32_t parent = w->queues[i].spec.parent.i;
        if (w->queues[i].exists && w->queues[i].pools == pools &&
            (parent == POLICY_NO_ID || w->queues[parent].pools != pools))
            sum += kept_by(w, i);
    }
    return sum;
}

static bool is_in(const struct quota_world *w, uint32_t pools, uint32_t node)
{
    return pools == 0 || (pools >> w->nodes[node].spec.pool & 1) != 0;
}

static int64_t room_in(const struct quota_world *w, uint32_t pools)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < QUOTA_NODES; i++)
        sum += w->nodes[i].exists && is_in(w, pools, i) ? quota_room(w, i) : 0;
    return sum;
}

/* Sessions may get more than is free elsewhere. Device memory weighs a hundredth more, rounded,
 * when a task moves. */
void quota_audit_kept(const struct quota_world *w, const struct policy_decision *d, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (w->jobs[d[i].job.i].spec.workload == POLICY_BUILD)
            return;
    for (size_t i = 0; i < count; i++) {
        const struct quota_job *job = &w->jobs[d[i].job.i];
        const struct policy_request *r = &quota_role_of(job, d[i].task)->request;
        if (d[i].kind == POLICY_EVICT || (r->devices == 0 && r->mig == NULL))
            continue;
        for (uint32_t q = 0; q < QUOTA_QUEUES; q++) {
            uint32_t pools = w->queues[q].pools;
            int64_t kept =
                w->queues[q].exists && is_in(w, pools, d[i].node.i) ? kept_in(w, pools) : 0;
            QUOTA_CHECK(w, kept == 0 || room_in(w, pools) >= kept,
                        "job %u on node %u: %lld kept in the pools of queue %u, %lld free",
                        d[i].job.i, d[i].node.i, (long long)kept, q, (long long)room_in(w, pools));
        }
    }
}
