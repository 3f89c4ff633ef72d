/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the `trace` commands: reads the file named on the command line to its end, and reports
 * repairs. */
#ifndef SIM_TRACE_READ_H
#define SIM_TRACE_READ_H

#include "sim/program/command.h"
#include "traces/trace.h"

/*
 * What to do with the jobs of a trace. begin() may be called a second time, for a trace that turned
 * out to be unsorted; it discards the jobs of the first reading.
 */
struct sink {
    bool (*begin)(struct sink *, struct err *);
    void (*job)(struct sink *, const struct trace_job *);
    struct trace_names names;
    unsigned extras; /* of the trace that is read, as trace_extras() */
    bool tolerant;   /* as in struct trace_options */
    void (*reject)(void *sink, const struct err *err); /* as in struct trace_options; may be NULL.
                                                          Rows may be given twice unless sorted */
};

/* "KEY=VALUE" of each --option, and "map=..." of all --map together. trace_texts_fini() frees it.
 */
struct trace_texts {
    const char **texts;
    size_t count;
    char *map; /* NULL: there is no --map */
};
struct trace_texts trace_texts_of(const struct cli *);
void trace_texts_fini(struct trace_texts *);

struct trace_names trace_names_create(void);
void trace_names_destroy(struct trace_names *);

/* "-" */
bool trace_is_stream(const char *path);

/*
 * Reads to the end and passes all jobs to the sink (NULL: none). An interrupt is an error without a
 * message, which main() handles.
 */
enum trace_result trace_drain(struct trace *, struct sink *, struct err *);

/*
 * Reads a file to its end, twice if it has to be sorted first. Standard input cannot be read twice,
 * and rows on standard output cannot be withdrawn (`sort`): then the trace is sorted from the
 * start, in memory. The caller owns the trace; NULL on failure.
 */
bool trace_read_all(struct trace **, const struct cli *, struct sink *, bool sort, struct err *);

/* The same of another file. */
bool trace_read_path(struct trace **, const struct cli *, const char *path, struct sink *,
                     bool sort, struct err *);

/* On stderr; a note without a line concerns the whole of `where`. */
void trace_note_print(const struct trace_note *, const char *where);
void trace_print_notes(const struct trace *, const char *path);

#endif
