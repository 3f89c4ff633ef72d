/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which job holds which row, and the resulting bars; see explore.h. */
#ifndef REPORT_EXPLORE_ROWS_H
#define REPORT_EXPLORE_ROWS_H

#include "sim/sim.h"

/*
 * Neighbouring rows that a job holds for a period: `milli` thousandths of each row, from `offset`
 * on.
 */
struct explore_bar {
    int64_t from_ms, to_ms;
    uint32_t job, row, rows;
    uint16_t offset, milli;
};

struct explore_hold; /* a task on a row */

struct explore_row {
    struct explore_hold *holds;
    uint32_t count, capacity;
};

struct explore_rows {
    uint32_t *first_row; /* by node, or by pool if devices are only counted; one entry more */
    struct explore_row *rows;
    size_t row_count;
    uint32_t **free_rows; /* by pool, if devices are only counted: a heap */
    size_t *free_count;
    size_t pool_count;
    struct explore_bar *bars;
    size_t bar_count, bar_capacity;
};

void explore_rows_open(struct explore_rows *, const struct sim *);
void explore_rows_fini(struct explore_rows *);

/* A task of the job takes its devices (sign 1) or releases them (-1). */
void explore_rows_held(struct explore_rows *, const struct sim *, uint32_t job,
                       const struct work_task *, int sign);

/* Ends all bars, and sorts them by time, row and job. */
void explore_rows_finish(struct explore_rows *, int64_t now_ms);

#endif
