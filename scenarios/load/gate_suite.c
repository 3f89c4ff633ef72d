/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the suite of a gate; see gate_suite.h. */
#include "scenarios/load/gate_suite.h"

#include "scenarios/json/paths.h"
#include "scenarios/schema/check.h"
#include "scenarios/schema/gate.h"
#include "scenarios/schema/resolve.h"
#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t line_of(const struct gate_suite *suite, const char *list, size_t i)
{
    char path[JSON_PATH_MAX];
    (void)snprintf(path, sizeof path, "%s[%zu]", list, i);
    return json_source_line(&suite->source, path);
}

/* ---- scenarios ---- */

/*
 * A scenario's "set" has values of any kind, which the table of keys does not describe: it is moved
 * out and replaced by an empty object, so that all others keep their positions.
 */
static void take_sets_out(struct gate_suite *suite)
{
    cJSON *list = json_member(suite->source.root, "scenarios");
    size_t n = cJSON_IsArray(list) ? (size_t)cJSON_GetArraySize(list) : 0, i = 0;
    suite->sets = mem_alloc(n + 1, sizeof *suite->sets);
    suite->set_count = n;
    for (cJSON *item = n > 0 ? list->child : NULL; item != NULL; item = item->next, i++) {
        cJSON *set = cJSON_IsObject(item) ? json_member(item, "set") : NULL;
        if (!cJSON_IsObject(set))
            continue;
        suite->sets[i] = cJSON_Duplicate(set, true);
        cJSON_ReplaceItemInObjectCaseSensitive(item, "set", cJSON_CreateObject());
    }
}

static void free_sets(struct gate_suite *suite)
{
    for (size_t i = 0; i < suite->set_count; i++)
        cJSON_Delete(suite->sets[i]);
    free(suite->sets);
}

static bool check_set(const struct gate_suite *suite, size_t i, struct err *err)
{
    for (const cJSON *value = suite->sets[i] ? suite->sets[i]->child : NULL; value;
         value = value->next)
        if (value->string[strspn(value->string, ".[]")] == '\0' ||
            strlen(value->string) >= JSON_PATH_MAX)
            return err_set(err, EXIT_INPUT,
                           "%s:%zu: scenarios[%zu].set: '%.64s': expected a key of the scenario, "
                           "such as policy.cycle_s",
                           suite->source.name, suite->scenarios[i].line, i, value->string);
    return true;
}

static bool check_name(const struct gate_suite *suite, size_t i, struct err *err)
{
    const struct gate_suite_scenario *s = &suite->scenarios[i];
    for (size_t k = 0; k < i; k++)
        if (strcmp(suite->scenarios[k].name, s->name) == 0)
            return err_set(err, EXIT_INPUT,
                           "%s:%zu: scenarios[%zu]: another one is named '%.64s' too: give one of "
                           "them a \"name\" of its own",
                           suite->source.name, s->line, i, s->name);
    return true;
}

static bool read_scenarios(struct gate_suite *suite, const cJSON *root, struct err *err)
{
    const cJSON *list = json_member(root, "scenarios"), *bound = json_member(root, "starvation");
    suite->scenarios = mem_alloc((size_t)cJSON_GetArraySize(list), sizeof *suite->scenarios);
    size_t i = 0;
    for (const cJSON *item = list->child; item != NULL; item = item->next, i++) {
        struct gate_suite_scenario *s = &suite->scenarios[i];
        bool object = cJSON_IsObject(item);
        const char *file = object ? json_member(item, "scenario")->valuestring : item->valuestring;
        const cJSON *name = object ? json_member(item, "name") : NULL;
        const cJSON *own = object ? json_member(item, "starvation") : NULL;
        *s = (struct gate_suite_scenario){
            .name = name ? mem_text(name->valuestring) : path_stem(file),
            .file = path_beside(suite->folder, file),
            .set = suite->sets[i],
            .starvation_ms = own     ? check_duration_ms(own)
                             : bound ? check_duration_ms(bound)
                                     : -1,
            .line = line_of(suite, "scenarios", i),
        };
        suite->scenario_count++;
        if (!check_name(suite, i, err) || !check_set(suite, i, err))
            return false;
    }
    return true;
}

