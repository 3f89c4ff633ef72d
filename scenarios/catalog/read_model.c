/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads one model from its object, with the checks that the schema cannot express. */
#include "scenarios/catalog/calibration.h"
#include "scenarios/catalog/models.h"
#include "scenarios/schema/model.h"
#include "scenarios/schema/resolve.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/perf/share.h"

#include <stdlib.h>
#include <string.h>

/* check_fail() for a member of the object. */
#define fail_at(check, key, ...) (json_path_add((check)->path, key), check_fail(check, __VA_ARGS__))

/* Returns the number, the schema's default, or 0. */
static double number(const cJSON *object, const char *key)
{
    const cJSON *value = json_member(object, key);
    if (value)
        return value->valuedouble;
    const char *fallback = schema_member(&schema_model, key)->fallback;
    double x = 0;
    if (fallback)
        (void)text_f64(fallback, strlen(fallback), &x);
    return x;
}

static const char *text(const cJSON *object, const char *key, const char *absent)
{
    const cJSON *value = json_member(object, key);
    return value ? value->valuestring : absent;
}

static enum perf_family family_of(const char *name)
{
    int i = 0;
    while (i < PERF_FAMILIES && strcmp(perf_family_name((enum perf_family)i), name) != 0)
        i++;
    return i < PERF_FAMILIES ? (enum perf_family)i : PERF_FAMILY_NONE;
}

static enum perf_cpu_curve curve_of(const char *name)
{
    int i = 0;
    while (i < PERF_CPU_CURVES && strcmp(perf_cpu_curve_name((enum perf_cpu_curve)i), name) != 0)
        i++;
    return i < PERF_CPU_CURVES ? (enum perf_cpu_curve)i : PERF_CPU_NONE;
}

static enum perf_precision precision_of(const char *name)
{
    static const char *const names[PERF_PRECISIONS] = {"recorded", "bf16", "fp8", "fp4"};
    int i = 0;
    while (i < PERF_PRECISIONS && strcmp(names[i], name) != 0)
        i++;
    return i < PERF_PRECISIONS ? (enum perf_precision)i : PERF_PRECISION_RECORDED;
}

/* ---- marks and sources */

/* Returns true for a key of the model, or for one speed, like speeds.t4. */
static bool is_figure(const cJSON *object, const char *key)
{
    const char *dot = strchr(key, '.');
    if (!dot)
        return json_member(object, key) && schema_member(&schema_model, key);
    return strncmp(key, "speeds.", 7) == 0 && json_member(json_member(object, "speeds"), dot + 1);
}

static bool check_named(struct check *check, const cJSON *object, const char *list, bool names)
{
    const cJSON *entries = json_member(object, list);
    for (const cJSON *entry = entries ? entries->child : NULL; entry; entry = entry->next) {
        const char *key = names ? entry->string : entry->valuestring;
        if (!is_figure(object, key))
            return fail_at(check, list, "the model has no figure '%.64s'", key);
    }
    return true;
}

/* ---- the model */

/* An intensity replaces everything else about a model's steps. */
static bool check_work(struct check *check, const cJSON *object)
{
    static const char *const excluded[] = {"batch",       "gradient_gb",     "tensor_gb",
                                           "pipeline_gb", "tensor_parallel", "pipeline_parallel",
                                           "fixed_s",     "calibration"};
    bool intensity = json_member(object, "intensity");
    if (!intensity && !json_member(object, "work_s"))
        return check_fail(check, "expected 'work_s', the device-seconds of a step, or 'intensity'");
    for (size_t i = 0; intensity && i < sizeof excluded / sizeof *excluded; i++) {
        const cJSON *value = json_member(object, excluded[i]);
        const char *fallback = schema_member(&schema_model, excluded[i])->fallback;
        if (value &&
            !(cJSON_IsNumber(value) && fallback && value->valuedouble == number(NULL, excluded[i])))
            return fail_at(check, excluded[i],
                           "says nothing about a model that has an 'intensity' only");
    }
    double devices = number(object, "tensor_parallel") * number(object, "pipeline_parallel");
    if (devices > 1e6)
        return fail_at(check, "pipeline_parallel", "%.0f devices in a replica", devices);
    return true;
}

static struct perf_model fill(const cJSON *object)
{
    struct perf_model model = perf_model_empty();
    if (json_member(object, "intensity")) {
        model = perf_model_of_intensity(number(object, "intensity"));
    } else {
        model.weak = strcmp(text(object, "scaling", "strong"), "weak") == 0;
        model.work_s = number(object, "work_s");
        model.batch = json_member(object, "batch") ? number(object, "batch") : 1;
        model.gradient_gb = number(object, "gradient_gb");
        model.bucket_gb = number(object, "bucket_gb");
    }
    model.imbalance = number(object, "imbalance");
    model.overlap = number(object, "overlap");
    model.fixed_s = number(object, "fixed_s");
    model.tensor_parallel = (int)number(object, "tensor_parallel");
    model.pipeline_parallel = (int)number(object, "pipeline_parallel");
    model.micro_batches = number(object, "micro_batches");
    model.virtual_stages = number(object, "virtual_stages");
    model.tensor_gb = number(object, "tensor_gb");
    model.pipeline_gb = number(object, "pipeline_gb");
    model.input_core_s = number(object, "input_core_s");
    model.cpu_curve = curve_of(text(object, "cpu_curve", "none"));
    model.numa = number(object, "numa_slowdown");
    model.family = family_of(text(object, "family", "none"));
    model.utilization = number(object, "utilization");
    return model;
}

bool catalog_model_read(struct check *check, const cJSON *object, const char *name,
                        struct calibration *with, struct catalog_model *model)
{
    if (!check_work(check, object) || !check_named(check, object, "sources", true) ||
        !check_named(check, object, "unverified", false))
        return false;
    const cJSON *table = json_member(object, "speeds");
    struct perf_device_speed *speeds =
        mem_alloc((size_t)cJSON_GetArraySize(table) + 1, sizeof *speeds);
    size_t count = 0;
    for (const cJSON *entry = table ? table->child : NULL; entry; entry = entry->next) {
        if (!cJSON_IsNull(entry))
            speeds[count++] = (struct perf_device_speed){entry->string, entry->valuedouble};
    }
    *model = (struct catalog_model){
        .name = name,
        .summary = text(object, "summary", ""),
        .source = text(object, "source", ""),
        .model = fill(object),
    };
    model->model.name = name;
    model->model.samples = text(object, "samples", "samples");
    model->model.speed_class = text(object, "speed_class", "unknown");
    model->model.precision = precision_of(text(object, "precision", "recorded"));
    model->model.speeds = speeds;
    model->model.speed_count = count;
    if (calibration_check(with, check, object, &model->model))
        return true;
    catalog_model_fini(model);
    return false;
}

void catalog_model_fini(struct catalog_model *model)
{
    union {
        const struct perf_device_speed *given;
        void *owned;
    } speeds = {.given = model->model.speeds};
    free(speeds.owned);
}
