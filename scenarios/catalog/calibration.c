/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the table and finds the node; the comparisons are in sim/perf/table.c. */
#include "scenarios/catalog/calibration.h"

#include "scenarios/catalog/check_node.h"
#include "scenarios/catalog/node.h"
#include "scenarios/catalog/speeds.h"
#include "scenarios/schema/model.h"
#include "scenarios/schema/node.h"
#include "scenarios/schema/resolve.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/perf/table.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_MOST 64

/* check_fail() for a member of the table. */
#define fail_at(check, key, ...) (json_path_add((check)->path, key), check_fail(check, __VA_ARGS__))

void calibration_fini(struct calibration *with)
{
    catalog_free(with->nodes, with->node_count);
    catalog_speeds_free(with->speeds);
    free(with->rules);
    *with = (struct calibration){0};
}

/* ---- the table */

struct columns {
    double numbers[6][ROWS_MOST];
    struct perf_table table;
};

/* Returns a column of the table; NULL if it is absent. */
static const double *column(const cJSON *table, const char *key, double numbers[ROWS_MOST])
{
    const cJSON *list = json_member(table, key);
    size_t i = 0;
    for (const cJSON *entry = list ? list->child : NULL; entry && i < ROWS_MOST;
         entry = entry->next)
        numbers[i++] = entry->valuedouble;
    return list ? numbers : NULL;
}

static bool read_columns(struct check *check, const cJSON *table, struct columns *to)
{
    static const char *const keys[] = {"nodes",    "rate",      "linear",
                                       "speed_up", "reference", "difference_pct"};
    enum { COLUMNS = sizeof keys / sizeof *keys };
    const double *columns[COLUMNS];
    int rows = cJSON_GetArraySize(json_member(table, "nodes"));
    for (size_t i = 0; i < COLUMNS; i++) {
        int size = cJSON_GetArraySize(json_member(table, keys[i]));
        columns[i] = column(table, keys[i], to->numbers[i]);
        if (columns[i] && size != rows)
            return fail_at(check, keys[i], "expected %d elements, as 'nodes' has, got %d", rows,
                           size);
    }
    if (columns[5] && !columns[4])
        return fail_at(check, keys[5], "says nothing without 'reference'");
    to->table = (struct perf_table){.count = (size_t)rows,
                                    .nodes = columns[0],
                                    .rate = columns[1],
                                    .linear = columns[2],
                                    .factor = columns[3],
                                    .reference = columns[4],
                                    .difference_pct = columns[5]};
    return true;
}

/* ---- the node */

static bool open_catalog(struct calibration *with, struct err *err)
{
    if (with->rules)
        return true;
    if (!catalog_nodes(&with->nodes, &with->node_count, err) || !catalog_speeds(&with->speeds, err))
        return false;
    with->rules = mem_alloc(1, sizeof *with->rules);
    perf_rules_init(with->rules);
    return true;
}

static bool named_node(struct calibration *with, struct check *check, const char *name,
                       struct scen_node *node)
{
    for (size_t i = 0; i < with->node_count; i++) {
        if (strcmp(with->nodes[i].name, name) != 0)
            continue;
        *node = with->nodes[i];
        return true;
    }
    char hint[128];
    text_suggest(hint, sizeof hint, name, with->node_count ? &with->nodes[0].name : NULL,
                 with->node_count, sizeof *with->nodes);
    return fail_at(check, "node", "unknown kind of node '%.64s'%s (list nodes shows all)", name,
                   hint);
}

/*
 * Reads the node described inline; the texts of *node belong to *resolved, which the caller
 * deletes.
 */
static bool own_node(struct check *check, const cJSON *object, struct scen_node *node,
                     struct node_traits *traits, cJSON **resolved)
{
    size_t length = strlen(check->path);
    json_path_add(check->path, "node");
    if (!check_node(check, object))
        return false;
    check->path[length] = '\0';
    *resolved = resolve_value(object, &schema_node);
    *node = fill_node(*resolved, "", traits);
    return true;
}

/* Compares on whole nodes, with the devices at their speed for this model. */
static bool follow(const struct calibration *with, struct check *check,
                   const struct columns *columns, const struct perf_model *model,
                   const struct scen_node *node, double tolerance)
{
    if (node->gpus < 1)
        return fail_at(check, "node", "a node without devices");
    struct perf_part part = perf_part(node->traits, node->gpus, node->gpus);
    struct err why = {0};
    part.speed =
        perf_ratio_of(&with->speeds->table, model, node->gpu_type, node->traits, false).speed;
    return perf_table_follow(&columns->table, with->rules, model, &part, tolerance, &why) ||
           check_fail(check, "%s", why.msg);
}

static double tolerance_of(const cJSON *table)
{
    const cJSON *value = json_member(table, "tolerance");
    const char *fallback =
        schema_member(schema_member(&schema_model, "calibration"), "tolerance")->fallback;
    double x = 0;
    if (value)
        return value->valuedouble;
    (void)text_f64(fallback, strlen(fallback), &x);
    return x;
}

static bool check_model(struct calibration *with, struct check *check, const cJSON *table,
                        const struct columns *columns, const struct perf_model *model)
{
    const cJSON *said = json_member(table, "node");
    struct scen_node node = {0};
    struct node_traits traits;
    cJSON *resolved = NULL;
    if (!said)
        return !json_member(table, "tolerance") ||
               fail_at(check, "tolerance", "says nothing without 'node'");
    if (!open_catalog(with, check->err))
        return false;
    bool ok = (cJSON_IsObject(said) ? own_node(check, said, &node, &traits, &resolved)
                                    : named_node(with, check, said->valuestring, &node)) &&
              follow(with, check, columns, model, &node, tolerance_of(table));
    cJSON_Delete(resolved);
    return ok;
}

bool calibration_check(struct calibration *with, struct check *check, const cJSON *object,
                       const struct perf_model *model)
{
    const cJSON *table = json_member(object, "calibration");
    struct columns columns = {0};
    struct err why = {0};
    if (!table)
        return true;
    size_t length = strlen(check->path);
    json_path_add(check->path, "calibration");
    if (!read_columns(check, table, &columns))
        return false;
    if (!perf_table_check(&columns.table, &why))
        return check_fail(check, "%s", why.msg);
    bool ok = check_model(with, check, table, &columns, model);
    if (ok)
        check->path[length] = '\0';
    return ok;
}
