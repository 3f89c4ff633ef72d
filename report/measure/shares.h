/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fairness between queues. At every moment a queue is entitled to its demand-capped weighted
 * max-min share of its site: first min(quota, demand) each (scaled down together if the site has
 * less), then what is left in proportion to weights (weight 0: none of it), never more than the
 * demand. Demand is what runs and what waits, up to the queue's limit. Time is measured where a
 * queue has demand. Queues are taken as leaves of one level: quotas and weights of their parents
 * play no part.
 *
 * Where the policy itself divides the fleet among a tree of queues, its division as of its last
 * decision is what they are entitled to.
 *
 * A queue is owed something while a job of it waits that would not take it above its quota (of
 * GPUs, its own); how long that lasts, until none does, is the reclaim time. A grant in the instant
 * of the demand is none.
 */
#ifndef REPORT_MEASURE_SHARES_H
#define REPORT_MEASURE_SHARES_H

#include "report/stats/division.h"
#include "report/stats/tally.h"
#include "sim/sim.h"

struct shares_size {
    int64_t milli; /* what a job has to have to start */
    int64_t jobs;
};

struct shares_queue {
    struct policy_share given; /* quota, limit and weight, as of then */
    double entitled;           /* now, thousandths of GPUs */
    int64_t demand;            /* that it was computed for, up to the limit */
    int64_t running, total;    /* as of then: in use, and that or wanted; thousandths */
    int64_t since_ms;          /* end of what the integrals below contain */
    double entitled_ms, used_ms, deficit_ms; /* thousandths times milliseconds, in the window */
    int64_t demand_time_ms,
        satisfied_ms;          /* with demand; of it, using at least min(quota, demand) */
    struct shares_size *sizes; /* of its pending jobs */
    size_t size_count, size_capacity;
    bool owed;
    int64_t owed_since_ms;
    struct tally reclaim;     /* its reclaim times that began in the window */
    uint64_t jobs, completed; /* counted ones */
};

struct shares_site {
    bool begun;
    bool ample;       /* it had enough for all demand when it was divided last */
    bool quotas;      /* one of its first `looked` queues has a quota; those do not change */
    size_t looked;    /* as many as it has, after each interval */
    int64_t until_ms; /* end of its last interval */
    int64_t milli;    /* installed when it was divided last */
    int64_t wanted;   /* by its queues; kept up from the last division on */
};

struct shares {
    struct shares_queue *queues;
    size_t count;
    struct shares_site *sites;
    size_t site_count;
    struct division_row *rows; /* room for a division */
    size_t row_count;
};

struct shares_summary {
    double jain, gini, min_share; /* nan without queues that were entitled to anything */
    double deficit_gpu_h;
    double quota_satisfaction; /* nan without quotas */
};

struct sim_observer shares_observer(struct shares *);

/* After sim_finish(): completes the integrals, which lag behind until then, and takes in what is
 * still owed. */
void shares_finish(struct shares *, const struct sim *);
struct shares_summary shares_summarise(const struct shares *, const struct sim *);
void shares_fini(struct shares *);

/* The queue's entitlement now, in thousandths; brings the site up to date. */
double shares_entitled(struct shares *, const struct sim *, uint32_t queue);

/* Used over entitled, or nan. */
double shares_ratio(const struct shares_queue *);

/* Share of the time with demand in which the queue had at least min(quota, demand); nan without a
 * quota or demand. */
double shares_satisfaction(const struct shares_queue *, const struct sim_queue *);

/* The reclaim times of all queues; the caller's. */
struct tally shares_reclaim(const struct shares *);

#endif
