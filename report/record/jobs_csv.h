/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.csv: one row a job, written as jobs end; those that have not ended follow in order of
 * submission. */
#ifndef REPORT_RECORD_JOBS_CSV_H
#define REPORT_RECORD_JOBS_CSV_H

#include "report/measure/showback.h"
#include "sim/base/out.h"
#include "sim/sim.h"

struct jobs_csv {
    struct out *out;                 /* NULL: not wanted */
    bool begun;                      /* the header is written */
    bool deadlines;                  /* there is a column for them */
    const struct showback *showback; /* NULL: costs are empty */
    int64_t tau_ms; /* of the bounded slowdown; 0: WAITS_TAU_MS, from jobs_csv_open() on */
};

bool jobs_csv_open(struct jobs_csv *, const char *dir, struct err *);
struct sim_observer jobs_csv_observer(struct jobs_csv *);
void jobs_csv_finish(struct jobs_csv *, const struct sim *); /* after sim_finish() */

#endif
