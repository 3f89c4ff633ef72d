/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of a sweep in SQLite; see sweep_sqlite.h. */
#include "report/results/sweep_sqlite.h"

#ifdef FAUXFLEET_SQLITE

#include "policies/adapters/ending/temporary.h"
#include "report/results/rundir.h"
#include "sim/base/escape.h"
#include "sim/base/mem.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COLUMNS 2000 /* SQLite's limit */
#define MOST_PATH    512

struct sweep_sqlite {
    char *path;
    struct temporary temporary;
    const struct sweep_table *table;
    sqlite3 *db;
    sqlite3_stmt *result, *metric;
};

const char *sweep_sqlite_version(void)
{
    return sqlite3_libversion();
}

static bool fail(const struct sweep_sqlite *s, struct err *err)
{
    return err_set(err, EXIT_INPUT, "%s: cannot write: %s", s->path, sqlite3_errmsg(s->db));
}

static bool execute(struct sweep_sqlite *s, const char *text, struct err *err)
{
    return sqlite3_exec(s->db, text, NULL, NULL, NULL) == SQLITE_OK || fail(s, err);
}

static bool make_tables(struct sweep_sqlite *s, struct err *err)
{
    const struct sweep_table *table = s->table;
    size_t columns = table->key_count + table->metric_count;
    if (columns >= MOST_COLUMNS)
        return err_set(err, EXIT_INPUT, "%s: more than %d columns", s->path, MOST_COLUMNS - 1);
    struct out *create = out_memory(), *insert = out_memory();
    out_text(create,
             "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN; CREATE TABLE results (");
    out_text(insert, "INSERT INTO results VALUES (");
    for (size_t i = 0; i < columns; i++) {
        escape_sql(create,
                   i < table->key_count ? table->keys[i] : table->metrics[i - table->key_count]);
        out_text(create, ", ");
        out_text(insert, "?, ");
    }
    out_text(create, "point TEXT PRIMARY KEY) WITHOUT ROWID; "
                     "CREATE TABLE metrics (point TEXT, metric TEXT, value, PRIMARY KEY (point, "
                     "metric)) WITHOUT ROWID");
    out_text(insert, "?)");
    size_t n;
    bool ok = execute(s, out_memory_text(create, &n), err) &&
              (sqlite3_prepare_v2(s->db, out_memory_text(insert, &n), -1, &s->result, NULL) ==
                   SQLITE_OK ||
               fail(s, err)) &&
              (sqlite3_prepare_v2(s->db, "INSERT INTO metrics VALUES (?, ?, ?)", -1, &s->metric,
                                  NULL) == SQLITE_OK ||
               fail(s, err));
    out_discard(create);
    out_discard(insert);
    return ok;
}

struct sweep_sqlite *sweep_sqlite_open(const char *path, const struct sweep_table *table,
                                       struct err *err)
{
    struct sweep_sqlite *s = mem_alloc(1, sizeof *s);
    *s = (struct sweep_sqlite){.path = mem_text(path), .table = table};
    temporary_sweep_of(path);
    bool ok = temporary_create(&s->temporary, path) ||
              err_set(err, EXIT_INPUT, "%s: cannot write: %s", path, strerror(errno));
    // SQLite's own locks are not needed on a private file, and could conflict with ours over NFS.
    ok = ok &&
         (sqlite3_open_v2(s->temporary.path, &s->db, SQLITE_OPEN_READWRITE, "unix-none") ==
              SQLITE_OK ||
          fail(s, err)) &&
         make_tables(s, err);
    if (ok)
        return s;
    (void)sweep_sqlite_close(s, false, err);
    return NULL;
}

/* ---- rows ---- */

static void bind_number(sqlite3_stmt *statement, int at, double value)
{
    int64_t whole = value > -9e15 && value < 9e15 ? (int64_t)value : 0;
    if ((double)whole >= value && (double)whole <= value)
        sqlite3_bind_int64(statement, at, whole);
    else
        sqlite3_bind_double(statement, at, value);
}

