/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects the contents of a run directory while a simulation runs:
 *
 *     struct recorder *r;
 *     recorder_create(&r, &options, err);
 *     config.observers = recorder_observers(r, &config.observer_count);
 *     ... sim_run(), sim_finish() ...
 *     recorder_write(r, &about, err);
 *     recorder_destroy(r);
 *
 * Files are written under temporary names during the run and appear when recorder_write() has
 * written them all.
 */
#ifndef REPORT_RECORD_RECORDER_H
#define REPORT_RECORD_RECORDER_H

#include "report/record/summary.h"
#include "scenarios/scenario.h"
#include "sim/services.h"
#include "sim/sim.h"

struct recorder;

struct recorder_options {
    const char *dir; /* an existing folder; NULL: no files, only the summary */
    const char *policy;
    const char *trace_events; /* path of the file; NULL: not written */
    bool facts;               /* the journal also contains the facts, with the policy */
    const char *policy_path;  /* under this name and with its options */
    const struct scen_option *policy_options;
    size_t policy_option_count;
    bool rho; /* finish-time fairness: call rho_measure() between the run and recorder_write() */
    int64_t tau_ms; /* of the bounded slowdown; 0: WAITS_TAU_MS */
    bool changes;   /* changes of queues are planned */
    bool nodes;     /* write nodes.csv for elastic pools */
    bool jobs, journal, timeline, faults, services, fill; /* fill: the curve of a packing study */
    bool models;     /* throughput by model, if speeds are modelled */
    bool gpu_memory; /* cost of sharing device memory, if modelled */
    bool storage;    /* use of shared storage */
    struct energy_terms energy;
};

bool recorder_create(struct recorder **, const struct recorder_options *, struct err *);
void recorder_destroy(struct recorder *); /* NULL is allowed; unwritten files are removed */

const struct sim_observer *recorder_observers(struct recorder *, size_t *count);

/* For the simulation's config, if the journal contains facts. */
struct sim_facts recorder_facts(struct recorder *);

/* Prepares the fill curve of a packing study with its jobs; call before sim_fill(). */
void recorder_fill(struct recorder *, const struct sim *, const struct trace_job *jobs,
                   size_t count);

/* The collector of finish-time fairness; use it only if `rho` is set. */
struct rho *recorder_rho(struct recorder *);

/* Sets the services of the run before it begins; NULL: none. Borrowed until recorder_write(). */
bool recorder_services(struct recorder *, struct services *, struct err *);

struct recorder_about {
    const char *scenario, *scenario_digest, *trace_digest, *version;
    const char *resolved;         /* text of scenario.json */
    const struct scenario *given; /* its quotas are checked; NULL: not reported */
    uint64_t seed;
    uint64_t rejected_rows; /* trace rows that could not be read */
};

/* Completes the collectors and writes all files; call after sim_finish(). */
bool recorder_write(struct recorder *, const struct sim *, const struct recorder_about *,
                    struct err *);

/* The same without files: prints summary.json. */
void recorder_summary(struct recorder *, const struct sim *, const struct recorder_about *,
                      struct out *);

#endif
