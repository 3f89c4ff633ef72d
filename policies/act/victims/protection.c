/* SPDX-License-Identifier: MIT */
/*
 * Minimum run times: how long a job is protected after it started. Against preemption the victim's
 * queue decides, or its nearest ancestor that sets a time. Against reclaim (method "lca") the
 * lookup starts at the child of the lowest common ancestor of both queues, on the victim's side:
 * protection between departments is up to the departments.
 */
#include "act/victims/victims.h"
#include "order/queue_walk.h"
#include "state/tasks.h"

bool pc_is_elastic(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_shape *s = &c->shapes[c->jobs[job].shape];
    for (uint32_t i = 0; i < s->set_count; i++)
        if ((int32_t)s->sets[i].tasks > s->sets[i].min_tasks)
            return true;
    return false;
}

/* The victim's ancestor (or itself) that is a sibling of an ancestor of the other; its root if they
 * have none in common. */
static uint32_t below_common(const struct pc_cluster *c, uint32_t victim, uint32_t other)
{
    uint32_t at = victim;
    for (uint32_t up = pc_above(c, at); up != POLICY_NO_ID; at = up, up = pc_above(c, at))
        for (uint32_t o = other; o != POLICY_NO_ID; o = pc_above(c, o))
            if (o == up)
                return at;
    return at;
}

int64_t pc_minimum_run(const struct policy *p, uint32_t leaf, uint32_t for_job, bool reclaim)
{
    const struct pc_cluster *c = p->cluster;
    uint32_t q = leaf;
    if (reclaim && p->config.quota.protection == POLICY_PROTECT_LCA)
        q = below_common(c, q, c->jobs[for_job].queue);
    for (; q != POLICY_NO_ID; q = pc_above(c, q)) {
        int64_t set = reclaim ? c->queues[q].reclaim_min_ms : c->queues[q].preempt_min_ms;
        if (set >= 0)
            return set;
    }
    return reclaim ? p->config.quota.reclaim_min_runtime_ms
                   : p->config.quota.preempt_min_runtime_ms;
}

bool pc_is_protected(const struct policy *p, uint32_t victim, uint32_t for_job, bool reclaim)
{
    struct pc_cluster *c = p->cluster;
    int64_t minimum = pc_minimum_run(p, c->jobs[victim].queue, for_job, reclaim);
    policy_time start = minimum > 0 ? pc_last_start(&c->jobs[victim]) : POLICY_NEVER;
    if (start == POLICY_NEVER)
        return false;
    if (minimum <= p->now - start)
        return false;
    if (start + minimum < c->next_time)
        c->next_time = start + minimum; /* then the answer may change */
    return true;
}

bool pc_keeps_protected(const struct pc_search *s, bool reclaim)
{
    const struct pc_cluster *c = s->c;
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        uint32_t job = c->evicted.of[i].job;
        const struct pc_task *t = pc_task(c, job, c->evicted.of[i].task);
        if (pc_is_put_back(t) || pc_is_moved(t) || !pc_is_protected(s->p, job, s->job, reclaim))
            continue;
        const struct pc_shape *shape = &c->shapes[c->jobs[job].shape];
        for (uint32_t set = 0; set < shape->set_count; set++)
            if (pc_counts_of(c, &c->jobs[job], set).active < shape->sets[set].min_tasks)
                return false;
    }
    return true;
}
