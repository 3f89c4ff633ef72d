/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace in memory, for code that needs all of it: fitting, resampling. Owns its jobs and their
 * strings.
 */
#ifndef TRACES_VARY_WHOLE_H
#define TRACES_VARY_WHOLE_H

#include "traces/trace.h"

struct whole {
    struct trace_job *jobs; /* in order of submission */
    char **texts;           /* by job */
    size_t count, capacity, text_capacity;
    bool linked, dated, mixed; /* as in the trace */
};

void whole_add(struct whole *, const struct trace_job *);
void whole_free(struct whole *);

/* Returns the same jobs as a trace; the whole must outlive it. */
struct trace *whole_trace(const struct whole *, const char *format);

#endif
