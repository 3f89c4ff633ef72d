/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads spans and classes of faults from JSON; the keys are in scenarios/schema/faults.c. */
#include "scenarios/catalog/read_faults.h"

#include <string.h>

static const cJSON *given(const cJSON *object, const char *key)
{
    return json_member(object, key);
}

static double seconds(const cJSON *object, const char *key)
{
    return (double)check_duration_ms(given(object, key)) / 1000;
}

/* ---- spans: which keys are there says which distribution it is */

static bool make_fixed(struct check *check, const cJSON *keys, struct fault_span *span)
{
    (void)check;
    span->kind = FAULT_SPAN_FIXED;
    span->a = seconds(keys, "fixed");
    return true;
}

static bool make_uniform(struct check *check, const cJSON *keys, struct fault_span *span)
{
    span->kind = FAULT_SPAN_UNIFORM;
    span->a = seconds(keys, "from");
    span->b = seconds(keys, "to");
    return span->a <= span->b || check_fail(check, "'to' is earlier than 'from'");
}

static bool make_lognormal(struct check *check, const cJSON *keys, struct fault_span *span)
{
    (void)check;
    span->kind = FAULT_SPAN_LOGNORMAL;
    span->a = seconds(keys, "median");
    span->b = given(keys, "sigma")->valuedouble;
    return true;
}

static bool make_of_mean(struct check *check, const cJSON *keys, struct fault_span *span)
{
    double median = seconds(keys, "median"), mean = seconds(keys, "mean"), at_once = span->at_once;
    if (!(median > 0) || mean < median)
        return check_fail(check, "expected a median above 0 and a mean that is not smaller");
    *span = fault_span_of_mean(median, mean);
    span->at_once = at_once;
    return true;
}

static bool make_heavy(struct check *check, const cJSON *keys, struct fault_span *span)
{
    double median = seconds(keys, "median"), mean = seconds(keys, "mean"), at_once = span->at_once;
    if (!(median > 0) || mean < median)
        return check_fail(check, "expected a median above 0 and a mean that is not smaller");
    *span = fault_span_heavy(median, given(keys, "sigma")->valuedouble, mean);
    span->at_once = at_once;
    if (fault_span_mean_s(&(struct fault_span){
            .kind = span->kind, .a = span->a, .b = span->b, .mean_s = mean}) < 0.99 * mean)
        return check_fail(
            check,
            "one in twenty that takes up to 30 days does not make the mean as large as that");
    return true;
}

static bool make_weibull(struct check *check, const cJSON *keys, struct fault_span *span)
{
    (void)check;
    span->kind = FAULT_SPAN_WEIBULL;
    span->a = seconds(keys, "mean");
    span->b = given(keys, "shape")->valuedouble;
    return true;
}

#define SPAN_KEYS 7
static const char *const span_keys[SPAN_KEYS] = {"fixed", "from", "to",   "median",
                                                 "sigma", "mean", "shape"};

static const struct span_form {
    unsigned keys; /* bits of span_keys */
    bool (*make)(struct check *, const cJSON *, struct fault_span *);
} span_forms[] = {
    {1u << 0, make_fixed},
    {1u << 1 | 1u << 2, make_uniform},
    {1u << 3 | 1u << 4, make_lognormal},
    {1u << 3 | 1u << 5, make_of_mean},
    {1u << 3 | 1u << 4 | 1u << 5, make_heavy},
    {1u << 5 | 1u << 6, make_weibull},
};

static bool make_span(struct check *check, const cJSON *keys, struct fault_span *span)
{
    unsigned there = 0;
    for (unsigned i = 0; i < SPAN_KEYS; i++)
        there |= given(keys, span_keys[i]) ? 1u << i : 0;
    *span = (struct fault_span){
        .at_once = given(keys, "at_once") ? given(keys, "at_once")->valuedouble : 0};
    for (size_t i = 0; i < sizeof span_forms / sizeof *span_forms; i++) {
        if (span_forms[i].keys == there)
            return span_forms[i].make(check, keys, span);
    }
    return check_fail(check, "expected one of fixed; from and to; median and sigma; median and "
                             "mean; median, sigma and mean; mean and shape");
}

