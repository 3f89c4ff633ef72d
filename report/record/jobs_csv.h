/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.csv: one row per job, written as jobs end; unfinished jobs follow in order of submission. */
#ifndef REPORT_RECORD_JOBS_CSV_H
#define REPORT_RECORD_JOBS_CSV_H

#include "report/measure/showback.h"
#include "sim/base/out.h"
#include "sim/sim.h"

struct jobs_csv {
    struct out *out;                 /* NULL: not written */
    bool begun;                      /* the header has been written */
    bool deadlines;                  /* there is a column for deadlines */
    const struct showback *showback; /* NULL: costs are empty */
    int64_t tau_ms; /* of the bounded slowdown; 0 becomes WAITS_TAU_MS in jobs_csv_open() */
};

bool jobs_csv_open(struct jobs_csv *, const char *dir, struct err *);
struct sim_observer jobs_csv_observer(struct jobs_csv *);
void jobs_csv_finish(struct jobs_csv *, const struct sim *); /* call after sim_finish() */

#endif
