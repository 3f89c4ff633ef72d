/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Effects of faults in the window.
 *
 * ETTR of a job is its productive time over the wall time since its first start, including waits
 * after interruptions (Meta, arXiv 2410.21680). Productive time is at the best speed of the nodes
 * that it had, so faster nodes do not raise it. The mean is weighted by GPUs times wall time, over
 * counted jobs that compute and have a wall time of at least an hour; unfinished jobs count up to
 * the end.
 *
 * MTTF of a job size is the time that jobs of this size worked, restarted or wrote checkpoints,
 * over the number of their interruptions, without those that jobs caused themselves.
 */
#ifndef REPORT_MEASURE_RELIABILITY_H
#define REPORT_MEASURE_RELIABILITY_H

#include "report/measure/ledger.h"
#include "report/measure/waits.h"
#include "sim/sim.h"

struct reliability_class {
    uint64_t faults, interruptions;
    ledger_amount lost; /* work of jobs and time that they hung, thousandths times milliseconds */
};

/*
 * Work of a running job: its time at the best speed of its nodes, and its recorded time; ms x
 * millionths.
 */
struct reliability_job {
    double here, recorded;
};

struct reliability {
    uint64_t faults, node_failures,
        interruptions;           /* node failures: one per fault that sends nodes to repair */
    uint64_t burn_ins, rejected; /* completed burn-in tests, and failed ones */
    ledger_amount burn_in;       /* devices of nodes under test, thousandths times milliseconds */
    struct reliability_class *classes;
    uint32_t class_count;
    struct reliability_class memory;  /* jobs that ran out of device memory; not a fault */
    struct reliability_class planned; /* jobs whose nodes were removed as planned; not a fault */
    int64_t run_ms[WAITS_SIZES];      /* of jobs, whatever they hold */
    uint64_t stops[WAITS_SIZES];
    double productive, wall;      /* GPUs times milliseconds */
    struct reliability_job *jobs; /* by the policy core's number */
    size_t job_count;
};

struct sim_observer reliability_observer(struct reliability *);
void reliability_fini(struct reliability *);

/* Counts unfinished jobs up to the end; call after sim_finish(). */
void reliability_close(struct reliability *, const struct sim *);

double reliability_ettr(const struct reliability *); /* NaN if no job qualifies */

#endif
