/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Use of spare nodes (sim/spare_nodes.h) in the window. A spare is in use unless it is idle: it has
 * replaced or is about to replace a node, or is under repair itself. Spares are exhausted while
 * some pool has a place with neither a node nor a spare on its way. By the binomial formula for
 * k-of-n (n places, s spares, each node down for a share 1 - A of the time) this is a share P(Bin(n
 * + s, 1 - A) > s) of the time.
 */
#ifndef REPORT_MEASURE_SPARES_H
#define REPORT_MEASURE_SPARES_H

#include "sim/sim.h"

struct json;

struct spares {
    int64_t since_ms; /* the sums are complete up to here; INT64_MIN: nothing yet */
    int64_t span_ms, exhausted_ms;
    uint32_t total, in_use, peak, missing; /* now; peak in the window */
    double in_use_ms;                      /* node milliseconds */
};

void spares_init(struct spares *);
struct sim_observer spares_observer(struct spares *);
void spares_finish(struct spares *, const struct sim *); /* call after sim_finish() */

/* Writes the object `spares` of reliability in summary.json; nothing if the run has no spares. */
void spares_json(const struct spares *, const struct sim *, struct json *);

#endif
