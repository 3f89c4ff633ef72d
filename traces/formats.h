/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a format of job traces provides, and the table of formats. A CSV format has a table of
 * columns and a function that completes a row; other formats have a function that reads a line or
 * an object. All fill one staging row, which is copied into the batch if it is kept.
 */
#ifndef TRACES_FORMATS_H
#define TRACES_FORMATS_H

#include "traces/csv.h"
#include "traces/fields.h"
#include "traces/roles.h"
#include "traces/settings.h"
#include "traces/trace_internal.h"

#include <cjson/cJSON.h>

#define FORMAT_ABSENT INT64_MIN /* `raw`: the column is missing or the field empty */

/* The size of a whole job; unknown amounts are FORMAT_ABSENT. */
struct format_size {
    int64_t gpus, cpus, mem_mib, nodes;
    uint64_t gpu_types; /* as in struct trace_job */
};

/* The job under construction, and what the format says about it in its own terms until
 * format->finish() translates it. */
struct format_row {
    struct trace_job job;
    struct {
        int64_t gpus_milli; /* size of the whole job */
        int64_t gpus;       /* whole GPUs of a task (native), a pod (openb) or the job (Helios) */
        int64_t gpu_milli;  /* of each device */
        int64_t cpus;       /* cores of the job */
        int64_t nodes;      /* of the job */
        int64_t wait_ms;    /* in the queue */
        int64_t steps;      /* training steps */
        const char *role;   /* the task's role in its job */
        const char *deadlines;
        struct format_size requested, allocated; /* as in the file */
        int64_t start_ms, end_ms;                /* of the job, in Slurm's terms */
        int64_t duration_ms;
        int64_t state; /* the format's own numbering */
        bool has_state;
    } raw;
};

enum format_verdict {
    FORMAT_ERROR = -1, /* err set, without its place; at_fault or column say which field is meant */
    FORMAT_DROP = 0,   /* no job in this row; a note has counted the reason */
    FORMAT_KEEP = 1,
    FORMAT_SKIP = 2, /* not a data row at all (a comment) */
};

/* The context of a format's tables and functions; `fields` must be first, where setters look for
 * it. */
struct format_context {
    struct field_context fields; /* fields.record is &row */
    struct format_row row;
    struct trace_note_list *notes;
    uint64_t line;
    uint64_t number;      /* index of the data row, from 0 */
    const char *at_fault; /* CSV: as for csv_table.row() */
    size_t column;        /* lines: 1-based number of the field at fault */
    const struct format_settings *settings;
    struct run_times *run_times; /* kept by unfinished.h; NULL: none yet */
    const struct roles *roles;   /* roles of the columns in format `table`; else NULL */
    void *own;                   /* the format's own data, from open() to close(); NULL at first */
    int64_t clock_ms; /* submit time of the previous row, for formats with intervals; 0 at first */
};

struct trace_format {
    /* CSV: the columns; finish() is called after the last field of a row. */
    const struct csv_column *columns;
    size_t column_count;
    bool lenient;   /* unknown columns are counted in a note instead of refused */
    char delimiter; /* this and the next two as in struct csv_table */
    bool unquoted;
    const char *header;
    enum format_verdict (*finish)(struct format_context *, struct err *err);

    bool repeats_ids; /* several runs of a job share its id and are told apart; else a repeated id
                       * is an error */

    /* Recognises the format by the first bytes; needed where there is no header. */
    bool (*detect)(const char *head, size_t n);

    /* Lines (columns NULL): reads one line. */
    enum format_verdict (*line_read)(struct format_context *, const char *text, size_t n,
                                     struct err *err);

    /* A JSON array of objects (columns and line_read NULL): reads one. */
    enum format_verdict (*object_read)(struct format_context *, const cJSON *object,
                                       struct err *err);

    /* For formats with data of their own; NULL: none. close() is called even after a failure. */
    bool (*open)(struct format_context *, struct err *err);
    void (*close)(struct format_context *);

    /*
     * NULL-terminated columns that say which jobs depend on others. Empty: every file may; NULL: no
     * file does.
     */
    const char *const *links;

    const char *deadline; /* the column with deadlines; NULL: none */

    const char *const
        *parts; /* NULL-terminated: columns with roles and with the action on failures */

    const struct times_zone *zone; /* for wall clocks without an offset; NULL: UTC */
};

/* Adds a note about the current row; format_drop() one that says why the row is dropped. */
void format_note(struct format_context *, const char *what);
enum format_verdict format_drop(struct format_context *, const char *why);

/* Uses the row number as the job's id, for files without ids. */
void format_number(struct format_context *);

/* Copies known raw.start_ms and raw.end_ms to the job's recorded start and end. */
void format_recorded(struct format_context *);

/*
 * Sets the job's shape from totals: one task per node if GPUs and cores divide evenly among the
 * nodes. Else only gpus_total is set, with a note if nodes are known; a job without GPUs keeps its
 * cores, as one task. FORMAT_ABSENT means unknown, as do fewer than 1 nodes.
 */
void format_shape(struct format_context *, const struct format_size *);

/*
 * Sets a task's devices from thousandths of a GPU: less than one is a share of one device, more are
 * whole devices, rounded up with a note. False with err set if there are too many.
 */
bool format_devices(struct format_context *, int64_t milli, struct err *err);

/* Uses raw.duration_ms as the run time; FORMAT_DROP with a note if it is unknown or negative. */
enum format_verdict format_duration(struct format_context *);

/*
 * For formats whose jobs progress by a model instead of running for a given time: uses the setting
 * `run_time`, else returns FORMAT_ERROR, since there are no such models yet and a run time of 0
 * would be invented.
 */
enum format_verdict format_no_duration(struct format_context *, struct err *err);

const char *format_name(const struct trace_format *);

/* Returns the format with this name; NULL with err set, listing the known names. */
const struct trace_format *format_find(const char *name, struct err *err);

/* Returns the format of a file that begins with `head`; NULL with err set. `path` is for messages.
 */
const struct trace_format *format_detect(const char *path, const char *head, size_t n,
                                         struct err *err);

/* Returns the delimiter of a file in this format: the format's own, or that of ',', ';', tab and
 * '|' with which its header fits; '\0': a comma. */
char format_delimiter(const struct trace_format *, const char *head, size_t n);

extern const struct trace_format format_table, format_kubectl, format_native, format_helios,
    format_openb, format_swf, format_sacct, format_slurm, format_philly, format_philly_jobs,
    format_lumos, format_alcf, format_jsspp, format_acme, format_acme_converted, format_pai,
    format_spot, format_dlrm, format_reduced, format_tiresias, format_muri, format_elasticflow,
    format_chronus, format_gavel, format_gavel_durations, format_pollux, format_ones;

#endif
