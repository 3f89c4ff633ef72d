/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of a simulation as a cluster snapshot, for `decide` and `explain`: nodes, queues and
 * jobs at the current simulated time, with all events up to and including it applied. Tasks are
 * called JOB-N, with leading zeros so that names sort in order.
 */
#ifndef REPORT_RECORD_SNAPSHOT_H
#define REPORT_RECORD_SNAPSHOT_H

#include "sim/base/out.h"
#include "sim/sim.h"

struct snapshot_option {
    const char *name, *value;
};

struct snapshot_about {
    const char *policy;
    const struct snapshot_option *options;
    size_t option_count;
};

/*
 * Returns false with err set, without writing anything, if devices are only counted: such a state
 * has no snapshot.
 */
bool snapshot_print(const struct sim *, const struct snapshot_about *, struct out *, struct err *);

#endif
