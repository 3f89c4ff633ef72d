/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting: wait (first start - eligible), queue (all pending intervals), JCT (end - submit) and
 * bounded slowdown, by class, size and queue, of the jobs submitted in the window. Jobs still
 * pending at the end are censored; jobs that can never fit (sim/fits.h) are only counted, since no
 * policy could start them. Jobs that a packing study drops count as failed.
 *
 * bounded slowdown = max(1, (end - submit) / max(p, tau)), p the ideal run time; kept in
 * thousandths.
 */
#ifndef REPORT_MEASURE_WAITS_H
#define REPORT_MEASURE_WAITS_H

#include "report/stats/tally.h"
#include "sim/sim.h"

#define WAITS_TAU_MS 60000 /* default of the scenario's metrics.tau */

enum waits_size {
    SIZE_NONE,
    SIZE_SHARE,
    SIZE_1,
    SIZE_2,
    SIZE_8,
    SIZE_9,
    SIZE_64,
    SIZE_512,
    WAITS_SIZES
};
extern const char *const waits_size_names[WAITS_SIZES]; /* "0", "<1", "1", "2-7", ... */
enum waits_size waits_size_of(int64_t gpu_milli);

struct waits_cell {
    uint64_t jobs;
    struct tally wait, jct;
};

struct waits_queue {
    struct tally wait, queue, jct, slowdown;
};

struct waits {
    int64_t tau_ms; /* 0: becomes WAITS_TAU_MS in waits_observer() */
    struct waits_cell cells[TRACE_CLASSES][WAITS_SIZES];
    struct waits_queue *by_queue; /* by sim queue; queues without a job so far may be missing */
    size_t queue_count;
    tally_sum weight, weighted; /* GPU time of jobs, and the sum of it times their waits */
    bool weighted_open;         /* some of these waits are not over */
    double slowdown_sum, slowdown_log_sum;
    uint64_t slowdown_count;
    uint64_t submitted; /* sum of: */
    uint64_t completed, stopped, failed, cancelled, running, pending, never_fits;
};

struct sim_observer waits_observer(struct waits *);

/* Includes unfinished jobs; call after sim_finish(). */
void waits_finish(struct waits *, const struct sim *);
void waits_fini(struct waits *);

int64_t waits_slowdown_milli(const struct work_job *, int64_t tau_ms);

#endif
