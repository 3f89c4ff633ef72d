/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Planned changes of queues and how they affect running jobs. When a cut leaves a queue's running
 * jobs above its quota, this integrates the GPUs above the quota and records the time until the
 * queue fits again. Use that already exceeded the old quota counts too: after the cut, everything
 * above the new quota does. Only leaves are measured, since only they run jobs. A queue with quotas
 * by pool is compared pool by pool, and a cut of one of them is a cut.
 */
#ifndef REPORT_MEASURE_CHANGES_H
#define REPORT_MEASURE_CHANGES_H

#include "report/stats/tally.h"
#include "sim/base/json.h"
#include "sim/sim.h"

struct changes_queue {
    int64_t quota;    /* in force, thousandths of GPUs */
    int64_t since_ms; /* time of the cut; set while `above` */
    bool known, above;
    int64_t *pools; /* quotas in force by entry of the queue's `by_pool`; NULL: none */
};

struct changes {
    struct changes_queue *queues;
    size_t count;
    size_t above; /* queues above a quota that was cut */
    uint64_t applied, cuts;
    double over_milli_ms;
    /* The GPUs that the queue, with quotas by pool, has above them in use, thousandths. */
    int64_t (*over_by_pool)(void *self, const struct sim *, uint32_t queue);
    void *over_self;
    struct tally back; /* time from the cut until within quota again */
};

/* over_by_pool is set by then, or NULL: quotas by pool count as their sum. */
struct sim_observer changes_observer(struct changes *);
void changes_finish(struct changes *, const struct sim *);
void changes_fini(struct changes *);

/* Writes the object "changes"; nothing if no change is planned. */
void changes_json(const struct changes *, const struct sim *, struct json *);

#endif
