/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A finished run directory, opened for reading. summary.json is held as a tree; the CSV files are
 * streamed row by row, so a jobs.csv of any length costs no memory. Columns are found by name in
 * the header row, in any order.
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
    char *data;     /* where the CSV files are: path, or path/rep-1 with several replicas; NULL: in
                       memory */
    char *prefix;   /* of the CSV files, seen from path: "" or "rep-1/" */
    int replicas;   /* at least 1 */
    cJSON *summary; /* the top summary.json */
    struct err *failed; /* the first file that could not be read; see rundir_intact() */
};

/* False with err set (EXIT_INPUT) when summary.json is absent, damaged or of another schema. */
bool rundir_open(struct rundir *, const char *path, struct err *);
void rundir_close(struct rundir *);

/*
 * A run that was never written: the text of its summary.json, and `name` in place of a path. It has
 * no files. False with err set (EXIT_INTERNAL) when the text is no summary.
 */
bool rundir_make(struct rundir *, const char *name, const char *summary, struct err *);

/*
 * To be asked before anything that was made of the run is kept: false with err set when a file that
 * was asked for could not be read, so that what is missing in it may be there after all.
 */
bool rundir_intact(const struct rundir *, struct err *);
/* For readers of the run's files other than these: remembers the first failure. */
void rundir_fail(const struct rundir *, const struct err *);

/* The resolved scenario, the caller's; NULL where there is none. False with err set when it is
 * damaged. */
bool rundir_scenario(const struct rundir *, cJSON **scenario, struct err *);

/* True if the file exists. `prefix`: "" for files of the run, run->prefix for those of the shown
 * replica. */
bool rundir_has(const struct rundir *, const char *prefix, const char *name);

/* True for packing studies: nothing leaves, so there are no waits, hours or shares. */
bool rundir_is_fill(const struct rundir *);

/* The measurement window on the trace's clock; nan when the summary does not say. */
double rundir_window_start(const struct rundir *);
double rundir_window_end(const struct rundir *);

/* The item at a dotted path below `object`, NULL when absent. Names with dots in them need cJSON's
 * own functions. */
const cJSON *json_at(const cJSON *object, const char *path);
double json_number_at(const cJSON *object, const char *path);    /* nan unless it is a number */
const char *json_text_at(const cJSON *object, const char *path); /* "" unless it is a text */

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
 * RUNDIR_ABSENT leaves err alone; RUNDIR_DAMAGED sets it, with file and row: what the callbacks
 * refused, what libcsv refused, or a read error.
 */
enum rundir_read rundir_csv(const struct rundir *, const char *name, const struct rundir_reader *,
                            void *ctx, struct err *);

size_t rundir_column(const struct rundir_row *header,
                     const char *name); /* RUNDIR_NO_COLUMN when absent */

/* A column that has to be there. */
bool rundir_need(const struct rundir_row *header, const char *name, size_t *column, struct err *);

/* A number; nan where the field is empty or there is no such column. False with err set when it is
 * not a number. */
bool rundir_number(const struct rundir_row *, size_t column, double *value, struct err *);

/* One row of queues.csv, or of fairness.queues in the summary when there is no such file; nan where
 * undefined. */
struct rundir_queue {
    char *name;
    double jobs, completed, quota_gpus, weight, entitled_gpu_h, used_gpu_h, share;
};

/*
 * All queues in the order of the file. NULL with *count = 0 when nothing is known; a damaged file
 * sets *damage to a message (freed by the caller) and the summary is used.
 */
struct rundir_queue *rundir_queues(const struct rundir *, size_t *count, char **damage);
void rundir_queues_free(struct rundir_queue *, size_t count);

/*
 * Indexes of the queues, largest entitlement first (then largest use, then order of the file);
 * freed by the caller.
 */
size_t *rundir_queue_ranks(const struct rundir_queue *, size_t count);

#endif
