/* SPDX-License-Identifier: MIT */
/* Options by name, parsed from text. A new option is a member of the configuration and a row
 * here. */
#include "options.h"
#include "act/actions.h"
#include "base/words.h"
#include "composition.h"
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

struct option {
    struct policy_row row;
    int of; /* the configurations that accept it */
    bool (*set)(struct policy_config *, const struct option *, const char *value);
    size_t at;           /* offset in the configuration */
    const char *words;   /* "zero|one|two": values 0, 1, 2 */
    int64_t least, most; /* of numbers; durations in ms, ratios in ppm */
    bool (*serves)(
        const struct policy_config *); /* returns true if a chosen row uses it; NULL: always */
};

static void *member(struct policy_config *config, const struct option *o)
{
    return (char *)config + o->at;
}

/* ---- kinds of options ---- */

static bool set_word(struct policy_config *config, const struct option *o, const char *value)
{
    int32_t word = pc_word_of(o->words, value);
    if (word >= 0)
        memcpy(member(config, o), &word, sizeof word);
    return word >= 0;
}

static bool set_flag(struct policy_config *config, const struct option *o, const char *value)
{
    int32_t word = pc_word_of("false|true", value);
    bool flag = word == 1;
    if (word >= 0)
        memcpy(member(config, o), &flag, sizeof flag);
    return word >= 0;
}

static bool set_scaled(struct policy_config *config, const struct option *o, const char *value,
                       int digits)
{
    int64_t number;
    if (!pc_parse_decimal(value, digits, &number) || number < o->least || number > o->most)
        return false;
    memcpy(member(config, o), &number, sizeof number);
    return true;
}

static bool set_seconds(struct policy_config *config, const struct option *o, const char *value)
{
    return set_scaled(config, o, value, 3);
}

static bool set_ratio(struct policy_config *config, const struct option *o, const char *value)
{
    return set_scaled(config, o, value, 6);
}

static bool set_long(struct policy_config *config, const struct option *o, const char *value)
{
    return set_scaled(config, o, value, 0);
}

static bool set_number(struct policy_config *config, const struct option *o, const char *value)
{
    int64_t number;
    if (!pc_parse_decimal(value, 0, &number) || number < o->least || number > o->most)
        return false;
    int32_t small = (int32_t)number;
    memcpy(member(config, o), &small, sizeof small);
    return true;
}

static bool set_placement(struct policy_config *config, const struct option *o, const char *value)
{
    (void)o;
    int32_t row = pc_find_placement(value);
    config->placement = row >= 0 ? row : config->placement;
    return row >= 0;
}

/* Setting another order clears the options of the previous one. */
static bool set_order(struct policy_config *config, const struct option *o, const char *value)
{
    (void)o;
    int32_t row = pc_find_order(value);
    if (row < 0 || config->order < 0 || (uint32_t)config->order >= pc_order_count)
        return false;
    const struct pc_job_order *before = pc_orders[config->order];
    if (before == &pc_order_multifactor && pc_orders[row] != before)
        config->multifactor = (struct policy_multifactor_options){0};
    if (before == &pc_order_attained && pc_orders[row] != before) {
        config->ranked.thresholds = 0;
        memset(config->ranked.threshold, 0, sizeof config->ranked.threshold);
        config->ranked.demotion = POLICY_DEMOTE_EXACT;
    }
    config->order = row;
    return true;
}

/* Setting another queue order or unit brings its own actions and their options. */
static void bring(struct policy_config *config, struct policy_quota_options usual)
{
    const uint32_t actions = usual.actions;
    if (config->quota.saturation_ppm == 0) /* it had none yet */
        config->quota = usual;
    config->quota.actions = actions;
}

static void bring_lanes(struct policy_config *config)
{
    const uint32_t of_lanes = 1u << POLICY_ALLOCATE | 1u << POLICY_LIMITS;
    config->quota.actions &= of_lanes;
    config->reversal_ms = 0;
}

