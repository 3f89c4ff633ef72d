/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the stages of trace_adjust(). A stage wraps another trace: it changes the jobs that
 * pass through and forwards everything else.
 *
 *     trace_next() -> jitter -> change -> file, generator or merge
 */
#ifndef TRACES_VARY_ADJUST_INTERNAL_H
#define TRACES_VARY_ADJUST_INTERNAL_H

#include "traces/trace_internal.h"

/* The largest time that readers accept, positive or negative. */
#define STAGE_LAST_MS INT64_C(1000000000000000)

struct stage {
    struct trace base; /* must be first, as must this in a stage's own struct */
    struct trace *inner;
};

void stage_init(struct stage *, const struct trace_methods *, struct trace *inner);

/* Methods for a stage's table; a stage with memory of its own calls stage_close() from its own
 * close. */
void stage_close(struct trace *);
void stage_digest(const struct trace *, char hex[DIGEST_HEX]);
const struct trace_note *stage_notes(const struct trace *, size_t *count);

/* The stage that jitters arrivals; jitter_ms > 0. Takes ownership of the trace. */
struct trace *stage_jitter(struct trace *, int64_t jitter_ms, uint64_t seed);

#endif
