/* SPDX-License-Identifier: MIT */
/*
 * Higher priority first, then first submitted: the order within the queues of runai, and of the
 * tasks of kube-default. With the option `priorities` off it is the order by age.
 */
#include "order/order.h"
#include "state/state.h"

static struct pc_key key_of(const struct policy *p, int32_t priority, policy_time submitted)
{
    return (struct pc_key){.major = p->config.quota.priorities ? -(int64_t)priority : 0,
                           .minor = submitted};
}

static struct pc_key key(const struct policy *p, const struct policy_job_spec *job)
{
    return key_of(p, job->priority, job->submitted);
}

static struct pc_key by_priority(const struct policy *p, uint32_t job)
{
    const struct pc_job *j = &p->cluster->jobs[job];
    return key_of(p, j->priority, j->submitted);
}

const struct pc_job_order pc_order_priority = {
    .row = {"priority", "higher priority first, then time of submission"},
    .key = key,
    .by_priority = by_priority,
};
