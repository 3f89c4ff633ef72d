/* SPDX-License-Identifier: MIT */
/*
 * Larger priority first, then first submitted: the order inside the queues of runai, and of the
 * tasks of kube-default. With the option `priorities` off it is the order by age.
 */
#include "order/order.h"

static struct pc_key key(const struct policy *p, const struct policy_job_spec *job)
{
    return (struct pc_key){.major = p->config.quota.priorities ? -(int64_t)job->priority : 0,
                           .minor = job->submitted};
}

const struct pc_job_order pc_order_priority = {
    .row = {"priority", "larger priority first, then time of submission"},
    .traits = PC_ORDER_PRIORITY,
    .key = key,
};