/* 0: none, else 1 + the number of its row; negative: unknown. */
static int32_t find_queue_order(const char *name)
{
    for (uint32_t i = 0; i < pc_queue_order_count; i++)
        if (pc_text_equal(pc_queue_orders[i]->row.name, name))
            return (int32_t)i + 1;
    return pc_text_equal(name, "none") ? POLICY_NO_QUEUE_ORDER : -1;
}

static bool set_queue_order(struct policy_config *config, const struct option *o, const char *value)
{
    (void)o;
    int32_t row = find_queue_order(value);
    if (row < 0 || row == config->queue_order)
        return row >= 0;
    config->queue_order = row;
    if (row == POLICY_NO_QUEUE_ORDER) {
        bring_lanes(config);
        return true;
    }
    bring(config, pc_quota_defaults());
    config->reversal_ms = PC_REVERSAL_MS;
    config->backfill_depth = PC_BACKFILL_DEPTH;
    config->scope = POLICY_SCOPE_QUEUE;
    config->blocking = POLICY_SKIP;
    return true;
}

static bool set_unit(struct policy_config *config, const struct option *o, const char *value)
{
    int32_t unit = pc_word_of(o->words, value);
    if (unit < 0 || unit == config->pods.on)
        return unit >= 0;
    config->pods = (struct policy_pod_options){.on = unit};
    if (!unit) {
        bring_lanes(config);
        return true;
    }
    bring(config, pc_pod_defaults());
    config->scope = POLICY_SCOPE_FLEET;
    config->blocking = POLICY_SKIP;
    return true;
}

/* "true" and "false" are earlier names of `single` and `none`. */
static bool set_backfill(struct policy_config *config, const struct option *o, const char *value)
{
    int32_t word = pc_word_of(o->words, value);
    int32_t former = pc_word_of("false|true", value);
    if (former >= 0)
        word = former == 1 ? POLICY_SINGLE : POLICY_NO_BACKFILL;
    if (word < 0)
        return false;
    config->backfill = word;
    config->quota.backfill = word == POLICY_SINGLE;
    return true;
}

static bool set_seed(struct policy_config *config, const struct option *o, const char *value)
{
    (void)o;
    uint64_t seed = 0;
    if (*value == '\0')
        return false;
    for (; *value != '\0'; value++)
        if (*value < '0' || *value > '9' || __builtin_mul_overflow(seed, 10, &seed) ||
            __builtin_add_overflow(seed, (uint64_t)(*value - '0'), &seed))
            return false;
    config->seed = seed;
    return true;
}

#define MILLION      INT64_C(1000000)
#define GPU_SECOND   INT64_C(1000000)       /* thousandths of devices x ms */
#define LONG_SERVICE INT64_C(1000000000000) /* GPU-seconds */

/* Ascending numbers, separated by commas. */
static bool set_thresholds(struct policy_config *config, const struct option *o, const char *value)
{
    (void)o;
    struct policy_ranked_options ranked = config->ranked;
    memset(ranked.threshold, 0, sizeof ranked.threshold);
    int64_t before = 0;
    for (ranked.thresholds = 0; *value != '\0' && ranked.thresholds < POLICY_MAX_THRESHOLDS;) {
        char number[32];
        size_t length = 0;
        while (*value != '\0' && *value != ',' && length + 1 < sizeof number)
            number[length++] = *value++;
        number[length] = '\0';
        int64_t *threshold = &ranked.threshold[ranked.thresholds++];
        if (!pc_parse_decimal(number, 6, threshold) || *threshold <= before ||
            *threshold > LONG_SERVICE * GPU_SECOND)
            return false;
        before = *threshold;
        if (*value != '\0' && (*value++ != ',' || *value == '\0'))
            return false;
    }
    if (*value != '\0' || ranked.thresholds == 0)
        return false;
    config->ranked = ranked;
    return true;
}

static int32_t find_action(const char *name)
{
    for (uint32_t i = 0; i < pc_action_count; i++)
        if (pc_text_equal(pc_actions[i]->row.name, name))
            return (int32_t)pc_actions[i]->action;
    return -1;
}

