/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A finished run directory, opened for reading. summary.json is kept as a tree; CSV files are
 * streamed row by row, so memory does not grow with jobs.csv. Columns are found by name in the
 * header row, in any order.
 *
 *     struct rundir run;
 *     if (!rundir_open(&run, "out", err))
 *         return false;
 *     double goodput = json_number_at(run.summary, "utilization.fleet_goodput");     nan when null
 *       or absent
 *     enum rundir_read read = rundir_csv(&run, "timeline.csv", &reader, &ctx, err);
 *     rundir_close(&run);
 *
 * The run owns its tree and texts; rows and fields live until the callback returns.
 */
#ifndef REPORT_RESULTS_RUNDIR_H
#define REPORT_RESULTS_RUNDIR_H

#include "sim/base/err.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUNDIR_NO_COLUMN SIZE_MAX

struct rundir {
    char *path;     /* as given */
    char *data;     /* folder of the CSV files: path, or path/rep-1 with several replicas; NULL: in
                       memory */
    char *prefix;   /* the same relative to path: "" or "rep-1/" */
    int replicas;   /* at least 1 */
    cJSON *summary; /* the top summary.json */
    struct err *failed; /* error of the first file that could not be read; see rundir_intact() */
};

/*
 * Returns false with err set (EXIT_INPUT) if summary.json is absent, damaged or of another schema.
 */
bool rundir_open(struct rundir *, const char *path, struct err *);
void rundir_close(struct rundir *);

/*
 * Makes a run that was never written from the text of its summary.json, with `name` instead of a
 * path. It has no files. Returns false with err set (EXIT_INTERNAL) if the text is not a summary.
 */
bool rundir_make(struct rundir *, const char *name, const char *summary, struct err *);

/*
 * Check this before keeping results made from the run: returns false with err set if one of its
 * files could not be read, so that missing data may exist after all.
 */
bool rundir_intact(const struct rundir *, struct err *);
/* For other readers of the run's files: records the first failure. */
void rundir_fail(const struct rundir *, const struct err *);

/*
 * Reads the resolved scenario, which the caller frees; NULL if there is none. Returns false with
 * err set if it is damaged.
 */
bool rundir_scenario(const struct rundir *, cJSON **scenario, struct err *);

/*
 * Returns true if the file exists. `prefix`: "" for files of the run, run->prefix for those of the
 * shown replica.
 */
bool rundir_has(const struct rundir *, const char *prefix, const char *name);

/* Returns true for packing studies: no job ends, so there are no waits, hours or shares. */
bool rundir_is_fill(const struct rundir *);

/* The measurement window on the trace's clock; NaN if the summary lacks it. */
double rundir_window_start(const struct rundir *);
double rundir_window_end(const struct rundir *);

/*
 * Returns the item at a dotted path below `object`, or NULL. Names that contain dots need cJSON's
 * own functions.
 */
const cJSON *json_at(const cJSON *object, const char *path);
double json_number_at(const cJSON *object, const char *path);    /* NaN unless it is a number */
const char *json_text_at(const cJSON *object, const char *path); /* "" unless it is a string */

struct rundir_row {
    size_t count;
    const char *const *field; /* NUL-terminated; an embedded NUL is shown as '?' */
    uint64_t number;          /* 1 is the header */
};

struct rundir_reader {
    bool (*header)(void *ctx, const struct rundir_row *, struct err *);
    bool (*row)(void *ctx, const struct rundir_row *, struct err *);
};

enum rundir_read { RUNDIR_READ, RUNDIR_ABSENT, RUNDIR_DAMAGED };

/*
 * Streams one CSV file of run->data. Every row must have as many fields as the header.
 * RUNDIR_ABSENT leaves err unchanged; RUNDIR_DAMAGED sets it, with file and row: an error of a
 * callback or of libcsv, or a read error.
 */
enum rundir_read rundir_csv(const struct rundir *, const char *name, const struct rundir_reader *,
                            void *ctx, struct err *);

size_t rundir_column(const struct rundir_row *header,
                     const char *name); /* RUNDIR_NO_COLUMN if absent */

/* The same for a required column: returns false with err set if it is absent. */
bool rundir_need(const struct rundir_row *header, const char *name, size_t *column, struct err *);

/*
 * Parses a number; NaN if the field is empty or the column does not exist. Returns false with err
 * set if it is not a number.
 */
bool rundir_number(const struct rundir_row *, size_t column, double *value, struct err *);

/*
 * A row of queues.csv, or of fairness.queues in the summary if there is no such file; NaN if
 * undefined.
 */
struct rundir_queue {
    char *name;
    double jobs, completed, quota_gpus, weight, entitled_gpu_h, used_gpu_h, share;
};

/*
 * Returns all queues in the order of the file, or NULL with *count = 0 if nothing is known. If the
 * file is damaged, *damage is set to a message (freed by the caller) and the summary is used.
 */
struct rundir_queue *rundir_queues(const struct rundir *, size_t *count, char **damage);
void rundir_queues_free(struct rundir_queue *, size_t count);

/*
 * Returns the indexes of the queues by entitlement, largest first (then by use, then in file
 * order). The caller frees them.
 */
size_t *rundir_queue_ranks(const struct rundir_queue *, size_t count);

#endif
