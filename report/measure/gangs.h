/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The largest gang that could be placed at each moment: tasks that take whole nodes of one pool, or
 * a single task that fits on one node. Devices that a task holds (evicted tasks too) or whose node
 * is down or drained are not free. If free devices are scattered, it is far smaller than their
 * number: this is what packing and consolidation improve.
 *
 * Sizes are whole devices and the time at each size is kept, so quantiles are exact.
 */
#ifndef REPORT_MEASURE_GANGS_H
#define REPORT_MEASURE_GANGS_H

#include "sim/sim.h"

struct gangs {
    int64_t since_ms; /* time_ms is complete up to here */
    int64_t *time_ms; /* time in the window by size of the largest gang; NULL before the first task
                         took devices */
    int64_t sizes;   /* entries of time_ms: devices of the largest gang in an empty fleet, plus 1 */
    int64_t largest; /* now */
    int64_t *whole;  /* by pool: devices of completely free nodes */
    int most;        /* devices of the largest node */
    uint8_t *idle;   /* by node: idle devices */
    uint32_t by_idle[FLEET_DEVICES + 1]; /* number of nodes that offer that many idle devices */
};

struct sim_observer gangs_observer(struct gangs *);
void gangs_fini(struct gangs *);

/* Completes the times up to the end of the window; call after sim_finish(). */
void gangs_finish(struct gangs *, const struct sim *);

/*
 * Returns the size that the largest gang reached or exceeded in all but `ppm` millionths of the
 * window; -1 if undefined (no time, or devices that are only counted).
 */
int64_t gangs_quantile(const struct gangs *, int64_t ppm);

#endif