/* "mon-fri 08-18", several separated by commas: a set of hours of the week (UTC). */
static bool set_hours(struct policy_config *config, const struct option *o, const char *value)
{
    (void)o;
    uint64_t hours[3];
    if (!pc_parse_hours(value, hours))
        return false;
    memcpy(config->provision.hours, hours, sizeof hours);
    return true;
}

/* Names of actions, separated by commas. */
static bool set_actions(struct policy_config *config, const struct option *o, const char *value)
{
    (void)o;
    uint32_t actions = 0;
    char word[32];
    while (*value != '\0') {
        size_t length = 0;
        while (*value != '\0' && *value != ',' && length + 1 < sizeof word)
            word[length++] = *value++;
        word[length] = '\0';
        int32_t action = find_action(word);
        if (action < 0 || (*value != '\0' && *value != ','))
            return false;
        actions |= UINT32_C(1) << action;
        value += *value == ',' ? 1 : 0;
    }
    config->quota.actions = actions != 0 ? actions : config->quota.actions;
    return actions != 0;
}

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
#define LONG_MS        (INT64_C(1000) * 86400 * 36525) /* 100 years */
#define SPAN           "seconds, up to 100 years"
#define BACKFILLS      "none|easy|conservative|single"

// clang-format off
static const struct option options[] = {
    {{"scope",
     "fleet|queue: jobs are ordered and block one another across the fleet, or within their own "
     "queue"},
     LANES, set_word, LINE_AT(scope), "fleet|queue", 0, 0, NULL},
    {{"blocking", "strict|skip: the first job that cannot start blocks the rest, or is skipped"},
     LANES, set_word, LINE_AT(blocking), "strict|skip", 0, 0, passes_in_order},
    {{"placement",
     "a row of the placements; with quotas, binpack follows gpu_placement and cpu_placement"},
     ANY, set_placement, 0, NULL, 0, 0, NULL},
    {{"order", "a row of the orders"}, ANY, set_order, 0, NULL, 0, 0, NULL},
    {{"queue_order",
     "none|fair-share: jobs of all queues are compared and quotas are ignored, or queues take "
     "turns by their shares and quotas"},
     ANY, set_queue_order, 0, NULL, 0, 0, NULL},
    {{"unit", "gang|task: gangs start as one, or tasks start one by one, as in Kubernetes"},
     ANY, set_unit, 0, "gang|task", 0, 0, NULL},
    {{"backfill", "none|easy|conservative|single: which jobs may start ahead of one that cannot"},
     ANY, set_backfill, 0, BACKFILLS, 0, 0, starts_gangs},
    {{"backfilling", "none|easy|conservative|single: former name of backfill"},
     LANES, set_backfill, 0, BACKFILLS, 0, 0, is_never_listed},
    {{"easy_variant",
     "textbook|frozen: the reservation is recomputed in each decision, or computed once, and "
     "then only its time counts"},
     LANES, set_word, LINE_AT(easy_variant), "textbook|frozen", 0, 0, reserves_easily},
    {{"backfill_depth",
     "1 or more: jobs planned per decision (conservative), in the order of queues; default 100"},
     QUEUES, set_number, LINE_AT(backfill_depth), NULL, 1, INT32_MAX, plans_all},
    {{"seed", "0 or more: for random placements"}, ANY, set_seed, 0, NULL, 0, 0,
     NULL},
    {{"threshold_gpu_s",
     "1 to 4 ascending numbers of GPU-seconds: a job that has attained more moves to the next "
     "queue (attained)"},
     LANES, set_thresholds, 0, NULL, 0, 0, orders_by_service},
    {{"ties", "running|waiting|previous: how a preemptive policy breaks ties in its order"},
     LANES, set_word, LINE_AT(ranked.ties), "running|waiting|previous", 0, 0, is_preemptive},
    {{"demotion", "exact|published: jobs change queues at once, or as in the simulator of Tiresias "
                  "(attained)"},
     LANES, set_word, LINE_AT(ranked.demotion), "exact|published", 0, 0, orders_by_service},
    {{"refill", "true|false: place all jobs from scratch in each decision; needs placement count"},
     LANES, set_flag, LINE_AT(ranked.refill), NULL, 0, 0, is_preemptive},
    {{"priority_weight_age",
     "0 to 4294967295: points of a job pending for priority_max_age_s (multifactor)"},
     ANY, set_long, PRIORITY(weight_age), NULL, 0, PC_MOST_WEIGHT, orders_by_points},
    {{"priority_weight_fairshare",
     "0 to 4294967295: points of the user with the lowest usage for its shares (multifactor)"},
     ANY, set_long, PRIORITY(weight_fairshare), NULL, 0, PC_MOST_WEIGHT, orders_by_points},
    {{"priority_weight_job_size",
     "0 to 4294967295: points of a job that requests the whole fleet (multifactor)"},
     ANY, set_long, PRIORITY(weight_job_size), NULL, 0, PC_MOST_WEIGHT, orders_by_points},
    {{"priority_weight_partition",
     "0 to 4294967295: points of the queue with the highest priority (multifactor)"},
     ANY, set_long, PRIORITY(weight_partition), NULL, 0, PC_MOST_WEIGHT, orders_by_points},
    {{"priority_weight_qos",
     "0 to 4294967295: points of the job with the highest priority (multifactor)"},
     ANY, set_long, PRIORITY(weight_qos), NULL, 0, PC_MOST_WEIGHT, orders_by_points},
    {{"priority_max_age_s",
     "1 second to 100 years: pending time at which age points stop growing (multifactor)"},
     ANY, set_seconds, PRIORITY(max_age_ms), NULL, 1000, LONG_MS, orders_by_points},
    {{"priority_decay_half_life_s", SPAN ": half-life of past usage; 0 no decay (multifactor)"},
     ANY, set_seconds, PRIORITY(half_life_ms), NULL, 0, LONG_MS, orders_by_points},
    {{"priority_calc_period_s",
     "1 second to 100 years: interval between priority calculations (multifactor)"},
     ANY, set_seconds, PRIORITY(calc_period_ms), NULL, 1000, LONG_MS, orders_by_points},
    {{"priority_favor_small",
     "true|false: small instead of large jobs get the points of priority_weight_job_size "
     "(multifactor)"},
     ANY, set_flag, PRIORITY(favor_small), NULL, 0, 0, orders_by_points},
    {{"queue_limits",
     "true|false: a job that would exceed the GPU limit of a queue is held back, and blocks no "
     "other job"},
     LANES, set_flag, LINE_AT(queue_limits), NULL, 0, 0, passes_in_order},
    {{"time_limits", "true|false: jobs end at their declared limit"},
     ANY, set_flag, LINE_AT(time_limits), NULL, 0, 0, starts_gangs},
    {{"actions", &(PC_ACTION_NAMES ": the steps of a decision, in this order")[1]},
     ANY, set_actions, 0, NULL, 0, 0, NULL},
    {{"gpu_placement", "binpack|spread: tasks with devices go to the fullest or the emptiest node"},
     QUEUES, set_word, QUOTA_AT(gpu_placement), "binpack|spread", 0, 0, packs},
    {{"cpu_placement", "binpack|spread: the same for tasks without devices"},
     QUEUES, set_word, QUOTA_AT(cpu_placement), "binpack|spread", 0, 0, packs},
    {{"device_placement", "pack|spread: shares go to the fullest or the emptiest device of a node"},
     ANY, set_word, QUOTA_AT(device_placement), "pack|spread", 0, 0, NULL},
    {{"fairness", "true|false: queues are ordered by their shares, or by priority and age alone"},
     QUEUES, set_flag, QUOTA_AT(fairness), NULL, 0, 0, NULL},
    {{"priorities", "true|false: jobs of a queue are ordered by priority, or by age alone"},
     QUEUES, set_flag, QUOTA_AT(priorities), NULL, 0, 0, goes_by_priority},
    {{"node_predicates", "true|false: labels and affinities of nodes are obeyed, or ignored"},
     WALKS, set_flag, QUOTA_AT(node_predicates), NULL, 0, 0, NULL},
    {{"score",
     "least-allocated|most-allocated: prefer the node with the most, or the least, left "
     "(kube-default)"},
     TASKS, set_word, LINE_AT(pods.score), "least-allocated|most-allocated", 0, 0,
        scores_what_is_left},
    {{"pod_order",
     "job|turns: among jobs submitted at the same time, all tasks of the first come first, or "
     "one of each in turn (kube-default)"},
     TASKS, set_word, LINE_AT(pods.order), "job|turns", 0, 0, NULL},
    {{"victims",
     "lower|preemptible: a task may evict any task of lower priority, or only those of "
     "preemptible jobs (kube-default)"},
     TASKS, set_word, LINE_AT(pods.victims), "lower|preemptible", 0, 0, preempts},
    {{"consolidating_reclaim",
     "true|false: victims that are placed elsewhere do not count as reclaimed"},
     QUEUES, set_flag, QUOTA_AT(consolidating_reclaim), NULL, 0, 0, reclaims},
    {{"consolidation_victims", "0 or more, or -1: most jobs moved for one job; -1 unlimited"},
     QUEUES, set_number, QUOTA_AT(consolidation_victims), NULL, -1, INT32_MAX, consolidates},
    {{"saturation_multiplier",
     "1 to 1000: how far a reclaiming queue must stay below the one that loses devices"},
     QUEUES, set_ratio, QUOTA_AT(saturation_ppm), NULL, 1000000, INT64_C(1000000000), reclaims},
    {{"staleness_grace_s", SPAN ", or -1: how long a gang may run below its minimum; -1 for ever"},
     QUEUES, set_seconds, QUOTA_AT(staleness_grace_ms), NULL, -1, LONG_MS, ends_stale},
    {{"full_hierarchy",
     "true|false: shares are divided level by level, or among all leaves at once"},
     QUEUES, set_flag, QUOTA_AT(full_hierarchy), NULL, 0, 0, NULL},
    {{"usage_k", "0 to 1000: weight of past usage in the division of over-quota"},
     QUEUES, set_ratio, QUOTA_AT(usage_k_ppm), NULL, 0, INT64_C(1000000000), NULL},
    {{"usage_window", "given|sliding|tumbling: usage history is reported, or kept over a window"},
     QUEUES, set_word, QUOTA_AT(usage_window), "given|sliding|tumbling", 0, 0, NULL},
    {{"usage_window_s", "1 second to 100 years: length of the window"},
     QUEUES, set_seconds, QUOTA_AT(usage_window_ms), NULL, 1000, LONG_MS, NULL},
    {{"usage_half_life_s", SPAN ": half-life of past usage; 0 no decay"},
     QUEUES, set_seconds, QUOTA_AT(usage_half_life_ms), NULL, 0, LONG_MS, NULL},
    {{"queue_depth", "0 or more, or -1: jobs per queue that an action considers; -1 all"},
     QUEUES, set_number, QUOTA_AT(queue_depth), NULL, -1, INT32_MAX, NULL},
    {{"signatures", "true|false: a job is skipped if an equivalent one failed in the same action"},
     QUEUES, set_flag, QUOTA_AT(signatures), NULL, 0, 0, NULL},
    {{"over_quota",
     "true|false: queues may exceed their quota, or a leaf's quota is also its limit"},
     QUEUES, set_flag, QUOTA_AT(over_quota), NULL, 0, 0, NULL},
    {{"protection", "lca|queue: which queue's minimum run time protects from reclaim"},
     QUEUES, set_word, QUOTA_AT(protection), "lca|queue", 0, 0, reclaims},
    {{"preempt_min_runtime_s",
     SPAN ": minimum run time before preemption, for queues that set none"},
     QUEUES, set_seconds, QUOTA_AT(preempt_min_runtime_ms), NULL, 0, LONG_MS, preempts},
    {{"reclaim_min_runtime_s", SPAN ": minimum run time before reclaim, for queues that set none"},
     QUEUES, set_seconds, QUOTA_AT(reclaim_min_runtime_ms), NULL, 0, LONG_MS, reclaims},
    {{"reversal_s",
     SPAN ": time before a job that took devices from another and lost them may take them from it "
     "again"},
     QUEUES, set_seconds, LINE_AT(reversal_ms), NULL, 0, LONG_MS, takes_turns},
    {{"interactive_limit_s",
     SPAN ": time limit of build sessions; 0 none (8 to 12 hours are usual)"},
     GANGS, set_seconds, QUOTA_AT(interactive_limit_ms), NULL, 0, LONG_MS, ends_sessions},
    {{"workday_end_s",
     "0 to 86400, or -1: second of the day (UTC) to which sessions are extended; -1 not at all"},
     GANGS, set_seconds, QUOTA_AT(workday_end_ms), NULL, -1, INT64_C(86400000), ends_sessions},
    {{"idle_limit_s", SPAN ": idle time of its devices after which a job ends; 0 never"},
     QUEUES, set_seconds, QUOTA_AT(idle_limit_ms), NULL, 0, LONG_MS, ends_sessions},
    {{"idle_grace_s", SPAN ": time at the start of a build session that does not count as idle"},
     QUEUES, set_seconds, QUOTA_AT(idle_grace_ms), NULL, 0, LONG_MS, ends_sessions},
    {{"idle_grace_train_s", SPAN ": the same for training, which may start on CPUs"},
     QUEUES, set_seconds, QUOTA_AT(idle_grace_train_ms), NULL, 0, LONG_MS, ends_sessions},
    {{"idle_below", "0 to 1: utilization of its devices below which a job is idle"},
     QUEUES, set_ratio, QUOTA_AT(idle_below_ppm), NULL, 0, 1000000, ends_sessions},
    {{"provision",
     "none|reactive|predictive: nodes of elastic pools are ordered and released never, for "
     "pending jobs, or also ahead of the demand of a week before"},
     ANY, set_word, LINE_AT(provision.how), "none|reactive|predictive", 0, 0, NULL},
    {{"provision_headroom", "0 or more: empty nodes that each elastic pool keeps ready"},
     ANY, set_number, LINE_AT(provision.headroom), NULL, 0, INT32_MAX, provisions},
    {{"provision_hours",
     "hours of the week with headroom, such as 'mon-fri 07-17,sat 10-12'; default all"},
     ANY, set_hours, 0, NULL, 0, 0, provisions},
    {{"provision_protect_s", SPAN ": no node is released for this long after an order"},
     ANY, set_seconds, LINE_AT(provision.protect_ms), NULL, 0, LONG_MS, provisions},
    {{"provision_budget_usd",
     "0 or more: USD per 30 days for nodes of elastic pools; no node is ordered beyond it; 0 "
     "unlimited"},
     ANY, set_ratio, LINE_AT(provision.budget), NULL, 0, INT64_C(1000000000000000), provisions},
};
// clang-format on
#define OPTIONS (sizeof options / sizeof *options)

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
    return (struct policy_ranked_options){.threshold = {18000 * GPU_SECOND}, .thresholds = 1};
}

