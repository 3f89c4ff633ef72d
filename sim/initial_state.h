/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run that begins in the middle: somebody (a snapshot) shows the jobs that are there at `now_ms`,
 * running on their devices, giving them back, or waiting since they were submitted, and the run
 * goes on from there.
 *
 *     begin   now_ms; arrivals up to then are left out
 *     next    one job after the other, in the order of submission: the core is told of it, its
 *             tasks take their devices
 *     rest    states of nodes, use in the past: whatever else there is to be told before the first
 *             decision
 *
 * What is measured begins at now_ms. A job that has not started yet counts as one of the window (if
 * that has no warm-up), with all it has waited; one that runs, or ran before, does not.
 *
 * What the source hands out belongs to it, and lives until the next call.
 */
#ifndef SIM_INITIAL_STATE_H
#define SIM_INITIAL_STATE_H

#include "policies/policy.h"
#include "sim/base/err.h"
#include "sim/work/progress.h"
#include "traces/trace.h"

struct sim;

enum sim_initial_task_state {
    SIM_INITIAL_RUNS,
    SIM_INITIAL_RELEASING,
    SIM_INITIAL_GATED,
    SIM_INITIAL_OVER
};

/* A task that does not simply wait. */
struct sim_initial_task {
    uint32_t number; /* in the job, as its roles count */
    uint8_t state;   /* enum sim_initial_task_state */
    bool failed;     /* OVER */
    uint32_t node;   /* RUNS, RELEASING: in the fleet, and the devices that it holds there */
    uint64_t devices;
    int64_t
        release_ms; /* RELEASING: when its grace is over; WORK_NEVER: it has all of it before it */
};

struct sim_initial_job {
    const struct trace_job
        *about; /* as a trace would say it; its row is what it does by chance by */
    struct policy_job_spec
        spec; /* what the core is told, but for queue, rank, user and estimates */
    const struct sim_initial_task *tasks;
    size_t task_count;
    int64_t first_start_ms, last_start_ms; /* WORK_NEVER: never */
    int64_t since_ms;         /* when it last went from nothing to running; or POLICY_NEVER */
    int64_t queue_ms, run_ms; /* pending up to its last start; all runs before that */
    uint32_t preemptions, moves, failures;
    int64_t done_ms; /* of its duration */
    int64_t
        saved_ms; /* of that, covered by a checkpoint; -1: as much as its interval makes whole */
    const struct work_progress
        *progress;  /* the same to the unit and phase, if `total` is the same; or NULL */
    bool displaced; /* it has just lost what it held: it goes on from what was saved */
    int64_t stale_since_ms;
    bool stale;     /* stale_since_ms is said */
    bool suspended; /* nothing of it starts */
    bool stopping;  /* a limit has ended it: it is over when its tasks have been released */
    bool richer;    /* the core is told more of it than can be said of a job of a trace */
};

struct sim_initial_state {
    void *self;
    int64_t now_ms;
    bool from_now; /* the first arrival comes right after now_ms, the others as long after it as
                      they did */
    /* NULL: the run begins with nothing, at the first submission. *more is false when there are no
     * more of them. */
    bool (*next)(void *self, struct sim *, struct sim_initial_job *, bool *more, struct err *err);
    void (*taken)(void *self,
                  policy_job); /* the core's number of the job that was handed out last; or NULL */
    bool (*rest)(void *self, struct sim *,
                 struct err *err); /* NULL: there is nothing more to be told */
};

#endif
