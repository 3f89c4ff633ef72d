/* SPDX-License-Identifier: MIT */
/* First submitted, first started. */
#include "order/order.h"

static int64_t key(const struct policy_job_spec *job)
{
    return job->submitted;
}

const struct pc_order pc_order_fifo = {
    {"fifo", "time of submission"},
    key, NULL, NULL
};
