/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `trace generate --like TRACE`: a trace that is like another one, and how like it is. */
#ifndef SIM_TRACE_LIKE_H
#define SIM_TRACE_LIKE_H

#include "sim/trace/read.h"
#include "traces/generate/fit.h"
#include "traces/vary/sample.h"

struct like {
    struct trace_fit *fit;
    struct sample *source, *made; /* the caller adds the jobs of the made one */
    const char *path;
};

/* Reads and fits the trace of --like; false with err set. like_close() in any case. */
bool like_open(struct like *, const struct cli *, const struct trace_names *, struct err *);
void like_close(struct like *);

/* Means, medians, and the KS distance of each marginal; shares of ends and users. */
void like_print(struct like *, struct out *);

#endif
