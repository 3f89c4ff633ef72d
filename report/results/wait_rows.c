/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits from rows of jobs.csv; see wait_rows.h. */
#include "report/results/wait_rows.h"

#include <math.h>
#include <string.h>

struct wait_rows wait_rows_of(const struct rundir *run)
{
    return (struct wait_rows){.start_s = rundir_window_start(run), .end_s = rundir_window_end(run)};
}

bool wait_rows_header(struct wait_rows *w, const struct rundir_row *header, struct err *err)
{
    w->queue = rundir_column(header, "queue_s");
    w->end = rundir_column(header, "end_s");
    return rundir_need(header, "submit_s", &w->submit, err) &&
           rundir_need(header, "wait_s", &w->wait, err) &&
           rundir_need(header, "state", &w->state, err);
}

/*
 * Computes the lower bound of the wait of a job that has not started: as in the file, or until it
 * was cancelled, or until the window ended; NaN if unknown.
 */
static bool waited_at_least(const struct wait_rows *w, const struct rundir_row *row,
                            double submit_s, double *wait_s, struct err *err)
{
    double queue_s, end_s;
    if (!rundir_number(row, w->queue, &queue_s, err) || !rundir_number(row, w->end, &end_s, err))
        return false;
    double until_s = isnan(end_s) ? w->end_s : end_s;
    *wait_s = isnan(queue_s) ? until_s - submit_s : queue_s;
    return true;
}

bool wait_rows_read(const struct wait_rows *w, const struct rundir_row *row, struct wait_seen *seen,
                    struct err *err)
{
    double submit_s;
    *seen = (struct wait_seen){false, false, 0};
    if (!rundir_number(row, w->submit, &submit_s, err) ||
        !rundir_number(row, w->wait, &seen->wait_s, err))
        return false;
    const char *state = row->field[w->state];
    bool outside = submit_s < w->start_s || submit_s > w->end_s;
    if (outside || strcmp(state, "never_fits") == 0)
        return true;
    seen->pending = strcmp(state, "pending") == 0 || isnan(seen->wait_s);
    if (isnan(seen->wait_s) && !waited_at_least(w, row, submit_s, &seen->wait_s, err))
        return false;
    seen->counted = !isnan(seen->wait_s);
    return true;
}
