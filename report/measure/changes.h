/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Planned changes of queues, and what became of jobs above a quota that was cut. From a cut on
 * until the queue's running jobs fit its quota, they hold GPUs above it: the integral of that, and
 * how long it took. Queues that had more than their quota before the cut count, too: from then on
 * all of it is above the new quota. Of leaves only: jobs run there.
 */
#ifndef REPORT_MEASURE_CHANGES_H
#define REPORT_MEASURE_CHANGES_H

#include "report/stats/tally.h"
#include "sim/base/json.h"
#include "sim/sim.h"

struct changes_queue {
    int64_t quota;    /* in force, thousandths of GPUs */
    int64_t since_ms; /* of the cut that it is above the quota since */
    bool known, above;
};

struct changes {
    struct changes_queue *queues;
    size_t count;
    size_t above; /* queues above a cut quota */
    uint64_t applied, cuts;
    double over_milli_ms;
    struct tally back; /* until within quota again */
};

struct sim_observer changes_observer(struct changes *);
void changes_finish(struct changes *, const struct sim *);
void changes_fini(struct changes *);

/* "changes", where some are planned. */
void changes_json(const struct changes *, const struct sim *, struct json *);

#endif
