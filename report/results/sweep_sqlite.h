/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The results of a sweep as an SQLite database, if the program is built with it (FAUXFLEET_SQLITE):
 *
 *     results   a row a point, as in the CSV: a column for each key and metric, "point"
 *     metrics   point, metric, value: every number of every summary, "by_class.train.wait_s.p95"
 *
 *     struct sweep_sqlite *db = sweep_sqlite_open("results.db", &table, err);
 *     for each point: sweep_sqlite_row(db, &row, summary, err)
 *     ok = sweep_sqlite_close(db, ok, err);
 *
 * The file is written under a temporary name and renamed. Equal results in equal order give equal
 * bytes with the same version of SQLite.
 */
#ifndef REPORT_RESULTS_SWEEP_SQLITE_H
#define REPORT_RESULTS_SWEEP_SQLITE_H

#include "report/results/sweep_results.h"

struct sweep_sqlite;

/* Returns SQLite's version; NULL if built without it. */
const char *sweep_sqlite_version(void);

/* The table must outlive the result. Returns NULL with err set (EXIT_INPUT). */
struct sweep_sqlite *sweep_sqlite_open(const char *path, const struct sweep_table *,
                                       struct err *err);
bool sweep_sqlite_row(struct sweep_sqlite *, const struct sweep_row *, const cJSON *summary,
                      struct err *err);

/* Without `keep`, the file is removed. */
bool sweep_sqlite_close(struct sweep_sqlite *, bool keep, struct err *err);

#endif
