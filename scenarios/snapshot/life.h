/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a simulation starting from a snapshot needs in addition to what decisions depend on: a job's
 * duration, progress and past. `run --snapshot-at` writes what it knows. All of it is optional.
 */
#ifndef SCENARIOS_SNAPSHOT_LIFE_H
#define SCENARIOS_SNAPSHOT_LIFE_H

#include "sim/work/progress.h"

#include <stdbool.h>
#include <stdint.h>

/* Durations in ms; -1 if not stated. */
struct snap_life {
    int64_t duration_ms;       /* total productive run time */
    int64_t done_ms, saved_ms; /* part of it done so far, and part covered by a checkpoint */
    int64_t estimate_ms;       /* a predictor's estimate */
    int64_t first_start_ms;    /* POLICY_NEVER: not stated */
    int64_t queue_ms,
        ran_ms; /* total time pending up to its last start; runs before the last one */
    int64_t checkpoint_ms, checkpoint_write_ms, restart_ms;
    int64_t row;              /* row in its trace; -1: not stated */
    const char *user, *model; /* "": not stated */
    const char *recorded_on;  /* kind of node on which it takes duration_ms; "": not stated */
    int32_t class, status;    /* enum trace_class (TRACE_CLASS_UNSET: not stated), trace_status */
    int32_t tasks;            /* number of tasks that duration_ms is for; 0: all */
    int32_t on_failure;       /* enum trace_on_failure; 0: as in the scenario */
    int32_t preemptions, moves, failures;
    int32_t sm_util_ppm, active_ppm; /* -1: not stated */
    bool ending;                     /* ended by a limit: it is over once its tasks are released */
    bool exact;                      /* `progress` was stated */
    struct work_progress progress;   /* members that were not stated are 0 */
};

#endif
