/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPUs busy in each hour of the trace's clock: recorded and simulated. */
#ifndef SIM_CALIBRATE_HOURS_H
#define SIM_CALIBRATE_HOURS_H

#include <stddef.h>
#include <stdint.h>

#define CALIBRATE_HOUR INT64_C(3600000) /* ms */

struct calibrate_hour {
    double recorded, simulated; /* GPUs, mean over the hour */
};

struct calibrate_hours {
    int64_t from_ms; /* where hour 0 begins */
    struct calibrate_hour *hours;
    size_t count;
};

/*
 * Adds GPUs (in thousandths) that were busy from one time to another; any part outside is ignored.
 */
void calibrate_hours_recorded(struct calibrate_hours *, int64_t milli, int64_t from, int64_t to);
void calibrate_hours_simulated(struct calibrate_hours *, int64_t milli, int64_t from, int64_t to);

#endif
