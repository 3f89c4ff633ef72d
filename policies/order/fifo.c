/* SPDX-License-Identifier: MIT */
/* First submitted, first started. */
#include "order/order.h"

struct pq_key pc_key_by_age(const struct policy *p, const struct policy_job_spec *job)
{
    (void)p;
    return (struct pq_key){.minor = job->submitted};
}

const struct pq_job_order pc_order_fifo = {
    .row = {"fifo", "time of submission"},
    .key = pc_key_by_age,
};
