/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fairness between queues. At every moment a queue is entitled to its demand-capped weighted
 * max-min share of its site: first min(quota, demand) each (scaled down together if the site has
 * less), then a part of the rest in proportion to its weight (weight 0: nothing), never more than
 * the demand. Demand is running plus pending requests, up to the queue's limit. Only time with
 * demand is measured. All queues count as leaves of one level; quotas and weights of their parents
 * are ignored.
 *
 * If the policy itself divides the fleet among a tree of queues, the division of its last decision
 * is their entitlement.
 *
 * A queue is owed capacity while it has a pending job that would not take it above its own GPU
 * quota. The time until it has no such job is a reclaim time. A request that is granted at once has
 * none.
 */
#ifndef REPORT_MEASURE_SHARES_H
#define REPORT_MEASURE_SHARES_H

#include "report/stats/division.h"
#include "report/stats/tally.h"
#include "sim/sim.h"

struct shares_size {
    int64_t milli; /* what a job needs to start */
    int64_t jobs;
};

struct shares_queue {
    struct policy_share given; /* quota, limit and weight at the last division */
    double entitled;           /* now, thousandths of GPUs */
    int64_t demand;            /* demand at the last division, up to the limit */
    int64_t running, total;    /* at the last division: in use, and in use or wanted; thousandths */
    int64_t since_ms;          /* the integrals below are complete up to here */
    double entitled_ms, used_ms, deficit_ms; /* thousandths times milliseconds, in the window */
    int64_t demand_time_ms,
        satisfied_ms; /* time with demand; part of it with at least min(quota, demand) in use */
    struct shares_size *sizes; /* of its pending jobs */
    size_t size_count, size_capacity;
    bool owed;
    int64_t owed_since_ms;
    struct tally reclaim;     /* reclaim times that began in the window */
    uint64_t jobs, completed; /* measured ones */
};

struct shares_site {
    bool begun;
    bool ample;       /* it could satisfy all demand at the last division */
    bool quotas;      /* one of its first `looked` queues has a quota */
    size_t looked;    /* its number of queues at the last interval */
    int64_t until_ms; /* end of its last interval */
    int64_t milli;    /* installed at the last division */
    int64_t wanted;   /* demand of its queues; kept up to date since the last division */
};

struct shares {
    struct shares_queue *queues;
    size_t count;
    struct shares_site *sites;
    size_t site_count;
    struct division_row *rows; /* buffer for a division */
    size_t row_count;
};

struct shares_summary {
    double jain, gini, min_share; /* NaN if no queue was entitled to anything */
    double deficit_gpu_h;
    double quota_satisfaction; /* NaN without quotas */
};

struct sim_observer shares_observer(struct shares *);

/*
 * Completes the integrals, which lag behind until then, and includes open reclaim times; call after
 * sim_finish().
 */
void shares_finish(struct shares *, const struct sim *);
struct shares_summary shares_summarise(const struct shares *, const struct sim *);
void shares_fini(struct shares *);

/* Returns the queue's entitlement now, in thousandths; updates the site first. */
double shares_entitled(struct shares *, const struct sim *, uint32_t queue);

/* Returns used over entitled, or NaN. */
double shares_ratio(const struct shares_queue *);

/*
 * Returns the share of the time with demand in which the queue had at least min(quota, demand); NaN
 * without a quota or demand.
 */
double shares_satisfaction(const struct shares_queue *, const struct sim_queue *);

/* Returns the reclaim times of all queues; the caller frees them. */
struct tally shares_reclaim(const struct shares *);

#endif
