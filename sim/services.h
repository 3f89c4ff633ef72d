/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inference services: replicas that follow a load. Each replica is a job of one task (class
 * inference, named "chat/3") submitted by the service's autoscaler. Surplus replicas are ended:
 * pending ones first, then the most recently submitted. Policies see ordinary jobs. A replica
 * serves once its startup is over, until it is evicted, interrupted or ended; an evicted or
 * interrupted one is pending and starts up again like any job.
 *
 *     autoscaler wants one more     it gets its devices       it is ready
 *           |............................|=======startup========|--serves--...
 *
 * Requests beyond the capacity of the ready replicas queue (sim/services/backlog.h). Sums over the
 * measurement window are exact, since load and replicas are constant between events. A service
 * begins with the run and ends with the window. Waiting times and job counts exclude replicas; the
 * GPU-time ledger includes them. (A replica that hangs counts as serving until the fault is
 * detected, and a slowed one serves as many requests.)
 */
#ifndef SIM_SERVICES_H
#define SIM_SERVICES_H

#include "sim/services/backlog.h"
#include "sim/services/scaler.h"
#include "sim/sim.h"

struct service_spec {
    const char *name; /* borrowed */
    struct trace_job
        replica; /* template of submissions; strings are borrowed; id and times are filled in */
    struct scaler_rule rule;
    int64_t startup_ms; /* -1: as all jobs of the class */
    struct load load;   /* ownership moves to the service */
    struct backlog_rule requests;
    int64_t late_ppm; /* share of requests that may be late, in millionths; -1: no SLO */
};

/* Statistics of a service over the window. Requests in millionths; times in milliseconds, totals
 * over its replicas. */
struct service_sums {
    load_sum offered;
    load_sum held_ms, ready_ms; /* with devices; serving */
    uint64_t cold_starts;       /* number of startups begun */
    int64_t *waits_ms;          /* from the scaling decision to first readiness */
    size_t wait_count, wait_capacity;
    int64_t peak; /* maximum number of replicas with devices */
};

struct service {
    struct service_spec spec;
    struct scaler scaler;
    struct backlog requests;
    struct service_sums sums;
    struct service_replica *replicas; /* current replicas, in order of submission */
    size_t count, capacity;
    int64_t wanted;
    int64_t held, ready; /* replicas with devices; serving */
    int64_t since_ms;    /* the sums include everything before; all times of a service are on its
                            own clock */
    int64_t retry_ms;    /* when a surplus replica that could not be ended yet can be; INT64_MAX
                            none */
    uint64_t made;       /* replicas so far */
};

struct services {
    struct service *list;
    size_t count;
    int64_t until_ms;  /* end of the window on the services' clock */
    int64_t warmup_ms; /* its begin */
    int64_t origin_ms; /* zero of that clock */
    int64_t grace_ms;
    bool ended;
};

/* Takes ownership of the specs' loads. The window must be finite: until_ms is its length from the
 * first submission. */
struct services *services_create(const struct service_spec *, size_t count, int64_t warmup_ms,
                                 int64_t until_ms);
void services_destroy(struct services *); /* accepts NULL */

/* The interface that the driver uses. */
struct sim_clients services_clients(struct services *);
struct sim_observer services_observer(struct services *);

/*
 * Brings the sums up to this time on the services' clock, not beyond the simulation's; each
 * service's state is that of the last call.
 */
void services_settle(struct services *, int64_t to_ms);

#endif
