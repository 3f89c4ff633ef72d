/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A tally: how often each value was seen, exactly. Values are int64 (milliseconds, thousandths),
 * and each observation is complete (a wait that ended) or censored (a job that is still pending:
 * its wait is at least this). Memory grows with the number of distinct values, not of observations;
 * percentiles are exact.
 *
 * Without censored values a percentile is the nearest-rank one: the smallest value with at least q
 * n values at or below it. With censored values it comes from the Kaplan-Meier estimate of the
 * distribution: the smallest value such that the estimated share above it is at most 1 - q. If the
 * estimate never falls that low, only a lower bound is known.
 */
#ifndef REPORT_STATS_TALLY_H
#define REPORT_STATS_TALLY_H

#include "sim/base/json.h"
#include "sim/base/wide.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef wide tally_sum; /* sums of long waits of many jobs overflow int64 */

struct tally_cell {
    int64_t value;
    uint32_t observed, censored; /* both 0: the cell is free */
};

/*
 * Values are first kept in the order in which they were added, and move into the table in batches:
 * one cell at a time would wait for memory at each.
 */
struct tally {
    struct tally_cell *cells; /* open addressing; capacity is a power of two */
    size_t used, capacity;
    struct tally_cell *recent; /* not in the table yet; one value may have several */
    size_t recent_count, recent_capacity;
    bool sorted; /* all values are in `recent`, each once and in rising order */
    uint64_t observed, censored;
    tally_sum sum; /* of the complete observations */
    int64_t max;   /* of all observations; 0 without any */
};

void tally_fini(struct tally *);
void tally_add(struct tally *, int64_t value, bool censored);
void tally_merge(struct tally *into, const struct tally *from);

/* Sorts the values once for all uses to come. More may be added later, but this costs time. */
void tally_sort(struct tally *);

struct tally_quantile {
    bool known;
    int64_t value; /* or a lower bound, if the quantile is unknown */
};

/* Returns the cells in rising order of value, *count of them. The caller frees them. */
struct tally_cell *tally_sorted(const struct tally *, size_t *count);

/* q in (0, 1); cells as returned by tally_sorted(). */
struct tally_quantile tally_quantile(const struct tally *, const struct tally_cell *cells,
                                     size_t count, double q);

/*
 * Writes {"mean", "p50", "p90", "p95", "p99", "max", "censored"} with values divided by 1000. A
 * quantile known only as a lower bound x is null, with "p95_at_least": x.
 */
void tally_json(const struct tally *, struct json *, const char *key);

#endif
