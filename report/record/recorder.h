/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything that a run directory holds, collected while a simulation runs:
 *
 *     struct recorder *r;
 *     recorder_create(&r, &options, err);
 *     config.observers = recorder_observers(r, &config.observer_count);
 *     ... sim_run(), sim_finish() ...
 *     recorder_write(r, &about, err);
 *     recorder_destroy(r);
 *
 * Files are written under temporary names while the run goes on and appear when recorder_write()
 * has written them all.
 */
#ifndef REPORT_RECORD_RECORDER_H
#define REPORT_RECORD_RECORDER_H

#include "report/record/summary.h"
#include "scenarios/scenario.h"
#include "sim/services.h"
#include "sim/sim.h"

struct recorder;

struct recorder_options {
    const char *dir; /* exists; NULL: only the summary is wanted, and no files */
    const char *policy;
    const char *trace_events; /* path of that file; NULL: not wanted */
    bool facts;               /* the journal has what the policy was told, too: */
    const char *policy_path;  /* how the policy is to be named there, and its options */
    const struct scen_option *policy_options;
    size_t policy_option_count;
    bool rho; /* finish-time fairness: rho_measure() comes between the run and recorder_write() */
    int64_t tau_ms; /* of the bounded slowdown; 0: WAITS_TAU_MS */
    bool changes;   /* some of queues are planned */
    bool nodes;     /* nodes.csv, of elastic pools */
    bool jobs, journal, timeline, faults, services,
        fill;        /* what is wanted; fill: the curve of a packing study */
    bool models;     /* what models got done, where speeds are modelled */
    bool gpu_memory; /* what sharing device memory cost, where that is modelled */
    bool storage;    /* what moved to and from storage that jobs share */
    struct energy_terms energy;
};

bool recorder_create(struct recorder **, const struct recorder_options *, struct err *);
void recorder_destroy(struct recorder *); /* NULL is fine; what was not written leaves no files */

const struct sim_observer *recorder_observers(struct recorder *, size_t *count);

/* For the simulation's config, where facts are wanted. */
struct sim_facts recorder_facts(struct recorder *);

/* A packing study: readies the fill curve, before sim_fill(), with the jobs given to it. */
void recorder_fill(struct recorder *, const struct sim *, const struct trace_job *jobs,
                   size_t count);

/* Where that is collected. */
struct rho *recorder_rho(struct recorder *);

/* The services of the run, before it begins; NULL: none. Borrowed until recorder_write(). */
bool recorder_services(struct recorder *, struct services *, struct err *);

struct recorder_about {
    const char *scenario, *scenario_digest, *trace_digest, *version;
    const char *resolved;         /* text of scenario.json */
    const struct scenario *given; /* whose quotas are looked at; NULL: nothing is said of them */
    uint64_t seed;
    uint64_t rejected_rows; /* of the trace, that could not be read */
};

/* After sim_finish(): completes the collectors and writes all files. */
bool recorder_write(struct recorder *, const struct sim *, const struct recorder_about *,
                    struct err *);

/* The same without files: the text of summary.json. */
void recorder_summary(struct recorder *, const struct sim *, const struct recorder_about *,
                      struct out *);

#endif
