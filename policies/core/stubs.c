/* SPDX-License-Identifier: MIT */
/* Temporary: parts of the contract that are being written. */
#include "core/state.h"

int policy_set_topology(struct policy *p, policy_time at, uint32_t topology, const uint32_t *levels, uint32_t n)
{
    (void)at, (void)levels, (void)n;
    return pc_refuse(p, POLICY_UNSUPPORTED, "topology", topology, "not by this policy");
}
int policy_set_mig_profile(struct policy *p, policy_time at, uint32_t profile, int32_t compute, int32_t memory)
{
    (void)at, (void)compute, (void)memory;
    return pc_refuse(p, POLICY_UNSUPPORTED, "profile", profile, "not by this policy");
}
int policy_set_usage(struct policy *p, policy_time at, policy_queue q, const struct policy_amounts *ppm)
{
    (void)at, (void)ppm;
    return pc_refuse(p, POLICY_UNSUPPORTED, "queue", q.i, "not by this policy");
}
int policy_set_stale_since(struct policy *p, policy_time at, policy_job j, policy_time since)
{
    (void)at, (void)since;
    return pc_refuse(p, POLICY_UNSUPPORTED, "job", j.i, "not by this policy");
}
int policy_report_activity(struct policy *p, policy_time at, policy_job j, int64_t ppm)
{
    (void)at, (void)ppm;
    return pc_refuse(p, POLICY_UNSUPPORTED, "job", j.i, "not by this policy");
}
int policy_task_releasing(struct policy *p, policy_time at, policy_job j, uint32_t task)
{
    (void)at, (void)task;
    return pc_refuse(p, POLICY_UNSUPPORTED, "job", j.i, "not by this policy");
}
int policy_task_gated(struct policy *p, policy_time at, policy_job j, uint32_t task, bool gated)
{
    (void)at, (void)task, (void)gated;
    return pc_refuse(p, POLICY_UNSUPPORTED, "job", j.i, "not by this policy");
}
int policy_queue_info(const struct policy *p, policy_queue q, struct policy_queue_info *out)
{
    (void)p, (void)q, (void)out;
    return POLICY_UNSUPPORTED;
}
int policy_node_info(const struct policy *p, policy_node n, struct policy_node_info *out)
{
    (void)p, (void)n, (void)out;
    return POLICY_UNSUPPORTED;
}
