/* SPDX-License-Identifier: MIT */
/* The table of rejected compositions; see composition.h. A new rule is a predicate and a row. */
#include "composition.h"
#include "order/order.h"
#include "place/place.h"
#include "state/plugins.h"
#include "state/traits.h"

struct rule {
    bool (*holds)(const struct policy_config *);
    struct policy_row row; /* the options, and the message */
};

/* ---- predicates ---- */

static bool is_task_by_task(const struct policy_config *config)
{
    return config->pods.on != 0;
}

static bool has_queue_order(const struct policy_config *config)
{
    return config->queue_order != POLICY_NO_QUEUE_ORDER;
}

static bool is_preemptive(const struct policy_config *config)
{
    return (pc_order_of(config)->traits & PC_ORDER_RANKED) != 0;
}

/* Returns true if a plugin makes all decisions; its options do not matter here. */
static bool decides(const struct policy_config *config)
{
    return config->plugin != NULL && config->plugin->decide != NULL;
}

static bool has_action(const struct policy_config *config, int32_t action)
{
    return (config->quota.actions >> action & 1) != 0;
}

static bool has_actions_but(const struct policy_config *config, uint32_t allowed)
{
    return (config->quota.actions & ~allowed) != 0;
}

static bool backfills(const struct policy_config *config)
{
    return config->backfill != POLICY_NO_BACKFILL || config->quota.backfill;
}

static bool reserves_once(const struct policy_config *config)
{
    return config->backfill == POLICY_SINGLE || config->quota.backfill;
}

/* ---- the rules ---- */

static bool tasks_with_queue_order(const struct policy_config *config)
{
    return is_task_by_task(config) && has_queue_order(config);
}

static bool tasks_with_preemptive_order(const struct policy_config *config)
{
    return is_task_by_task(config) && is_preemptive(config);
}

static bool tasks_with_backfill(const struct policy_config *config)
{
    return is_task_by_task(config) && backfills(config);
}

static bool tasks_with_time_limits(const struct policy_config *config)
{
    return is_task_by_task(config) && config->time_limits;
}

static bool tasks_with_other_actions(const struct policy_config *config)
{
    const uint32_t of_tasks = 1u << POLICY_ALLOCATE | 1u << POLICY_PREEMPT;
    return is_task_by_task(config) &&
           (has_actions_but(config, of_tasks) || !has_action(config, POLICY_ALLOCATE));
}

static bool queue_order_with_preemptive_order(const struct policy_config *config)
{
    return has_queue_order(config) && is_preemptive(config);
}

static bool lanes_with_other_actions(const struct policy_config *config)
{
    return pc_in_lanes(config) &&
           has_actions_but(config, 1u << POLICY_ALLOCATE | 1u << POLICY_LIMITS);
}

static bool lanes_without_allocate(const struct policy_config *config)
{
    return pc_in_lanes(config) && config->quota.actions != 0 &&
           !has_action(config, POLICY_ALLOCATE);
}

static bool lanes_with_single(const struct policy_config *config)
{
    return pc_in_lanes(config) && reserves_once(config);
}

static bool lanes_with_idle_limit(const struct policy_config *config)
{
    return pc_in_lanes(config) && config->quota.idle_limit_ms > 0;
}

static bool lanes_with_session_limit(const struct policy_config *config)
{
    return pc_in_lanes(config) && config->quota.interactive_limit_ms > 0 &&
           !has_action(config, POLICY_LIMITS);
}

static bool preemptive_with_backfill(const struct policy_config *config)
{
    return is_preemptive(config) && backfills(config);
}

static bool preemptive_with_strict(const struct policy_config *config)
{
    return pc_in_lanes(config) && is_preemptive(config) && config->blocking == POLICY_STRICT;
}

static bool preemptive_with_limits(const struct policy_config *config)
{
    return is_preemptive(config) && (config->queue_limits || config->time_limits);
}

static bool skip_with_backfill(const struct policy_config *config)
{
    return pc_in_lanes(config) && backfills(config) && config->blocking != POLICY_STRICT;
}

static bool queue_order_with_frozen(const struct policy_config *config)
{
    return has_queue_order(config) && config->backfill == POLICY_EASY &&
           config->easy_variant == POLICY_EASY_FROZEN;
}

static bool time_limits_without_limits(const struct policy_config *config)
{
    return has_queue_order(config) && config->time_limits && !has_action(config, POLICY_LIMITS);
}

static bool places_on_count(const struct policy_config *config)
{
    return !pc_in_lanes(config) && policy_placement_counts(config);
}

static bool plugin_without_queue_order(const struct policy_config *config)
{
    struct policy_plugin room;
    const struct policy_plugin *plugin = pc_plugin_known(config->plugin, &room);
    return plugin != NULL && !has_queue_order(config) &&
           (plugin->queue_key != NULL || plugin->act != NULL);
}

static bool decides_on_count(const struct policy_config *config)
{
    return decides(config) && policy_placement_counts(config);
}

