/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of measured throughput: does one agree with itself, and what work does a model have
 * according to one point.
 *
 * Published tables have misprints, and a model calibrated on one is wrong for ever. A scaling study
 * often prints the same facts several times over: rates, speed-ups over the first row, perfect
 * scaling, differences to another run. They must tell the same story, and efficiency must not rise
 * as devices are added.
 */
#ifndef SIM_PERF_TABLE_H
#define SIM_PERF_TABLE_H

#include "sim/base/err.h"
#include "sim/perf/step.h"

#include <stdint.h>

/* One number each for each size; NULL where the table does not have that column. Everything belongs
 * to the caller. */
struct perf_table {
    size_t count;
    const double *nodes;          /* or devices: sizes, rising */
    const double *rate;           /* samples per second */
    const double *linear;         /* rates of perfect scaling, as printed */
    const double *factor;         /* speed-ups over the first row, as printed: 1, 1.93, 3.65 */
    const double *reference;      /* rates of another run */
    const double *difference_pct; /* (reference - rate) / reference in %, as printed */
};

/* How much efficiency may rise from one row to a larger one: measurements scatter. */
#define PERF_TABLE_RISE 0.02

/*
 * False, with an explanation, when the table contradicts itself. Where its other columns say what a
 * wrong rate should be, and a number that differs from it in one digit agrees with them, that is
 * named.
 */
bool perf_table_check(const struct perf_table *, struct err *);

/*
 * False, with an explanation, when the model gives other rates than the table by more than
 * `tolerance` (0.02 is 2 %) on so many nodes like `node`, of which the job has the part's devices;
 * its number of nodes is not looked at.
 */
bool perf_table_follow(const struct perf_table *, const struct perf_rules *,
                       const struct perf_model *, const struct perf_part *node, double tolerance,
                       struct err *);

/*
 * Sets the work of a model so that a step on this placement, which nothing but the model itself
 * slows down, gives that rate. False when the rate is more than communication and fixed time allow.
 */
bool perf_calibrate(const struct perf_rules *, struct perf_model *, const struct perf_place *,
                    double samples_per_s, struct err *);

#endif
