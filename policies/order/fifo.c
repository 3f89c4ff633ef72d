/* SPDX-License-Identifier: MIT */
/* First submitted, first started. */
#include "order/order.h"

struct pc_key pc_key_by_age(const struct policy *p, const struct policy_job_spec *job)
{
    (void)p;
    return (struct pc_key){.minor = job->submitted};
}

const struct pc_job_order pc_order_fifo = {
    .row = {"fifo", "time of submission"},
    .key = pc_key_by_age,
};