bool read_fault_span(struct check *check, const cJSON *object, const char *key,
                     struct fault_span *span)
{
    const cJSON *value = given(object, key);
    if (!value)
        return true;
    if (!cJSON_IsObject(value)) {
        double s = (double)check_duration_ms(value) / 1000;
        *span = (struct fault_span){.kind = s > 0 ? FAULT_SPAN_FIXED : FAULT_SPAN_NONE, .a = s};
        return true;
    }
    size_t length = strlen(check->path);
    json_path_add(check->path, key);
    if (!make_span(check, value, span))
        return false;
    check->path[length] = '\0';
    return true;
}

/* ---- classes */

static void read_number(const cJSON *object, const char *key, double *value)
{
    if (given(object, key))
        *value = given(object, key)->valuedouble;
}

/* Returns the index of a choice's name in its enumeration; `before` if the key is absent. */
static int read_choice(const cJSON *object, const char *key, const char *(*name)(int), int count,
                       int before)
{
    const cJSON *value = given(object, key);
    for (int i = 0; value && i < count; i++) {
        if (strcmp(name(i), value->valuestring) == 0)
            return i;
    }
    return before;
}

static const char *arrival(int i)
{
    return fault_arrival_name((enum fault_arrival)i);
}

static const char *effect(int i)
{
    return fault_effect_name((enum fault_effect)i);
}

static const char *drain(int i)
{
    return fault_drain_name((enum fault_drain)i);
}

static void read_effect(const cJSON *object, const char *key, enum fault_effect *value)
{
    *value = (enum fault_effect)read_choice(object, key, effect, FAULT_EFFECTS, (int)*value);
}

static void read_drain(const cJSON *object, const char *key, enum fault_drain *value)
{
    *value = (enum fault_drain)read_choice(object, key, drain, FAULT_DRAINS, (int)*value);
}

static bool read_loss(struct check *check, const cJSON *object, struct fault_class *class)
{
    const cJSON *loss = given(object, "loss");
    if (!loss)
        return true;
    class->loss_low = loss->child->valuedouble;
    class->loss_high = loss->child->next->valuedouble;
    if (class->loss_low <= class->loss_high)
        return true;
    json_path_add(check->path, "loss");
    return check_fail(check, "the least loss is larger than the most");
}

bool read_fault_class(struct check *check, const cJSON *object, struct fault_class *class)
{
    read_number(object, "rate", &class->rate);
    class->arrival = (enum fault_arrival)read_choice(object, "arrival", arrival, FAULT_ARRIVALS,
                                                     (int)class->arrival);
    read_number(object, "shape", &class->shape);
    if (given(object, "width"))
        class->width = (uint32_t)given(object, "width")->valuedouble;
    if (given(object, "frail"))
        class->frail = cJSON_IsTrue(given(object, "frail"));
    read_effect(object, "effect", &class->effect);
    read_effect(object, "otherwise", &class->otherwise);
    read_number(object, "effect_share", &class->effect_share);
    if (given(object, "kills_after"))
        class->kills_after_s = seconds(object, "kills_after");
    if (given(object, "rollback"))
        class->rollback = (int)given(object, "rollback")->valuedouble;
    read_drain(object, "drain", &class->drain);
    class->drain_hardware = given(object, "drain") ? class->drain : class->drain_hardware;
    read_drain(object, "drain_hardware", &class->drain_hardware);
    read_number(object, "transient_share", &class->transient_share);
    read_number(object, "relapse", &class->relapse);
    if (class->scope == FAULT_SCOPE_USER && class->rate > 1) {
        json_path_add(check->path, "rate");
        return check_fail(check, "expected a share of the jobs, from 0 to 1");
    }
    return read_loss(check, object, class) &&
           read_fault_span(check, object, "detect", &class->detect) &&
           read_fault_span(check, object, "lasts", &class->lasts) &&
           read_fault_span(check, object, "transient", &class->transient) &&
           read_fault_span(check, object, "hardware", &class->hardware) &&
           read_fault_span(check, object, "relapses", &class->relapses);
}
