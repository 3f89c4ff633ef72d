/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A simulation with all that it is made of: what simulate.h opens, and workload.h and typical.h
 * fill parts of. */
#ifndef SIM_WORLD_SIMULATION_H
#define SIM_WORLD_SIMULATION_H

#include "scenarios/scenario.h"
#include "sim/services.h"
#include "sim/sim.h"
#include "sim/sources/faults.h"
#include "sim/sources/merge.h"
#include "sim/sources/spot.h"
#include "sim/trace/rejected.h"
#include "sim/world/network.h"
#include "sim/world/outages.h"

struct snap_job;

/* One queue alone on a part of the fleet, which is that of the scenario; the workload is that of
 * the whole. */
struct simulation_slice {
    const char *queue;
    const struct symbols
        *queues;      /* names of all queues, in the order of the run of all: draws may go by it */
    int64_t begin_ms; /* when the run of all begins */
    int64_t milli;    /* larger jobs are left out */
    double working_gpus; /* of the whole fleet: what generated loads are relative to */
};

struct simulation {
    const struct scenario *scenario;
    uint64_t seed;
    struct trace_names names;
    struct fleet fleet;
    struct trace *trace;
    struct rejected rejected; /* rows of it, as far as it was read; path NULL: none yet */
    struct sim *sim;
    struct fault_switches switches;
    const struct snap_job *instead; /* as in the options */
    const struct simulation_slice *slice;
    struct start *start;                 /* NULL: it begins with nothing, and all nodes are there */
    struct services *services;           /* NULL: none */
    struct sim_observer *observers;      /* those given, and that of the services */
    struct network *network;             /* what speeds go by */
    struct fault_source *faults;         /* NULL: nothing ever fails */
    struct sim_elastic_pool *elastic;    /* by pool; NULL: none is */
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

#endif
