/* SPDX-License-Identifier: MIT */
/* Parses values of options; see option_values.h. */
#include "option_values.h"
#include "act/actions.h"
#include "base/words.h"
#include "config_defaults.h"
#include "order/multifactor.h"
#include "order/order.h"
#include "order/queue_orders.h"

#include <string.h>

static void *member(struct policy_config *config, const struct pc_option *o)
{
    return (char *)config + o->at;
}

bool pc_set_word(struct policy_config *config, const struct pc_option *o, const char *value)
{
    int32_t word = pc_word_of(o->words, value);
    if (word >= 0)
        memcpy(member(config, o), &word, sizeof word);
    return word >= 0;
}

bool pc_set_flag(struct policy_config *config, const struct pc_option *o, const char *value)
{
    int32_t word = pc_word_of("false|true", value);
    bool flag = word == 1;
    if (word >= 0)
        memcpy(member(config, o), &flag, sizeof flag);
    return word >= 0;
}

static bool set_scaled(struct policy_config *config, const struct pc_option *o, const char *value,
                       int digits)
{
    int64_t number;
    if (!pc_parse_decimal(value, digits, &number) || number < o->least || number > o->most)
        return false;
    memcpy(member(config, o), &number, sizeof number);
    return true;
}

bool pc_set_seconds(struct policy_config *config, const struct pc_option *o, const char *value)
{
    return set_scaled(config, o, value, 3);
}

bool pc_set_ratio(struct policy_config *config, const struct pc_option *o, const char *value)
{
    return set_scaled(config, o, value, 6);
}

bool pc_set_long(struct policy_config *config, const struct pc_option *o, const char *value)
{
    return set_scaled(config, o, value, 0);
}

bool pc_set_number(struct policy_config *config, const struct pc_option *o, const char *value)
{
    int64_t number;
    if (!pc_parse_decimal(value, 0, &number) || number < o->least || number > o->most)
        return false;
    int32_t small = (int32_t)number;
    memcpy(member(config, o), &small, sizeof small);
    return true;
}

bool pc_set_placement(struct policy_config *config, const struct pc_option *o, const char *value)
{
    (void)o;
    int32_t row = pc_find_placement(value);
    config->placement = row >= 0 ? row : config->placement;
    return row >= 0;
}

/* Setting another order clears the options of the previous one. */
bool pc_set_order(struct policy_config *config, const struct pc_option *o, const char *value)
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

bool pc_set_queue_order(struct policy_config *config, const struct pc_option *o, const char *value)
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

bool pc_set_unit(struct policy_config *config, const struct pc_option *o, const char *value)
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
bool pc_set_backfill(struct policy_config *config, const struct pc_option *o, const char *value)
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

bool pc_set_seed(struct policy_config *config, const struct pc_option *o, const char *value)
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

#define LONG_SERVICE INT64_C(1000000000000) /* GPU-seconds */

/* Ascending numbers, separated by commas. */
bool pc_set_thresholds(struct policy_config *config, const struct pc_option *o, const char *value)
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
            *threshold > LONG_SERVICE * PC_GPU_SECOND)
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
bool pc_set_hours(struct policy_config *config, const struct pc_option *o, const char *value)
{
    (void)o;
    uint64_t hours[3];
    if (!pc_parse_hours(value, hours))
        return false;
    memcpy(config->provision.hours, hours, sizeof hours);
    return true;
}

/* Names of actions, separated by commas. */
bool pc_set_actions(struct policy_config *config, const struct pc_option *o, const char *value)
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