static bool has_multifactor_options(const struct policy_multifactor_options *m)
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
    if (order == &pc_order_multifactor && !has_multifactor_options(&config->multifactor))
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

/* Returns true if the option may be set: a row that uses it may still be chosen. */
static bool takes(const struct policy_config *config, const struct option *o)
{
    int has = config->pods.on ? TASKS : pc_in_lanes(config) ? LANES : QUEUES;
    return (o->of & has) != 0 && !pc_plugin_replaces(config->plugin, o->row.name);
}

/* In a configuration of this version. */
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

/* In the caller's struct, which may be shorter: an option that it lacks would be lost. */
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

/* ---- combinations of options ---- */

/* Returns what is wrong with them, or NULL. Combinations of rows are checked in composition.h. */
static const char *check_ranked(const struct policy_config *config)
{
    const struct policy_ranked_options *r = &config->ranked;
    if (r->thresholds < 0 || r->thresholds > POLICY_MAX_THRESHOLDS ||
        r->ties < POLICY_TIES_RUNNING || r->ties > POLICY_TIES_PREVIOUS ||
        r->demotion < POLICY_DEMOTE_EXACT || r->demotion > POLICY_DEMOTE_PUBLISHED)
        return "a value of the ranked options is out of range";
    if (!orders_by_service(config) && (r->thresholds > 0 || r->demotion != POLICY_DEMOTE_EXACT))
        return "threshold_gpu_s and demotion need the order 'attained'";
    if (!is_preemptive(config))
        return r->ties != POLICY_TIES_RUNNING || r->refill
                   ? "ties and refill need a preemptive order"
                   : NULL;
    return r->demotion == POLICY_DEMOTE_PUBLISHED && r->ties != POLICY_TIES_RUNNING
               ? "demotion 'published' has its own rule for ties"
               : NULL;
}