static void bind_value(sqlite3_stmt *statement, int at, const cJSON *value)
{
    if (cJSON_IsNumber(value)) {
        bind_number(statement, at, value->valuedouble);
        return;
    }
    char *text = sweep_value_text(value);
    if (text != NULL)
        sqlite3_bind_text(statement, at, text, -1, SQLITE_TRANSIENT);
    free(text);
}

static bool step(struct sweep_sqlite *s, sqlite3_stmt *statement, struct err *err)
{
    bool ok = sqlite3_step(statement) == SQLITE_DONE || fail(s, err);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return ok;
}

/*
 * Adds all numbers below `node`. The depth is bounded: it is that of our own summaries, or of JSON
 * whose reader bounds it.
 */
static bool add_numbers(struct sweep_sqlite *s, const char *id, const cJSON *node, const char *path,
                        struct err *err)
{
    if (cJSON_IsNumber(node)) {
        sqlite3_bind_text(s->metric, 1, id, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(s->metric, 2, path, -1, SQLITE_TRANSIENT);
        bind_number(s->metric, 3, node->valuedouble);
        return step(s, s->metric, err);
    }
    bool ok = true;
    size_t index = 0;
    for (const cJSON *child = node->child; ok && child != NULL; child = child->next, index++) {
        char below[MOST_PATH], number[24];
        (void)snprintf(number, sizeof number, "%zu", index);
        (void)snprintf(below, sizeof below, "%s%s%s", path, *path != '\0' ? "." : "",
                       child->string ? child->string : number);
        ok = add_numbers(s, id, child, below, err);
    }
    return ok;
}

bool sweep_sqlite_row(struct sweep_sqlite *s, const struct sweep_row *row, const cJSON *summary,
                      struct err *err)
{
    const struct sweep_table *table = s->table;
    int at = 1;
    for (size_t k = 0; k < table->key_count; k++)
        bind_value(s->result, at++, row->values[k]);
    for (size_t m = 0; m < table->metric_count; m++) {
        const cJSON *value = json_at(summary, table->metrics[m]);
        bind_value(s->result, at++, cJSON_IsNull(value) ? NULL : value);
    }
    sqlite3_bind_text(s->result, at, row->id, -1, SQLITE_TRANSIENT);
    return step(s, s->result, err) && add_numbers(s, row->id, summary, "", err);
}

bool sweep_sqlite_close(struct sweep_sqlite *s, bool keep, struct err *err)
{
    bool ok = !keep || execute(s, "COMMIT", err);
    sqlite3_finalize(s->result);
    sqlite3_finalize(s->metric);
    ok = (sqlite3_close(s->db) == SQLITE_OK ||
          err_set(err, EXIT_INPUT, "%s: cannot write", s->path)) &&
         ok;
    if (ok && keep && !temporary_rename(&s->temporary, s->path))
        ok = err_set(err, EXIT_INPUT, "%s: cannot write: %s", s->path, strerror(errno));
    temporary_remove(&s->temporary);
    free(s->path);
    free(s);
    return ok;
}

#else

const char *sweep_sqlite_version(void)
{
    return NULL;
}

struct sweep_sqlite *sweep_sqlite_open(const char *path, const struct sweep_table *table,
                                       struct err *err)
{
    (void)table;
    err_set(err, EXIT_INPUT,
            "%s: this program was built without SQLite (libsqlite3-dev): write a CSV file", path);
    return NULL;
}

bool sweep_sqlite_row(struct sweep_sqlite *s, const struct sweep_row *row, const cJSON *summary,
                      struct err *err)
{
    (void)s, (void)row, (void)summary, (void)err;
    return false;
}

bool sweep_sqlite_close(struct sweep_sqlite *s, bool keep, struct err *err)
{
    (void)s, (void)keep, (void)err;
    return false;
}

#endif
