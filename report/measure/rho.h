/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finish-time fairness (Themis, NSDI 2020): rho of a job is its completion time in the shared run
 * over its completion time when its queue is alone on its own slice of the fleet. Up to 1 sharing
 * cost it nothing. The second time comes from other simulations (sim/world/rho.h):
 *
 *     shared run       rho_observer()          every counted job that ended, by its id
 *     one run a queue  rho_alone_observer()    when it ended there
 *     then             rho_finish()
 *
 * A job that the slice cannot hold takes its turn on more than that: its ideal run time over its
 * share of time, slice / GPUs, as in the isolated policy of Gavel (OSDI 2020). Jobs that did not
 * end in the shared run, jobs of queues without a slice, jobs of no length and those that are still
 * open alone have no rho.
 */
#ifndef REPORT_MEASURE_RHO_H
#define REPORT_MEASURE_RHO_H

#include "sim/base/json.h"
#include "sim/base/symbols.h"
#include "sim/sim.h"

struct rho_job {
    int64_t shared_ms; /* completion times; */
    double alone_ms;   /* -1: not known yet; nan: it is open */
    int64_t ideal_ms, gpu_milli;
    uint32_t queue;
};

struct rho {
    bool wanted;
    struct symbols *ids;
    struct rho_job *jobs; /* by ids */
    size_t capacity;
    int64_t *slices; /* by queue, thousandths of GPUs; 0: it has none */
    size_t queue_count;
    uint64_t beyond; /* jobs that their slice cannot hold */
};

/* A queue that runs alone. */
struct rho_alone {
    struct rho *rho;
    const char *queue;
};

struct rho_figures {
    uint64_t jobs;
    double mean, p95, max, above; /* above: share of jobs with a rho above 1; nan without jobs */
};

void rho_init(struct rho *);
void rho_fini(struct rho *);
struct sim_observer rho_observer(struct rho *);
struct sim_observer rho_alone_observer(struct rho_alone *);

/* A job that its slice holds, but that did not end there. */
void rho_leave_open(struct rho *, const char *id);

/* Jobs that did not end in any of those runs get their turns on more than the slice. `slices` are
 * copied. */
void rho_finish(struct rho *, const struct sim *shared, const int64_t *slices);

/* GPUs of the smallest job of a queue that ended in the shared run, in thousandths; -1: there is
 * none. */
int64_t rho_least_milli(const struct rho *, uint32_t queue);

/* Of one queue of the shared run, or of all with WORK_NONE. */
struct rho_figures rho_figures_of(const struct rho *, uint32_t queue);

/* Member "rho": null figures unless requested. */
void rho_json(const struct rho *, uint32_t queue, struct json *);

#endif
