/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the plan of a sweep and enumerates its points; see sweep_plan.h. */
#include "scenarios/load/sweep_plan.h"

#include "scenarios/json/paths.h"
#include "scenarios/schema/check.h"
#include "scenarios/schema/policy_file.h"
#include "scenarios/schema/sweep.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- locations ---- */

/* Returns the line at that path of ordinals. */
static size_t line_at(const struct sweep_plan *plan, const unsigned *ordinals, size_t depth)
{
    const struct json_source *source = &plan->source;
    size_t offset = json_scan_find(source->text, source->n, ordinals, depth);
    return json_place_of(source->text, source->n, offset).line;
}

static unsigned place_of(const cJSON *parent, const cJSON *child)
{
    unsigned i = 0;
    for (const cJSON *c = parent->child; c != NULL && c != child; c = c->next)
        i++;
    return i;
}

/* Returns the line of an axis: that of its key in `grid`, or of `seeds`. */
static size_t line_of_axis(const struct sweep_plan *plan, const cJSON *axis)
{
    const cJSON *root = plan->source.root;
    bool seeds = axis == plan->seeds;
    unsigned ordinals[] = {place_of(root, json_member(root, seeds ? "seeds" : "grid")),
                           seeds ? 0 : place_of(plan->grid, axis)};
    return line_at(plan, ordinals, seeds ? 1 : 2);
}

/* ---- reading ---- */

static bool has_key(const struct sweep_plan *plan, const char *key)
{
    for (size_t i = 0; i < plan->key_count; i++)
        if (strcmp(plan->keys[i], key) == 0)
            return true;
    return false;
}

static void add_key(struct sweep_plan *plan, const char *key)
{
    plan->keys = mem_resize(plan->keys, plan->key_count + 1, sizeof *plan->keys);
    plan->keys[plan->key_count++] = key;
}

/*
 * Takes out a member with values of any kind, which the table of keys does not describe, and leaves
 * an empty one in its place, so that the others keep their positions. Returns NULL if it is absent
 * or of another type, which the table refuses.
 */
static cJSON *take_out(cJSON *root, const char *key, bool list)
{
    cJSON *member = json_member(root, key);
    if (member == NULL || (list ? !cJSON_IsArray(member) : !cJSON_IsObject(member)))
        return NULL;
    cJSON *taken = cJSON_Duplicate(member, true);
    cJSON_ReplaceItemInObjectCaseSensitive(root, key,
                                           list ? cJSON_CreateArray() : cJSON_CreateObject());
    return taken;
}

static bool check_tree(struct sweep_plan *plan, struct err *err)
{
    struct check check = {
        .where = check_where_file, .of = &plan->source, .whole = true, .err = err};
    return check_value(&check, &schema_sweep, plan->source.root);
}

static bool read_points(struct sweep_plan *plan, struct err *err)
{
    size_t n = plan->points ? (size_t)cJSON_GetArraySize(plan->points) : 0;
    plan->listed = mem_alloc(n + 1, sizeof *plan->listed);
    plan->listed_count = n > 0 ? n : 1;
    size_t i = 0;
    for (const cJSON *listed = plan->points ? plan->points->child : NULL; listed;
         listed = listed->next, i++) {
        plan->listed[i] = listed;
        if (!cJSON_IsObject(listed)) {
            char shown[JSON_SHOWN_MAX];
            unsigned ordinals[2] = {
                place_of(plan->source.root, json_member(plan->source.root, "points")), (unsigned)i};
            return err_set(
                err, EXIT_INPUT, "%s:%zu: points[%zu]: expected an object of values by key, got %s",
                plan->source.name, line_at(plan, ordinals, 2), i, json_shown(listed, shown));
        }
        for (const cJSON *value = listed->child; value; value = value->next)
            if (!has_key(plan, value->string))
                add_key(plan, value->string);
    }
    plan->point_keys = plan->key_count;
    return true;
}