static const char *check_multifactor(const struct policy_config *config)
{
    const struct policy_multifactor_options *m = &config->multifactor;
    const int64_t weights[] = {m->weight_age, m->weight_fairshare, m->weight_job_size,
                               m->weight_partition, m->weight_qos};
    bool any = has_multifactor_options(m);
    bool wide = m->max_age_ms < 0 || m->max_age_ms > LONG_MS || m->half_life_ms < 0 ||
                m->half_life_ms > LONG_MS || m->calc_period_ms < 0 || m->calc_period_ms > LONG_MS;
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
        wide = wide || weights[i] < 0 || weights[i] > PC_MOST_WEIGHT;
    if (wide)
        return "a value of the options of priority is out of range";
    if (!orders_by_points(config))
        return any ? "options of priority need the order 'multifactor'" : NULL;
    return any && (m->max_age_ms == 0 || m->calc_period_ms == 0)
               ? "the order 'multifactor' needs priority_max_age_s and priority_calc_period_s"
               : NULL;
}

static const char *check_tasks(const struct policy_config *config)
{
    const struct policy_pod_options *o = &config->pods;
    if (o->on < 0 || o->on > 1 || o->score < POLICY_LEAST_ALLOCATED ||
        o->score > POLICY_MOST_ALLOCATED || o->order < POLICY_PODS_BY_JOB ||
        o->order > POLICY_PODS_IN_TURNS || o->victims < POLICY_VICTIMS_LOWER ||
        o->victims > POLICY_VICTIMS_PREEMPTIBLE)
        return "a value of the options of tasks one by one is out of range";
    return !o->on && (o->score != 0 || o->order != 0 || o->victims != 0)
               ? "score, pod_order and victims are options of kube-default: set unit to 'task'"
               : NULL;
}

