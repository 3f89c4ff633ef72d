/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads a scenario: layers, overrides, the resolved tree and its digest, then the typed structs. */
#include "scenarios/json/paths.h"
#include "scenarios/load/fill.h"
#include "scenarios/load/snapshot_layer.h"
#include "scenarios/schema/policy_file.h"
#include "scenarios/schema/resolve.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/snapshot/snapshot.h"
#include "sim/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- additions of the command line */

/* VALUE is JSON if it parses as JSON, else a string. */
static bool parse_set_value(const char *label, const char *text, cJSON **value, struct err *err)
{
    struct json_source source;
    cJSON *probe = cJSON_ParseWithOpts(text, NULL, 1);
    if (!probe) {
        *value = cJSON_CreateString(text);
        return true;
    }
    cJSON_Delete(probe);
    if (!json_source_parse(&source, label, text, strlen(text), err))
        return false;
    *value = cJSON_Duplicate(source.root, true);
    json_source_close(&source);
    return true;
}

/* There is no number to change: the key may be unknown, which has its own message. */
static bool no_number(struct layers *layers, const char *label, const char *path, char sign,
                      const cJSON *value, struct err *err)
{
    return layers_change(layers, label, path, cJSON_Duplicate(value, true), err) &&
           err_set(err, EXIT_INPUT,
                   "%s: %c= changes a number that the scenario gives, and here it gives none "
                   "(defaults do not count): use = instead",
                   label, sign);
}

/* KEY+=VALUE, KEY-=VALUE: relative to the existing number. */
static bool make_absolute(struct layers *layers, const char *label, const char *path, char sign,
                          cJSON *value, struct err *err)
{
    const cJSON *now = json_find(layers->merged, path);
    char shown[JSON_SHOWN_MAX];
    if (!cJSON_IsNumber(value))
        return err_set(err, EXIT_INPUT, "%s: expected a number behind %c=, got %s", label, sign,
                       json_shown(value, shown));
    if (now == NULL)
        return no_number(layers, label, path, sign, value, err);
    if (!cJSON_IsNumber(now) || now->valuedouble < 0)
        return err_set(err, EXIT_INPUT, "%s: %c= changes a number from 0, and here is %s", label,
                       sign, json_shown(now, shown));
    cJSON_SetNumberValue(value, now->valuedouble +
                                    (sign == '+' ? value->valuedouble : -value->valuedouble));
    return true;
}

static bool apply_set(struct layers *layers, const char *option, const char *set, struct err *err)
{
    const char *equals = strchr(set, '=');
    if (!equals || equals == set)
        return err_set(err, EXIT_INPUT,
                       "%s %s: expected KEY=VALUE, such as fleet.nodes_file=nodes.csv", option,
                       set);
    char sign = equals - set > 1 && strchr("+-", equals[-1]) ? equals[-1] : '\0';
    char *path = mem_text_n(set, (size_t)(equals - set) - (sign != '\0'));
    char *label = mem_format("%s %s", option, path);
    cJSON *value = NULL;
    bool ok = parse_set_value(label, equals + 1, &value, err);
    if (ok && sign != 0) {
        ok = make_absolute(layers, label, path, sign, value, err);
        if (!ok)
            cJSON_Delete(value);
    }
    ok = ok && layers_change(layers, label, path, value, err);
    free(label);
    free(path);
    return ok;
}

/*
 * policies.NAME... (of --set with its "=VALUE") is applied first, since --policy takes its options
 * from there.
 */
static bool sets_policies(const char *set)
{
    return strncmp(set, "policies", 8) == 0 && strchr(".[=", set[8]) != NULL;
}

static bool apply_change(struct layers *layers, const struct scen_change *change, struct err *err)
{
    struct json_source source;
    if (!json_source_parse(&source, change->label, change->value, strlen(change->value), err))
        return false;
    cJSON *value = cJSON_Duplicate(source.root, true);
    json_source_close(&source);
    layers_rebase(layers, change->path, value, change->folder);
    return layers_change(layers, change->label, change->path, value, err);
}

static bool apply_sets(struct layers *layers, const struct scen_overrides *overrides, bool policies,
                       struct err *err)
{
    for (size_t i = 0; i < overrides->set_count; i++) {
        const char *set = overrides->set[i],
                   *option = i < overrides->both_count ? "--both" : "--set";
        if (sets_policies(set) == policies && !apply_set(layers, option, set, err))
            return false;
    }
    for (size_t i = 0; i < overrides->change_count; i++) {
        const struct scen_change *change = &overrides->changes[i];
        if (sets_policies(change->path) == policies && !apply_change(layers, change, err))
            return false;
    }
    return true;
}

static bool apply_map(struct layers *layers, const struct scen_overrides *overrides,
                      struct err *err)
{
    char *map = trace_map_join(overrides->map, overrides->map_count);
    bool ok = layers_change(layers, "--map", "workload.options.map", cJSON_CreateString(map), err);
    free(map);
    return ok;
}

