/* SPDX-License-Identifier: MIT */
/* The table of options, and setting one by name. A new option is a member of the configuration and
 * a row here. */
#include "act/actions.h"
#include "base/words.h"
#include "config_defaults.h"
#include "option_values.h"
#include "order/multifactor.h"
#include "order/order.h"
#include "order/queue_orders.h"
#include "place/place.h"
#include "plugin_config.h"
#include "state/plugins.h"
#include "state/sized.h"
#include "state/traits.h"

#include <stddef.h>
#include <string.h>

/* The kinds of configurations in which an option applies. */
enum {
    LANES = 1,  /* no queue order, whole gangs */
    QUEUES = 2, /* with a queue order */
    TASKS = 4,  /* task-by-task scheduling */
    GANGS = LANES | QUEUES,
    ANY = LANES | QUEUES | TASKS,
    WALKS = QUEUES | TASKS,
};

/* ---- rows that use an option ---- */

/* Accepted, but not listed. */
static bool is_never_listed(const struct policy_config *config)
{
    (void)config;
    return false;
}

static bool orders_by_service(const struct policy_config *config)
{
    return pc_order_of(config) == &pc_order_attained;
}

static bool orders_by_points(const struct policy_config *config)
{
    return pc_order_of(config) == &pc_order_multifactor;
}

static bool is_preemptive(const struct policy_config *config)
{
    return (pc_order_of(config)->traits & PC_ORDER_RANKED) != 0;
}

static bool passes_in_order(const struct policy_config *config)
{
    return !is_preemptive(config);
}

static bool starts_gangs(const struct policy_config *config)
{
    return !config->pods.on;
}

static bool reserves_easily(const struct policy_config *config)
{
    return config->backfill == POLICY_EASY;
}

static bool plans_all(const struct policy_config *config)
{
    return config->backfill == POLICY_CONSERVATIVE;
}

static bool packs(const struct policy_config *config)
{
    return pc_placements[config->placement] == &pc_place_binpack;
}

static bool goes_by_priority(const struct policy_config *config)
{
    return pc_order_of(config) == &pc_order_priority;
}

static bool scores_what_is_left(const struct policy_config *config)
{
    return pc_placements[config->placement] == &pc_place_least_allocated;
}

static bool has_action(const struct policy_config *config, int32_t action)
{
    return (config->quota.actions >> action & 1) != 0;
}

static bool reclaims(const struct policy_config *config)
{
    return has_action(config, POLICY_RECLAIM);
}

static bool preempts(const struct policy_config *config)
{
    return has_action(config, POLICY_PREEMPT);
}

static bool takes_turns(const struct policy_config *config)
{
    return reclaims(config) || preempts(config);
}

static bool consolidates(const struct policy_config *config)
{
    return has_action(config, POLICY_CONSOLIDATE);
}

static bool ends_stale(const struct policy_config *config)
{
    return has_action(config, POLICY_STALE);
}

static bool ends_sessions(const struct policy_config *config)
{
    return has_action(config, POLICY_LIMITS);
}

static bool provisions(const struct policy_config *config)
{
    return config->provision.how != POLICY_PROVISION_NONE;
}

/* ---- the table ---- */

#define LINE_AT(name)  offsetof(struct policy_config, name)
#define PRIORITY(name) offsetof(struct policy_config, multifactor.name)
#define QUOTA_AT(name) offsetof(struct policy_config, quota.name)
#define SPAN           "seconds, up to 100 years"
#define BACKFILLS      "none|easy|conservative|single"

