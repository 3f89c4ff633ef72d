/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options by name: accepted and refused values, where they are stored, and which policies have
 * them. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum kind { WORD, FLAG, LONG, COUNT, SET, SEED };

static const struct field {
    const char *name;
    enum kind kind;
    size_t at;
    bool quota, lines; /* which policies have the option */
    int64_t usual;     /* of the policy that has it: fifo, or runai */
} fields[] = {
#define QUOTA(option, kind, member, usual)                                                         \
    {                                                                                              \
        option, kind, offsetof(struct policy_config, quota.member), true, false, usual             \
    }
#define BOTH(option, kind, member, usual)                                                          \
    {                                                                                              \
        option, kind, offsetof(struct policy_config, quota.member), true, true, usual              \
    }
#define LINES(option, member, usual)                                                               \
    {                                                                                              \
        option, WORD, offsetof(struct policy_config, member), false, true, usual                   \
    }
#define PROVISION(name, type, member)                                                              \
    {                                                                                              \
        name, type, offsetof(struct policy_config, provision.member), true, true, 0                \
    }
#define PRIORITY(option, kind, member)                                                             \
    {                                                                                              \
        option, kind, offsetof(struct policy_config, multifactor.member), true, true, 0            \
    }
    LINES("scope", scope, POLICY_SCOPE_FLEET),
    LINES("blocking", blocking, POLICY_STRICT),
    LINES("backfilling", backfill, POLICY_NO_BACKFILL),
    {"backfill", WORD, offsetof(struct policy_config, backfill), true, true, POLICY_NO_BACKFILL},
    {"queue_order", WORD, offsetof(struct policy_config, queue_order), true, true,
     POLICY_FAIR_SHARE},
    {"unit", WORD, offsetof(struct policy_config, pods.on), true, true, false},
    {"backfill_depth", COUNT, offsetof(struct policy_config, backfill_depth), true, false, 100},
    LINES("easy_variant", easy_variant, POLICY_EASY_TEXTBOOK),
    {"seed", SEED, offsetof(struct policy_config, seed), true, true, 0},
    {"threshold_gpu_s", LONG, offsetof(struct policy_config, ranked.threshold[0]), false, true, 0},
    LINES("ties", ranked.ties, POLICY_TIES_RUNNING),
    LINES("demotion", ranked.demotion, POLICY_DEMOTE_EXACT),
    {"refill", FLAG, offsetof(struct policy_config, ranked.refill), false, true, false},
    PRIORITY("priority_weight_age", LONG, weight_age),
    PRIORITY("priority_weight_fairshare", LONG, weight_fairshare),
    PRIORITY("priority_weight_job_size", LONG, weight_job_size),
    PRIORITY("priority_weight_partition", LONG, weight_partition),
    PRIORITY("priority_weight_qos", LONG, weight_qos),
    PRIORITY("priority_max_age_s", LONG, max_age_ms),
    PRIORITY("priority_decay_half_life_s", LONG, half_life_ms),
    PRIORITY("priority_calc_period_s", LONG, calc_period_ms),
    PRIORITY("priority_favor_small", FLAG, favor_small),
    {"queue_limits", FLAG, offsetof(struct policy_config, queue_limits), false, true, false},
    {"time_limits", FLAG, offsetof(struct policy_config, time_limits), true, true, false},
    PROVISION("provision", WORD, how),
    PROVISION("provision_headroom", COUNT, headroom),
    PROVISION("provision_hours", LONG, hours[0]),
    PROVISION("provision_protect_s", LONG, protect_ms),
    PROVISION("provision_budget_usd", LONG, budget),
    BOTH("actions", SET, actions, 0xbe), /* all but backfill: bits 1 to 5 and 7 */
    QUOTA("gpu_placement", WORD, gpu_placement, POLICY_PACK),
    QUOTA("cpu_placement", WORD, cpu_placement, POLICY_PACK),
    BOTH("device_placement", WORD, device_placement, POLICY_PACK),
    QUOTA("fairness", FLAG, fairness, true),
    QUOTA("priorities", FLAG, priorities, true),
    QUOTA("node_predicates", FLAG, node_predicates, true),
    QUOTA("consolidating_reclaim", FLAG, consolidating_reclaim, true),
    QUOTA("consolidation_victims", COUNT, consolidation_victims, 16),
    QUOTA("saturation_multiplier", LONG, saturation_ppm, 1000000),
    QUOTA("staleness_grace_s", LONG, staleness_grace_ms, 60000),
    QUOTA("full_hierarchy", FLAG, full_hierarchy, true),
    QUOTA("usage_k", LONG, usage_k_ppm, 1000000),
    QUOTA("usage_window", WORD, usage_window, POLICY_USAGE_GIVEN),
    QUOTA("usage_window_s", LONG, usage_window_ms, INT64_C(604800000)),
    QUOTA("usage_half_life_s", LONG, usage_half_life_ms, 0),
    QUOTA("queue_depth", COUNT, queue_depth, -1),
    QUOTA("signatures", FLAG, signatures, true),
    QUOTA("over_quota", FLAG, over_quota, true),
    QUOTA("protection", WORD, protection, POLICY_PROTECT_LCA),
    {"reversal_s", LONG, offsetof(struct policy_config, reversal_ms), true, false, 60000},
    QUOTA("preempt_min_runtime_s", LONG, preempt_min_runtime_ms, 0),
    QUOTA("reclaim_min_runtime_s", LONG, reclaim_min_runtime_ms, 0),
    BOTH("interactive_limit_s", LONG, interactive_limit_ms, 0),
    BOTH("workday_end_s", LONG, workday_end_ms, -1),
    QUOTA("idle_limit_s", LONG, idle_limit_ms, 0),
    QUOTA("idle_grace_s", LONG, idle_grace_ms, 600000),
    QUOTA("idle_grace_train_s", LONG, idle_grace_train_ms, 3600000),
    QUOTA("idle_below", LONG, idle_below_ppm, 50000),
    {"score", WORD, offsetof(struct policy_config, pods.score), false, false,
     POLICY_LEAST_ALLOCATED},
    {"pod_order", WORD, offsetof(struct policy_config, pods.order), false, false,
     POLICY_PODS_BY_JOB},
    {"victims", WORD, offsetof(struct policy_config, pods.victims), false, false,
     POLICY_VICTIMS_LOWER},
};

