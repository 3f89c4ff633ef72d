/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inference services: replicas that follow a load. Each replica is a job of one task (class
 * inference, named "chat/3"), which its service's autoscaler submits, and ends when there are more
 * than it wants: first those that wait, then those that were submitted last. Policies see jobs like
 * any other. A replica serves when its startup is over, until it is evicted, interrupted or ended;
 * one that was evicted or interrupted waits and starts up again like any job.
 *
 *     autoscaler wants one more     it gets its devices       it is ready
 *           |............................|=======startup========|--serves--...
 *
 * Requests beyond what the ready replicas can serve wait for them (sim/services/backlog.h). Sums
 * are taken over the measurement window and are exact: load and replicas are constant between
 * events. A service begins with the run and ends with the window. Its replicas are none of the jobs
 * that waiting times and job counts are about; their GPU time is in the ledger like that of others.
 * (A replica that hangs counts as serving until the fault is noticed, and one that is slowed down
 * serves as many requests.)
 */
#ifndef SIM_SERVICES_H
#define SIM_SERVICES_H

#include "sim/services/backlog.h"
#include "sim/services/scaler.h"
#include "sim/sim.h"

struct service_spec {
    const char *name; /* borrowed */
    struct trace_job
        replica; /* what is submitted; strings are borrowed; id and times are filled in */
    struct scaler_rule rule;
    int64_t startup_ms; /* -1: that of all jobs of the class */
    struct load load;   /* taken over */
    struct backlog_rule requests;
    int64_t late_ppm; /* the share of requests that may be late; -1: there is no SLO */
};

/* What became of a service, in the window. Requests in millionths; times in milliseconds, of all
 * its replicas together. */
struct service_sums {
    load_sum offered;
    load_sum held_ms, ready_ms; /* with devices; and serving */
    uint64_t cold_starts;       /* times that one began to start up */
    int64_t *waits_ms;          /* from the decision to the first time that it was ready */
    size_t wait_count, wait_capacity;
    int64_t peak; /* most replicas with devices for any time */
};

struct service {
    struct service_spec spec;
    struct scaler scaler;
    struct backlog requests;
    struct service_sums sums;
    struct service_replica *replicas; /* live ones, in the order of submission */
    size_t count, capacity;
    int64_t wanted;
    int64_t held, ready; /* replicas with devices, and serving */
    int64_t since_ms;    /* all before is in the sums; on the service's clock, as all times of it */
    int64_t retry_ms;    /* when one that could not be ended yet can be; INT64_MAX none */
    uint64_t made;       /* replicas so far */
};

struct services {
    struct service *list;
    size_t count;
    int64_t until_ms;  /* the window ends, on the services' clock */
    int64_t warmup_ms; /* it begins */
    int64_t origin_ms; /* 0 of that clock */
    int64_t grace_ms;
    bool ended;
};

/* Takes over the specs' loads. The window has to end: until_ms is its length, from the first
 * submission. */
struct services *services_create(const struct service_spec *, size_t count, int64_t warmup_ms,
                                 int64_t until_ms);
void services_destroy(struct services *); /* NULL is fine */

/* As the driver takes them. */
struct sim_clients services_clients(struct services *);
struct sim_observer services_observer(struct services *);

/*
 * Brings the sums up to this time on the services' clock, at most the simulation's; the state of a
 * service is that of the last call.
 */
void services_settle(struct services *, int64_t to_ms);

#endif
