/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores the costs of replicas in files; see timing.h. */
#include "report/gate/timing.h"

#include "report/gate/reports.h"
#include "report/gate/words.h"
#include "report/results/rundir.h"
#include "scenarios/json/source.h"
#include "scenarios/schema/check.h"
#include "sim/base/json.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIGITS 9

const char *const gate_measure_names[GATE_MEASURES] = {"decision_us", "peak_mib", "held_b",
                                                       "left_b"};

// clang-format off
static const struct schema_row value = {.type = SCHEMA_NUMBER, .min = -1e300, .max = 1e300};
static const struct schema_row values = {.type = SCHEMA_LIST, .max = 100000, .child = &value};
static const struct schema_row scenario_rows[] = {
    {.key = "name", .type = SCHEMA_TEXT, .min = 1, .required = true},
    {.key = "base", .type = SCHEMA_OBJECT, .open = &values, .required = true},
    {0},
};
static const struct schema_row scenario = {.type = SCHEMA_OBJECT, .child = scenario_rows};
static const struct schema_row timing_rows[] = {
    {.key = "fauxfleet_gate_timing", .type = SCHEMA_INTEGER, .min = 1, .max = 1, .required = true},
    {.key = "machine", .type = SCHEMA_TEXT, .required = true},
    {.key = "scenarios", .type = SCHEMA_LIST, .max = 1000, .child = &scenario, .required = true},
    {0},
};
static const struct schema_row timing = {.type = SCHEMA_OBJECT, .child = timing_rows};
// clang-format on

/* ---- writing ---- */

static void put_side(struct json *j, const struct gate_side *from, int which)
{
    json_begin_object(j, gate_side_names[which]);
    for (int m = 0; m < GATE_MEASURES; m++) {
        json_begin_array(j, gate_measure_names[m]);
        for (size_t k = 0; k < from->count; k++)
            json_f64(j, NULL, from->replicas[k].cost.of[m], DIGITS);
        json_end_array(j);
    }
    json_end_object(j);
}

static void put_row(struct json *j, const struct gate *g, const struct gate_row *row)
{
    const struct harm *h = &row->harm;
    json_begin_object(j, NULL);
    json_text(j, "resource", row->metric->path);
    json_text(j, "unit", row->metric->row->unit);
    json_text(j, "role", row->metric->guard ? "guard" : "primary");
    json_text(j, "verdict", gate_row_name(g, row));
    json_f64(j, "base", h->mean[SIDE_A], DIGITS);
    json_f64(j, "candidate", h->mean[SIDE_B], DIGITS);
    json_text(j, "scale", judge_scale_names[h->scale]);
    json_f64(j, "harm", h->harm, DIGITS);
    json_f64(j, "low", h->low, DIGITS);
    json_f64(j, "high", h->high, DIGITS);
    json_f64(j, "margin", h->margin, DIGITS);
    json_f64(j, "coverage", 1 - 2 * row->level, DIGITS);
    json_u64(j, "pairs", h->n);
    json_end_object(j);
}

static void put_scenario(struct json *j, const struct gate *g, size_t s, bool baseline)
{
    json_begin_object(j, NULL);
    json_text(j, "name", g->scenarios[s].name);
    if (!baseline) {
        json_begin_array(j, "resources");
        for (size_t r = 0; r < GATE_RESOURCE_COUNT && g->costs != NULL; r++)
            if (g->resources[r].row != NULL)
                put_row(j, g, &g->costs[s * GATE_RESOURCE_COUNT + r]);
        json_end_array(j);
    }
    for (int which = 0; which < (baseline ? SIDE_B : SIDES); which++)
        put_side(j, &g->scenarios[s].sides[which], which);
    json_end_object(j);
}

static void put(const struct gate *g, struct out *out, bool baseline)
{
    struct json j;
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    json_i64(&j, "fauxfleet_gate_timing", 1);
    json_text(&j, "machine", g->machine != NULL ? g->machine : "unknown");
    json_begin_array(&j, "scenarios");
    for (size_t s = 0; s < g->scenario_count; s++)
        put_scenario(&j, g, s, baseline);
    json_end_array(&j);
    json_end_object(&j);
    out_char(out, '\n');
}

void gate_report_timing(const struct gate *g, struct out *out)
{
    put(g, out, false);
}

char *gate_timing_path(const char *baseline)
{
    size_t n = strlen(baseline) - (text_ends_in(baseline, ".json") ? strlen(".json") : 0);
    return mem_format("%.*s.timing.json", (int)n, baseline);
}

bool gate_timing_write(const struct gate *g, const char *baseline, struct err *err)
{
    char *path = gate_timing_path(baseline);
    struct out *out = out_open(path, err);
    free(path);
    if (out == NULL)
        return false;
    put(g, out, true);
    return out_close(out, err);
}

/* ---- reading ---- */

static void take_scenario(struct gate_scenario *to, const cJSON *from)
{
    struct gate_side *base = &to->sides[SIDE_A];
    for (int m = 0; m < GATE_MEASURES; m++) {
        const cJSON *list =
            cJSON_GetObjectItemCaseSensitive(json_member(from, "base"), gate_measure_names[m]);
        const cJSON *item = list != NULL ? list->child : NULL;
        for (size_t k = 0; k < base->count && item != NULL; k++, item = item->next)
            if (cJSON_IsNumber(item))
                base->replicas[k].cost.of[m] = item->valuedouble;
    }
}

static char *take(struct gate *g, const cJSON *root)
{
    const char *machine = json_text_at(root, "machine");
    if (g->machine == NULL || strcmp(machine, g->machine) != 0)
        return mem_format("it was made on another machine (%s; this is %s)", machine,
                          g->machine != NULL ? g->machine : "unknown");
    for (size_t s = 0; s < g->scenario_count; s++)
        for (const cJSON *item = json_member(root, "scenarios")->child; item != NULL;
             item = item->next)
            if (strcmp(json_text_at(item, "name"), g->scenarios[s].name) == 0)
                take_scenario(&g->scenarios[s], item);
    struct harm_rule *rule = &g->resources[GATE_DECISION_TIME].rule;
    rule->margin = fmax(rule->margin, GATE_TIMING_APART);
    return NULL;
}

bool gate_timing_apply(struct gate *g, const char *baseline, char **why, struct err *err)
{
    char *path = gate_timing_path(baseline);
    struct json_source source = {0};
    struct check check = {.where = check_where_file, .of = &source, .whole = true, .err = err};
    bool there = access(path, F_OK) == 0, ok = true;
    *why = there ? NULL : mem_format("there is no %s", path);
    if (there) {
        ok = json_source_open_max(&source, path, (size_t)256 << 20, err) &&
             check_value(&check, &timing, source.root);
        if (ok)
            *why = take(g, source.root);
        json_source_close(&source);
    }
    free(path);
    return ok;
}