/* Options of kube-default. */
static const char *const of_pods[] = {
    "actions", "device_placement", "node_predicates", "seed",
    "score",   "pod_order",        "victims",         "queue_order",
    "unit",    "backfill",         "time_limits",
};

static bool is_of_pods(const char *name)
{
    if (strncmp(name, "priority_", 9) == 0) /* of an order */
        return true;
    if (strncmp(name, "provision", 9) == 0)
        return true;
    for (int i = 0; i < ROWS(of_pods); i++)
        if (strcmp(of_pods[i], name) == 0)
            return true;
    return false;
}

static const struct field *field_of(const char *name)
{
    for (int i = 0; i < ROWS(fields); i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

static int64_t value_of(const struct policy_config *config, const struct field *field)
{
    const char *at = (const char *)config + field->at;
    int64_t large = 0;
    int32_t word = 0;
    bool flag = false;
    switch (field->kind) {
    case FLAG:
        memcpy(&flag, at, sizeof flag);
        return flag;
    case LONG:
    case SEED:
        memcpy(&large, at, sizeof large);
        return large;
    case WORD:
    case COUNT:
    case SET:
    default:
        memcpy(&word, at, sizeof word);
        return word;
    }
}

static struct policy_config make(const char *preset)
{
    const struct policy_allocator none = {NULL, NULL}; /* no allocation is needed */
    struct policy_config config = {.size = sizeof config};
    ck_assert_int_eq(policy_config_init(&config, preset, none, NULL), POLICY_OK);
    return config;
}

/* ---- values ---- */

#define BAD INT64_MIN /* refused */

static const struct {
    const char *option, *value;
    int64_t stored;
} values[] = {
    {"gpu_placement", "binpack", 0},
    {"gpu_placement", "spread", 1},
    {"gpu_placement", "pack", BAD},
    {"gpu_placement", "", BAD},
    {"gpu_placement", "binpack|spread", BAD},
    {"gpu_placement", "spread ", BAD},
    {"cpu_placement", "spread", 1},
    {"cpu_placement", "Spread", BAD},
    {"device_placement", "spread", 1},
    {"device_placement", "pack", 0},
    {"device_placement", "binpack", BAD},
    {"fairness", "false", 0},
    {"fairness", "true", 1},
    {"fairness", "0", BAD},
    {"fairness", "false|true", BAD},
    {"priorities", "false", 0},
    {"node_predicates", "false", 0},
    {"consolidating_reclaim", "false", 0},
    {"full_hierarchy", "false", 0},
    {"signatures", "false", 0},
    {"signatures", "no", BAD},
    {"backfill", "true", POLICY_SINGLE}, /* its earlier values */
    {"backfill", "false", POLICY_NO_BACKFILL},
    {"backfill", "single", POLICY_SINGLE},
    {"backfill", "easy", POLICY_EASY},
    {"backfill", "none", POLICY_NO_BACKFILL},
    {"queue_order", "fair-share", POLICY_FAIR_SHARE},
    {"queue_order", "fair", BAD},
    {"queue_order", "", BAD},
    {"unit", "gang", false},
    {"unit", "pod", BAD},
    {"time_limits", "true", true},
    {"backfill", "yes", BAD},
    {"consolidation_victims", "0", 0},
    {"consolidation_victims", "-1", -1},
    {"consolidation_victims", "2147483647", INT32_MAX},
    {"consolidation_victims", "2147483648", BAD},
    {"consolidation_victims", "-2", BAD},
    {"consolidation_victims", "1.5", BAD},
    {"backfill_depth", "1", 1},
    {"backfill_depth", "0", BAD},
    {"queue_depth", "0", 0},
    {"queue_depth", "-1", -1},
    {"queue_depth", "many", BAD},
    {"saturation_multiplier", "1", 1000000},
    {"saturation_multiplier", "1.000001", 1000001},
    {"saturation_multiplier", "1.50", 1500000},
    {"saturation_multiplier", "0.999999", BAD},
    {"saturation_multiplier", "1.0000001", BAD}, /* more digits than are stored */
    {"saturation_multiplier", "-1", BAD},
    {"saturation_multiplier", "1000", INT64_C(1000000000)},
    {"saturation_multiplier", "1000.1", BAD},
    {"reversal_s", "0", 0},
    {"provision", "reactive", POLICY_PROVISION_REACTIVE},
    {"provision", "predictive", POLICY_PROVISION_PREDICTIVE},
    {"provision", "always", BAD},
    {"provision_headroom", "3", 3},
    {"provision_headroom", "-1", BAD},
    {"provision_hours", "mon 00-24", 0xffffff},
    {"provision_hours", "mon-tue 08-09", (INT64_C(1) << 8) | (INT64_C(1) << 32)},
    {"provision_hours", "mon 00-01,mon 2-3", 5},
    {"provision_hours", "sun 00-24", 0},
    {"provision_hours", "tue-mon 00-24", BAD},
    {"provision_hours", "mon 09-09", BAD},
    {"provision_hours", "mon 0-25", BAD},
    {"provision_hours", "mon", BAD},
    {"provision_hours", "mon 0-1,", BAD},
    {"provision_hours", "m", BAD},
    {"provision_hours", "", BAD},
    {"provision_protect_s", "600", 600000},
    {"provision_protect_s", "-1", BAD},
    {"provision_budget_usd", "12.5", 12500000},
    {"provision_budget_usd", "-1", BAD},
    {"reversal_s", "600", 600000},
    {"reversal_s", "-1", BAD},
    {"staleness_grace_s", "0", 0},
    {"staleness_grace_s", "-1", -1},
    {"staleness_grace_s", "1.5", 1500},
    {"staleness_grace_s", "0.001", 1},
    {"staleness_grace_s", "0.0010", 1},
    {"staleness_grace_s", "0.0001", BAD},
    {"staleness_grace_s", "-2", BAD},
    {"staleness_grace_s", "1m", BAD},
    {"staleness_grace_s", "99999999999999999999", BAD},
    {"usage_k", "0", 0},
    {"usage_k", "2.5", 2500000},
    {"usage_k", "-1", BAD},
    {"usage_window", "given", POLICY_USAGE_GIVEN},
    {"usage_window", "sliding", POLICY_USAGE_SLIDING},
    {"usage_window", "tumbling", POLICY_USAGE_TUMBLING},
    {"usage_window", "cron", BAD},
    {"usage_window_s", "1", 1000},
    {"usage_window_s", "0.999", BAD},
    {"usage_half_life_s", "0", 0},
    {"usage_half_life_s", "86400", 86400000},
    {"usage_half_life_s", "-1", BAD},
    {"protection", "lca", POLICY_PROTECT_LCA},
    {"protection", "queue", POLICY_PROTECT_QUEUE},
    {"protection", "leaf", BAD},
    {"preempt_min_runtime_s", "90", 90000},
    {"preempt_min_runtime_s", "-1", BAD},
    {"reclaim_min_runtime_s", "90", 90000},
    {"reclaim_min_runtime_s", "", BAD},
    {"interactive_limit_s", "28800", 28800000},
    {"interactive_limit_s", "-1", BAD},
    {"workday_end_s", "-1", -1},
    {"workday_end_s", "86400", 86400000},
    {"workday_end_s", "86401", BAD},
    {"idle_limit_s", "3600", 3600000},
    {"idle_limit_s", "-1", BAD},
    {"idle_grace_s", "0", 0},
    {"idle_grace_train_s", "0", 0},
    {"idle_below", "0", 0},
    {"idle_below", "0.05", 50000},
    {"idle_below", "1", 1000000},
    {"idle_below", "1.1", BAD},
    {"idle_below", ".5", 500000},
    {"idle_below", ".", BAD},
    {"actions", "allocate", 1 << POLICY_ALLOCATE},
    {"actions", "stale,allocate", 1 << POLICY_STALE | 1 << POLICY_ALLOCATE},
    {"actions", "consolidate", 1 << POLICY_CONSOLIDATE},
    {"actions", "reclaim", 1 << POLICY_RECLAIM},
    {"actions", "preempt", 1 << POLICY_PREEMPT},
    {"actions", "limits", 1 << POLICY_LIMITS},
    {"actions", "allocate,allocate", 1 << POLICY_ALLOCATE},
    {"actions", "backfill", BAD}, /* an option */
    {"actions", "allocate,backfill", BAD},
    {"actions", "", BAD},
    {"actions", "allocate,,stale", BAD},
    {"actions", "allocate stale", BAD},
    {"actions", "reclaim|preempt", BAD},
    {"actions", "allocating", BAD},
    {"actions", "everything-there-is-to-do", BAD},
    {"over_quota", "false", false},
    {"over_quota", "no", BAD},
    {"seed", "7", 7},
};

START_TEST(values_are_taken_or_refused)
{
    struct policy_config config = make("runai");
    struct policy_config before = config;
    struct policy_error error = {0};
    const struct field *field = field_of(values[_i].option);
    int status = policy_config_set(&config, values[_i].option, values[_i].value, &error);
    ck_assert_msg(status == (values[_i].stored == BAD ? POLICY_INVALID : POLICY_OK), "%s=%s: %d",
                  values[_i].option, values[_i].value, status);
    if (status != POLICY_OK) {
        ck_assert_int_eq(error.status, status);
        ck_assert_msg(memcmp(&config, &before, sizeof config) == 0,
                      "%s=%s was refused and changed something", values[_i].option,
                      values[_i].value);
        return;
    }
    ck_assert_msg(value_of(&config, field) == values[_i].stored, "%s=%s: %lld", values[_i].option,
                  values[_i].value, (long long)value_of(&config, field));
    for (int i = 0; i < ROWS(fields); i++) /* nothing else has changed */
        if (fields[i].at != field->at)
            ck_assert_int_eq(value_of(&config, &fields[i]), value_of(&before, &fields[i]));
}
END_TEST

/* ---- priority ---- */

#define WEEK_MS INT64_C(604800000)

static const struct {
    const char *option;
    int64_t usual;
    const char *value;
    int64_t stored; /* BAD: refused */
} of_slurm[] = {
    {"priority_weight_age", 1000, "4294967295", 4294967295},
    {"priority_weight_age", 1000, "4294967296", BAD},
    {"priority_weight_fairshare", 10000, "0", 0},
    {"priority_weight_fairshare", 10000, "0.5", BAD},
    {"priority_weight_job_size", 1000, "7", 7},
    {"priority_weight_job_size", 1000, "-1", BAD},
    {"priority_weight_partition", 1000, "1", 1},
    {"priority_weight_qos", 0, "1000", 1000},
    {"priority_weight_qos", 0, "", BAD},
    {"priority_max_age_s", WEEK_MS, "1209600", 2 * WEEK_MS},
    {"priority_max_age_s", WEEK_MS, "0", BAD},
    {"priority_decay_half_life_s", WEEK_MS, "0", 0},
    {"priority_decay_half_life_s", WEEK_MS, "3155760001", BAD},
    {"priority_calc_period_s", 300000, "60", 60000},
    {"priority_calc_period_s", 300000, "0.5", BAD},
    {"priority_favor_small", false, "true", true},
    {"priority_favor_small", false, "yes", BAD},
    {"queue_limits", true, "false", false},
    {"time_limits", true, "false", false},
    {"time_limits", true, "1", BAD},
};

START_TEST(options_of_slurm_are_taken_or_refused)
{
    struct policy_config config = make("slurm");
    struct policy_config before = config;
    const struct field *field = field_of(of_slurm[_i].option);
    ck_assert_msg(value_of(&config, field) == of_slurm[_i].usual, "%s", of_slurm[_i].option);
    int status = policy_config_set(&config, of_slurm[_i].option, of_slurm[_i].value, NULL);
    ck_assert_int_eq(status, of_slurm[_i].stored == BAD ? POLICY_INVALID : POLICY_OK);
    if (status == POLICY_OK)
        ck_assert_int_eq(value_of(&config, field), of_slurm[_i].stored);
    else
        ck_assert_mem_eq(&config, &before, sizeof config);
}
END_TEST

/* ---- single tasks ---- */

static const struct {
    const char *option, *value;
    int64_t stored; /* compatible with the rest */
    bool fits;      /* with the rest */
} pod_values[] = {
    {"score", "least-allocated", POLICY_LEAST_ALLOCATED, true},
    {"score", "most-allocated", POLICY_MOST_ALLOCATED, true},
    {"score", "most", BAD, true},
    {"pod_order", "job", POLICY_PODS_BY_JOB, true},
    {"pod_order", "turns", POLICY_PODS_IN_TURNS, true},
    {"pod_order", "", BAD, true},
    {"victims", "lower", POLICY_VICTIMS_LOWER, true},
    {"victims", "preemptible", POLICY_VICTIMS_PREEMPTIBLE, true},
    {"victims", "true", BAD, true},
    {"actions", "allocate", 1 << POLICY_ALLOCATE, true},
    {"actions", "allocate,preempt", 1 << POLICY_ALLOCATE | 1 << POLICY_PREEMPT, true},
    {"actions", "preempt", 1 << POLICY_PREEMPT, false},
    {"actions", "allocate,reclaim", 1 << POLICY_ALLOCATE | 1 << POLICY_RECLAIM, false},
    {"actions", "allocate,limits", 1 << POLICY_ALLOCATE | 1 << POLICY_LIMITS, false},
};

START_TEST(options_of_tasks_are_taken_or_refused)
{
    struct policy_config config = make("kube-default");
    struct policy_config before = config;
    struct policy_error error = {0};
    const struct field *field = field_of(pod_values[_i].option);
    int status = policy_config_set(&config, pod_values[_i].option, pod_values[_i].value, &error);
    ck_assert_int_eq(status, pod_values[_i].stored == BAD ? POLICY_INVALID : POLICY_OK);
    if (status == POLICY_OK)
        ck_assert_int_eq(value_of(&config, field), pod_values[_i].stored);
    else
        ck_assert_mem_eq(&config, &before, sizeof config);
    ck_assert_int_eq(policy_config_check(&config, &error),
                     pod_values[_i].fits ? POLICY_OK : POLICY_INVALID);
    if (!pod_values[_i].fits)
        harness_contains(error.message, "unit 'task' only supports the actions");
}
END_TEST

/* Values that no text produces, and task options in policies with gangs. */
START_TEST(options_of_tasks_are_in_range)
{
    struct policy_error error = {0};
    for (int i = 0; i < 4; i++)
        for (int bad = -1; bad <= 2; bad += 3) {
            struct policy_config config = make("kube-default");
            int32_t *const members[] = {&config.pods.on, &config.pods.score, &config.pods.order,
                                        &config.pods.victims};
            *members[i] = bad;
            ck_assert_int_eq(policy_config_check(&config, &error), POLICY_INVALID);
        }
    struct policy_config config = make("runai");
    config.pods.score = POLICY_MOST_ALLOCATED;
    ck_assert_int_eq(policy_config_check(&config, &error), POLICY_INVALID);
    harness_contains(error.message, "options of kube-default");
}
END_TEST

/* ---- families ---- */

static const struct {
    const char *preset;
    bool quota, pods;
} presets[] = {
    {"fifo", false, false},   {"sjf", false, false},         {"best-fit", false, false},
    {"random", false, false}, {"fgd", false, false},         {"runai", true, false},
    {"static", true, false},  {"kube-default", false, true},
};

/* Options that a policy would ignore are refused, and reported as known. */
START_TEST(options_belong_to_policies)
{
    for (int i = 0; i < ROWS(fields); i++) {
        static const char *const good[] = {"none",  "gang",           "fleet",    "strict", "1",
                                           "true",  "allocate",       "spread",   "given",  "lca",
                                           "easy",  "frozen",         "running",  "exact",  "job",
                                           "lower", "most-allocated", "mon 00-24"};
        struct policy_config config = make(presets[_i].preset);
        struct policy_error error = {0};
        bool has = presets[_i].pods    ? is_of_pods(fields[i].name)
                   : presets[_i].quota ? fields[i].quota
                                       : fields[i].lines;
        bool taken = false;
        for (int k = 0; k < ROWS(good); k++) {
            int status = policy_config_set(&config, fields[i].name, good[k], &error);
            taken = taken || status == POLICY_OK;
            ck_assert_msg((status == POLICY_UNKNOWN) == !has, "%s of %s", fields[i].name,
                          presets[_i].preset);
        }
        ck_assert_int_eq(taken, has);
        if (!has)
            harness_contains(error.message, fields[i].name);
    }
}
END_TEST

/* Preset values that differ from those of the first policy with the option. */
static const struct {
    const char *preset, *option;
    int64_t usual;
} others[] = {
    {"static", "over_quota", false},
    {"static", "actions", 1 << POLICY_ALLOCATE | 1 << POLICY_STALE | 1 << POLICY_LIMITS},
    {"kube-default", "actions", 1 << POLICY_ALLOCATE | 1 << POLICY_PREEMPT},
    {"kube-default", "queue_order", POLICY_NO_QUEUE_ORDER},
    {"kube-default", "unit", true},
};

static int64_t usual(const char *preset, const struct field *field)
{
    for (int i = 0; i < ROWS(others); i++)
        if (strcmp(others[i].preset, preset) == 0 && strcmp(others[i].option, field->name) == 0)
            return others[i].usual;
    return field->usual;
}

START_TEST(defaults_are_those_of_the_page)
{
    struct policy_config config = make(presets[_i].preset);
    for (int i = 0; i < ROWS(fields); i++)
        if (presets[_i].pods ? is_of_pods(fields[i].name) : presets[_i].quota && fields[i].quota)
            ck_assert_msg(value_of(&config, &fields[i]) == usual(presets[_i].preset, &fields[i]),
                          "%s", fields[i].name);
        else if (!presets[_i].quota && !presets[_i].pods && fields[i].quota && !fields[i].lines)
            ck_assert_int_eq(value_of(&config, &fields[i]), 0);
}
END_TEST

START_TEST(every_option_is_tested)
{
    for (size_t i = 0; policy_option_row(i) != NULL; i++) {
        const char *name = policy_option_row(i)->name;
        if (strcmp(name, "placement") != 0 &&
            strcmp(name, "order") != 0) /* rows of tables: test_presets.c */
            ck_assert_msg(field_of(name) != NULL, "%s", name);
        bool valued = false;
        for (int k = 0; k < ROWS(values); k++)
            valued = valued || strcmp(values[k].option, name) == 0;
        for (int k = 0; k < ROWS(pod_values); k++)
            valued = valued || strcmp(pod_values[k].option, name) == 0;
        ck_assert_msg(valued || field_of(name) == NULL || field_of(name)->lines, "no values of %s",
                      name);
    }
}
END_TEST

/* ---- ranked orders ---- */

static const struct {
    const char *value;
    int32_t count; /* 0: refused */
    int64_t stored[POLICY_MAX_THRESHOLDS];
} thresholds[] = {
    {"18000", 1, {INT64_C(18000000000)}},
    {"3250,7200", 2, {INT64_C(3250000000), INT64_C(7200000000)}},
    {"0.5", 1, {500000}},
    {"1,2,3,1000000000000", 4, {1000000, 2000000, 3000000, INT64_C(1000000000000000000)}},
    {"1,2,3,4,5", 0, {0}},
    {"1000000000001", 0, {0}},
    {"0", 0, {0}},
    {"-1", 0, {0}},
    {"2,1", 0, {0}},
    {"2,2", 0, {0}},
    {"", 0, {0}},
    {",", 0, {0}},
    {"1,", 0, {0}},
    {"1,,2", 0, {0}},
    {"1 2", 0, {0}},
    {"00000000000000000000000000000000000001", 0, {0}},
};

START_TEST(thresholds_rise)
{
    struct policy_config config = make("las");
    struct policy_config before = config;
    struct policy_error error = {0};
    int status = policy_config_set(&config, "threshold_gpu_s", thresholds[_i].value, &error);
    ck_assert_int_eq(status, thresholds[_i].count > 0 ? POLICY_OK : POLICY_INVALID);
    if (status != POLICY_OK) {
        ck_assert_mem_eq(&config, &before, sizeof config);
        return;
    }
    ck_assert_int_eq(config.ranked.thresholds, thresholds[_i].count);
    for (int i = 0; i < POLICY_MAX_THRESHOLDS; i++)
        ck_assert_int_eq(config.ranked.threshold[i], thresholds[_i].stored[i]);
}
END_TEST

static const struct {
    const char *preset, *option[2], *value[2];
    const char *wrong; /* NULL: they are compatible */
} together[] = {
    {"srtf", {NULL, NULL}, {NULL, NULL}, NULL},
    {"las", {NULL, NULL}, {NULL, NULL}, NULL},
    {"qssf", {"scope", "blocking"}, {"fleet", "skip"}, NULL},
    {"srtf", {"refill", "placement"}, {"true", "count"}, NULL},
    {"srtf", {"refill", NULL}, {"true", NULL}, "refill 'true' needs placement"},
    {"srtf", {"blocking", NULL}, {"strict", NULL}, "blocking 'strict'"},
    {"srtf", {"threshold_gpu_s", NULL}, {"5", NULL}, "need the order 'attained'"},
    {"srtf", {"demotion", NULL}, {"published", NULL}, "need the order 'attained'"},
    {"srtf", {"order", NULL}, {"attained", NULL}, NULL},
    {"srtf", {"order", "threshold_gpu_s"}, {"attained", "5"}, NULL},
    {"las", {"demotion", "ties"}, {"published", "waiting"}, "its own rule for ties"},
    {"fifo", {"ties", NULL}, {"waiting", NULL}, "need a preemptive order"},
    {"fifo", {"refill", NULL}, {"true", NULL}, "need a preemptive order"},
    {"slurm", {NULL, NULL}, {NULL, NULL}, NULL},
    {"slurm", {"backfilling", "scope"}, {"conservative", "queue"}, NULL},
    {"slurm", {"order", NULL}, {"sjf", NULL}, NULL},
    {"fifo", {"order", NULL}, {"multifactor", NULL}, NULL},
    {"fifo", {"priority_favor_small", NULL}, {"true", NULL}, "need the order 'multifactor'"},
    {"fifo", {"priority_weight_age", NULL}, {"1", NULL}, "need the order 'multifactor'"},
    {"fifo", {"queue_limits", "time_limits"}, {"true", "true"}, NULL},
    {"srtf", {"queue_limits", NULL}, {"true", NULL}, "cannot be combined with a preemptive order"},
    {"las", {"time_limits", NULL}, {"true", NULL}, "cannot be combined with a preemptive order"},
    {"fifo", {"order", "blocking"}, {"remaining", "skip"}, NULL},
    {"fifo", {"order", NULL}, {"remaining", NULL}, "blocking 'strict'"},
};

START_TEST(options_go_together_or_not)
{
    struct tally tally = {0};
    struct policy_config config = make(together[_i].preset);
    struct policy_error error = {0};
    config.allocator = tally_allocator(&tally);
    for (int i = 0; i < 2 && together[_i].option[i] != NULL; i++)
        ck_assert_int_eq(
            policy_config_set(&config, together[_i].option[i], together[_i].value[i], &error),
            POLICY_OK);
    const char *wrong = together[_i].wrong;
    ck_assert_int_eq(policy_config_check(&config, &error),
                     wrong == NULL ? POLICY_OK : POLICY_INVALID);
    if (wrong != NULL)
        harness_contains(error.message, wrong);
    struct policy *p = policy_create(&config, &error);
    ck_assert_int_eq(p != NULL, wrong == NULL);
    policy_destroy(p);
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("options");
    TCase *tcase = tcase_create("options");
    tcase_add_loop_test(tcase, values_are_taken_or_refused, 0, ROWS(values));
    tcase_add_loop_test(tcase, options_belong_to_policies, 0, ROWS(presets));
    tcase_add_loop_test(tcase, defaults_are_those_of_the_page, 0, ROWS(presets));
    tcase_add_test(tcase, every_option_is_tested);
    tcase_add_loop_test(tcase, options_of_slurm_are_taken_or_refused, 0, ROWS(of_slurm));
    tcase_add_loop_test(tcase, options_of_tasks_are_taken_or_refused, 0, ROWS(pod_values));
    tcase_add_test(tcase, options_of_tasks_are_in_range);
    tcase_add_loop_test(tcase, thresholds_rise, 0, ROWS(thresholds));
    tcase_add_loop_test(tcase, options_go_together_or_not, 0, ROWS(together));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
