/* SPDX-License-Identifier: MIT */
/* Options by name, from text. A new option is a member of the configuration and a row here. */
#include "options.h"
#include "base/words.h"
#include "order/multifactor.h"
#include "order/order.h"
#include "place/place.h"
#include "plugin_config.h"
#include "state/plugins.h"
#include "state/sized.h"

#include <stddef.h>
#include <string.h>

enum { LINES = 1, QUOTA = 2, PODS = 4, ALL = 7 }; /* the policies that have the option */

struct option {
    struct policy_row row;
    int policies;
    bool (*set)(struct policy_config *, const struct option *, const char *value);
    size_t at;           /* offset in the configuration */
    const char *words;   /* "zero|one|two": values 0, 1, 2 */
    int64_t least, most; /* of numbers; durations in ms, ratios in ppm */
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

static bool set_scaled(struct policy_config *config, const struct option *o, const char *value, int digits)
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

/* Another order drops the options of the one before. */
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

#define GPU_SECOND   INT64_C(1000000)       /* thousandths of devices x ms */
#define LONG_SERVICE INT64_C(1000000000000) /* GPU-seconds */

/* Rising numbers, separated by commas. */
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

/* Names of actions, separated by commas. */
static bool set_actions(struct policy_config *config, const struct option *o, const char *value)
{
    (void)o;
    uint32_t actions = 0;
    char word[16];
    while (*value != '\0') {
        size_t length = 0;
        while (*value != '\0' && *value != ',' && length + 1 < sizeof word)
            word[length++] = *value++;
        word[length] = '\0';
        int32_t i = pc_word_of("allocate|consolidate|reclaim|preempt|stale|backfill|limits", word);
        bool action =
            i >= 0 && i + 1 != POLICY_BACKFILL; /* which is a way to allocate, and an option of its own */
        if (!action || (*value != '\0' && *value != ','))
            return false;
        actions |= UINT32_C(2) << i; /* the words are in the order of enum policy_action, which begins at 1 */
        value += *value == ',' ? 1 : 0;
    }
    config->quota.actions = actions != 0 ? actions : config->quota.actions;
    return actions != 0;
}

/* ---- the table ---- */

#define LINE_AT(name)  offsetof(struct policy_config, name)
#define PRIORITY(name) offsetof(struct policy_config, multifactor.name)
#define QUOTA_AT(name) offsetof(struct policy_config, quota.name)
#define LONG_MS        (INT64_C(1000) * 86400 * 36525) /* 100 years */
#define SPAN           "seconds, up to 100 years"

// clang-format off
static const struct option options[] = {
    {{"scope", "fleet|queue: jobs wait behind those of the whole fleet, or of their own queue only"},
     LINES, set_word, LINE_AT(scope), "fleet|queue", 0, 0},
    {{"blocking", "strict|skip: the first job that cannot start holds back the rest, or is passed over"},
     LINES, set_word, LINE_AT(blocking), "strict|skip", 0, 0},
    {{"placement", "a row of the placements; with quotas binpack goes by gpu_placement and cpu_placement"},
     ALL, set_placement, 0, NULL, 0, 0},
    {{"order", "a row of the orders"}, LINES | QUOTA, set_order, 0, NULL, 0, 0},
    {{"backfilling", "none|easy|conservative: who may go ahead of jobs that cannot start; blocking has to be strict"},
     LINES, set_word, LINE_AT(backfill), "none|easy|conservative", 0, 0},
    {{"easy_variant", "textbook|frozen: the reservation is found anew each time, or once, and then only its time counts"},
     LINES, set_word, LINE_AT(easy_variant), "textbook|frozen", 0, 0},
    {{"seed", "0 or more: for placements that choose at random"}, ALL, set_seed, 0, NULL, 0, 0},
    {{"threshold_gpu_s", "1 to 4 rising numbers of GPU-seconds: a job that has had more goes to the next queue (attained)"},
     LINES, set_thresholds, 0, NULL, 0, 0},
    {{"ties", "running|waiting|previous: who goes first where the order of a preemptive policy says nothing"},
     LINES, set_word, LINE_AT(ranked.ties), "running|waiting|previous", 0, 0},
    {{"demotion", "exact|published: jobs change queues at once, or as in the simulator of Tiresias (attained)"},
     LINES, set_word, LINE_AT(ranked.demotion), "exact|published", 0, 0},
    {{"refill", "true|false: all jobs are placed anew in each decision, which needs placement count"},
     LINES, set_flag, LINE_AT(ranked.refill), NULL, 0, 0},
    {{"priority_weight_age", "0 to 4294967295: points of who waits for priority_max_age_s (multifactor)"},
     LINES | QUOTA, set_long, PRIORITY(weight_age), NULL, 0, PC_MOST_WEIGHT},
    {{"priority_weight_fairshare", "0 to 4294967295: points of the user who used least of the fair share (multifactor)"},
     LINES | QUOTA, set_long, PRIORITY(weight_fairshare), NULL, 0, PC_MOST_WEIGHT},
    {{"priority_weight_job_size", "0 to 4294967295: points of a job that wants the whole fleet (multifactor)"},
     LINES | QUOTA, set_long, PRIORITY(weight_job_size), NULL, 0, PC_MOST_WEIGHT},
    {{"priority_weight_partition", "0 to 4294967295: points of the queue of the highest priority (multifactor)"},
     LINES | QUOTA, set_long, PRIORITY(weight_partition), NULL, 0, PC_MOST_WEIGHT},
    {{"priority_weight_qos", "0 to 4294967295: points of the job of the highest priority (multifactor)"},
     LINES | QUOTA, set_long, PRIORITY(weight_qos), NULL, 0, PC_MOST_WEIGHT},
    {{"priority_max_age_s", "1 second to 100 years: up to which waiting gives points (multifactor)"},
     LINES | QUOTA, set_seconds, PRIORITY(max_age_ms), NULL, 1000, LONG_MS},
    {{"priority_decay_half_life_s", SPAN ": in which past use fades to half; 0 it does not (multifactor)"},
     LINES | QUOTA, set_seconds, PRIORITY(half_life_ms), NULL, 0, LONG_MS},
    {{"priority_calc_period_s", "1 second to 100 years: priorities are calculated so often (multifactor)"},
     LINES | QUOTA, set_seconds, PRIORITY(calc_period_ms), NULL, 1000, LONG_MS},
    {{"priority_favor_small", "true|false: the points of priority_weight_job_size go to small jobs (multifactor)"},
     LINES | QUOTA, set_flag, PRIORITY(favor_small), NULL, 0, 0},
    {{"queue_limits", "true|false: a job that would take a queue over its limit of GPUs is held back, and holds back nobody"},
     LINES, set_flag, LINE_AT(queue_limits), NULL, 0, 0},
    {{"time_limits", "true|false: a job ends when it has run for its declared limit"},
     LINES, set_flag, LINE_AT(time_limits), NULL, 0, 0},
    {{"actions", "allocate,consolidate,reclaim,preempt,stale,limits: what the quota policy may do"},
     QUOTA | PODS, set_actions, 0, NULL, 0, 0},
    {{"gpu_placement", "binpack|spread: tasks with devices go to the fullest or the emptiest node"},
     QUOTA, set_word, QUOTA_AT(gpu_placement), "binpack|spread", 0, 0},
    {{"cpu_placement", "binpack|spread: the same for tasks without devices"},
     QUOTA, set_word, QUOTA_AT(cpu_placement), "binpack|spread", 0, 0},
    {{"device_placement", "pack|spread: shares go to the fullest or the emptiest device of a node"},
     QUOTA | PODS, set_word, QUOTA_AT(device_placement), "pack|spread", 0, 0},
    {{"fairness", "true|false: queues are ordered by their shares, or by priority and age alone"},
     QUOTA, set_flag, QUOTA_AT(fairness), NULL, 0, 0},
    {{"priorities", "true|false: jobs of a queue are ordered by priority, or by age alone"},
     QUOTA, set_flag, QUOTA_AT(priorities), NULL, 0, 0},
    {{"node_predicates", "true|false: labels and affinities of nodes are obeyed"},
     QUOTA | PODS, set_flag, QUOTA_AT(node_predicates), NULL, 0, 0},
    {{"score", "least-allocated|most-allocated: the node with the most or the least left takes the task (kube-default)"},
     PODS, set_word, LINE_AT(pods.score), "least-allocated|most-allocated", 0, 0},
    {{"pod_order", "job|turns: of jobs submitted at one time all tasks of the first, or one of each in turn (kube-default)"},
     PODS, set_word, LINE_AT(pods.order), "job|turns", 0, 0},
    {{"victims", "lower|preemptible: whom a task evicts, any of lower priority or only jobs that may be preempted (kube-default)"},
     PODS, set_word, LINE_AT(pods.victims), "lower|preemptible", 0, 0},
    {{"consolidating_reclaim", "true|false: victims that found another place do not count as taken"},
     QUOTA, set_flag, QUOTA_AT(consolidating_reclaim), NULL, 0, 0},
    {{"consolidation_victims", "0 or more, or -1: most jobs moved for one; -1 any number"},
     QUOTA, set_number, QUOTA_AT(consolidation_victims), NULL, -1, INT32_MAX},
    {{"saturation_multiplier", "1 to 1000: how far a reclaimer's queue stays below the one that gives"},
     QUOTA, set_ratio, QUOTA_AT(saturation_ppm), NULL, 1000000, INT64_C(1000000000)},
    {{"staleness_grace_s", SPAN ", or -1: that a gang may run below its minimum; -1 for ever"},
     QUOTA, set_seconds, QUOTA_AT(staleness_grace_ms), NULL, -1, LONG_MS},
    {{"full_hierarchy", "true|false: shares are divided level by level, or among all leaves side by side"},
     QUOTA, set_flag, QUOTA_AT(full_hierarchy), NULL, 0, 0},
    {{"usage_k", "0 to 1000: how much past use counts in the division of over-quota"},
     QUOTA, set_ratio, QUOTA_AT(usage_k_ppm), NULL, 0, INT64_C(1000000000)},
    {{"usage_window", "given|sliding|tumbling: the history of use is told, or kept over a window"},
     QUOTA, set_word, QUOTA_AT(usage_window), "given|sliding|tumbling", 0, 0},
    {{"usage_window_s", "1 second to 100 years: length of the window"},
     QUOTA, set_seconds, QUOTA_AT(usage_window_ms), NULL, 1000, LONG_MS},
    {{"usage_half_life_s", SPAN ": in which past use fades to half; 0 it does not"},
     QUOTA, set_seconds, QUOTA_AT(usage_half_life_ms), NULL, 0, LONG_MS},
    {{"queue_depth", "0 or more, or -1: jobs of one queue that an action looks at; -1 all"},
     QUOTA, set_number, QUOTA_AT(queue_depth), NULL, -1, INT32_MAX},
    {{"signatures", "true|false: a job is passed over when one like it failed in the same action"},
     QUOTA, set_flag, QUOTA_AT(signatures), NULL, 0, 0},
    {{"over_quota", "true|false: queues may have more than their quota, or a leaf's quota is its limit, too"},
     QUOTA, set_flag, QUOTA_AT(over_quota), NULL, 0, 0},
    {{"protection", "lca|queue: whose minimum run time protects from reclaim"},
     QUOTA, set_word, QUOTA_AT(protection), "lca|queue", 0, 0},
    {{"preempt_min_runtime_s", SPAN ": that a job is safe from preemption, where no queue says"},
     QUOTA, set_seconds, QUOTA_AT(preempt_min_runtime_ms), NULL, 0, LONG_MS},
    {{"reclaim_min_runtime_s", SPAN ": that a job is safe from reclaim, where no queue says"},
     QUOTA, set_seconds, QUOTA_AT(reclaim_min_runtime_ms), NULL, 0, LONG_MS},
    {{"reversal_s", SPAN ": before a job that lost again what it took from another may take it from that one once more"},
     QUOTA, set_seconds, LINE_AT(reversal_ms), NULL, 0, LONG_MS},
    {{"backfill", "true|false: the first job that cannot start gets a reservation, others fill the gaps"},
     QUOTA, set_flag, QUOTA_AT(backfill), NULL, 0, 0},
    {{"interactive_limit_s", SPAN ": after which a build session ends; 0 never (8 to 12 hours are usual)"},
     QUOTA, set_seconds, QUOTA_AT(interactive_limit_ms), NULL, 0, LONG_MS},
    {{"workday_end_s", "0 to 86400, or -1: second of the day (UTC) up to which a session's end is put off; -1 it is not"},
     QUOTA, set_seconds, QUOTA_AT(workday_end_ms), NULL, -1, INT64_C(86400000)},
    {{"idle_limit_s", SPAN ": without use of its devices, after which a job ends; 0 never"},
     QUOTA, set_seconds, QUOTA_AT(idle_limit_ms), NULL, 0, LONG_MS},
    {{"idle_grace_s", SPAN ": after the start of a build session that do not count as idle"},
     QUOTA, set_seconds, QUOTA_AT(idle_grace_ms), NULL, 0, LONG_MS},
    {{"idle_grace_train_s", SPAN ": the same for training, which may begin on CPUs"},
     QUOTA, set_seconds, QUOTA_AT(idle_grace_train_ms), NULL, 0, LONG_MS},
    {{"idle_below", "0 to 1: utilization of its devices below which a job is idle"},
     QUOTA, set_ratio, QUOTA_AT(idle_below_ppm), NULL, 0, 1000000},
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
           m->weight_partition != 0 || m->weight_qos != 0 || m->max_age_ms != 0 || m->half_life_ms != 0 ||
           m->calc_period_ms != 0 || m->favor_small;
}

void pc_complete_config(struct policy_config *config)
{
    const struct pc_job_order *order = pc_order_of(config);
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

/* Whether the policy has the option. */
static bool takes(const struct policy_config *config, const struct option *o)
{
    int family = config->pods.on ? PODS : config->quota.actions != 0 ? QUOTA : LINES;
    return (o->policies & family) != 0 && !pc_plugin_replaces(config->plugin, o->row.name);
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

/* In the caller's, which may be shorter: an option that it has no room for would be lost. */
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
        pc_error_set(error, POLICY_UNSUPPORTED, "the configuration has no room for the option '", option,
                     "'");
        return POLICY_UNSUPPORTED;
    }
    if (status == POLICY_OK)
        pc_sized_out(PC_CONFIG, given, &room);
    return status;
}

/* ---- options together ---- */

/* What is wrong with them, or NULL. */
static const char *check_ranked(const struct policy_config *config)
{
    const struct policy_ranked_options *r = &config->ranked;
    bool attained = config->quota.actions == 0 && pc_order_of(config) == &pc_order_attained;
    if (r->thresholds < 0 || r->thresholds > POLICY_MAX_THRESHOLDS || r->ties < POLICY_TIES_RUNNING ||
        r->ties > POLICY_TIES_PREVIOUS || r->demotion < POLICY_DEMOTE_EXACT ||
        r->demotion > POLICY_DEMOTE_PUBLISHED)
        return "a value of the ranked options is out of range";
    if (!attained && (r->thresholds > 0 || r->demotion != POLICY_DEMOTE_EXACT))
        return "threshold_gpu_s and demotion need the order 'attained'";
    if (!policy_is_ranked(config))
        return r->ties != POLICY_TIES_RUNNING || r->refill
                   ? "ties and refill need an order that is preemptive"
                   : NULL;
    if (config->blocking == POLICY_STRICT)
        return "blocking 'strict' does not go with an order that is preemptive: it passes over what does not "
               "fit";
    if (r->demotion == POLICY_DEMOTE_PUBLISHED && r->ties != POLICY_TIES_RUNNING)
        return "demotion 'published' has its own rule for ties";
    return r->refill && !policy_placement_counts(config)
               ? "refill 'true' needs placement 'count': with nodes, all jobs would move in each decision"
               : NULL;
}

static bool goes_with_quotas(const struct policy_config *config)
{
    struct policy_plugin room;
    return !config->pods.on && !pc_plugin_evicts(pc_plugin_known(config->plugin, &room));
}

static const char *check_plugin(const struct policy_config *config)
{
    const char *wrong = pc_plugin_check_options(config);
    if (config->plugin == NULL || wrong != NULL)
        return wrong;
    if (config->quota.actions != 0)
        return goes_with_quotas(config) ? NULL : "this plugin does not go with the quota policy";
    if (config->plugin->decide == NULL)
        return NULL;
    if (policy_placement_counts(config))
        return "placement 'count' does not go with a plugin that decides itself";
    return config->scope != POLICY_SCOPE_FLEET ? "scope 'queue' does not go with a plugin that decides itself"
                                               : NULL;
}

static const char *check_multifactor(const struct policy_config *config)
{
    const struct policy_multifactor_options *m = &config->multifactor;
    const int64_t weights[] = {m->weight_age, m->weight_fairshare, m->weight_job_size, m->weight_partition,
                               m->weight_qos};
    bool any = has_multifactor_options(m);
    bool wide = m->max_age_ms < 0 || m->max_age_ms > LONG_MS || m->half_life_ms < 0 ||
                m->half_life_ms > LONG_MS || m->calc_period_ms < 0 || m->calc_period_ms > LONG_MS;
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
        wide = wide || weights[i] < 0 || weights[i] > PC_MOST_WEIGHT;
    if (wide)
        return "a value of the options of priority is out of range";
    if (pc_order_of(config) != &pc_order_multifactor)
        return any ? "options of priority need the order 'multifactor'" : NULL;
    return any && (m->max_age_ms == 0 || m->calc_period_ms == 0)
               ? "the order 'multifactor' needs priority_max_age_s and priority_calc_period_s"
               : NULL;
}

static const char *check_order(const struct policy_config *config)
{
    const struct pc_job_order *order = pc_order_of(config);
    if (config->quota.actions == 0)
        return NULL;
    if ((order->traits & PC_ORDER_RANKED) != 0)
        return "an order that is preemptive does not go with quotas";
    if (config->pods.on && order != &pc_order_priority)
        return "kube-default takes tasks by the order 'priority'";
    return NULL;
}

static const char *check_placement(const struct policy_config *config)
{
    bool counts = (pc_placement_of(config)->traits & PC_COUNTS_ONLY) != 0;
    return counts && config->quota.actions != 0
               ? "the placement 'count' knows no nodes, on which quotas and kube-default have to place tasks"
               : NULL;
}

static const char *check_limits(const struct policy_config *config)
{
    bool any = config->queue_limits || config->time_limits;
    if (any && config->quota.actions != 0)
        return "queue_limits and time_limits are options of lines";
    return any && policy_is_ranked(config)
               ? "queue_limits and time_limits do not go with an order that is preemptive"
               : NULL;
}

static const char *check_pods(const struct policy_config *config)
{
    const struct policy_pod_options *o = &config->pods;
    const uint32_t actions = config->quota.actions;
    if (o->on < 0 || o->on > 1 || o->score < POLICY_LEAST_ALLOCATED || o->score > POLICY_MOST_ALLOCATED ||
        o->order < POLICY_PODS_BY_JOB || o->order > POLICY_PODS_IN_TURNS ||
        o->victims < POLICY_VICTIMS_LOWER || o->victims > POLICY_VICTIMS_PREEMPTIBLE)
        return "a value of the options of tasks one by one is out of range";
    if (!o->on)
        return o->score != 0 || o->order != 0 || o->victims != 0
                   ? "score, pod_order and victims are options of kube-default"
                   : NULL;
    return (actions & ~POD_ACTIONS) != 0 || (actions >> POLICY_ALLOCATE & 1) == 0
               ? "the actions of kube-default are allocate, and preempt with it"
               : NULL;
}

int policy_config_check(const struct policy_config *given, struct policy_error *error)
{
    struct policy_config room;
    const struct policy_config *config = pc_config_in(given, &room, error);
    if (config == NULL)
        return POLICY_INVALID;
    const char *wrong = check_ranked(config);
    if (wrong == NULL)
        wrong = check_pods(config);
    wrong = wrong != NULL ? wrong : check_plugin(config);
    if (wrong == NULL)
        wrong = check_multifactor(config);
    if (wrong == NULL)
        wrong = check_limits(config);
    if (wrong == NULL)
        wrong = check_order(config);
    if (wrong == NULL)
        wrong = check_placement(config);
    if (wrong == NULL)
        return POLICY_OK;
    pc_error_set(error, POLICY_INVALID, "", wrong, "");
    return POLICY_INVALID;
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
        if (takes(config, &options[o]) && i-- == 0)
            return &options[o].row;
    const struct policy_plugin *plugin =
        config != NULL ? pc_plugin_known(config->plugin, &plugin_room) : NULL;
    return plugin != NULL && i < plugin->option_count ? &plugin->options[i].row : NULL;
}
