/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CPU and memory that queues use, against their entitlement, and their dominant share over the
 * window. Entitlement is defined as in shares.h, for each resource separately: the policy's own
 * division if it makes one, else max-min by weight with guaranteed quotas. CPU and memory have a
 * quota only if one is given; without one, a queue is entitled to its demand, as far as the site
 * can satisfy it. If the policy's division exceeds the site's capacity (it may divide several sites
 * as one), max-min applies.
 *
 *     dominant share = max over GPU, CPU, memory of used / installed in the site    now
 *
 * A resource that some node of the site does not state counts as not installed and has no share.
 * Use is the requests of running tasks. Quotas are read as time advances, so planned changes count
 * from the time they are made.
 */
#ifndef REPORT_MEASURE_HOST_SHARES_H
#define REPORT_MEASURE_HOST_SHARES_H

#include "sim/sim.h"

/* Thousandths of devices and of cores; MiB. */
enum host_resource { HOST_GPU = 0, HOST_CPU, HOST_MEM, HOST_RESOURCES };

struct host_amounts {
    int64_t of[HOST_RESOURCES];
};

struct host_queue {
    struct host_amounts running,
        wanted;                      /* requests of running tasks, and of tasks that hold nothing */
    struct policy_share cpu, mem;    /* as of the last division */
    double entitled[HOST_RESOURCES]; /* of CPU and memory only */
    bool quoted[HOST_RESOURCES];     /* it has a quota of that resource */
    int64_t since_ms;                /* the integrals are complete up to here */
    double used_ms[HOST_RESOURCES], entitled_ms[HOST_RESOURCES], dominant_ms;
    double deficit_ms[HOST_RESOURCES]; /* entitled and not used, where it has a quota */
    int64_t demand_ms;                 /* time with any demand */
};

/* A job that requests CPU or memory, and how much of them, by its number in the core. */
struct host_job {
    struct host_amounts running, wanted;
    bool counted; /* its pending requests are included in its queue */
};

struct host_site {
    bool begun, hosted; /* hosted: a job requests CPU or memory */
    bool stale;         /* entitlements have to be divided again as of `at_ms` */
    int64_t at_ms;      /* its queues are settled up to here */
    struct host_amounts installed;
};

struct host_shares {
    struct host_queue *queues;
    size_t queue_count;
    struct host_job *jobs;
    size_t job_count;
    struct host_site *sites;
    size_t site_count;
};

struct sim_observer host_shares_observer(struct host_shares *);
void host_shares_finish(struct host_shares *, const struct sim *); /* call after sim_finish() */
void host_shares_fini(struct host_shares *);

/* Returns true if any job requests CPU or memory. */
bool host_shares_any(const struct host_shares *);

/* Returns the state of a queue; all 0 if it had no job. */
struct host_queue host_shares_of(const struct host_shares *, size_t queue);

/* Returns the mean dominant share over the window; NaN if that is empty. */
double host_shares_dominant(const struct host_queue *, const struct sim *);

/* Returns the sum of the queues' deficits of one resource, times milliseconds. */
double host_shares_deficit_ms(const struct host_shares *, enum host_resource);

/* Returns Jain's index of the mean dominant shares of queues with demand; NaN if there are none. */
double host_shares_jain(const struct host_shares *, const struct sim *);

#endif