static bool add_axis(struct sweep_plan *plan, const char *key, const cJSON *values, struct err *err)
{
    bool twice = has_key(plan, key);
    add_key(plan, key);
    size_t n = plan->key_count - plan->point_keys;
    plan->axes = mem_resize(plan->axes, n, sizeof *plan->axes);
    struct sweep_axis *axis = &plan->axes[n - 1];
    *axis = (struct sweep_axis){
        .values = mem_alloc((size_t)cJSON_GetArraySize(values) + 1, sizeof *axis->values)};
    for (const cJSON *value = values->child; value; value = value->next)
        axis->values[axis->count++] = value;
    size_t line = axis->line = line_of_axis(plan, values);
    if (twice)
        return err_set(err, EXIT_INPUT, "%s:%zu: '%s' is varied twice", plan->source.name, line,
                       key);
    if (!cJSON_IsArray(values) || axis->count == 0) {
        char shown[JSON_SHOWN_MAX];
        return err_set(err, EXIT_INPUT,
                       "%s:%zu: grid: '%s': expected a list of at least one value, got %s",
                       plan->source.name, line, key,
                       cJSON_IsArray(values) ? "an empty list" : json_shown(values, shown));
    }
    return __builtin_mul_overflow(plan->count, axis->count, &plan->count) ||
                   plan->count > SWEEP_POINTS_MAX
               ? err_set(err, EXIT_INPUT, "%s:%zu: more than %d points", plan->source.name, line,
                         SWEEP_POINTS_MAX)
               : true;
}

/* Returns the seeds: a list as it is, a number N as 1..N. */
static cJSON *seeds_of(const cJSON *root)
{
    const cJSON *given = json_member(root, "seeds");
    if (given == NULL || cJSON_IsArray(given))
        return given ? cJSON_Duplicate(given, true) : NULL;
    cJSON *seeds = cJSON_CreateArray();
    for (int seed = 1; seed <= given->valueint; seed++)
        cJSON_AddItemToArray(seeds, cJSON_CreateNumber(seed));
    return seeds;
}

static bool read_axes(struct sweep_plan *plan, struct err *err)
{
    for (const cJSON *values = plan->grid ? plan->grid->child : NULL; values; values = values->next)
        if (!add_axis(plan, values->string, values, err))
            return false;
    plan->seeds = seeds_of(plan->source.root);
    return plan->seeds == NULL || add_axis(plan, "seed", plan->seeds, err);
}

static bool check_key_names(const struct sweep_plan *plan, struct err *err)
{
    for (size_t k = 0; k < plan->key_count; k++)
        if (plan->keys[k][strspn(plan->keys[k], ".[]")] == '\0' ||
            strlen(plan->keys[k]) >= JSON_PATH_MAX)
            return err_set(err, EXIT_INPUT,
                           "%s: '%.64s': expected a key of the scenario, such as policy.cycle_s",
                           plan->source.name, plan->keys[k]);
    return true;
}

static void read_metrics(struct sweep_plan *plan)
{
    const cJSON *metrics = json_member(plan->source.root, "metrics");
    plan->metrics =
        mem_alloc((size_t)(metrics ? cJSON_GetArraySize(metrics) : 0) + 1, sizeof *plan->metrics);
    for (const cJSON *metric = metrics ? metrics->child : NULL; metric; metric = metric->next)
        plan->metrics[plan->metric_count++] = metric->valuestring;
}

static bool read_plan(struct sweep_plan *plan, const char *path, struct err *err)
{
    plan->folder = path_folder(path);
    plan->stem = path_stem(path);
    cJSON *root = plan->source.root;
    plan->grid = take_out(root, "grid", false);
    plan->points = take_out(root, "points", true);
    plan->count = 1;
    if (!check_tree(plan, err) || !read_points(plan, err))
        return false;
    plan->count = plan->listed_count;
    if (!read_axes(plan, err) || !check_key_names(plan, err))
        return false;
    const cJSON *name = json_member(root, "name"), *replicas = json_member(root, "replicas");
    plan->name = name ? name->valuestring : plan->stem;
    plan->scenario = path_beside(plan->folder, json_member(root, "scenario")->valuestring);
    plan->replicas = replicas ? replicas->valueint : 0;
    read_metrics(plan);
    return true;
}

bool sweep_plan_open(struct sweep_plan *plan, const char *path, struct err *err)
{
    *plan = (struct sweep_plan){0};
    if (json_source_open(&plan->source, path, err) && read_plan(plan, path, err))
        return true;
    sweep_plan_close(plan);
    return false;
}

bool sweep_plan_parse(struct sweep_plan *plan, const char *name, const char *text, size_t n,
                      struct err *err)
{
    *plan = (struct sweep_plan){0};
    if (json_source_parse(&plan->source, name, text, n, err) && read_plan(plan, name, err))
        return true;
    sweep_plan_close(plan);
    return false;
}

