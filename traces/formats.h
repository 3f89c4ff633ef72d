/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a format of job traces has to provide, and the table of formats. A CSV format gives a table
 * of columns and a function that completes a row; a format of lines gives a function that reads a
 * line. Both fill one staging row, which is copied into the batch when it is kept.
 */
#ifndef TRACES_FORMATS_H
#define TRACES_FORMATS_H

#include "traces/csv.h"
#include "traces/fields.h"
#include "traces/roles.h"
#include "traces/settings.h"
#include "traces/trace_internal.h"

#include <cjson/cJSON.h>

#define FORMAT_ABSENT INT64_MIN /* in `raw`: the column is missing or the field empty */

/* The size of a whole job; what is FORMAT_ABSENT is not known. */
struct format_size {
    int64_t gpus, cpus, mem_mib, nodes;
    uint64_t gpu_types; /* as in struct trace_job */
};

/* The job under construction, and what formats say about it in their own terms before
 * format->finish() translates. */
struct format_row {
    struct trace_job job;
    struct {
        int64_t gpus_milli; /* size of the whole job */
        int64_t gpus;       /* whole GPUs, of a task (native), a pod (openb) or the job (Helios) */
        int64_t gpu_milli;  /* share of each device */
        int64_t cpus;       /* cores of the job */
        int64_t nodes;      /* of the job */
        int64_t wait_ms;    /* in the queue */
        int64_t steps;      /* of training */
        const char *role;   /* of the task within its job */
        const char *deadlines;
        struct format_size requested, allocated; /* by the job, as Slurm tells them */
        int64_t start_ms, end_ms;                /* recorded */
        int64_t duration_ms;
        int64_t state; /* the format's own numbering */
        bool has_state;
    } raw;
};

enum format_verdict {
    FORMAT_ERROR = -1, /* err set, without its place; at_fault or column say which field is meant */
    FORMAT_DROP = 0,   /* no job in this row; the reason was counted as a note */
    FORMAT_KEEP = 1,
    FORMAT_SKIP = 2, /* not a data row at all (a comment) */
};

/* The context of all tables and functions of a format; `fields` has to be first, setters look for
 * it there. */
struct format_context {
    struct field_context fields; /* fields.record is &row */
    struct format_row row;
    struct trace_note_list *notes;
    uint64_t line;
    uint64_t number;      /* of the data row, from 0 */
    const char *at_fault; /* CSV: as csv_table.row() wants it */
    size_t column;        /* lines: 1-based number of the field at fault */
    const struct format_settings *settings;
    struct run_times *run_times; /* as unfinished.h keeps them; NULL: none yet */
    const struct roles *roles;   /* of the columns, in the format `table`; else NULL */
    void *own;                   /* of the format, between open() and close(); NULL at first */
    int64_t
        clock_ms; /* 0 at first: submit time of the row before, for formats that give intervals */
};

struct trace_format {
    /* CSV: the columns; finish() is called when all fields of a row are set. */
    const struct csv_column *columns;
    size_t column_count;
    bool lenient;   /* unknown columns are counted as a note instead of refused */
    char delimiter; /* as in struct csv_table, like the next two */
    bool unquoted;
    const char *header;
    enum format_verdict (*finish)(struct format_context *, struct err *err);

    bool repeats_ids; /* of a job that ran several times: its rows are told apart. Else an id that
                         comes again is an error */

    /* Recognises the format by the first bytes; needed where no header does. */
    bool (*detect)(const char *head, size_t n);

    /* Lines (columns NULL): reads one line. */
    enum format_verdict (*line_read)(struct format_context *, const char *text, size_t n,
                                     struct err *err);

    /* A JSON array of objects (columns and line_read NULL): reads one. */
    enum format_verdict (*object_read)(struct format_context *, const cJSON *object,
                                       struct err *err);

    /* For formats that keep something of their own; NULL: nothing. close() is called in any case.
     */
    bool (*open)(struct format_context *, struct err *err);
    void (*close)(struct format_context *);

    /*
     * Columns with any of which jobs may wait for one another, up to NULL; none before it: they
     * always may. NULL: never.
     */
    const char *const *links;

    const char *deadline; /* the column that has deadlines; NULL: there is none */

    const char *const *parts; /* columns of roles and of what jobs do on failures, up to NULL */

    const struct times_zone *zone; /* of wall clocks without an offset; NULL: UTC */
};

/* A note about the row at hand; one that says why it is dropped. */
void format_note(struct format_context *, const char *what);
enum format_verdict format_drop(struct format_context *, const char *why);

/* The job's id is the number of its row, in files that have none. */
void format_number(struct format_context *);

/* raw.start_ms and raw.end_ms, where they are known, become the job's recorded start and end. */
void format_recorded(struct format_context *);

/*
 * The job's shape from totals: as many tasks as it has nodes when GPUs and cores divide among them;
 * else, with a note, gpus_total alone, and the same without a note when nodes are unknown. A job
 * without GPUs keeps its cores then, as one task. What is FORMAT_ABSENT (nodes also: below 1) is
 * unknown.
 */
void format_shape(struct format_context *, const struct format_size *);

/*
 * A task's share of devices from thousandths of a GPU: below one a share of one device, else whole
 * devices, rounded up with a note. False with err set when there are too many.
 */
bool format_devices(struct format_context *, int64_t milli, struct err *err);

/* The whole of a duration: raw.duration_ms, FORMAT_DROP with a note when it is unknown or negative.
 */
enum format_verdict format_duration(struct format_context *);

/*
 * For formats whose jobs progress by a model instead of running for a time: the setting `run_time`,
 * or FORMAT_ERROR until there are such models. A run time of 0 would be a made-up answer.
 */
enum format_verdict format_no_duration(struct format_context *, struct err *err);

const char *format_name(const struct trace_format *);

/* The format of that name, or NULL with err set and the names that there are. */
const struct trace_format *format_find(const char *name, struct err *err);

/* The format of a file that begins with `head`, or NULL with err set. `path` is for the message. */
const struct trace_format *format_detect(const char *path, const char *head, size_t n,
                                         struct err *err);

/* The character that divides the fields of a file in this format: the format's own, or that of ',',
 * ';', tab and '|' with which its header fits; '\0': a comma. */
char format_delimiter(const struct trace_format *, const char *head, size_t n);

extern const struct trace_format format_table, format_kubectl, format_native, format_helios,
    format_openb, format_swf, format_sacct, format_slurm, format_philly, format_philly_jobs,
    format_lumos, format_alcf, format_jsspp, format_acme, format_acme_converted, format_pai,
    format_spot, format_dlrm, format_reduced, format_tiresias, format_muri, format_elasticflow,
    format_chronus, format_gavel, format_gavel_durations, format_pollux, format_ones;

#endif
