/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The implementation side of `struct trace`: a table of methods, so that files, generators and
 * merges are implementations of one stream of jobs. An implementation puts `struct trace` first in
 * its own struct,
 *
 *     struct generated {
 *         struct trace base;
 *         ...
 *     };
 *
 * allocates it zeroed, sets base.methods and base.format, and returns &base. The public functions
 * of trace.h (trace_next, trace_close, trace_digest, trace_format_name, trace_notes) are in trace.c
 * and only dispatch.
 */
#ifndef TRACES_TRACE_INTERNAL_H
#define TRACES_TRACE_INTERNAL_H

#include "traces/trace.h"

/*
 * Notes, counted by kind. `what` must be a literal (or live as long as the trace): it is not
 * copied. There are a few dozen kinds at most, so a linear search is enough.
 */
struct trace_note_list {
    struct trace_note *notes;
    size_t count, capacity;
};

/* Counts one more row of the kind `what`, seen at `line` (1-based; 0: no line). */
void trace_note_add(struct trace_note_list *, const char *what, uint64_t line);
void trace_note_list_fini(struct trace_note_list *);

struct trace_methods {
    /* Like trace_next(). It is not called again after TRACE_END or a negative result. */
    enum trace_result (*next)(struct trace *, struct trace_job *, struct err *);

    /* Releases everything that the implementation owns but `base.notes` and the struct itself. */
    void (*close)(struct trace *);

    /* Like trace_digest(); NULL: 64 zeros. Generators hash their parameters, merges their parts'
     * digests. */
    void (*digest)(const struct trace *, char hex[DIGEST_HEX]);

    /* Like trace_notes(), for implementations that collect notes elsewhere (a merge); NULL:
     * base.notes. */
    const struct trace_note *(*notes)(const struct trace *, size_t *count);
};

struct trace {
    const struct trace_methods *methods;
    const char *format;           /* literal */
    bool linked;                  /* as trace_linked() */
    bool dated;                   /* as trace_dated() */
    bool mixed;                   /* its jobs may have roles or a reaction to failures */
    struct trace_note_list notes; /* released by trace_close() */
    bool ended; /* set by trace_next(), which then repeats `result` and `failure` */
    enum trace_result result;
    struct err failure;
};

/* Sets every field to its default or unknown: queue and user 0, class unset, one task without GPU,
 * id "". */
void trace_job_init(struct trace_job *);

/* The status of a row that does not say how the job ended; the reader turns it into
 * `status_unknown`. */
#define TRACE_STATUS_UNSET TRACE_STATUSES

#endif
