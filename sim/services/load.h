/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The load of a service: requests per second over time, constant between steps. Times are
 * milliseconds from the beginning of the run, rates are thousandths of a request per second; sums
 * are rates times milliseconds, so everything is exact.
 *
 *     rate |        ___
 *          |   ____|   |______
 *          |__|               |____      at_ms: 0, ...  the last step lasts for ever
 *
 * A generated load is the same every day, lower at weekends, with noise: in the middle of each step
 *
 *     rate = (base + (peak - base) * (1 + cos(2 pi (hour - peak_hour) / 24)) / 2 * w) * n
 *
 * w is 1 on weekdays and `weekend` on the last two days of each week; n is lognormal with mean 1,
 * whose logarithm has standard deviation `noise`, drawn for each step from a stream keyed by (seed,
 * entity, step). The run begins on a Monday at 0:00.
 */
#ifndef SIM_SERVICES_LOAD_H
#define SIM_SERVICES_LOAD_H

#include "sim/base/wide.h"

#include <stddef.h>
#include <stdint.h>

typedef wide load_sum;

struct load {
    int64_t *at_ms; /* rising from 0 */
    int64_t *milli; /* rate from then on */
    load_sum *sum;  /* of all before */
    size_t count;   /* at least 1 */
};

struct load_shape {
    double base_rps, peak_rps; /* 0 <= base <= peak */
    double peak_hour;          /* 0..24 */
    double weekend;            /* 0..1 */
    double noise;              /* >= 0 */
    int64_t step_ms;           /* > 0 */
};

struct load_row {
    int64_t at_ms, milli;
};

/* Generates a load for a run of that length. Released with load_fini(). */
void load_make(struct load *, const struct load_shape *, int64_t until_ms, uint64_t seed,
               uint64_t entity);

/* A load as given: count >= 1 rows with rising times, the first at 0. */
void load_given(struct load *, const struct load_row *, size_t count);
void load_fini(struct load *);

/* All for times >= 0. */
int64_t load_at(const struct load *, int64_t at_ms);   /* the rate */
int64_t load_next(const struct load *, int64_t at_ms); /* the next step after it; INT64_MAX none */
load_sum load_between(const struct load *, int64_t from_ms,
                      int64_t to_ms); /* requests, in millionths */
int64_t load_most(const struct load *, int64_t from_ms,
                  int64_t to_ms); /* largest rate in [from, to] */

#endif
