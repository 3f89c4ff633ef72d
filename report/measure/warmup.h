/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The end of a run's warm-up: MSER-5 (report/stats/steady.h) on its queue length. The observations
 * are the mean numbers of pending jobs in slots of equal length, from the first submission to the
 * last; after that the queues only empty.
 *
 *     pending   first submission                                    last submission
 *        |      |----|----|----|----|----|----|----|----|----|----|----|
 *        |      slots of 1, 2, 10, 20, 100, 200, ... ms: the shortest of which WARMUP_SLOTS cover
 *               all of it
 *
 * So there are 2,000 to 10,000 slots for a run of any length, in groups of five: the end of the
 * warm-up is known to 1/400 of the run or better. Sums are integers, and memory does not grow.
 */
#ifndef REPORT_MEASURE_WARMUP_H
#define REPORT_MEASURE_WARMUP_H

#include "sim/base/wide.h"
#include "sim/sim.h"

#define WARMUP_SLOTS 10000

typedef wide warmup_amount;

struct warmup {
    warmup_amount *slots; /* jobs x ms */
    int64_t width_ms;
    int64_t last_ms; /* time of the last submission; INT64_MIN: none */
};

/* The warmup may be zeroed; it is borrowed until the run has ended. */
struct sim_observer warmup_observer(struct warmup *);

/* Returns true if all jobs of the trace have been submitted, so the result can no longer change. */
bool warmup_complete(const struct sim *);

/*
 * Call after the run. Returns the start of measurement in ms after the first submission; 0 with
 * fewer than ten slots. *half is set if there is no steady state: MSER-5 dropped as much as it may,
 * half of the run.
 */
int64_t warmup_end(struct warmup *, const struct sim *, bool *half);
void warmup_fini(struct warmup *);

#endif
