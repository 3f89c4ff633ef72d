/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The drain: what is simulated after the measurement window, until the jobs submitted in it have
 * ended. No other figure of time or cost includes it, but the jobs that end in it count as all
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
    uint64_t jobs; /* of those measured: ended in it */
};

struct sim_observer drain_observer(struct drain *);

/* "drain", after sim_finish(). */
void drain_json(const struct drain *, const struct sim *, struct json *);

#endif
