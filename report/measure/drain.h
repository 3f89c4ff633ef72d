/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The drain: simulated time after the measurement window, until the jobs submitted in the window
 * have ended. No other measure of time or cost includes it. Jobs that end in it count like all
 * others.
 *
 *     first submission         last submission          end of the last job
 *           |====== window =========|------- drain ----------|
 */
#ifndef REPORT_MEASURE_DRAIN_H
#define REPORT_MEASURE_DRAIN_H

#include "report/measure/ledger.h"
#include "sim/base/json.h"
#include "sim/sim.h"

struct drain {
    ledger_amount available, allocated;
    uint64_t jobs; /* measured jobs that ended in the drain */
};

struct sim_observer drain_observer(struct drain *);

/* Writes the object "drain"; call after sim_finish(). */
void drain_json(const struct drain *, const struct sim *, struct json *);

#endif
