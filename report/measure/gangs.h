/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The largest gang that could be placed at each moment: tasks that take whole nodes of one pool, or
 * a single task that fits on one node. Devices in use by anybody, evicted tasks included, and of
 * nodes that are down or drained are not free. Where many devices are free in pieces it is far
 * smaller than their sum, and that is what packing and moving jobs are about.
 *
 * Sizes are whole numbers of devices, so the time spent at each of them is kept exactly, and
 * quantiles are exact too.
 */
#ifndef REPORT_MEASURE_GANGS_H
#define REPORT_MEASURE_GANGS_H

#include "sim/sim.h"

struct gangs {
    int64_t since_ms; /* all before is in time_ms */
    int64_t
        *time_ms;  /* in the window, by size of the largest gang; NULL until a task took devices */
    int64_t sizes; /* entries of time_ms: devices of the largest pool, and 1 */
    int64_t largest;                     /* now */
    int64_t *whole;                      /* by pool: devices of its nodes that are wholly free */
    int most;                            /* devices of the largest node */
    uint8_t *idle;                       /* by node: idle devices */
    uint32_t by_idle[FLEET_DEVICES + 1]; /* nodes with so many of them */
};

struct sim_observer gangs_observer(struct gangs *);
void gangs_fini(struct gangs *);

/* After sim_finish(): brings the times up to the end of the window. */
void gangs_finish(struct gangs *, const struct sim *);

/*
 * The largest gang was at least so large for all but `ppm` millionths of the window; -1 where that
 * is undefined (no time, or devices that are only counted).
 */
int64_t gangs_quantile(const struct gangs *, int64_t ppm);

#endif