/* ---- metrics and looks ---- */

static bool check_metric(const struct gate_suite *suite, size_t i, struct err *err)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(suite->metrics[k].path, suite->metrics[i].path) == 0)
            return err_set(err, EXIT_INPUT, "%s:%zu: metrics[%zu]: '%.128s' is there twice",
                           suite->source.name, suite->metrics[i].line, i, suite->metrics[i].path);
    return true;
}

static char *path_of(const char *metric, const cJSON *class, const cJSON *queue)
{
    static const char fairness[] = "fairness.";
    if (class != NULL)
        return mem_format("by_class.%s.%s", class->valuestring, metric);
    if (queue != NULL && strncmp(metric, fairness, strlen(fairness)) == 0)
        return mem_format("fairness.queues.%s.%s", queue->valuestring, metric + strlen(fairness));
    return queue != NULL ? mem_format("by_queue.%s.%s", queue->valuestring, metric)
                         : mem_text(metric);
}

static bool read_metrics(struct gate_suite *suite, const cJSON *root, struct err *err)
{
    const cJSON *list = json_member(root, "metrics");
    suite->metrics = mem_alloc((size_t)cJSON_GetArraySize(list), sizeof *suite->metrics);
    size_t i = 0;
    for (const cJSON *item = list->child; item != NULL; item = item->next, i++) {
        const cJSON *class = json_member(item, "class"), *floor = json_member(item, "floor");
        const cJSON *queue = json_member(item, "queue");
        if (class != NULL && queue != NULL)
            return err_set(err, EXIT_INPUT,
                           "%s:%zu: metrics[%zu]: expected a class or a queue, not both",
                           suite->source.name, line_of(suite, "metrics", i), i);
        const cJSON *direction = json_member(item, "direction");
        const char *metric = json_member(item, "metric")->valuestring;
        suite->metrics[i] = (struct gate_suite_metric){
            .path = path_of(metric, class, queue),
            .margin = json_member(item, "margin")->valuedouble,
            .floor = floor ? floor->valuedouble : -1,
            .direction = direction ? direction->valuestring : NULL,
            .guard = strcmp(json_member(item, "role")->valuestring, "guard") == 0,
            .line = line_of(suite, "metrics", i),
        };
        suite->metric_count++;
        if (!check_metric(suite, i, err))
            return false;
    }
    return true;
}

static void read_resources(struct gate_suite *suite, const cJSON *root)
{
    struct gate_suite_resource *to = suite->resources;
    for (const cJSON *from = json_member(root, "resources")->child; from != NULL;
         from = from->next) {
        const char *role = json_member(from, "role")->valuestring;
        BUG_ON(to == suite->resources + GATE_SUITE_RESOURCES);
        *to++ = (struct gate_suite_resource){.margin = json_member(from, "margin")->valuedouble,
                                             .floor = json_member(from, "floor")->valuedouble,
                                             .guard = strcmp(role, "guard") == 0,
                                             .off = strcmp(role, "off") == 0};
    }
}

static bool read_looks(struct gate_suite *suite, const cJSON *root, struct err *err)
{
    for (const cJSON *look = json_member(root, "looks")->child; look != NULL; look = look->next) {
        size_t k = suite->look_count++;
        suite->looks[k] = look->valueint;
        if (k > 0 && suite->looks[k] <= suite->looks[k - 1])
            return err_set(err, EXIT_INPUT, "%s:%zu: looks[%zu]: expected more than %d, got %d",
                           suite->source.name, line_of(suite, "looks", k), k, suite->looks[k - 1],
                           suite->looks[k]);
    }
    const cJSON *audit = json_member(root, "audit");
    suite->audit = audit ? audit->valueint : suite->looks[0];
    return true;
}

/* ---- all of it ---- */

static bool check_primary(const struct gate_suite *suite, struct err *err)
{
    for (size_t i = 0; i < suite->metric_count; i++)
        if (!suite->metrics[i].guard)
            return true;
    return err_set(err, EXIT_INPUT,
                   "%s:%zu: metrics: all are guards, so nothing could fail: expected a primary one",
                   suite->source.name, json_source_line(&suite->source, "metrics"));
}

