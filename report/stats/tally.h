/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A tally: how often each value was seen, exactly. Values are int64 (milliseconds, thousandths),
 * and each observation is complete (a wait that ended) or censored (a job that still waits: its
 * wait is at least this). Memory grows with the number of different values, not of observations;
 * percentiles are exact.
 *
 * Without censored values a percentile is the nearest-rank one: the smallest value with at least q
 * n values at or below it. With censored ones it comes from the Kaplan-Meier estimate of the
 * distribution: the smallest value at which the estimated share above it is at most 1 - q; when the
 * estimate never gets there, only a lower bound is known.
 */
#ifndef REPORT_STATS_TALLY_H
#define REPORT_STATS_TALLY_H

#include "sim/base/json.h"
#include "sim/base/wide.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef wide tally_sum; /* many values of centuries pass int64 */

struct tally_cell {
    int64_t value;
    uint32_t observed, censored; /* both 0: the cell is free */
};

/*
 * The value added last is not among the cells yet: the same often comes again, and the place of
 * another is fetched from memory in the time until the next one comes.
 */
struct tally {
    struct tally_cell *cells; /* open addressing; capacity is a power of two */
    size_t used, capacity;
    struct tally_cell last;
    uint64_t observed, censored;
    tally_sum sum; /* of the observed */
    int64_t max;   /* of all; 0 when there are none */
};

void tally_fini(struct tally *);
void tally_add(struct tally *, int64_t value, bool censored);
void tally_reserve(struct tally *, size_t values); /* room for so many different ones */
void tally_merge(struct tally *into, const struct tally *from);

struct tally_quantile {
    bool known;
    int64_t value; /* or, when it is not known, a lower bound */
};

/* The cells in rising order of value, to be freed by the caller; *count of them. */
struct tally_cell *tally_sorted(const struct tally *, size_t *count);

/* q in (0, 1); cells as from tally_sorted(). */
struct tally_quantile tally_quantile(const struct tally *, const struct tally_cell *cells,
                                     size_t count, double q);

/*
 * {"mean", "p50", "p90", "p95", "p99", "max", "censored"} with values divided by 1000; what is only
 * known to be at least x is null, with "p95_at_least": x beside it.
 */
void tally_json(const struct tally *, struct json *, const char *key);

#endif
