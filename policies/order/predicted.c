/* SPDX-License-Identifier: MIT */
/*
 * Smallest predicted GPU time first: the run time expected by a predictor, times the devices (the
 * quasi-shortest-service-first order of Helios, SC 2021). Jobs without a prediction come last.
 */
#include "order/order.h"
#include "state/specs.h"

static struct pc_key key(const struct policy *p, const struct policy_job_spec *job)
{
    (void)p;
    int64_t milli = 0;
    for (uint32_t i = 0; i < job->role_count; i++) {
        struct policy_role room;
        const struct policy_role *role = pc_role_of_spec(job, i, &room);
        int64_t each = role->request.device_milli > 0 ? role->request.device_milli : POLICY_WHOLE;
        milli += (int64_t)role->tasks * role->request.devices * each;
    }
    return (struct pc_key){.minor = job->estimate_ms <= 0 ? INT64_MAX
                                                          : pc_times(milli, job->estimate_ms)};
}

const struct pc_job_order pc_order_predicted = {
    .row = {"predicted-gpu-time", "predicted run time x GPUs; jobs without a prediction come last"},
    .key = key,
};
