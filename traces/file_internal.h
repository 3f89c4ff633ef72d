/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of a trace from a file: file_rows.c turns rows into a batch of jobs, file.c opens the
 * file and returns its jobs.
 */
#ifndef TRACES_FILE_INTERNAL_H
#define TRACES_FILE_INTERNAL_H

#include "traces/choice.h"
#include "traces/file.h"
#include "traces/formats.h"
#include "traces/ids.h"
#include "traces/lines.h"
#include "traces/objects.h"
#include "traces/rejects.h"

struct file_job {
    struct trace_job job;
    uint64_t line;
};

struct sort_key {
    int64_t submit_ms;
    size_t index; /* into `jobs`, in order of rows */
};

struct trace_file {
    struct trace base; /* first */
    struct input *input;
    struct choice chosen;
    const struct trace_format *format; /* the chosen one */
    struct roles roles;                /* for format `table` */
    char *unused;                      /* names of unused columns, for a note */
    struct csv_table table;
    struct csv_reader *csv;
    struct lines *lines;
    struct objects *objects;
    struct format_settings settings;
    struct times_zone zone;
    struct format_context context;
    struct format_row blank; /* the initial state of every row */
    struct trace_names names;
    bool tells_apart;           /* a repeated job id gets a number; else it is an error */
    uint32_t no_queue, no_user; /* "default" and ""; SYMBOL_NONE until a row needs them */
    struct texts texts[2];
    unsigned current;
    struct file_job *jobs;
    size_t count, capacity, next;
    uint64_t rows;                                   /* data rows read, including dropped ones */
    bool exhausted;                                  /* the input has ended */
    bool nonempty;                                   /* as in struct trace_options */
    void (*reject)(void *to, const struct err *err); /* likewise */
    void *reject_to;
    bool tolerant;          /* likewise */
    struct rejects rejects; /* rows rejected by a tolerant reading */
    bool gave;              /* at least one job was returned */
    int64_t last_ms;        /* submit time of the last job returned */
    struct trace_ids ids;   /* ids and the lines of their first rows */
    struct sort_key *order; /* sorting only: the jobs in order of submission */
};

/* Reads the header of a CSV file, or prepares for lines or objects. False with err set. */
bool file_begin_rows(struct trace_file *, struct err *err);

/* Adds the jobs of the next chunk to the batch and sets `exhausted` at the end of the input. False
 * with err set. */
bool file_read_rows(struct trace_file *, struct err *err);

#endif
