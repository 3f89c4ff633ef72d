/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands behind `struct trace`: a table of methods, so that a file, a generator and a merge
 * are three implementations of one stream of jobs. An implementation puts `struct trace` first in
 * its own struct,
 *
 *     struct generated {
 *         struct trace base;
 *         ...
 *     };
 *
 * allocates it zeroed, sets base.methods and base.format, and hands out &base. The public functions
 * of trace.h (trace_next, trace_close, trace_digest, trace_format_name, trace_notes) are in trace.c
 * and only dispatch.
 */
#ifndef TRACES_TRACE_INTERNAL_H
#define TRACES_TRACE_INTERNAL_H

#include "traces/trace.h"

/*
 * Notes kept by kind. `what` must be a literal (or live as long as the trace): it is kept, not
 * copied. There are a few dozen kinds at most, so a linear search does.
 */
struct trace_note_list {
    struct trace_note *notes;
    size_t count, capacity;
};

/* One more row of the kind `what`, seen at `line` (1-based; 0 when there is no line). */
void trace_note_add(struct trace_note_list *, const char *what, uint64_t line);
void trace_note_list_fini(struct trace_note_list *);

struct trace_methods {
    /* As trace_next(). After TRACE_END or a negative result it is not called again. */
    enum trace_result (*next)(struct trace *, struct trace_job *, struct err *);

    /* Releases everything that the implementation owns, `base.notes` and the struct itself
     * excepted. */
    void (*close)(struct trace *);

    /* The digest of trace_digest(); NULL: 64 zeros. Generators hash their parameters, merges their
     * parts' digests. */
    void (*digest)(const struct trace *, char hex[DIGEST_HEX]);

    /* As trace_notes(), for an implementation that gathers them elsewhere (a merge); NULL:
     * base.notes. */
    const struct trace_note *(*notes)(const struct trace *, size_t *count);
};

struct trace {
    const struct trace_methods *methods;
    const char *format;           /* literal */
    bool linked;                  /* as trace_linked() */
    bool dated;                   /* as trace_dated() */
    bool mixed;                   /* its jobs may have roles, or say what to do on failures */
    struct trace_note_list notes; /* released by trace_close() */
    bool ended; /* set by trace_next(), which from then on repeats `result` and `failure` */
    enum trace_result result;
    struct err failure;
};

/* A job with every field at its default or unknown: queue and user 0, class unset, one task with no
 * GPU, id "". */
void trace_job_init(struct trace_job *);

/* A format's row that says nothing of the job's end; the reader resolves it into `status_unknown`.
 */
#define TRACE_STATUS_UNSET TRACE_STATUSES

#endif