// clang-format off
static const struct pc_option options[] = {
    {{"scope",
     "fleet|queue: jobs are ordered and block one another across the fleet, or within their own "
     "queue"},
     LANES, pc_set_word, LINE_AT(scope), "fleet|queue", 0, 0, NULL},
    {{"blocking", "strict|skip: the first job that cannot start blocks the rest, or is skipped"},
     LANES, pc_set_word, LINE_AT(blocking), "strict|skip", 0, 0, passes_in_order},
    {{"placement",
     "a row of the placements; with quotas, binpack follows gpu_placement and cpu_placement"},
     ANY, pc_set_placement, 0, NULL, 0, 0, NULL},
    {{"order", "a row of the orders"}, ANY, pc_set_order, 0, NULL, 0, 0, NULL},
    {{"queue_order",
     "none|fair-share: jobs of all queues are compared and quotas are ignored, or queues take "
     "turns by their shares and quotas"},
     ANY, pc_set_queue_order, 0, NULL, 0, 0, NULL},
    {{"unit", "gang|task: gangs start as one, or tasks start one by one, as in Kubernetes"},
     ANY, pc_set_unit, 0, "gang|task", 0, 0, NULL},
    {{"backfill", "none|easy|conservative|single: which jobs may start ahead of one that cannot"},
     ANY, pc_set_backfill, 0, BACKFILLS, 0, 0, starts_gangs},
    {{"backfilling", "none|easy|conservative|single: former name of backfill"},
     LANES, pc_set_backfill, 0, BACKFILLS, 0, 0, is_never_listed},
    {{"easy_variant",
     "textbook|frozen: the reservation is recomputed in each decision, or computed once, and "
     "then only its time counts"},
     LANES, pc_set_word, LINE_AT(easy_variant), "textbook|frozen", 0, 0, reserves_easily},
    {{"backfill_depth",
     "1 or more: jobs planned per decision (conservative), in the order of queues; default 100"},
     QUEUES, pc_set_number, LINE_AT(backfill_depth), NULL, 1, INT32_MAX, plans_all},
    {{"seed", "0 or more: for random placements"}, ANY, pc_set_seed, 0, NULL, 0, 0,
     NULL},
    {{"threshold_gpu_s",
     "1 to 4 ascending numbers of GPU-seconds: a job that has attained more moves to the next "
     "queue (attained)"},
     LANES, pc_set_thresholds, 0, NULL, 0, 0, orders_by_service},
    {{"ties", "running|waiting|previous: how a preemptive policy breaks ties in its order"},
     LANES, pc_set_word, LINE_AT(ranked.ties), "running|waiting|previous", 0, 0, is_preemptive},
    {{"demotion", "exact|published: jobs change queues at once, or as in the simulator of Tiresias "
                  "(attained)"},
     LANES, pc_set_word, LINE_AT(ranked.demotion), "exact|published", 0, 0, orders_by_service},
    {{"refill", "true|false: place all jobs from scratch in each decision; needs placement count"},
     LANES, pc_set_flag, LINE_AT(ranked.refill), NULL, 0, 0, is_preemptive},
    {{"priority_weight_age",
     "0 to 4294967295: points of a job pending for priority_max_age_s (multifactor)"},
     ANY, pc_set_long, PRIORITY(weight_age), NULL, 0, PC_MOST_WEIGHT, orders_by_points},
    {{"priority_weight_fairshare",
     "0 to 4294967295: points of the user with the lowest usage for its shares (multifactor)"},
     ANY, pc_set_long, PRIORITY(weight_fairshare), NULL, 0, PC_MOST_WEIGHT, orders_by_points},
    {{"priority_weight_job_size",
     "0 to 4294967295: points of a job that requests the whole fleet (multifactor)"},
     ANY, pc_set_long, PRIORITY(weight_job_size), NULL, 0, PC_MOST_WEIGHT, orders_by_points},
    {{"priority_weight_partition",
     "0 to 4294967295: points of the queue with the highest priority (multifactor)"},
     ANY, pc_set_long, PRIORITY(weight_partition), NULL, 0, PC_MOST_WEIGHT, orders_by_points},
    {{"priority_weight_qos",
     "0 to 4294967295: points of the job with the highest priority (multifactor)"},
     ANY, pc_set_long, PRIORITY(weight_qos), NULL, 0, PC_MOST_WEIGHT, orders_by_points},
    {{"priority_max_age_s",
     "1 second to 100 years: pending time at which age points stop growing (multifactor)"},
     ANY, pc_set_seconds, PRIORITY(max_age_ms), NULL, 1000, PC_LONG_MS, orders_by_points},
    {{"priority_decay_half_life_s", SPAN ": half-life of past usage; 0 no decay (multifactor)"},
     ANY, pc_set_seconds, PRIORITY(half_life_ms), NULL, 0, PC_LONG_MS, orders_by_points},
    {{"priority_calc_period_s",
     "1 second to 100 years: interval between priority calculations (multifactor)"},
     ANY, pc_set_seconds, PRIORITY(calc_period_ms), NULL, 1000, PC_LONG_MS, orders_by_points},
    {{"priority_favor_small",
     "true|false: small instead of large jobs get the points of priority_weight_job_size "
     "(multifactor)"},
     ANY, pc_set_flag, PRIORITY(favor_small), NULL, 0, 0, orders_by_points},
    {{"queue_limits",
     "true|false: a job that would exceed the GPU limit of a queue is held back, and blocks no "
     "other job"},
     LANES, pc_set_flag, LINE_AT(queue_limits), NULL, 0, 0, passes_in_order},
    {{"time_limits", "true|false: jobs end at their declared limit"},
     ANY, pc_set_flag, LINE_AT(time_limits), NULL, 0, 0, starts_gangs},
    {{"actions", &(PC_ACTION_NAMES ": the steps of a decision, in this order")[1]},
     ANY, pc_set_actions, 0, NULL, 0, 0, NULL},
    {{"gpu_placement", "binpack|spread: tasks with devices go to the fullest or the emptiest node"},
     QUEUES, pc_set_word, QUOTA_AT(gpu_placement), "binpack|spread", 0, 0, packs},
    {{"cpu_placement", "binpack|spread: the same for tasks without devices"},
     QUEUES, pc_set_word, QUOTA_AT(cpu_placement), "binpack|spread", 0, 0, packs},
    {{"device_placement", "pack|spread: shares go to the fullest or the emptiest device of a node"},
     ANY, pc_set_word, QUOTA_AT(device_placement), "pack|spread", 0, 0, NULL},
    {{"fairness", "true|false: queues are ordered by their shares, or by priority and age alone"},
     QUEUES, pc_set_flag, QUOTA_AT(fairness), NULL, 0, 0, NULL},
    {{"priorities", "true|false: jobs of a queue are ordered by priority, or by age alone"},
     QUEUES, pc_set_flag, QUOTA_AT(priorities), NULL, 0, 0, goes_by_priority},
    {{"node_predicates", "true|false: labels and affinities of nodes are obeyed, or ignored"},
     WALKS, pc_set_flag, QUOTA_AT(node_predicates), NULL, 0, 0, NULL},
    {{"score",
     "least-allocated|most-allocated: prefer the node with the most, or the least, left "
     "(kube-default)"},
     TASKS, pc_set_word, LINE_AT(pods.score), "least-allocated|most-allocated", 0, 0,
        scores_what_is_left},
    {{"pod_order",
     "job|turns: among jobs submitted at the same time, all tasks of the first come first, or "
     "one of each in turn (kube-default)"},
     TASKS, pc_set_word, LINE_AT(pods.order), "job|turns", 0, 0, NULL},
    {{"victims",
     "lower|preemptible: a task may evict any task of lower priority, or only those of "
     "preemptible jobs (kube-default)"},
     TASKS, pc_set_word, LINE_AT(pods.victims), "lower|preemptible", 0, 0, preempts},
    {{"consolidating_reclaim",
     "true|false: victims that are placed elsewhere do not count as reclaimed"},
     QUEUES, pc_set_flag, QUOTA_AT(consolidating_reclaim), NULL, 0, 0, reclaims},
    {{"consolidation_victims", "0 or more, or -1: most jobs moved for one job; -1 unlimited"},
     QUEUES, pc_set_number, QUOTA_AT(consolidation_victims), NULL, -1, INT32_MAX, consolidates},
    {{"saturation_multiplier",
     "1 to 1000: how far a reclaiming queue must stay below the one that loses devices"},
     QUEUES, pc_set_ratio, QUOTA_AT(saturation_ppm), NULL, 1000000, INT64_C(1000000000), reclaims},
    {{"staleness_grace_s", SPAN ", or -1: how long a gang may run below its minimum; -1 for ever"},
     QUEUES, pc_set_seconds, QUOTA_AT(staleness_grace_ms), NULL, -1, PC_LONG_MS, ends_stale},
    {{"full_hierarchy",
     "true|false: shares are divided level by level, or among all leaves at once"},
     QUEUES, pc_set_flag, QUOTA_AT(full_hierarchy), NULL, 0, 0, NULL},
    {{"usage_k", "0 to 1000: weight of past usage in the division of over-quota"},
     QUEUES, pc_set_ratio, QUOTA_AT(usage_k_ppm), NULL, 0, INT64_C(1000000000), NULL},
    {{"usage_window", "given|sliding|tumbling: usage history is reported, or kept over a window"},
     QUEUES, pc_set_word, QUOTA_AT(usage_window), "given|sliding|tumbling", 0, 0, NULL},
    {{"usage_window_s", "1 second to 100 years: length of the window"},
     QUEUES, pc_set_seconds, QUOTA_AT(usage_window_ms), NULL, 1000, PC_LONG_MS, NULL},
    {{"usage_half_life_s", SPAN ": half-life of past usage; 0 no decay"},
     QUEUES, pc_set_seconds, QUOTA_AT(usage_half_life_ms), NULL, 0, PC_LONG_MS, NULL},
    {{"queue_depth", "0 or more, or -1: jobs per queue that an action considers; -1 all"},
     QUEUES, pc_set_number, QUOTA_AT(queue_depth), NULL, -1, INT32_MAX, NULL},
    {{"signatures", "true|false: a job is skipped if an equivalent one failed in the same action"},
     QUEUES, pc_set_flag, QUOTA_AT(signatures), NULL, 0, 0, NULL},
    {{"over_quota",
     "true|false: queues may exceed their quota, or a leaf's quota is also its limit"},
     QUEUES, pc_set_flag, QUOTA_AT(over_quota), NULL, 0, 0, NULL},
    {{"protection", "lca|queue: which queue's minimum run time protects from reclaim"},
     QUEUES, pc_set_word, QUOTA_AT(protection), "lca|queue", 0, 0, reclaims},
    {{"preempt_min_runtime_s",
     SPAN ": minimum run time before preemption, for queues that set none"},
     QUEUES, pc_set_seconds, QUOTA_AT(preempt_min_runtime_ms), NULL, 0, PC_LONG_MS, preempts},
    {{"reclaim_min_runtime_s", SPAN ": minimum run time before reclaim, for queues that set none"},
     QUEUES, pc_set_seconds, QUOTA_AT(reclaim_min_runtime_ms), NULL, 0, PC_LONG_MS, reclaims},
    {{"reversal_s",
     SPAN ": time before a job that took devices from another and lost them may take them from it "
     "again"},
     QUEUES, pc_set_seconds, LINE_AT(reversal_ms), NULL, 0, PC_LONG_MS, takes_turns},
    {{"interactive_limit_s",
     SPAN ": time limit of build sessions; 0 none (8 to 12 hours are usual)"},
     GANGS, pc_set_seconds, QUOTA_AT(interactive_limit_ms), NULL, 0, PC_LONG_MS, ends_sessions},
    {{"workday_end_s",
     "0 to 86400, or -1: second of the day (UTC) to which sessions are extended; -1 not at all"},
     GANGS, pc_set_seconds, QUOTA_AT(workday_end_ms), NULL, -1, INT64_C(86400000), ends_sessions},
    {{"idle_limit_s", SPAN ": idle time of its devices after which a job ends; 0 never"},
     QUEUES, pc_set_seconds, QUOTA_AT(idle_limit_ms), NULL, 0, PC_LONG_MS, ends_sessions},
    {{"idle_grace_s", SPAN ": time at the start of a build session that does not count as idle"},
     QUEUES, pc_set_seconds, QUOTA_AT(idle_grace_ms), NULL, 0, PC_LONG_MS, ends_sessions},
    {{"idle_grace_train_s", SPAN ": the same for training, which may start on CPUs"},
     QUEUES, pc_set_seconds, QUOTA_AT(idle_grace_train_ms), NULL, 0, PC_LONG_MS, ends_sessions},
    {{"idle_below", "0 to 1: utilization of its devices below which a job is idle"},
     QUEUES, pc_set_ratio, QUOTA_AT(idle_below_ppm), NULL, 0, 1000000, ends_sessions},
    {{"provision",
     "none|reactive|predictive: nodes of elastic pools are ordered and released never, for "
     "pending jobs, or also ahead of the demand of a week before"},
     ANY, pc_set_word, LINE_AT(provision.how), "none|reactive|predictive", 0, 0, NULL},
    {{"provision_headroom", "0 or more: empty nodes that each elastic pool keeps ready"},
     ANY, pc_set_number, LINE_AT(provision.headroom), NULL, 0, INT32_MAX, provisions},
    {{"provision_hours",
     "hours of the week with headroom, such as 'mon-fri 07-17,sat 10-12'; default all"},
     ANY, pc_set_hours, 0, NULL, 0, 0, provisions},
    {{"provision_protect_s", SPAN ": no node is released for this long after an order"},
     ANY, pc_set_seconds, LINE_AT(provision.protect_ms), NULL, 0, PC_LONG_MS, provisions},
    {{"provision_budget_usd",
     "0 or more: USD per 30 days for nodes of elastic pools; no node is ordered beyond it; 0 "
     "unlimited"},
     ANY, pc_set_ratio, LINE_AT(provision.budget), NULL, 0, INT64_C(1000000000000000), provisions},
};
// clang-format on
#define OPTIONS (sizeof options / sizeof *options)