/* --policy FILE: name and options of the file, replacing all others. */
static bool apply_policy_file(struct layers *layers, const char *option, const char *path,
                              struct err *err)
{
    struct policy_file file;
    if (!policy_file_open(&file, path, err))
        return false;
    char *label = mem_format("%s %s", option, path);
    bool ok = layers_change(layers, label, "policy.name", cJSON_CreateString(file.name), err);
    if (ok) {
        cJSON_DeleteItemFromObjectCaseSensitive(json_member(layers->merged, "policy"), "options");
        cJSON *options = file.options ? cJSON_Duplicate(file.options, true) : cJSON_CreateObject();
        ok = layers_change(layers, label, "policy.options", options, err);
    }
    free(label);
    policy_file_close(&file);
    return ok;
}

/* --policy NAME: the name, and its options in the scenario's "policies", if any. */
static bool apply_policy(struct layers *layers, const char *option, const char *name,
                         struct err *err)
{
    if (policy_name_is_file(name))
        return apply_policy_file(layers, option, name, err);
    if (!layers_change(layers, option, "policy.name", cJSON_CreateString(name), err))
        return false;
    const cJSON *options = json_member(json_member(layers->merged, "policies"), name);
    cJSON *policy = json_member(layers->merged, "policy");
    cJSON_DeleteItemFromObjectCaseSensitive(policy, "options");
    cJSON_AddItemToObject(policy, "options",
                          options ? cJSON_Duplicate(options, true) : cJSON_CreateObject());
    free(layers->options_from);
    layers->options_from = mem_format("policies.%s", name);
    return true;
}

/* --trace FILE: a list of parts becomes its first part, and a generator is replaced. */
static bool apply_trace(struct layers *layers, const char *trace, struct err *err)
{
    cJSON *workload = json_member(layers->merged, "workload");
    if (cJSON_IsArray(workload)) {
        cJSON *first = cJSON_DetachItemFromArray(workload, 0);
        cJSON_ReplaceItemInObjectCaseSensitive(layers->merged, "workload", first);
    }
    return layers_change(layers, "--trace", "workload.trace", cJSON_CreateString(trace), err);
}

static bool apply_seed(struct layers *layers, uint64_t seed, struct err *err)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%" PRIu64, seed);
    bool exact = seed <= (uint64_t)SCHEMA_EXACT;
    return layers_change(layers, "--seed", "seed",
                         exact ? cJSON_CreateNumber((double)seed) : cJSON_CreateString(text), err);
}

static bool is_given(const cJSON *object, const char *key)
{
    const cJSON *value = json_member(object, key);
    return value != NULL && !cJSON_IsNull(value);
}

/*
 * For questions about another time, several replicas are resampled rather than the recorded trace
 * with jitter.
 */
static bool apply_resample(struct layers *layers, struct err *err)
{
    const cJSON *replicas = json_member(layers->merged, "replicas");
    const cJSON *workload = json_member(layers->merged, "workload");
    bool list = cJSON_IsArray(workload);
    const cJSON *part = list ? workload->child : workload;
    if (!cJSON_IsNumber(replicas) || replicas->valuedouble < 2 || is_given(part, "replicate") ||
        is_given(part, "shake_s") || (!is_given(part, "trace") && !is_given(part, "generate")))
        return true;
    const cJSON *mode = json_member(part, "mode");
    if (cJSON_IsString(mode) && strcmp(mode->valuestring, "fill") == 0)
        return true;
    return layers_change(layers, "replicas", list ? "workload[0].replicate" : "workload.replicate",
                         cJSON_CreateString("resample"), err);
}

static bool apply_overrides(struct layers *layers, const struct scen_overrides *overrides,
                            struct err *err)
{
    if (!overrides)
        return true;
    if (!apply_sets(layers, overrides, true, err))
        return false;
    const char *option = overrides->policy_option ? overrides->policy_option : "--policy";
    if (overrides->policy && !apply_policy(layers, option, overrides->policy, err))
        return false;
    if (overrides->trace && !apply_trace(layers, overrides->trace, err))
        return false;
    if (overrides->map_count > 0 && !apply_map(layers, overrides, err))
        return false;
    if (overrides->has_seed && !apply_seed(layers, overrides->seed, err))
        return false;
    if (overrides->has_replicas && !layers_change(layers, "--replicas", "replicas",
                                                  cJSON_CreateNumber(overrides->replicas), err))
        return false;
    return apply_sets(layers, overrides, false, err) &&
           (!overrides->resample || apply_resample(layers, err));
}

/* ---- the whole */

/* "dir/day.json" is called "day" by default. */
static char *stem(const char *name)
{
    char *own = path_stem(name);
    if (*own != '\0')
        return own;
    free(own);
    return mem_text("scenario");
}

