/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Amounts over time in bounded memory. Each row (node, domain, uplink) has an amount in use and an
 * amount out of service in at most SERIES_INTERVALS intervals of equal length; as time goes on,
 * pairs of intervals are merged. A row costs time only when it changes.
 */
#ifndef REPORT_MEASURE_HEAT_MAP_H
#define REPORT_MEASURE_HEAT_MAP_H

#include "sim/base/out.h"

#include <stddef.h>
#include <stdint.h>

#define SERIES_INTERVALS 512

/* All zero before heat_map_open(). */
struct heat_map {
    size_t rows;
    int64_t start_ms, interval_ms;
    double *busy; /* [row][interval]: amount in use x ms */
    int64_t *level,
        *since_ms; /* by row: amount in use now, and the time up to which `busy` is complete */
    double *gone;  /* like busy, out of service; NULL until something is */
    int64_t *gone_level; /* like level, out of service */
};

void heat_map_init(struct heat_map *, size_t rows, int64_t start_ms, int64_t interval_ms);
void heat_map_fini(struct heat_map *);

/*
 * Adds to the amounts of a row in use and out of service from `now` on. `now` never decreases for a
 * row.
 */
void heat_map_add(struct heat_map *, size_t row, int64_t now, int64_t busy, int64_t gone);

/*
 * Completes all rows up to the end of the run. Then print the times of the intervals, and the
 * shares of a row, as columns.
 */
void heat_map_close(struct heat_map *, int64_t now);
void heat_map_times(const struct heat_map *, int64_t now, struct out *);

/*
 * Prints the busy share of a row of size `whole`: 0 to 1 of what is in service, -1 if more than
 * half was not.
 */
void heat_map_shares(const struct heat_map *, size_t row, int64_t whole, int64_t now, struct out *);

#endif
