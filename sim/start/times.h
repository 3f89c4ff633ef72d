/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Total run times of the jobs of a snapshot, given how long each has run: as known, as its limit
 * says, or drawn from a distribution on condition that it has not ended yet. Draws are keyed by
 * seed and job, so no job changes another's.
 *
 *     exponential   elapsed + a draw with that mean: the distribution is memoryless
 *     lognormal     a draw from the tail beyond `elapsed`: the inverse of F at F(elapsed) + u (1 -
 *                   F(elapsed))
 *     trace         the run time of a job of the trace that took longer, uniformly among those of
 * its class and size (as in summaries); of its class, or of all, if there are none. If none took
 * longer, elapsed + an exponential draw with the trace's mean.
 *
 * A declared limit caps the drawn run time.
 */
#ifndef SIM_START_TIMES_H
#define SIM_START_TIMES_H

#include "scenarios/scenario.h"
#include "scenarios/snapshot/snapshot.h"
#include "traces/trace.h"

struct start_times;

bool start_times_open(struct start_times **, const struct scenario *, const struct trace_names *,
                      struct err *);
void start_times_close(struct start_times *); /* NULL is fine */

/* More than elapsed_ms. `class` and `milli` (thousandths of GPUs) select similar jobs of a trace.
 * Returns false if unknown. */
bool start_times_total(const struct start_times *, const struct snap_job *, uint64_t seed,
                       enum trace_class, int64_t milli, int64_t elapsed_ms, int64_t *total_ms,
                       struct err *);

#endif
