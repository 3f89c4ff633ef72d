/* SPDX-License-Identifier: MIT */
/* Shortest job first, by the expected run time; jobs without one come last. */
#include "order/order.h"

static int64_t key(const struct policy_job_spec *job)
{
    return job->run_ms < 0 ? INT64_MAX : job->run_ms;
}

const struct pc_order pc_order_sjf = {
    {"sjf", "expected run time; jobs without one come last"},
    key, NULL, NULL
};