static char *print(const cJSON *tree, bool names)
{
    struct out *out = out_memory();
    resolve_print(tree, names, out);
    size_t n;
    const char *text = out_memory_text(out, &n);
    char *copy = mem_text_n(text, n);
    out_discard(out);
    return copy;
}

static bool resolve(struct build *build, const char *name)
{
    struct check check = {
        .where = layers_where, .of = &build->layers, .whole = true, .err = build->err};
    if (!check_value(&check, &schema_scenario, build->layers.merged))
        return false;
    char *called = stem(name);
    build->tree = resolve_scenario(build->layers.merged, called);
    free(called);
    build->scenario.resolved = print(build->tree, true);
    build_keep(build, build->scenario.resolved);
    char *nameless = print(build->tree, false);
    digest_init(&build->digest);
    digest_add(&build->digest, nameless, strlen(nameless));
    free(nameless);
    return true;
}

static bool fill(struct build *build)
{
    struct scenario *scenario = &build->scenario;
    scenario->name = fill_text(build->tree, "name");
    scenario->description = fill_text(build->tree, "description");
    scenario->seed = check_seed(json_member(build->tree, "seed"));
    scenario->replicas = (int)fill_integer(build->tree, "replicas");
    build->pools = symbols_create();
    build->queues = symbols_create();
    if (!fill_start(build) || !fill_fleet(build) || !fill_queues(build) || !fill_events(build) ||
        !fill_workload(build) || !fill_policy(build) || !fill_checkpoint(build) ||
        !fill_storage(build) || !fill_startup(build) || !fill_faults(build) ||
        !fill_outages(build) || !fill_gpu_memory(build) || !fill_cost(build) ||
        !fill_window(build) || !fill_metrics(build) || !fill_services(build) || !fill_models(build))
        return false;
    fill_network(build);
    fill_interference(build);
    digest_hex(&build->digest, scenario->digest);
    return true;
}

static bool finish(struct build *build, struct scenario **scenario, const char *name,
                   const struct scen_overrides *overrides)
{
    bool ok = build_layer(build);
    if (ok)
        recorded_remember(build);
    ok = ok && apply_overrides(&build->layers, overrides, build->err) && build_layer(build);
    if (ok)
        recorded_complete(build);
    if (ok && resolve(build, name) && fill(build)) {
        build->err = NULL; // the caller's, valid only during this call
        *scenario = &build->scenario;
        return true;
    }
    scenario_destroy(&build->scenario);
    return false;
}

/* A snapshot stands for the scenario that starts from it. */
static bool open_any(struct layers *layers, const char *path, const char *base_dir, struct err *err)
{
    bool is_snapshot;
    if (!snapshot_is_one(path, &is_snapshot, err))
        return false;
    if (!is_snapshot)
        return layers_open(layers, path, base_dir, err);
    char *text = snapshot_scenario(path), *folder = path_folder(path);
    bool ok = layers_parse(layers, path, text, strlen(text), base_dir ? base_dir : folder, err);
    free(folder);
    free(text);
    return ok;
}

bool scenario_load(struct scenario **scenario, const char *path,
                   const struct scen_overrides *overrides, struct err *err)
{
    struct build *build = mem_alloc(1, sizeof *build);
    build->err = err;
    build->files = true;
    if (open_any(&build->layers, path, overrides ? overrides->base_dir : NULL, err))
        return finish(build, scenario, path, overrides);
    free(build);
    return false;
}

bool scenario_parse(struct scenario **scenario, const char *name, const char *text, size_t n,
                    const struct scen_overrides *overrides, bool files, struct err *err)
{
    struct build *build = mem_alloc(1, sizeof *build);
    build->err = err;
    build->files = files;
    if (layers_parse(&build->layers, name, text, n, overrides ? overrides->base_dir : NULL, err))
        return finish(build, scenario, name, overrides);
    free(build);
    return false;
}

/* A scenario is the first member of its build. */
static const struct build *build_of(const struct scenario *scenario)
{
    return (const struct build *)(const void *)scenario;
}

const char *scenario_where(const struct scenario *scenario, const char *path, char *buffer,
                           size_t size)
{
    char where[CHECK_WHERE_MAX];
    bool follows = layers_where(&build_of(scenario)->layers, path, where);
    (void)snprintf(buffer, size, "%s%s%s", where, follows ? ": " : "", follows ? path : "");
    return buffer;
}

void scenario_destroy(struct scenario *scenario)
{
    if (!scenario)
        return;
    struct build *build = (struct build *)(void *)scenario;
    for (size_t i = 0; i < build->block_count; i++)
        free(build->blocks[i]);
    free(build->blocks);
    symbols_destroy(build->pools);
    symbols_destroy(build->queues);
    cJSON_Delete(build->tree);
    cJSON_Delete(build->recorded_on);
    for (size_t i = 0; i < sizeof build->snapshots / sizeof *build->snapshots; i++)
        snapshot_destroy(build->snapshots[i]);
    layers_close(&build->layers);
    free(build);
}
