/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A calibration: a log simulated on a scenario, and how far the simulation is from the recording. A
 * job's wait is from when it was eligible to its first start: as recorded, and as simulated. It
 * includes jobs that have a recorded start, were submitted in the measurement window, and start in
 * both. Percentiles are nearest-rank.
 */
#ifndef SIM_CALIBRATE_CALIBRATE_H
#define SIM_CALIBRATE_CALIBRATE_H

#include "sim/calibrate/hours.h"
#include "sim/calibrate/log.h"

#define CALIBRATE_DAY 24 /* hours of the day */

/* A wait up to this counts as none: cycles and launches take as long in real clusters. */
#define CALIBRATE_AT_ONCE_MS 60000

struct calibrate_waits {
    double mean_s, p50_s, p95_s, max_s;
};

struct calibrate_group {
    const char *name; /* of a class or queue; NULL */
    uint64_t jobs;
    struct calibrate_waits recorded, simulated;
    double difference_s; /* recorded minus simulated, the sum over its jobs */
};

/* Which waits differ. */
enum calibrate_part { PART_NEITHER, PART_RECORDED, PART_SIMULATED, PART_BOTH, PARTS };

struct calibrate_starts {
    double median_s, p90_s; /* of |recorded - simulated| waits */
    uint64_t in_order;      /* the most jobs that start in the same order in both */
};

struct calibrate_use {
    double recorded, simulated; /* mean of busy GPUs over the hours */
    double gap;                 /* mean over the hours of |recorded - simulated|, GPUs */
    double correlation;         /* Pearson's, over the hours; nan where one side is constant */
    double peak;                /* most GPUs that were recorded as busy at one time */
    double installed;           /* GPUs of the scenario's fleet, at the end of the run */
};

struct calibrate {
    struct calibrate_log log;
    struct calibrate_hours hours; /* full hours of the measurement window up to the last arrival */
    struct calibrate_group all, classes[TRACE_CLASSES], day[CALIBRATE_DAY], *queues;
    size_t queue_count;
    struct calibrate_group parts[PARTS];
    uint64_t never; /* recorded as started, counted, and never started in the simulation */
    struct calibrate_starts starts;
    struct calibrate_use use;
};

#endif
