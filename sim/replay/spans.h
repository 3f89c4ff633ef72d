/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spans of time in milliseconds, gathered one by one, and their nearest-rank quantiles. */
#ifndef SIM_REPLAY_SPANS_H
#define SIM_REPLAY_SPANS_H

#include <stddef.h>
#include <stdint.h>

/* All zeros: none so far. */
struct spans {
    int64_t *ms;
    size_t count, capacity;
};

void spans_add(struct spans *, int64_t ms);
void spans_fini(struct spans *);

/* 0 < q <= 1: the smallest span with at least a share q at or below it; 0 if there are none. Sorts
 * the spans. */
int64_t spans_quantile(struct spans *, double q);

#endif
