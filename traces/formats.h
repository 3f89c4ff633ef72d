/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a format of job traces has to provide, and the table of formats. A CSV format gives a table of columns and a
 * function that completes a row; a format of lines gives a function that reads a line. Both fill one staging row,
 * which is copied into the batch when it is kept.
 */
#ifndef TRACES_FORMATS_H
#define TRACES_FORMATS_H

#include "traces/csv.h"
#include "traces/fields.h"
#include "traces/trace_internal.h"

#define FORMAT_ABSENT INT64_MIN /* in `raw`: the column is missing or the field empty */

/* The job under construction, and what formats say about it in their own terms before format->finish() translates. */
struct format_row {
    struct trace_job job;
    struct {
        int64_t gpus_milli;       /* size of the whole job */
        int64_t gpus;             /* whole GPUs, of a task (native), a pod (openb) or the job (Helios) */
        int64_t gpu_milli;        /* share of each device */
        int64_t cpus;             /* cores of the job */
        int64_t start_ms, end_ms; /* recorded */
        int64_t duration_ms;
        int64_t state; /* the format's own numbering */
    } raw;
};

enum format_verdict {
    FORMAT_ERROR = -1, /* err set, without its place; at_fault or column say which field is meant */
    FORMAT_DROP = 0,   /* no job in this row; the reason was counted as a note */
    FORMAT_KEEP = 1,
    FORMAT_SKIP = 2, /* not a data row at all (a comment) */
};

/* The context of all tables and functions of a format; `fields` has to be first, setters look for it there. */
struct format_context {
    struct field_context fields; /* fields.record is &row */
    struct format_row row;
    struct trace_note_list *notes;
    uint64_t line;
    const char *at_fault; /* CSV: as csv_table.row() wants it */
    size_t column;        /* lines: 1-based number of the field at fault */
};

struct trace_format {
    /* CSV: the columns; finish() is called when all fields of a row are set. */
    const struct csv_column *columns;
    size_t column_count;
    bool lenient; /* unknown columns are counted as a note instead of refused */
    enum format_verdict (*finish)(struct format_context *, struct err *err);

    /* Lines (columns NULL): recognises the format by the first bytes; reads one line. */
    bool (*detect)(const char *head, size_t n);
    enum format_verdict (*line_read)(struct format_context *, const char *text, size_t n, struct err *err);
};

const char *format_name(const struct trace_format *);

/* The format of that name, or NULL with err set and the names that there are. */
const struct trace_format *format_find(const char *name, struct err *err);

/* The format of a file that begins with `head`, or NULL with err set. `path` is for the message. */
const struct trace_format *format_detect(const char *path, const char *head, size_t n, struct err *err);

extern const struct trace_format format_native, format_helios, format_openb, format_swf;

#endif
