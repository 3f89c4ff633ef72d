/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Amounts over time in bounded memory: rows (nodes, domains, uplinks), of each what is in use and
 * what is out of service, in at most SERIES_INTERVALS intervals of equal length. When time goes on,
 * neighbouring intervals are added up and become twice as long. A row costs something only when it
 * changes.
 */
#ifndef REPORT_MEASURE_HEAT_MAP_H
#define REPORT_MEASURE_HEAT_MAP_H

#include "sim/base/out.h"

#include <stddef.h>
#include <stdint.h>

#define SERIES_INTERVALS 512

/* Zeros: not open yet. */
struct heat_map {
    size_t rows;
    int64_t start_ms, interval_ms;
    double *busy; /* [row][interval]: amount in use times milliseconds */
    int64_t *level,
        *since_ms;       /* of each row: amount in use now, and since when that is not in `busy` */
    double *gone;        /* as busy, of what is out of service; NULL: nothing was yet */
    int64_t *gone_level; /* as level, of that */
};

void heat_map_init(struct heat_map *, size_t rows, int64_t start_ms, int64_t interval_ms);
void heat_map_fini(struct heat_map *);

/* From `now` on a row has so much more in use, and so much more is out of service. Times of a row
 * do not fall. */
void heat_map_add(struct heat_map *, size_t row, int64_t now, int64_t busy, int64_t gone);

/* Brings all rows up to the end of the run; then the times of the intervals, and the shares of a
 * row as columns. */
void heat_map_close(struct heat_map *, int64_t now);
void heat_map_times(const struct heat_map *, int64_t now, struct out *);

/* Of a row that is `whole` large: 0 to 1 of what is in service, -1 where more than half was not. */
void heat_map_shares(const struct heat_map *, size_t row, int64_t whole, int64_t now, struct out *);

#endif
