/* SPDX-License-Identifier: MIT */
/* Defaults of configurations; see config_defaults.h. */
#include "config_defaults.h"
#include "order/multifactor.h"
#include "order/order.h"
#include "state/traits.h"

#include <string.h>

#define POD_ACTIONS (1u << POLICY_ALLOCATE | 1u << POLICY_PREEMPT)

struct policy_quota_options pc_quota_defaults(void)
{
    return (struct policy_quota_options){
        .actions = 1u << POLICY_ALLOCATE | 1u << POLICY_CONSOLIDATE | 1u << POLICY_RECLAIM |
                   1u << POLICY_PREEMPT | 1u << POLICY_STALE | 1u << POLICY_LIMITS,
        .fairness = true,
        .priorities = true,
        .node_predicates = true,
        .consolidating_reclaim = true,
        .full_hierarchy = true,
        .signatures = true,
        .over_quota = true,
        .consolidation_victims = 16,
        .queue_depth = -1,
        .saturation_ppm = 1000000,
        .usage_k_ppm = 1000000,
        .usage_window_ms = INT64_C(7) * 86400 * 1000,
        .staleness_grace_ms = 60000,
        .workday_end_ms = -1,
        .idle_grace_ms = INT64_C(10) * 60 * 1000,
        .idle_grace_train_ms = INT64_C(60) * 60 * 1000,
        .idle_below_ppm = 50000,
    };
}

struct policy_quota_options pc_static_defaults(void)
{
    struct policy_quota_options o = pc_quota_defaults();
    o.actions = 1u << POLICY_ALLOCATE | 1u << POLICY_STALE | 1u << POLICY_LIMITS;
    o.over_quota = false;
    return o;
}

struct policy_quota_options pc_pod_defaults(void)
{
    struct policy_quota_options o = pc_quota_defaults();
    o.actions = POD_ACTIONS;
    return o;
}

struct policy_ranked_options pc_attained_defaults(void)
{
    return (struct policy_ranked_options){.threshold = {18000 * PC_GPU_SECOND}, .thresholds = 1};
}

bool pc_has_multifactor_options(const struct policy_multifactor_options *m)
{
    return m->weight_age != 0 || m->weight_fairshare != 0 || m->weight_job_size != 0 ||
           m->weight_partition != 0 || m->weight_qos != 0 || m->max_age_ms != 0 ||
           m->half_life_ms != 0 || m->calc_period_ms != 0 || m->favor_small;
}

/* Clears the quota options that lanes do not use; jobs always have priorities and labels. */
static void keep_of_lanes(struct policy_quota_options *o)
{
    *o = (struct policy_quota_options){
        .actions = o->actions,
        .device_placement = o->device_placement,
        .priorities = true,
        .node_predicates = true,
        .interactive_limit_ms = o->interactive_limit_ms,
        .workday_end_ms = o->workday_end_ms,
    };
}

void pc_complete_config(struct policy_config *config)
{
    const struct pc_job_order *order = pc_order_of(config);
    if (config->quota.backfill)
        config->backfill = POLICY_SINGLE;
    if (pc_in_lanes(config))
        keep_of_lanes(&config->quota);
    if (config->backfill_depth <= 0)
        config->backfill_depth = PC_BACKFILL_DEPTH;
    if (order == &pc_order_multifactor && !pc_has_multifactor_options(&config->multifactor))
        config->multifactor = pc_multifactor_defaults();
    if (order == &pc_order_attained && config->ranked.thresholds == 0) {
        const struct policy_ranked_options usual = pc_attained_defaults();
        config->ranked.thresholds = usual.thresholds;
        memcpy(config->ranked.threshold, usual.threshold, sizeof usual.threshold);
    }
}

struct policy_multifactor_options pc_multifactor_defaults(void)
{
    const int64_t week_ms = INT64_C(7) * 86400 * 1000;
    return (struct policy_multifactor_options){.weight_age = 1000,
                                               .weight_fairshare = 10000,
                                               .weight_job_size = 1000,
                                               .weight_partition = 1000,
                                               .max_age_ms = week_ms,
                                               .half_life_ms = week_ms,
                                               .calc_period_ms = INT64_C(300) * 1000};
}
