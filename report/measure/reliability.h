/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What faults did, in the window. ETTR of a job is its productive time (at the best speed of the
 * nodes that it had, so that fast ones make it no better) to the wall time since its first start,
 * waiting after interruptions included (Meta, arXiv 2410.21680); the mean is weighted by GPUs times
 * wall time, over counted jobs that compute and whose wall time is at least an hour, the unfinished
 * ones as far as they are. MTTF of a size of jobs is the time for which jobs of the size were at
 * work, restarting or writing to the number of their interruptions, those by the jobs' own doing
 * left out.
 */
#ifndef REPORT_MEASURE_RELIABILITY_H
#define REPORT_MEASURE_RELIABILITY_H

#include "report/measure/ledger.h"
#include "report/measure/waits.h"
#include "sim/sim.h"

struct reliability_class {
    uint64_t faults, interruptions;
    ledger_amount
        lost; /* work of jobs and time for which they hung, thousandths times milliseconds */
};

/* Of a job in flight: what its work took at the best speed of its nodes, and where it was recorded;
 * ms x millionths. */
struct reliability_job {
    double here, recorded;
};

struct reliability {
    uint64_t faults, node_failures,
        interruptions;           /* node failures: nodes that left for repair, once each fault */
    uint64_t burn_ins, rejected; /* tests of nodes that ended, and those that failed */
    ledger_amount burn_in;       /* devices of nodes under test, thousandths times milliseconds */
    struct reliability_class *classes;
    uint32_t class_count;
    struct reliability_class memory; /* jobs that were ended for their device memory: no fault */
    int64_t run_ms[WAITS_SIZES];     /* of jobs, whatever they hold */
    uint64_t stops[WAITS_SIZES];
    double productive, wall;      /* GPUs times milliseconds */
    struct reliability_job *jobs; /* by the policy core's number */
    size_t job_count;
};

struct sim_observer reliability_observer(struct reliability *);
void reliability_fini(struct reliability *);

/* After sim_finish(): jobs that have not ended count as far as they are. */
void reliability_close(struct reliability *, const struct sim *);

double reliability_ettr(const struct reliability *); /* NaN without such jobs */

#endif
