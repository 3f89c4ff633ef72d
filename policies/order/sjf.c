/* SPDX-License-Identifier: MIT */
/* Shortest job first, by the expected run time; jobs without one come last. */
#include "order/order.h"

struct pc_key pc_key_by_run_time(const struct policy *p, const struct policy_job_spec *job)
{
    (void)p;
    return (struct pc_key){.minor = job->run_ms < 0 ? INT64_MAX : job->run_ms};
}

const struct pc_job_order pc_order_sjf = {
    .row = {"sjf", "expected run time; jobs without one come last"},
    .traits = PC_ORDER_FORESIGHT,
    .key = pc_key_by_run_time,
};