static const char *check_queue_order(const struct policy_config *config)
{
    bool quotas = config->queue_order != POLICY_NO_QUEUE_ORDER;
    if (config->queue_order < 0 || config->queue_order > (int32_t)pc_queue_order_count)
        return "queue_order of the configuration has no such row";
    return quotas && config->quota.saturation_ppm < MILLION
               ? "the options of a queue order are missing: set it by policy_config_set()"
               : NULL;
}

static const char *check_provision(const struct policy_config *config)
{
    const struct policy_provision_options *o = &config->provision;
    if (o->how < POLICY_PROVISION_NONE || o->how > POLICY_PROVISION_PREDICTIVE || o->headroom < 0 ||
        o->protect_ms < 0 || o->protect_ms > LONG_MS || o->budget < 0)
        return "a value of the options of provisioning is out of range";
    return o->how != POLICY_PROVISION_NONE && policy_placement_counts(config)
               ? "provision needs nodes, and placement 'count' knows none: choose another placement"
               : NULL;
}

int policy_config_check(const struct policy_config *given, struct policy_error *error)
{
    static const char *(*const checks[])(const struct policy_config *) = {
        check_ranked,      check_tasks,     check_queue_order,    pc_plugin_check_options,
        check_multifactor, check_provision, pc_composition_wrong,
    };
    struct policy_config room;
    const struct policy_config *config = pc_config_in(given, &room, error);
    if (config == NULL)
        return POLICY_INVALID;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        const char *wrong = checks[i](config);
        if (wrong == NULL)
            continue;
        pc_error_set(error, POLICY_INVALID, "", wrong, "");
        return POLICY_INVALID;
    }
    return POLICY_OK;
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
