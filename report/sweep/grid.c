/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups the results of a sweep by the keys that vary; see grid.h. */
#include "report/sweep/grid.h"

#include "report/results/rundir.h"
#include "report/words/labels.h"
#include "sim/base/mem.h"
#include "sim/base/symbols.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALPHA    0.05
#define AS_GIVEN "as given"

/* ---- axes ---- */

/* Returns JSON as a readable list: "profile h100, scale 20" for {"profile":"h100","scale":20}. */
static char *value_text(const cJSON *value)
{
    if (value == NULL)
        return mem_text(AS_GIVEN);
    if (cJSON_IsNull(value))
        return mem_text("none");
    char *json = sweep_value_text(value);
    if (!cJSON_IsObject(value) && !cJSON_IsArray(value))
        return json;
    struct out *out = out_memory();
    for (const char *p = json; *p != '\0'; p++) {
        if (*p == ':')
            out_char(out, ' ');
        else if (*p == ',')
            out_text(out, ", ");
        else if (strchr("{}[]\"", *p) == NULL)
            out_char(out, *p);
    }
    free(json);
    return out_memory_take(out);
}

struct column {
    struct grid_axis axis;
    size_t *of; /* [row]: index of the value */
};

struct ranked {
    double number;
    size_t index;
};

static int by_number(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->number < b->number || a->number > b->number)
        return a->number < b->number ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Sorts numbers in rising order. */
static void sort_numbers(struct column *column, size_t rows)
{
    struct grid_axis *axis = &column->axis;
    struct ranked *ranked = mem_alloc(axis->count, sizeof *ranked);
    size_t *place = mem_alloc(axis->count, sizeof *place);
    char **texts = mem_alloc(axis->count, sizeof *texts);
    for (size_t i = 0; i < axis->count; i++)
        ranked[i] = (struct ranked){axis->numbers[i], i};
    qsort(ranked, axis->count, sizeof *ranked, by_number);
    for (size_t i = 0; i < axis->count; i++) {
        place[ranked[i].index] = i;
        axis->numbers[i] = ranked[i].number;
        texts[i] = axis->texts[ranked[i].index];
    }
    for (size_t r = 0; r < rows; r++)
        column->of[r] = place[column->of[r]];
    free(axis->texts);
    axis->texts = texts;
    free(ranked);
    free(place);
}

static void read_column(struct column *column, const struct sweep_table *table, size_t key)
{
    struct symbols *seen = symbols_create();
    *column = (struct column){.axis = {.key = table->keys[key], .numeric = true}};
    column->of = mem_alloc(table->row_count + 1, sizeof *column->of);
    for (size_t r = 0; r < table->row_count; r++) {
        const cJSON *value = table->rows[r].values[key];
        char *text = value_text(value);
        column->of[r] = symbols_add(seen, text, strlen(text));
        column->axis.numeric = column->axis.numeric && cJSON_IsNumber(value);
        free(text);
    }
    struct grid_axis *axis = &column->axis;
    axis->count = symbols_count(seen);
    axis->texts = mem_alloc(axis->count + 1, sizeof *axis->texts);
    axis->numbers = mem_alloc(axis->count + 1, sizeof *axis->numbers);
    for (size_t i = 0; i < axis->count; i++)
        axis->texts[i] = mem_text(symbols_name(seen, (uint32_t)i));
    for (size_t r = 0; r < table->row_count; r++)
        axis->numbers[column->of[r]] =
            axis->numeric ? table->rows[r].values[key]->valuedouble : (double)NAN;
    symbols_destroy(seen);
    if (axis->numeric && axis->count > 0)
        sort_numbers(column, table->row_count);
}

static void free_axis(struct grid_axis *axis)
{
    for (size_t i = 0; i < axis->count; i++)
        free(axis->texts[i]);
    free(axis->texts);
    free(axis->numbers);
}

/* Returns true if the value of `a` determines that of `b` at all points. */
static bool follows(const struct column *a, const struct column *b, size_t rows)
{
    size_t *known = mem_alloc(a->axis.count + 1, sizeof *known);
    bool does = true;
    for (size_t r = 0; r < rows && does; r++) {
        size_t *value = &known[a->of[r]];
        does = *value == 0 || *value == b->of[r] + 1;
        *value = b->of[r] + 1;
    }
    free(known);
    return does;
}

