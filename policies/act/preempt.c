/* SPDX-License-Identifier: MIT */
/*
 * Preempt: a job takes the place of preemptible jobs of lower priority in its own queue, regardless
 * of shares.
 *
 * A trial places the job and its victims again in the order of jobs, so those before the job take
 * their places back. Hence only jobs behind it are victims: those that the queue's list of
 * evictable jobs (state/evictable.h) has before the job's own position. If jobs are ordered by
 * priority, these include all jobs of lower priority.
 */
#include "act/act.h"
#include "act/actions.h"
#include "act/attempt.h"
#include "act/victims/bounds.h"
#include "act/victims/victims.h"
#include "pending/queue_classes.h"
#include "state/compare.h"
#include "state/evictable.h"
#include "state/gangs.h"

/* Returns true if the evictable job is behind the other one, which counts as whole like those that
 * run. */
static bool is_behind(const struct policy *p, uint32_t evictable, uint32_t job)
{
    return pc_compare_jobs_as(p, evictable, p->cluster->jobs[evictable].detail->gives_as, job, 0) >
           0;
}

static bool may_be_victim(const struct pc_search *s, uint32_t job)
{
    const struct pc_cluster *c = s->c;
    if (c->jobs[job].priority >= c->jobs[s->job].priority || !is_behind(s->p, job, s->job))
        return false;
    return pc_is_elastic(c, job) || !pc_is_protected(s->p, job, s->job, false);
}

static bool is_past(const struct pc_search *s, uint32_t job)
{
    return !is_behind(s->p, job, s->job);
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
                                          .is_past = is_past,
                                          .accepts = accepts,
                                          .reasons = reasons};

/* Returns true if all jobs behind this one, and what is free after release, cover its request. */
static bool may_get_enough(struct policy *p, uint32_t job, const struct pc_amounts *wanted)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_evictable *active = &c->queues[c->jobs[job].queue].active;
    struct pc_amounts given = pc_evictable_sum_before(p, active, job, 0);
    return pc_has_prospect(p, job, wanted, given.of[PC_GPU]);
}

static bool preempt(struct policy *p, uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    struct pc_amounts wanted = pc_next_amounts(p, job);
    bool known =
        !c->shapes[c->jobs[job].shape].wants_memory; /* else the amount depends on the node */
    if (known && pc_check_limits(p, job, &wanted).reason == POLICY_REASON_OVER_QUOTA)
        return false;
    return (c->exhaustive || may_get_enough(p, job, &wanted)) && pc_solve(p, job, &purpose);
}

/*
 * Returns true if the queue has an active job of lower priority and one behind this class (the
 * first is behind all others), and all jobs that are both together make enough room.
 */
static bool admits(struct policy *p, uint32_t class)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_class *k = &c->classes[class];
    const struct pc_evictable *active = &c->queues[k->queue].active;
    uint32_t job = pc_class_head(k);
    if (active->count == 0 || active->lowest >= k->priority ||
        !is_behind(p, pc_evictable_first(active), job))
        return false;
    struct pc_amounts wanted = pc_next_amounts(p, job);
    return may_get_enough(p, job, &wanted) && pc_may_solve(p, job, &purpose);
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