static bool read_suite(struct gate_suite *suite, const char *path, struct err *err)
{
    struct check check = {
        .where = check_where_file, .of = &suite->source, .whole = true, .err = err};
    suite->folder = path_folder(path);
    suite->stem = path_stem(path);
    take_sets_out(suite);
    if (!check_value(&check, &schema_gate, suite->source.root))
        return false;
    const cJSON *root = suite->tree = resolve_value(suite->source.root, &schema_gate);
    const cJSON *name = json_member(root, "name");
    suite->name = name ? name->valuestring : suite->stem;
    suite->alpha = json_member(root, "alpha")->valuedouble;
    read_resources(suite, root);
    return read_scenarios(suite, root, err) && read_metrics(suite, root, err) &&
           check_primary(suite, err) && read_looks(suite, root, err);
}

static bool read_or_close(struct gate_suite *suite, const char *path, struct err *err)
{
    if (read_suite(suite, path, err))
        return true;
    gate_suite_close(suite);
    return false;
}

bool gate_suite_open(struct gate_suite *suite, const char *path, struct err *err)
{
    *suite = (struct gate_suite){0};
    return json_source_open(&suite->source, path, err) && read_or_close(suite, path, err);
}

bool gate_suite_parse(struct gate_suite *suite, const char *name, const char *text, size_t n,
                      struct err *err)
{
    *suite = (struct gate_suite){0};
    return json_source_parse(&suite->source, name, text, n, err) && read_or_close(suite, name, err);
}

void gate_suite_close(struct gate_suite *suite)
{
    for (size_t i = 0; i < suite->scenario_count; i++) {
        free(suite->scenarios[i].name);
        free(suite->scenarios[i].file);
    }
    for (size_t i = 0; i < suite->metric_count; i++)
        free(suite->metrics[i].path);
    free_sets(suite);
    free(suite->scenarios);
    free(suite->metrics);
    free(suite->folder);
    free(suite->stem);
    cJSON_Delete(suite->tree);
    json_source_close(&suite->source);
    *suite = (struct gate_suite){0};
}

/* ---- changes of a scenario ---- */

static bool is_set_by(const struct scen_overrides *command_line, const char *key)
{
    size_t n = strlen(key);
    for (size_t i = 0; i < command_line->set_count; i++)
        if (strncmp(command_line->set[i], key, n) == 0 && command_line->set[i][n] == '=')
            return true;
    return false;
}

bool gate_suite_changes(const struct gate_suite *suite, size_t scenario,
                        const struct scen_overrides *command_line, struct gate_changes *to,
                        struct err *err)
{
    const struct gate_suite_scenario *s = &suite->scenarios[scenario];
    size_t n = s->set ? (size_t)cJSON_GetArraySize(s->set) : 0;
    *to = (struct gate_changes){.overrides = *command_line,
                                .changes = mem_alloc(n + 1, sizeof *to->changes),
                                .texts = mem_alloc(2 * n + 1, sizeof *to->texts)};
    for (const cJSON *value = n > 0 ? s->set->child : NULL; value != NULL; value = value->next) {
        size_t i = to->overrides.change_count++;
        to->texts[2 * i] = mem_format("%s:%zu: scenarios[%zu].set: %s", suite->source.name, s->line,
                                      scenario, value->string);
        to->texts[2 * i + 1] = cJSON_PrintUnformatted(value);
        to->changes[i] = (struct scen_change){.label = to->texts[2 * i],
                                              .path = value->string,
                                              .value = to->texts[2 * i + 1],
                                              .folder = suite->folder};
        if (is_set_by(command_line, value->string))
            return err_set(err, EXIT_INPUT, "--set %s: the suite sets this key itself, for '%.64s'",
                           value->string, s->name);
    }
    to->overrides.changes = to->changes;
    return true;
}

void gate_changes_free(struct gate_changes *changes)
{
    for (size_t i = 0; i < 2 * changes->overrides.change_count; i++)
        free(changes->texts[i]);
    free(changes->texts);
    free(changes->changes);
    *changes = (struct gate_changes){0};
}