void sweep_plan_close(struct sweep_plan *plan)
{
    for (size_t i = 0; plan->axes && i < plan->key_count - plan->point_keys; i++)
        free(plan->axes[i].values);
    free(plan->axes);
    free(plan->keys);
    free(plan->metrics);
    free(plan->listed);
    free(plan->scenario);
    free(plan->folder);
    free(plan->stem);
    cJSON_Delete(plan->points);
    cJSON_Delete(plan->grid);
    cJSON_Delete(plan->seeds);
    json_source_close(&plan->source);
    *plan = (struct sweep_plan){0};
}

/* ---- points ---- */

/*
 * A point is a number with as many digits as there are axes: which of the listed points it is, and
 * its position on each axis.
 */
static size_t digit(const struct sweep_plan *plan, size_t point, size_t key)
{
    size_t axes = plan->key_count - plan->point_keys;
    for (size_t a = axes; a-- > 0;) {
        if (key == plan->point_keys + a)
            return point % plan->axes[a].count;
        point /= plan->axes[a].count;
    }
    return point;
}

const cJSON *sweep_plan_value(const struct sweep_plan *plan, size_t point, size_t key)
{
    size_t i = digit(plan, point, key);
    if (key >= plan->point_keys)
        return plan->axes[key - plan->point_keys].values[i];
    return cJSON_GetObjectItemCaseSensitive(plan->listed[i], plan->keys[key]);
}

/* ---- changes of the scenario ---- */

static const char *keep(struct sweep_changes *changes, char *text)
{
    changes->texts = mem_resize(changes->texts, changes->text_count + 1, sizeof *changes->texts);
    changes->texts[changes->text_count++] = text;
    return text;
}

/* Names of command line options that are not keys of a scenario. */
static bool is_option(const char *key, const cJSON *value)
{
    return strcmp(key, "trace") == 0 || (strcmp(key, "policy") == 0 && cJSON_IsString(value));
}

static bool add_option(const struct sweep_plan *plan, const char *label, const char *key,
                       const cJSON *value, struct sweep_changes *to, struct err *err)
{
    if (!cJSON_IsString(value) || value->valuestring[0] == '\0') {
        char shown[JSON_SHOWN_MAX];
        return err_set(err, EXIT_INPUT, "%s: expected the name of a file, got %s", label,
                       json_shown(value, shown));
    }
    if (strcmp(key, "policy") == 0)
        to->overrides.policy =
            policy_name_is_library(value->valuestring) || policy_name_is_file(value->valuestring)
                ? keep(to, path_beside(plan->folder, value->valuestring))
                : value->valuestring;
    else
        to->overrides.trace = keep(to, path_beside(plan->folder, value->valuestring));
    return true;
}

/* Returns the location of a point's value of a key: "plan.json:12: policy.cycle_s". */
static char *label_of(const struct sweep_plan *plan, size_t point, size_t key)
{
    const char *file = plan->source.name, *name = plan->keys[key];
    if (key < plan->point_keys)
        return mem_format("%s: points[%zu]: %s", file, digit(plan, point, key), name);
    return mem_format("%s:%zu: %s", file, plan->axes[key - plan->point_keys].line, name);
}

bool sweep_plan_changes(const struct sweep_plan *plan, size_t point,
                        const struct scen_overrides *command_line, struct sweep_changes *to,
                        struct err *err)
{
    *to = (struct sweep_changes){.overrides = *command_line,
                                 .changes = mem_alloc(plan->key_count + 1, sizeof *to->changes)};
    for (size_t k = 0; k < plan->key_count; k++) {
        const cJSON *value = sweep_plan_value(plan, point, k);
        if (value == NULL)
            continue;
        const char *label = keep(to, label_of(plan, point, k));
        if (is_option(plan->keys[k], value)) {
            if (!add_option(plan, label, plan->keys[k], value, to, err))
                return false;
            continue;
        }
        char *text = cJSON_PrintUnformatted(value);
        to->changes[to->overrides.change_count++] = (struct scen_change){
            .label = label, .path = plan->keys[k], .value = keep(to, text), .folder = plan->folder};
    }
    to->overrides.changes = to->changes;
    if (plan->replicas > 0 && !command_line->has_replicas) {
        to->overrides.has_replicas = true;
        to->overrides.replicas = plan->replicas;
    }
    return true;
}

void sweep_changes_free(struct sweep_changes *changes)
{
    for (size_t i = 0; i < changes->text_count; i++)
        free(changes->texts[i]);
    free(changes->texts);
    free(changes->changes);
    *changes = (struct sweep_changes){0};
}