/* Returns true if the option may be set: a row that uses it may still be chosen. */
static bool takes(const struct policy_config *config, const struct pc_option *o)
{
    int has = config->pods.on ? TASKS : pc_in_lanes(config) ? LANES : QUEUES;
    return (o->of & has) != 0 && !pc_plugin_replaces(config->plugin, o->row.name);
}

/* Sets an option of a configuration of this version. */
static int set_option(struct policy_config *config, const char *option, const char *value,
                      struct policy_error *error)
{
    int status = pc_plugin_set_option(config, option, value, error);
    if (status != POLICY_UNKNOWN)
        return status;
    for (size_t i = 0; i < OPTIONS; i++) {
        if (!pc_text_equal(options[i].row.name, option))
            continue;
        if (!takes(config, &options[i])) {
            pc_error_set(error, POLICY_UNKNOWN, "this policy has no option '", option, "'");
            return POLICY_UNKNOWN;
        }
        if (options[i].set(config, &options[i], value))
            return POLICY_OK;
        pc_error_set(error, POLICY_INVALID, value, " is not ", options[i].row.summary);
        return POLICY_INVALID;
    }
    pc_error_set(error, POLICY_UNKNOWN, "no option is named '", option, "'");
    return POLICY_UNKNOWN;
}

/* The caller's struct may be shorter: an option that it lacks is refused, not lost. */
int policy_config_set(struct policy_config *given, const char *option, const char *value,
                      struct policy_error *error)
{
    struct policy_config room, before;
    const struct policy_config *config = pc_config_in(given, &room, error);
    if (config == NULL)
        return POLICY_INVALID;
    if (config == given)
        return set_option(given, option, value, error);
    before = room;
    int status = set_option(&room, option, value, error);
    size_t size = given->size;
    if (status == POLICY_OK &&
        memcmp((char *)&room + size, (char *)&before + size, sizeof room - size) != 0) {
        pc_error_set(error, POLICY_UNSUPPORTED, "the configuration has no room for the option '",
                     option, "'");
        return POLICY_UNSUPPORTED;
    }
    if (status == POLICY_OK)
        pc_sized_out(PC_CONFIG, given, &room);
    return status;
}

const struct policy_row *policy_option_row(size_t i)
{
    return i < OPTIONS ? &options[i].row : NULL;
}

const struct policy_row *policy_config_option_row(const struct policy_config *given, size_t i)
{
    struct policy_config room;
    struct policy_plugin plugin_room;
    const struct policy_config *config = pc_config_in(given, &room, NULL);
    for (size_t o = 0; config != NULL && o < OPTIONS; o++)
        if (takes(config, &options[o]) &&
            (options[o].serves == NULL || options[o].serves(config)) && i-- == 0)
            return &options[o].row;
    const struct policy_plugin *plugin =
        config != NULL ? pc_plugin_known(config->plugin, &plugin_room) : NULL;
    return plugin != NULL && i < plugin->option_count ? &plugin->options[i].row : NULL;
}
