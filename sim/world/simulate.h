/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a scenario to a simulation that can run: fleet, names, queues, policy, workload. */
#ifndef SIM_WORLD_SIMULATE_H
#define SIM_WORLD_SIMULATE_H

#include "scenarios/scenario.h"
#include "sim/fault_merge.h"
#include "sim/fault_source.h"
#include "sim/services.h"
#include "sim/sim.h"
#include "sim/spot_source.h"
#include "sim/world/network.h"
#include "sim/world/outages.h"

struct snap_job;

/* One queue alone on a part of the fleet, which is that of the scenario; the workload is that of the whole. */
struct simulation_slice {
    const char *queue;
    const struct symbols
        *queues;         /* names of all queues, in the order of the run of all: draws may go by it */
    int64_t begin_ms;    /* when the run of all begins */
    int64_t milli;       /* larger jobs are left out */
    double working_gpus; /* of the whole fleet: what generated loads are relative to */
};

struct simulation {
    const struct scenario *scenario;
    uint64_t seed;
    struct trace_names names;
    struct fleet fleet;
    struct trace *trace;
    struct sim *sim;
    struct fault_switches switches;
    const struct snap_job *instead; /* as in the options */
    const struct simulation_slice *slice;
    struct start *start;                 /* NULL: it begins with nothing, and all nodes are there */
    struct services *services;           /* NULL: none */
    struct sim_observer *observers;      /* those given, and that of the services */
    struct network *network;             /* what speeds go by */
    struct fault_source *faults;         /* NULL: nothing ever fails */
    struct spot_source *spot;            /* NULL: all capacity stays */
    struct fault_merge *merge;           /* of both; NULL: there is one of them at most */
    struct outages outages;              /* as they were recorded */
    struct policy_typical_task *typical; /* NULL: the policy does not want to know */
    /* fill mode: the whole list, and the order of arrival */
    struct trace_job *fill_jobs;
    size_t fill_job_count;
    int64_t *fill_order;
    size_t fill_order_count;
};

struct simulation_options {
    int replica; /* 1..; replica k has seed + k - 1 */
    bool sort;   /* load and sort traces instead of streaming them */
    bool audit;
    bool pilot;                     /* not measured: where its window begins is still to be found */
    const struct snap_job *instead; /* of the job of that id in the snapshot that it begins with; NULL none */
    const struct simulation_slice *slice; /* NULL: all queues and all jobs */
    const struct sim_observer *observers;
    size_t observer_count;
    struct sim_facts facts; /* who records them, if anybody */
    struct sim_stopwatch stopwatch;
    bool (*keep_going)(void *, const struct sim *);
    void *keep_going_self;
};

/* False with err set; the simulation has to be closed in any case. */
bool simulation_open(struct simulation *, const struct scenario *, const struct simulation_options *,
                     struct err *);

/* The policy of its first replica. */
bool simulation_policy(const struct scenario *, struct policy_config *, struct err *);

/* Checks names and options of the policy alone, as `run --check` does. */
bool simulation_check_policy(const struct scenario *, struct err *);

/* Runs until everything up to `until_ms` has happened; in fill mode to its end. */
bool simulation_run(struct simulation *, int64_t until_ms, struct err *);

/*
 * A time as users give it with an option ("--at"): seconds on the trace's clock, or with a unit so long after the first
 * submission. False with err set when it is neither.
 */
bool simulation_time(const char *option, const char *text, int64_t first_submit_ms, int64_t *at_ms,
                     struct err *err);
void simulation_close(struct simulation *);

/*
 * After a failure: whether it was that a trace is not sorted by time. Then the simulation is closed and err cleared, and
 * the options say from now on that traces are loaded and sorted: it can be opened again, and observers begin anew.
 */
bool simulation_again(struct simulation *, struct simulation_options *, struct err *);

/* Notes of the traces' readers, on stderr. */
void simulation_notes(const struct simulation *);

#endif