static bool decides_by_queue(const struct policy_config *config)
{
    return decides(config) && config->scope != POLICY_SCOPE_FLEET;
}

static bool refills_nodes(const struct policy_config *config)
{
    return config->ranked.refill && is_preemptive(config) && !policy_placement_counts(config);
}

/* The first rule that holds is reported. */
static const struct rule rules[] = {
    {tasks_with_queue_order,
     {"unit, queue_order", "unit 'task' puts the tasks of all queues in one order: set queue_order "
                           "to 'none', or unit to 'gang'"}},
    {tasks_with_preemptive_order,
     {"unit, order", "unit 'task' cannot be combined with a preemptive order, which evicts whole "
                     "jobs: choose another order, or set unit to 'gang'"}},
    {tasks_with_backfill,
     {"unit, backfill", "unit 'task' cannot be combined with backfill, which reserves places for "
                        "gangs: set backfill to 'none', or unit to 'gang'"}},
    {tasks_with_time_limits,
     {"unit, time_limits", "unit 'task' cannot be combined with time_limits, which end whole jobs: "
                           "set time_limits to 'false', or unit to 'gang'"}},
    {tasks_with_other_actions,
     {"unit, actions", "unit 'task' only supports the actions 'allocate' and 'preempt', with "
                       "'allocate' required: set actions to these, or unit to 'gang'"}},
    {queue_order_with_preemptive_order,
     {"order, queue_order",
      "a preemptive order cannot be combined with queue_order 'fair-share', since both choose "
      "victims: choose another order, or set queue_order to 'none'"}},
    {lanes_with_other_actions,
     {"actions, queue_order", "actions 'consolidate', 'reclaim', 'preempt' and 'stale' need a "
                              "queue order: leave them out, or set queue_order to 'fair-share'"}},
    {lanes_without_allocate,
     {"actions, queue_order",
      "actions need 'allocate' if queue_order is 'none': no other action starts jobs"}},
    {lanes_with_single,
     {"backfill, queue_order", "backfill 'single' needs a queue order: set backfill to 'easy', or "
                               "queue_order to 'fair-share'"}},
    {lanes_with_idle_limit,
     {"idle_limit_s, queue_order",
      "idle_limit_s needs a queue order: set it to 0, or queue_order to 'fair-share'"}},
    {lanes_with_session_limit,
     {"interactive_limit_s, actions", "interactive_limit_s needs 'limits' among the actions: set "
                                      "actions to 'allocate,limits', or the limit to 0"}},
    {preemptive_with_backfill,
     {"order, backfill", "a preemptive order cannot be combined with backfill, since it evicts for "
                         "the first job: set backfill to 'none', or choose another order"}},
    {preemptive_with_strict,
     {"order, blocking",
      "blocking 'strict' cannot be combined with a preemptive order, which skips jobs that do not "
      "fit: set blocking to 'skip', or choose another order"}},
    {preemptive_with_limits,
     {"order, queue_limits, time_limits",
      "queue_limits and time_limits cannot be combined with a preemptive order: set them to "
      "'false', or choose another order"}},
    {skip_with_backfill,
     {"blocking, backfill", "backfill needs blocking 'strict', since no job waits behind another "
                            "otherwise: set blocking to 'strict', or backfill to 'none'"}},
    {queue_order_with_frozen,
     {"easy_variant, queue_order",
      "easy_variant 'frozen' cannot be combined with queue_order 'fair-share', under which the "
      "first job changes: set easy_variant to 'textbook', or queue_order to 'none'"}},
    {time_limits_without_limits,
     {"time_limits, actions", "time_limits 'true' needs 'limits' among the actions: add it, or set "
                              "time_limits to 'false'"}},
    {places_on_count,
     {"placement, queue_order, unit",
      "placement 'count' ignores nodes, which queue_order 'fair-share' and unit 'task' need: "
      "choose another placement, or set queue_order to 'none' and unit to 'gang'"}},
    {plugin_without_queue_order,
     {"queue_order", "a plugin with a queue order or an action needs a queue order: set "
                     "queue_order to 'fair-share'"}},
    {decides_on_count,
     {"placement", "placement 'count' cannot be combined with a plugin that makes all decisions: "
                   "choose another placement"}},
    {decides_by_queue,
     {"scope", "scope 'queue' cannot be combined with a plugin that makes all decisions: set scope "
               "to 'fleet'"}},
    {refills_nodes,
     {"refill, placement",
      "refill 'true' needs placement 'count', since with nodes all jobs would move in each "
      "decision: set placement to 'count', or refill to 'false'"}},
};
#define RULES (sizeof rules / sizeof *rules)

const char *pc_composition_wrong(const struct policy_config *config)
{
    for (size_t i = 0; i < RULES; i++)
        if (rules[i].holds(config))
            return rules[i].row.summary;
    return NULL;
}

const struct policy_row *policy_refusal_row(size_t i)
{
    return i < RULES ? &rules[i].row : NULL;
}
