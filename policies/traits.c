/* SPDX-License-Identifier: MIT */
/* The traits of a policy, derived from the rows of its configuration. */
#include "state/traits.h"
#include "order/order.h"
#include "place/place.h"
#include "plugin_config.h"
#include "state/plugins.h"
#include "state/sized.h"

static uint64_t when(bool holds, uint64_t traits)
{
    return holds ? traits : 0;
}

static uint64_t of_placement(const struct policy_config *config)
{
    const struct pc_placement *placement = pc_placement_of(config);
    if (pc_plugin_replaces(config->plugin, "placement"))
        return 0;
    return when((placement->traits & PC_COUNTS_ONLY) != 0, POLICY_TRAIT_COUNTS) |
           when((placement->traits & PC_WANTS_TYPICAL) != 0, POLICY_TRAIT_TYPICAL) |
           when((placement->traits & PC_GANGS_NEAR) != 0,
                POLICY_TRAIT_NEAR | POLICY_TRAIT_TOPOLOGY) |
           when(placement == &pc_place_random, POLICY_TRAIT_DRAWS);
}

/* Without a queue order: jobs are compared across all queues or within each. */
static uint64_t of_lines(const struct policy_config *config)
{
    return POLICY_TRAIT_WHOLE | POLICY_TRAIT_SORTS_OUT | POLICY_TRAIT_FORESIGHT |
           when((pc_order_of(config)->traits & PC_ORDER_RANKED) != 0,
                POLICY_TRAIT_PROGRESS | POLICY_TRAIT_RESTLESS) |
           when(config->queue_limits, POLICY_TRAIT_LIMITS | POLICY_TRAIT_GPU_LIMITS) |
           when(config->scope == POLICY_SCOPE_FLEET, POLICY_TRAIT_COUPLED);
}

/* With a queue order, or task by task. */
static uint64_t of_quotas(const struct policy_config *config)
{
    const struct policy_quota_options *o = &config->quota;
    bool one_by_one = config->pods.on;
    return POLICY_TRAIT_NOMINATES | POLICY_TRAIT_DIVIDES | POLICY_TRAIT_LIMITS |
           POLICY_TRAIT_GPU_LIMITS | POLICY_TRAIT_RESTLESS | POLICY_TRAIT_COUPLED |
           POLICY_TRAIT_TOPOLOGY | when(!one_by_one, POLICY_TRAIT_QUOTAS) |
           when(one_by_one, POLICY_TRAIT_PARTS) |
           when(one_by_one && config->pods.victims == POLICY_VICTIMS_LOWER,
                POLICY_TRAIT_ANY_VICTIM) |
           when((pc_order_of(config)->traits & PC_ORDER_FORESIGHT) != 0, POLICY_TRAIT_FORESIGHT) |
           when(!o->over_quota, POLICY_TRAIT_OWNED) | when(!o->full_hierarchy, POLICY_TRAIT_FLAT) |
           when(o->idle_limit_ms > 0, POLICY_TRAIT_ACTIVITY);
}

static uint64_t of_plugin(const struct policy_plugin *given)
{
    struct policy_plugin room;
    const struct policy_plugin *plugin = pc_plugin_known(given, &room);
    const uint64_t wants = plugin != NULL ? plugin->wants : 0;
    return when((wants & POLICY_WANTS_NAMES) != 0, POLICY_TRAIT_NAMES) |
           when((wants & POLICY_WANTS_RUN_TIMES) != 0, POLICY_TRAIT_FORESIGHT);
}

uint64_t policy_traits(const struct policy_config *given)
{
    struct policy_config room;
    const struct policy_config *config = pc_config_in(given, &room, NULL);
    if (config == NULL)
        return 0;
    return of_placement(config) | of_plugin(config->plugin) |
           when(config->provision.how != POLICY_PROVISION_NONE,
                POLICY_TRAIT_PROVISIONS | POLICY_TRAIT_RESTLESS | POLICY_TRAIT_COUPLED) |
           (pc_in_lanes(config) ? of_lines(config) : of_quotas(config));
}

bool policy_is_ranked(const struct policy_config *config)
{
    return (policy_traits(config) & POLICY_TRAIT_PROGRESS) != 0;
}

bool policy_placement_counts(const struct policy_config *config)
{
    return (policy_traits(config) & POLICY_TRAIT_COUNTS) != 0;
}

bool policy_wants_typical_tasks(const struct policy_config *config)
{
    return (policy_traits(config) & POLICY_TRAIT_TYPICAL) != 0;
}
