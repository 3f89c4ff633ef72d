/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Deadlines (column deadline_s) of jobs submitted in the window. A job meets its deadline if it
 * ends by then, whatever its end; its lateness is the time it ends after it, or 0. A job that is
 * still unfinished past its deadline has missed it, and its lateness is a lower bound. Unfinished
 * jobs whose deadline is still ahead count only in `jobs`. Jobs that could never start, or were
 * cancelled before they could, are left out.
 */
#ifndef REPORT_MEASURE_DEADLINES_H
#define REPORT_MEASURE_DEADLINES_H

#include "report/stats/tally.h"
#include "sim/base/json.h"
#include "sim/sim.h"

struct deadlines {
    uint64_t jobs, met, missed; /* jobs includes those that have neither met nor missed theirs */
    struct tally lateness;
};

struct sim_observer deadlines_observer(struct deadlines *);

/* Counts unfinished jobs; call after sim_finish(). */
void deadlines_finish(struct deadlines *, const struct sim *);
void deadlines_fini(struct deadlines *);

/* Writes the object "deadlines". */
void deadlines_json(const struct deadlines *, struct json *);

#endif
