/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What queues use of CPU and memory against what they are entitled to, and their dominant share,
 * over the window. Entitlement is defined as in shares.h, for each resource by itself: the
 * policy's own division where it makes one, else max-min by weight with quotas guaranteed. CPU and
 * memory have a quota only where one is given; without one a queue is entitled to its demand, as
 * far as the site has as much. A division of the policy that gives out more than the site has (it
 * may divide several sites as one) is replaced by the latter.
 *
 *     dominant share = max over GPU, CPU, memory of used / installed in the site    now
 *
 * Resources that some node of the site does not state are not installed: nothing is their share.
 * Use is that of tasks that run, by what they asked for. Quotas are read when time moves on, so
 * planned changes of them count from when they are made.
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
    struct host_amounts running, wanted; /* by its tasks; of those that hold nothing */
    struct policy_share cpu, mem;        /* as of the last division */
    double entitled[HOST_RESOURCES];     /* CPU and memory alone */
    int64_t since_ms;                    /* end of what the integrals contain */
    double used_ms[HOST_RESOURCES], entitled_ms[HOST_RESOURCES], dominant_ms;
    int64_t demand_ms; /* with any demand */
};

/* Of a job, by its number in the core. */
struct host_job {
    struct host_amounts running, wanted;
    bool counted; /* what it wants is in its queue */
};

struct host_site {
    bool begun, hosted; /* somebody asked for CPU or memory */
    bool stale;         /* to be divided as of `at_ms` */
    int64_t at_ms;      /* all its queues are settled up to then */
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
void host_shares_finish(struct host_shares *, const struct sim *); /* after sim_finish() */
void host_shares_fini(struct host_shares *);

/* True if any job asked for CPU or memory. */
bool host_shares_any(const struct host_shares *);

/* The queue's; of one that had no job all is 0. */
struct host_queue host_shares_of(const struct host_shares *, size_t queue);

/* Mean of the dominant share over the window; nan in an empty one. */
double host_shares_dominant(const struct host_queue *, const struct sim *);

/* Jain's index of the mean dominant shares over queues with demand; nan without. */
double host_shares_jain(const struct host_shares *, const struct sim *);

#endif
