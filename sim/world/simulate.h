/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a scenario to a simulation that can run: fleet, names, queues, policy, workload. */
#ifndef SIM_WORLD_SIMULATE_H
#define SIM_WORLD_SIMULATE_H

#include "sim/world/simulation.h"

struct simulation_options {
    int replica; /* 1..; replica k has seed + k - 1 */
    bool sort;   /* load and sort traces instead of streaming them */
    bool audit;
    bool pilot; /* not measured: where its window begins is still to be found */
    const struct snap_job
        *instead; /* of the job of that id in the snapshot that it begins with; NULL none */
    const struct simulation_slice *slice; /* NULL: all queues and all jobs */
    const struct sim_observer *observers;
    size_t observer_count;
    struct sim_facts facts; /* their recorder, if any */
    struct sim_stopwatch stopwatch;
    bool (*keep_going)(void *, const struct sim *);
    void *keep_going_self;
};

/* False with err set; the simulation has to be closed in any case. */
bool simulation_open(struct simulation *, const struct scenario *,
                     const struct simulation_options *, struct err *);

/* The policy of its first replica. */
bool simulation_policy(const struct scenario *, struct policy_config *, struct err *);

/* Checks names and options of the policy alone, as `run --check` does. */
bool simulation_check_policy(const struct scenario *, struct err *);

/* Runs until everything up to `until_ms` has happened; in fill mode to its end. */
bool simulation_run(struct simulation *, int64_t until_ms, struct err *);

/*
 * A time as users give it with an option ("--at"): seconds on the trace's clock, or with a unit so
 * long after the first submission. False with err set when it is neither.
 */
bool simulation_time(const char *option, const char *text, int64_t first_submit_ms, int64_t *at_ms,
                     struct err *err);
void simulation_close(struct simulation *);

/*
 * To be called after a failure. Returns true if a trace was not sorted by time: the simulation is
 * then closed, err cleared, and the options ask for sorted traces, so that it can be opened again.
 * Observers start over.
 */
bool simulation_again(struct simulation *, struct simulation_options *, struct err *);

/* Notes of the traces' readers, on stderr. */
void simulation_notes(const struct simulation *);

#endif
