/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a plan to points with ids; see sweep_points.h. */
#include "sim/study/sweep_points.h"

#include "sim/base/mem.h"
#include "sim/base/workers.h"
#include "sim/world/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- ids ---- */

static int order_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The changes in the order of their keys, so that the order in the plan does not matter. */
static void add_changes(const struct sweep_table *table, const struct sweep_row *row,
                        struct digest *digest)
{
    char **texts = mem_alloc(table->key_count + 1, sizeof *texts);
    size_t count = 0;
    for (size_t k = 0; k < table->key_count; k++) {
        if (row->values[k] == NULL)
            continue;
        char *value = cJSON_PrintUnformatted(row->values[k]);
        texts[count++] = mem_format("%s\n%s\n", table->keys[k], value);
        free(value);
    }
    qsort(texts, count, sizeof *texts, order_texts);
    for (size_t i = 0; i < count; i++) {
        digest_add(digest, texts[i], strlen(texts[i]));
        free(texts[i]);
    }
    free(texts);
}

bool sweep_points_scenario(const struct sweep_points *points, size_t point,
                           struct scenario **scenario, struct steady *steady, struct err *err)
{
    struct sweep_changes changes;
    bool ok = sweep_plan_changes(points->plan, point, points->command_line, &changes, err);
    if (ok)
        ok = steady != NULL
                 ? steady_load(scenario, points->plan->scenario, &changes.overrides, steady, err)
                 : scenario_load(scenario, points->plan->scenario, &changes.overrides, err);
    sweep_changes_free(&changes);
    return ok;
}

static bool identify(void *self, size_t point, struct err *err)
{
    static const char kind[] = "fauxfleet point 1, version " FAUXFLEET_VERSION "\n";
    struct sweep_points *points = self;
    struct sweep_row *row = &points->table.rows[point];
    struct scenario *scenario;
    if (!sweep_points_scenario(points, point, &scenario, NULL, err))
        return false;
    struct digest digest;
    digest_init(&digest);
    digest_add(&digest, kind, sizeof kind);
    add_changes(&points->table, row, &digest);
    digest_add(&digest, scenario->digest, sizeof scenario->digest);
    bool ok = simulation_check_policy(scenario, err) &&
              scenario_files_add(&points->files, &digest, scenario, err);
    digest_hex(&digest, row->id);
    scenario_destroy(scenario);
    return ok;
}

/* ---- all of them ---- */

/* Order of ids, then of the plan: with the index after the id one comparison does for both. */
struct ranked {
    char id[DIGEST_HEX];
    size_t point;
};

static int order_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    int order = memcmp(x->id, y->id, DIGEST_HEX);
    return order != 0 ? order : (x->point > y->point) - (x->point < y->point);
}

static bool rank_points(struct sweep_points *points, struct err *err)
{
    size_t n = points->table.row_count;
    struct ranked *ranked = mem_alloc(n, sizeof *ranked);
    for (size_t i = 0; i < n; i++) {
        memcpy(ranked[i].id, points->table.rows[i].id, DIGEST_HEX);
        ranked[i].point = i;
    }
    qsort(ranked, n, sizeof *ranked, order_ranked);
    points->by_id = mem_alloc(n, sizeof *points->by_id);
    size_t twin = n;
    for (size_t i = 0; i < n; i++) {
        points->by_id[i] = ranked[i].point;
        if (i > 0 && memcmp(ranked[i].id, ranked[i - 1].id, DIGEST_HEX) == 0 && twin == n)
            twin = i;
    }
    char text[256];
    if (twin < n)
        err_set(err, EXIT_INPUT, "%s: points %zu and %zu are the same: %s",
                points->plan->source.name, ranked[twin - 1].point + 1, ranked[twin].point + 1,
                sweep_point_text(&points->table, ranked[twin].point, text, sizeof text));
    free(ranked);
    return twin == n;
}

bool sweep_points_init(struct sweep_points *points, const struct sweep_plan *plan,
                       const struct scen_overrides *command_line, int threads, bool (*stop)(void *),
                       struct err *err)
{
    *points = (struct sweep_points){.plan = plan, .command_line = command_line};
    scenario_files_init(&points->files, "a sweep");
    struct sweep_table *table = &points->table;
    table->name = plan->name;
    table->keys = plan->keys;
    table->key_count = plan->key_count;
    table->metrics = plan->metrics;
    table->metric_count = plan->metric_count;
    table->rows = mem_alloc(plan->count, sizeof *table->rows);
    for (; table->row_count < plan->count; table->row_count++) {
        struct sweep_row *row = &table->rows[table->row_count];
        row->values = mem_alloc(plan->key_count + 1, sizeof *row->values);
        for (size_t k = 0; k < plan->key_count; k++)
            row->values[k] = sweep_plan_value(plan, table->row_count, k);
    }
    struct work work = {
        .count = plan->count, .threads = threads, .piece = identify, .stop = stop, .self = points};
    return workers_run(&work, err) && ((stop != NULL && stop(points)) || rank_points(points, err));
}

void sweep_points_free(struct sweep_points *points)
{
    for (size_t i = 0; i < points->table.row_count; i++)
        free(points->table.rows[i].values);
    free(points->table.rows);
    free(points->by_id);
    scenario_files_fini(&points->files);
}

size_t *sweep_points_of(const struct sweep_points *points, const struct shard *shard, size_t *count)
{
    size_t n = points->table.row_count, used = 0;
    bool *mine = mem_alloc(n, sizeof *mine);
    size_t *list = mem_alloc(n, sizeof *list);
    for (size_t i = shard->index; i < n; i += shard->count)
        mine[points->by_id[i]] = true;
    for (size_t i = 0; i < n; i++)
        if (mine[i])
            list[used++] = i;
    free(mine);
    *count = used;
    return list;
}

const char *sweep_point_text(const struct sweep_table *table, size_t point, char *buffer,
                             size_t size)
{
    size_t used = 0;
    (void)snprintf(buffer, size, "nothing changed");
    for (size_t k = 0; k < table->key_count && used < size; k++) {
        char *value = sweep_value_text(table->rows[point].values[k]);
        if (value == NULL)
            continue;
        int n = snprintf(buffer + used, size - used, "%s%s=%s", used > 0 ? " " : "", table->keys[k],
                         value);
        used += n > 0 ? (size_t)n : 0;
        free(value);
    }
    return buffer;
}
