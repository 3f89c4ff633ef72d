/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run that begins in the middle: a source (a snapshot) supplies the jobs that exist at `now_ms`,
 * running, releasing their devices, or pending since their submission.
 *
 *     begin   now_ms; arrivals up to then are left out
 *     next    one job at a time, in order of submission: it is added to the core, and its tasks
 * take their devices rest    node states, past use: everything else the core has to know before the
 * first decision
 *
 * Measurement begins at now_ms. A job that has not started yet counts as part of the window (unless
 * there is a warm-up), with its whole wait; a job that is running, or ran before, does not.
 *
 * The source owns what it supplies, which is valid until the next call.
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

/* A task that is not just pending. */
struct sim_initial_task {
    uint32_t number; /* index in the job, in the order of its roles */
    uint8_t state;   /* enum sim_initial_task_state */
    bool failed;     /* OVER */
    uint32_t node;   /* RUNS, RELEASING: its node, and its devices there */
    uint64_t devices;
    int64_t release_ms; /* RELEASING: end of its grace period; WORK_NEVER: a whole grace period
                           remains */
};

struct sim_initial_job {
    const struct trace_job *about; /* the job as a trace has it; its row selects its random draws */
    struct policy_job_spec spec;   /* for the core, without queue, rank, user and estimates */
    const struct sim_initial_task *tasks;
    size_t task_count;
    int64_t first_start_ms, last_start_ms; /* WORK_NEVER: never */
    int64_t since_ms;                      /* when it last started running, or POLICY_NEVER */
    int64_t queue_ms, run_ms; /* time pending up to its last start; total run time before that */
    uint32_t preemptions, moves, failures;
    int64_t done_ms; /* of its duration */
    int64_t
        saved_ms; /* part of that covered by a checkpoint; -1: the last multiple of its interval */
    const struct work_progress
        *progress;  /* the same by unit and phase, if `total` is equal; or NULL */
    bool displaced; /* it has just lost its devices and continues from what was saved */
    int64_t stale_since_ms;
    bool stale;     /* stale_since_ms is known */
    bool suspended; /* none of its tasks start */
    bool stopping;  /* a limit has ended it: it is over when its tasks have been released */
    bool richer;    /* the core is told more than a trace can say about a job */
};

struct sim_initial_state {
    void *self;
    int64_t now_ms;
    bool from_now; /* the first arrival comes right after now_ms, and the gaps between arrivals
                      stay */
    /* NULL: the run begins empty, at the first submission. *more is false when there are no more
     * jobs. */
    bool (*next)(void *self, struct sim *, struct sim_initial_job *, bool *more, struct err *err);
    void (*taken)(void *self, policy_job); /* the core's id of the last job supplied; or NULL */
    bool (*rest)(void *self, struct sim *, struct err *err); /* NULL: nothing else to report */
};

#endif