/* Of two keys that determine each other, the first is the axis. */
static bool is_axis(const struct column *columns, const bool *dropped, size_t count, size_t k,
                    size_t rows)
{
    if (columns[k].axis.count < 2 || strcmp(columns[k].axis.key, "seed") == 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (i != k && !dropped[i] && strcmp(columns[i].axis.key, "seed") != 0 &&
            columns[i].axis.count > 1 && follows(&columns[i], &columns[k], rows) &&
            (i < k || !follows(&columns[k], &columns[i], rows)))
            return false;
    return true;
}

/* ---- places ---- */

static char *coordinates(const size_t *at, size_t axes)
{
    struct out *out = out_memory();
    for (size_t a = 0; a < axes; a++)
        out_format(out, "%zu,", at[a]);
    return out_memory_take(out);
}

size_t grid_find(const struct grid *grid, const size_t *at)
{
    char *text = coordinates(at, grid->axis_count);
    uint32_t id = symbols_find(grid->index, text, strlen(text));
    free(text);
    return id == SYMBOL_NONE ? GRID_NONE : id;
}

static struct grid_place *place_of(struct grid *grid, const size_t *at, size_t *capacity)
{
    char *text = coordinates(at, grid->axis_count);
    size_t id = symbols_add(grid->index, text, strlen(text));
    free(text);
    if (id == grid->place_count) {
        grid->places = mem_grow(grid->places, capacity, id + 1, sizeof *grid->places);
        struct grid_place *place = &grid->places[grid->place_count++];
        place->at = mem_alloc(grid->axis_count + 1, sizeof *place->at);
        memcpy(place->at, at, grid->axis_count * sizeof *at);
        place->of = mem_alloc(grid->manifest.table.metric_count + 1, sizeof *place->of);
    }
    return &grid->places[id];
}

static void take(struct grid_sample *sample, const cJSON *summary, const char *path)
{
    double value = json_number_at(summary, path);
    bool bound = false;
    if (isnan(value)) {
        char *least = mem_format("%s_at_least", path);
        value = json_number_at(summary, least);
        bound = !isnan(value);
        free(least);
    }
    if (isnan(value))
        return;
    sample->x = mem_grow(sample->x, &sample->capacity, sample->n + 1, sizeof *sample->x);
    sample->x[sample->n++] = value;
    sample->bounds += bound;
}

/* Takes every replica of a point, not only the mean. */
static void take_all(struct grid_place *place, const struct sweep_table *table,
                     const cJSON *summary)
{
    const cJSON *replicas = json_at(summary, "replicas");
    for (size_t m = 0; m < table->metric_count; m++) {
        const cJSON *replica;
        if (!cJSON_IsArray(replicas))
            take(&place->of[m], summary, table->metrics[m]);
        cJSON_ArrayForEach(replica, replicas)
        {
            take(&place->of[m], replica, table->metrics[m]);
        }
    }
}

static bool read_points(struct grid *grid, const char *dir, struct column *const *columns,
                        struct err *err)
{
    const struct sweep_table *table = &grid->manifest.table;
    size_t capacity = 0, *at = mem_alloc(grid->axis_count + 1, sizeof *at);
    bool ok = true;
    for (size_t r = 0; r < table->row_count && ok; r++) {
        struct json_source result;
        enum sweep_found found = sweep_result_open(&result, dir, table->rows[r].id, err);
        ok = found != SWEEP_DAMAGED;
        grid->missing += found == SWEEP_ABSENT;
        if (found != SWEEP_FOUND)
            continue;
        for (size_t a = 0; a < grid->axis_count; a++)
            at[a] = columns[a]->of[r];
        take_all(place_of(grid, at, &capacity), table, sweep_result_summary(&result));
        json_source_close(&result);
    }
    free(at);
    return ok;
}

/* ---- public functions ---- */

/* The interval of non-negative values does not extend below 0. */
static struct stat_interval interval_of(const struct grid_sample *sample)
{
    struct stat_interval over = stat_t_interval(sample->x, sample->n, ALPHA);
    double least = HUGE_VAL;
    for (size_t i = 0; i < sample->n; i++)
        least = fmin(least, sample->x[i]);
    if (least >= 0 && over.low < 0)
        over.low = 0;
    return over;
}

static void summarize(struct grid *grid)
{
    const struct sweep_table *table = &grid->manifest.table;
    grid->metrics = mem_alloc(table->metric_count + 1, sizeof *grid->metrics);
    for (size_t m = 0; m < table->metric_count; m++) {
        bool any = false;
        for (size_t p = 0; p < grid->place_count; p++) {
            struct grid_sample *sample = &grid->places[p].of[m];
            sample->over = interval_of(sample);
            any = any || sample->n > 0;
        }
        if (any)
            grid->metrics[grid->metric_count++] = m;
    }
}

bool grid_open(struct grid *grid, const char *dir, struct err *err)
{
    *grid = (struct grid){.index = symbols_create()};
    if (!sweep_manifest_open(&grid->manifest, dir, err))
        return false;
    const struct sweep_table *table = &grid->manifest.table;
    size_t keys = table->key_count;
    struct column *columns = mem_alloc(keys + 1, sizeof *columns);
    struct column **chosen = mem_alloc(keys + 1, sizeof(struct column *));
    bool *dropped = mem_alloc(keys + 1, sizeof *dropped);
    grid->points = table->row_count;
    grid->axes = mem_alloc(keys + 1, sizeof *grid->axes);
    for (size_t k = 0; k < keys; k++)
        read_column(&columns[k], table, k);
    for (size_t k = 0; k < keys; k++) {
        dropped[k] = !is_axis(columns, dropped, keys, k, table->row_count);
        if (dropped[k])
            continue;
        chosen[grid->axis_count] = &columns[k];
        grid->axes[grid->axis_count++] = columns[k].axis;
    }
    bool ok = read_points(grid, dir, chosen, err);
    for (size_t k = 0; k < keys; k++) {
        if (dropped[k])
            free_axis(&columns[k].axis);
        free(columns[k].of);
    }
    free(columns);
    free((void *)chosen);
    free(dropped);
    if (ok)
        summarize(grid);
    return ok;
}

void grid_close(struct grid *grid)
{
    for (size_t p = 0; p < grid->place_count; p++) {
        for (size_t m = 0; m < grid->manifest.table.metric_count; m++)
            free(grid->places[p].of[m].x);
        free(grid->places[p].of);
        free(grid->places[p].at);
    }
    free(grid->places);
    for (size_t a = 0; a < grid->axis_count; a++)
        free_axis(&grid->axes[a]);
    free(grid->axes);
    free(grid->metrics);
    symbols_destroy(grid->index);
    sweep_manifest_close(&grid->manifest);
    *grid = (struct grid){.axes = NULL};
}

const char *grid_metric(const struct grid *grid, size_t metric)
{
    return grid->manifest.table.metrics[grid->metrics[metric]];
}

char *grid_place_text(const struct grid *grid, const struct grid_place *place)
{
    struct out *out = out_memory();
    for (size_t a = 0; a < grid->axis_count; a++) {
        char *label = label_key(grid->axes[a].key);
        const char *name = strncmp(label, "the ", 4) == 0 ? label + 4 : label;
        out_format(out, "%s%s %s", a > 0 ? ", " : "", name, grid->axes[a].texts[place->at[a]]);
        free(label);
    }
    return out_memory_take(out);
}

void grid_extremes(const struct grid *grid, size_t metric, size_t *lowest, size_t *highest)
{
    size_t m = grid->metrics[metric];
    *lowest = *highest = GRID_NONE;
    for (size_t p = 0; p < grid->place_count; p++) {
        double mean = grid->places[p].of[m].over.mean;
        if (isnan(mean))
            continue;
        if (*lowest == GRID_NONE || mean < grid->places[*lowest].of[m].over.mean)
            *lowest = p;
        if (*highest == GRID_NONE || mean > grid->places[*highest].of[m].over.mean)
            *highest = p;
    }
}
