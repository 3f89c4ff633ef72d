/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The results of a sweep on disk:
 *
 *     DIR/plan.json         what was to be simulated: keys, metrics, and every point with its id
 *                           and changes
 *     DIR/points/ID.json    the result of one point: its changes and the summary of its run
 *     DIR/results.csv       a row a point, in the order of the plan: changes, metrics, id
 *
 * An id is a SHA-256 of everything that determines the result, so a result is valid wherever its id
 * occurs, and folders from several machines can be merged. plan.json does not depend on which
 * points a machine simulated. Every file is complete or absent. Equal results give equal bytes.
 */
#ifndef REPORT_RESULTS_SWEEP_RESULTS_H
#define REPORT_RESULTS_SWEEP_RESULTS_H

#include "scenarios/json/source.h"
#include "sim/base/digest.h"
#include "sim/base/err.h"
#include "sim/base/out.h"

#include <cjson/cJSON.h>

struct sweep_row {
    char id[DIGEST_HEX];
    const cJSON **values; /* by key; NULL: the point does not change it */
};

/* The points in the order of the plan; whoever creates the table owns what it points to. */
struct sweep_table {
    const char *name;
    const char *const *keys, *const *metrics;
    size_t key_count, metric_count;
    struct sweep_row *rows;
    size_t row_count;
};

/* ---- plan.json ---- */

void sweep_table_print(const struct sweep_table *, struct out *);

/*
 * Writes plan.json unless it exists with the same text. *changed (may be NULL): it had another
 * text.
 */
bool sweep_table_write(const struct sweep_table *, const char *dir, bool *changed, struct err *err);

struct sweep_manifest {
    struct json_source source;
    struct sweep_table table;
};
bool sweep_manifest_open(struct sweep_manifest *, const char *dir, struct err *err);
void sweep_manifest_close(struct sweep_manifest *); /* may be zeroed */

/* ---- points/ID.json ---- */

bool sweep_result_write(const struct sweep_table *, const struct sweep_row *, const char *dir,
                        const char *summary, struct err *err);

/* SWEEP_DAMAGED sets err; callers that can recreate the file treat it as absent. */
enum sweep_found { SWEEP_ABSENT, SWEEP_FOUND, SWEEP_DAMAGED };
enum sweep_found sweep_result_open(struct json_source *, const char *dir, const char *id,
                                   struct err *err);
const cJSON *sweep_result_summary(const struct json_source *);

/* ---- results.csv ---- */

/*
 * Returns false with err set (EXIT_INPUT) if a metric is not a single value in this summary. A
 * missing metric is allowed: it is undefined in this run.
 */
bool sweep_metrics_check(const struct sweep_table *, const cJSON *summary, struct err *err);

void sweep_csv_header(const struct sweep_table *, struct out *);
void sweep_csv_row(const struct sweep_table *, const struct sweep_row *, const cJSON *summary,
                   struct out *);

/*
 * Returns a change as a cell shows it: a string as is, anything else as JSON; NULL if there is
 * none. The caller frees it.
 */
char *sweep_value_text(const cJSON *value);

#endif
