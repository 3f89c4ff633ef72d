/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What spare nodes (sim/spare_nodes.h) were good for, in the window. In use are those that are no
 * idle spares: as many places of others as they hold or are about to take, and those that are under
 * repair themselves. They are exhausted while some pool has a place that neither a node nor a spare
 * on its way has. By the binomial formula for k-of-n (n places, s spares, each node down a share 1
 * - A of the time) that is a share P(Bin(n + s, 1 - A) > s) of the time.
 */
#ifndef REPORT_MEASURE_SPARES_H
#define REPORT_MEASURE_SPARES_H

#include "sim/sim.h"

struct json;

struct spares {
    int64_t since_ms; /* until then all is in the sums; INT64_MIN: nothing yet */
    int64_t span_ms, exhausted_ms;
    uint32_t total, in_use, peak, missing; /* now; peak in the window */
    double in_use_ms;                      /* node milliseconds */
};

void spares_init(struct spares *);
struct sim_observer spares_observer(struct spares *);
void spares_finish(struct spares *, const struct sim *); /* after sim_finish() */

/* The object `spares` of reliability in summary.json; nothing when the run has none. */
void spares_json(const struct spares *, const struct sim *, struct json *);

#endif
