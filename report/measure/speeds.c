/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Assumed speeds in summaries, and the line about them; see speeds.h. */
#include "report/measure/speeds.h"

#include "sim/base/mem.h"
#include "sim/speed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 8 /* ratios in the line */

/* ---- the summary ---- */

/* From the most to the least reliable. */
static int weakness(enum perf_mark mark)
{
    static const int order[PERF_MARKS] = {
        [PERF_MARK_MODEL] = 0,   [PERF_MARK_NODE] = 0,   [PERF_MARK_MEASURED] = 1,
        [PERF_MARK_DERIVED] = 2, [PERF_MARK_VENDOR] = 3, [PERF_MARK_RULE] = 4,
        [PERF_MARK_ASSUMED] = 5, [PERF_MARK_UNKNOWN] = 6};
    return order[mark];
}

static const char *model_name(const struct perf_model *model)
{
    return model->name != NULL ? model->name : "";
}

static int by_names(const void *a, const void *b)
{
    const struct sim_assumed_speed *x = a, *y = b;
    int order = strcmp(x->recorded_on->name, y->recorded_on->name);
    if (order == 0)
        order = strcmp(x->node->name, y->node->name);
    if (order == 0)
        order = strcmp(model_name(x->model), model_name(y->model));
    return order != 0 ? order : (x->speed > y->speed) - (x->speed < y->speed);
}

static void row_json(const struct sim_assumed_speed *row, struct json *j)
{
    const struct perf_ratio *here = &row->here, *there = &row->there;
    const struct perf_ratio *weaker = weakness(there->mark) > weakness(here->mark) ? there : here;
    bool known = weaker->mark != PERF_MARK_UNKNOWN;
    json_begin_object(j, NULL);
    json_text(j, "recorded_on", row->recorded_on->name);
    json_text(j, "node", row->node->name);
    json_text(j, "gpu_type", row->node->gpu_type);
    json_text(j, "model", model_name(row->model));
    json_f64(j, "speed", row->speed, 6);
    json_f64(j, "low", known ? here->low / there->high : row->speed, 6);
    json_f64(j, "high", known ? here->high / there->low : row->speed, 6);
    json_text(j, "mark", perf_mark_name(weaker->mark));
    json_text(j, "source", weaker->source);
    json_end_object(j);
}

void speeds_json(const struct sim *sim, struct json *j)
{
    struct sim_assumed_speed one, *rows = NULL;
    size_t count = 0, capacity = 0;
    while (sim_assumed_speed(sim, count, &one)) {
        rows = mem_grow(rows, &capacity, count + 1, sizeof *rows);
        rows[count++] = one;
    }
    if (count == 0)
        return;
    qsort(rows, count, sizeof *rows, by_names);
    json_begin_array(j, "speeds");
    for (size_t i = 0; i < count; i++)
        row_json(&rows[i], j);
    json_end_array(j);
    free(rows);
}

/* ---- the line ---- */

static const char *text_of(const cJSON *row, const char *key)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(row, key);
    return cJSON_IsString(value) ? value->valuestring : "";
}

static bool is_same(const cJSON *a, const cJSON *b)
{
    return strcmp(text_of(a, "recorded_on"), text_of(b, "recorded_on")) == 0 &&
           strcmp(text_of(a, "node"), text_of(b, "node")) == 0 &&
           strcmp(text_of(a, "model"), text_of(b, "model")) == 0;
}

static bool lists(const cJSON *rows, const cJSON *wanted)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, rows)
    {
        if (is_same(row, wanted))
            return true;
    }
    return false;
}

struct line {
    struct out *out;
    const char *recorded_on, *node;
    size_t count;
};

static void add(struct line *line, const cJSON *row)
{
    if (line->count++ >= SHOWN)
        return;
    const char *recorded_on = text_of(row, "recorded_on"), *node = text_of(row, "node");
    const cJSON *speed = cJSON_GetObjectItemCaseSensitive(row, "speed");
    bool again = line->recorded_on != NULL && strcmp(line->recorded_on, recorded_on) == 0;
    bool same_node = again && strcmp(line->node, node) == 0;
    if (!again)
        out_format(line->out, "%srecorded on %s", line->recorded_on != NULL ? "; " : "",
                   recorded_on);
    if (same_node)
        out_text(line->out, ", ");
    else
        out_format(line->out, "; on %s: ", node);
    out_format(line->out, "%s x%.3g (%s)", text_of(row, "model"),
               cJSON_IsNumber(speed) ? speed->valuedouble : 1, text_of(row, "mark"));
    line->recorded_on = recorded_on;
    line->node = node;
}

char *speeds_note(const cJSON *summary, const cJSON *other)
{
    const cJSON *first = cJSON_GetObjectItemCaseSensitive(summary, "speeds"),
                *second = cJSON_GetObjectItemCaseSensitive(other, "speeds"), *row;
    if (cJSON_GetArraySize(first) + cJSON_GetArraySize(second) == 0)
        return NULL;
    struct line line = {.out = out_memory()};
    cJSON_ArrayForEach(row, first)
    {
        add(&line, row);
    }
    cJSON_ArrayForEach(row, second)
    {
        if (!lists(first, row))
            add(&line, row);
    }
    if (line.count > SHOWN)
        out_format(line.out, " and %zu more", line.count - SHOWN);
    return out_memory_take(line.out);
}
