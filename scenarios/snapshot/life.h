/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a simulation that begins with a snapshot goes by, beside what decisions follow from: how
 * long a job takes, how far it is, what has become of it so far. `run --snapshot-at` writes what it
 * knows. All of it is optional.
 */
#ifndef SCENARIOS_SNAPSHOT_LIFE_H
#define SCENARIOS_SNAPSHOT_LIFE_H

#include "sim/work/progress.h"

#include <stdbool.h>
#include <stdint.h>

/* Durations in ms, -1 where the file does not say. */
struct snap_life {
    int64_t duration_ms;       /* all of its productive run time */
    int64_t done_ms, saved_ms; /* of it done so far, and covered by a checkpoint */
    int64_t estimate_ms;       /* a predictor's word */
    int64_t first_start_ms;    /* POLICY_NEVER: not said */
    int64_t queue_ms, ran_ms; /* pending up to its last start, all told; runs before the last one */
    int64_t checkpoint_ms, checkpoint_write_ms, restart_ms;
    int64_t row;              /* of its trace, -1 not said */
    const char *user, *model; /* "" not said */
    const char *recorded_on;  /* kind of node on which it takes duration_ms; "" not said */
    int32_t class, status;    /* enum trace_class (TRACE_CLASS_UNSET: not said), trace_status */
    int32_t tasks;            /* of the shape whose run time it is; 0: all it has */
    int32_t on_failure;       /* enum trace_on_failure; 0: as the scenario says */
    int32_t preemptions, moves, failures;
    int32_t sm_util_ppm, active_ppm; /* -1 not said */
    bool ending; /* a limit has ended it: it is over when its tasks are released */
    bool exact;  /* `progress` was said */
    struct work_progress progress; /* what is not said of it is 0 */
};

#endif
