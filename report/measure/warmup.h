/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the warm-up of a run ends: MSER-5 (report/stats/steady.h) on its queue length. The
 * observations are the mean numbers of pending jobs in slots of equal length, from the first
 * submission to the last one; what comes later only empties the queues.
 *
 *     pending   first submission                                    last submission
 *        |      |----|----|----|----|----|----|----|----|----|----|----|
 *        |      slots of 1, 2, 10, 20, 100, 200, ... ms: the shortest of which WARMUP_SLOTS cover
 *               all of it
 *
 * So there are 2,000 to 10,000 of them, however long the run is, and five make a group: the end of
 * the warm-up is known to a 400th of the run or better. Sums are of whole numbers; memory does not
 * grow.
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
    int64_t last_ms; /* submission; INT64_MIN: none */
};

/* A zeroed one is fine; the warmup is borrowed until the run has ended. */
struct sim_observer warmup_observer(struct warmup *);

/* Nothing that is still to come has a say: all jobs of the trace have been submitted. */
bool warmup_complete(const struct sim *);

/*
 * After the run: how long after the first submission measurement begins, in ms; 0 where there are
 * less than ten slots. *half: no steady state was found, since MSER-5 leaves away as much as it
 * may, half of the run.
 */
int64_t warmup_end(struct warmup *, const struct sim *, bool *half);
void warmup_fini(struct warmup *);

#endif
