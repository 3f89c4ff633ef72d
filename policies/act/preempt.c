/* SPDX-License-Identifier: MIT */
/* Preempt: a job takes the place of preemptible jobs of lower priority in its own queue, regardless
 * of shares. */
#include "act/act.h"
#include "act/actions.h"
#include "act/attempt.h"
#include "act/victims/victims.h"
#include "pending/queue_classes.h"
#include "state/evictable.h"
#include "state/gangs.h"

static bool may_be_victim(const struct pc_search *s, uint32_t job)
{
    const struct pc_cluster *c = s->c;
    if (c->jobs[job].priority >= c->jobs[s->job].priority)
        return false;
    return pc_is_elastic(c, job) || !pc_is_protected(s->p, job, s->job, false);
}

static bool accepts(struct pc_search *s)
{
    return pc_keeps_protected(s, false);
}

static void reasons(const struct pc_search *s, uint8_t out[2])
{
    (void)s;
    out[0] = POLICY_REASON_PREEMPTED;
    out[1] = POLICY_REASON_MOVED;
}

static const struct pc_purpose purpose = {.reach = PC_OWN,
                                          .displaces = true,
                                          .may_be_victim = may_be_victim,
                                          .accepts = accepts,
                                          .reasons = reasons};

/* Returns true if the queue's evictable devices plus those free after release cover the request. */
static bool may_give_enough(const struct pc_cluster *c, uint32_t job,
                            const struct pc_amounts *wanted)
{
    const struct pc_queue *q = &c->queues[c->jobs[job].queue];
    int64_t given = q->allocated.of[PC_GPU] - q->fixed.of[PC_GPU] + c->soon_milli;
    return wanted->of[PC_GPU] <= given || c->shapes[c->jobs[job].shape].wants_memory;
}

static bool preempt(struct policy *p, uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    struct pc_amounts wanted = pc_next_amounts(p, job);
    bool known =
        !c->shapes[c->jobs[job].shape].wants_memory; /* else the amount depends on the node */
    if (known && pc_check_limits(p, job, &wanted).reason == POLICY_REASON_OVER_QUOTA)
        return false;
    return (c->exhaustive || may_give_enough(c, job, &wanted)) && pc_solve(p, job, &purpose);
}

/*
 * Returns true if the queue has an active job of lower priority (in the order by priority the first
 * victim has the lowest) and all such jobs together make enough room.
 */
static bool admits(struct policy *p, uint32_t class)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_class *k = &c->classes[class];
    const struct pc_queue *q = &c->queues[k->queue];
    bool lowest_first = p->config.quota.priorities && (p->order->traits & PC_ORDER_PRIORITY) != 0;
    if (q->active.count == 0 ||
        (lowest_first && c->jobs[pc_evictable_first(&q->active)].priority >= k->priority))
        return false;
    return pc_may_solve(p, pc_class_head(k), &purpose);
}

static void run(struct policy *p)
{
    static const struct pc_visit visit = {.admits = admits, .visit = preempt};
    pc_visit_pending(p, &visit);
}

const struct pc_action pc_action_preempt = {
    .row = {"preempt", "jobs of higher priority evict others of the same queue"},
    .action = POLICY_PREEMPT,
    .evicts = true,
    .run = run,
};
