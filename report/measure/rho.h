/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finish-time fairness (Themis, NSDI 2020): rho of a job is its completion time in the shared run
 * over its completion time when its queue is alone on its slice of the fleet. At 1 or below,
 * sharing cost it nothing. The second time comes from further simulations (sim/world/rho.h):
 *
 *     shared run       rho_observer()          every counted job that ended, by its id
 *     one run a queue  rho_alone_observer()    when it ended there
 *     then             rho_finish()
 *
 * A job larger than the slice gets its GPUs for a share of the time: its second time is its ideal
 * run time over slice / GPUs, as in the isolated policy of Gavel (OSDI 2020). Jobs have no rho if
 * they did not end in the shared run or alone, if their queue has no slice, or if their length is
 * 0.
 */
#ifndef REPORT_MEASURE_RHO_H
#define REPORT_MEASURE_RHO_H

#include "sim/base/json.h"
#include "sim/base/symbols.h"
#include "sim/sim.h"

struct rho_job {
    int64_t shared_ms; /* completion times: */
    double alone_ms;   /* -1: not known yet; NaN: did not end */
    int64_t ideal_ms, gpu_milli;
    uint32_t queue;
};

struct rho {
    bool wanted;
    struct symbols *ids;
    struct rho_job *jobs; /* by ids */
    size_t capacity;
    int64_t *slices; /* by queue, thousandths of GPUs; 0: none */
    size_t queue_count;
    uint64_t beyond; /* jobs larger than their slice */
};

/* The run of a queue alone. */
struct rho_alone {
    struct rho *rho;
    const char *queue;
};

struct rho_figures {
    uint64_t jobs;
    double mean, p95, max, above; /* above: share of jobs with a rho above 1; NaN without jobs */
};

void rho_init(struct rho *);
void rho_fini(struct rho *);
struct sim_observer rho_observer(struct rho *);
struct sim_observer rho_alone_observer(struct rho_alone *);

/* Marks a job that fits its slice but did not end there. */
void rho_leave_open(struct rho *, const char *id);

/*
 * Computes the times of jobs larger than their slice, which ended in none of those runs. `slices`
 * are copied.
 */
void rho_finish(struct rho *, const struct sim *shared, const int64_t *slices);

/*
 * Returns the GPUs (in thousandths) of the queue's smallest job that ended in the shared run; -1 if
 * there is none.
 */
int64_t rho_least_milli(const struct rho *, uint32_t queue);

/* Returns the figures of one queue of the shared run, or of all for WORK_NONE. */
struct rho_figures rho_figures_of(const struct rho *, uint32_t queue);

/* Writes the member "rho"; its figures are null unless requested. */
void rho_json(const struct rho *, uint32_t queue, struct json *);

#endif
