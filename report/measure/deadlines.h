/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Deadlines of jobs (column deadline_s), of those submitted in the window. A job meets its deadline
 * when it ends by then, however it ends; lateness is how much later it ends, 0 for one that meets
 * it. A job that has not ended and is late already misses its deadline, and its lateness is at
 * least that; one that may still meet it is in `jobs` alone. Jobs that could never start or were
 * cancelled before they could are not among them.
 */
#ifndef REPORT_MEASURE_DEADLINES_H
#define REPORT_MEASURE_DEADLINES_H

#include "report/stats/tally.h"
#include "sim/base/json.h"
#include "sim/sim.h"

struct deadlines {
    uint64_t jobs, met, missed; /* jobs: those too that are neither yet */
    struct tally lateness;
};

struct sim_observer deadlines_observer(struct deadlines *);

/* Takes in the jobs that have not ended, after sim_finish(). */
void deadlines_finish(struct deadlines *, const struct sim *);
void deadlines_fini(struct deadlines *);

/* "deadlines" */
void deadlines_json(const struct deadlines *, struct json *);

#endif
