/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet merge`: one table from the folders of a sweep's shards. */
#include "report/results/sweep_results.h"
#include "report/results/sweep_sqlite.h"
#include "sim/base/mem.h"
#include "sim/program/command.h"
#include "sim/study/sweep_points.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN_MISSING 1000

struct merge {
    const struct cli *cli;
    struct sweep_manifest manifest; /* of the first folder; all have the same */
    size_t *from; /* folder with the result of each point; SIZE_MAX: none has it */
};

static const char *dir_at(const struct merge *merge, size_t i)
{
    return merge->cli->operands[i];
}

/* ---- the folders ---- */

static bool same_plan(const struct merge *merge, size_t other, struct err *err)
{
    struct sweep_manifest manifest;
    if (!sweep_manifest_open(&manifest, dir_at(merge, other), err))
        return false;
    const struct json_source *a = &merge->manifest.source, *b = &manifest.source;
    bool same = a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
    sweep_manifest_close(&manifest);
    return same || err_set(err, EXIT_INPUT,
                           "'%s' and '%s' hold different sweeps: plan, scenario, traces, options "
                           "or the program's version were not the same",
                           dir_at(merge, 0), dir_at(merge, other));
}

/* A result in two folders has to be the same one. */
static bool take_result(struct merge *merge, size_t point, size_t dir,
                        const struct json_source *result, struct err *err)
{
    if (merge->from[point] == SIZE_MAX) {
        merge->from[point] = dir;
        return true;
    }
    struct json_source other;
    const char *id = merge->manifest.table.rows[point].id,
               *first = dir_at(merge, merge->from[point]);
    if (sweep_result_open(&other, first, id, err) != SWEEP_FOUND)
        return err_prefix(err, "point %zu", point + 1);
    bool same = other.n == result->n && memcmp(other.text, result->text, other.n) == 0;
    json_source_close(&other);
    char text[256];
    return same ||
           err_set(err, EXIT_INPUT, "point %zu (%s): %s/points/%s.json and the one in %s differ",
                   point + 1, sweep_point_text(&merge->manifest.table, point, text, sizeof text),
                   first, id, dir_at(merge, dir));
}

static bool find_results(struct merge *merge, struct err *err)
{
    const struct sweep_table *table = &merge->manifest.table;
    merge->from = mem_alloc(table->row_count + 1, sizeof *merge->from);
    for (size_t i = 0; i < table->row_count; i++) {
        merge->from[i] = SIZE_MAX;
        for (size_t dir = 0; dir < merge->cli->operand_count; dir++) {
            struct json_source result;
            enum sweep_found found =
                sweep_result_open(&result, dir_at(merge, dir), table->rows[i].id, err);
            if (found == SWEEP_DAMAGED)
                return false;
            if (found == SWEEP_ABSENT)
                continue;
            bool ok = take_result(merge, i, dir, &result, err);
            json_source_close(&result);
            if (!ok)
                return false;
        }
    }
    return true;
}

/* Lists the points that no folder has; returns how many they are. */
static size_t list_missing(const struct merge *merge)
{
    const struct sweep_table *table = &merge->manifest.table;
    size_t missing = 0;
    for (size_t i = 0; i < table->row_count; i++) {
        char text[256];
        if (merge->from[i] == SIZE_MAX && ++missing <= SHOWN_MISSING)
            cli_message("missing: point %zu %s (%s)", i + 1, table->rows[i].id,
                        sweep_point_text(table, i, text, sizeof text));
    }
    if (missing > SHOWN_MISSING)
        cli_message("missing: %zu more", missing - SHOWN_MISSING);
    return missing;
}

/* ---- the table ---- */

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* Gives every result to one of two writers. */
static bool write_rows(const struct merge *merge, struct out *csv, struct sweep_sqlite *db,
                       struct err *err)
{
    const struct sweep_table *table = &merge->manifest.table;
    bool ok = true;
    for (size_t i = 0; ok && i < table->row_count; i++) {
        struct json_source result;
        if (sweep_result_open(&result, dir_at(merge, merge->from[i]), table->rows[i].id, err) !=
            SWEEP_FOUND)
            return err_prefix(err, "point %zu", i + 1);
        const cJSON *summary = sweep_result_summary(&result);
        ok = sweep_metrics_check(table, summary, err);
        if (ok && db != NULL)
            ok = sweep_sqlite_row(db, &table->rows[i], summary, err);
        else if (ok)
            sweep_csv_row(table, &table->rows[i], summary, csv);
        json_source_close(&result);
    }
    return ok;
}

static bool write_database(const struct merge *merge, const char *path, struct err *err)
{
    struct sweep_sqlite *db = sweep_sqlite_open(path, &merge->manifest.table, err);
    if (db == NULL)
        return false;
    bool ok = write_rows(merge, NULL, db, err);
    return sweep_sqlite_close(db, ok, err) && ok;
}

static bool write_table(const struct merge *merge, struct err *err)
{
    const char *path = cli_option(merge->cli, OPT_OUTPUT);
    bool here = path == NULL || strcmp(path, "-") == 0;
    if (!here &&
        (ends_with(path, ".db") || ends_with(path, ".sqlite") || ends_with(path, ".sqlite3")))
        return write_database(merge, path, err);
    struct out *csv = here ? cli_data(merge->cli) : out_open(path, err);
    if (csv == NULL)
        return false;
    sweep_csv_header(&merge->manifest.table, csv);
    bool ok = write_rows(merge, csv, NULL, err);
    if (here)
        return ok;
    if (ok)
        return out_close(csv, err);
    out_discard(csv);
    return false;
}

static int merge_all(struct merge *merge)
{
    struct err err = {0};
    for (size_t i = 1; i < merge->cli->operand_count; i++)
        if (!same_plan(merge, i, &err))
            return cli_fail(&err);
    if (!find_results(merge, &err))
        return cli_fail(&err);
    size_t missing = list_missing(merge);
    if (missing > 0) {
        cli_message("%zu of %zu points are missing, nothing is written", missing,
                    merge->manifest.table.row_count);
        return EXIT_UNDECIDED;
    }
    return write_table(merge, &err) ? EXIT_OK : cli_fail(&err);
}

int cmd_merge(struct cli *cli)
{
    struct err err = {0};
    struct merge merge = {.cli = cli};
    if (!sweep_manifest_open(&merge.manifest, cli->operands[0], &err))
        return cli_fail(&err);
    int code = merge_all(&merge);
    sweep_manifest_close(&merge.manifest);
    free(merge.from);
    return code;
}
