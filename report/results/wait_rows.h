/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The waits in rows of jobs.csv: the time to a job's first start, or a lower bound if it has not
 * started. Only jobs that were submitted in the window and fit the fleet count.
 *
 *     struct wait_rows columns = wait_rows_of(run);
 *     in the callbacks of rundir_csv(): wait_rows_header(&columns, header, err),
 *     wait_rows_read(&columns, row, &seen, err)
 */
#ifndef REPORT_RESULTS_WAIT_ROWS_H
#define REPORT_RESULTS_WAIT_ROWS_H

#include "report/results/rundir.h"

struct wait_rows {
    size_t submit, wait, queue, end, state; /* columns */
    double start_s, end_s;                  /* window; NaN if unknown */
};

struct wait_seen {
    bool counted;
    bool pending;  /* the wait is a lower bound */
    double wait_s; /* at least 0 in files that we write */
};

struct wait_rows wait_rows_of(const struct rundir *);

/* Returns false with err set if a column is missing or a field is not a number. */
bool wait_rows_header(struct wait_rows *, const struct rundir_row *header, struct err *);
bool wait_rows_read(const struct wait_rows *, const struct rundir_row *, struct wait_seen *,
                    struct err *);

#endif
