/* SPDX-License-Identifier: MIT */
/*
 * Between Slurm and the policy core: what the core has been told about the cluster, and which
 * orders are outstanding.
 *     Slurm --load--> view --tracker_observe()--> facts --> core
 *                                                            |
 *     Slurm <--send-- orders <--------tracker_decide()-------'
 *
 * The tracker keeps nothing that Slurm does not know: after a restart, create a new tracker,
 * observe, and continue. A job that was released but has not started when the tracker first sees it
 * is held again and decided anew.
 *                    decided, released             Slurm has started it
 *     TRACK_WAITING ------------------> TRACK_STARTING ------------> TRACK_RUNNING
 *       ^ ^--------------------------------'  it did not start in time     |
 *       |                                                                  | decided, told
 *       |                                                                  | to stop
 *       '--------------- it is pending again ---------------- TRACK_STOPPING
 *
 * In shadow mode nothing is ordered: every look uses a new tracker on a cluster that Slurm
 * schedules.
 */
#ifndef ADAPTERS_SLURM_TRACKER_H
#define ADAPTERS_SLURM_TRACKER_H

#include "policies/adapters/slurm/config.h"
#include "policies/adapters/slurm/facts.h"
#include "policies/adapters/slurm/orders.h"
#include "policies/adapters/slurm/request.h"
#include "policies/adapters/slurm/view.h"

struct tracker_options {
    bool shadow;
    int64_t start_timeout_ms; /* a released job is held again if it has not started after this */
    int64_t requeue_wait_ms;  /* a stopped job is not released earlier */
    int64_t repeat_ms;        /* interval for repeating stop orders */
};

struct tracker;

/* All pointers must outlive the tracker. `say` receives message lines without line feeds. */
struct tracker_world {
    const struct config *config;
    const struct policy_config *core;
    struct facts *facts;
    void (*say)(void *of, const char *line);
    void *of;
};

/* Returns NULL with the error set if the core refuses its configuration. */
struct tracker *tracker_create(const struct tracker_options *, const struct tracker_world *,
                               policy_time now, char error[CONFIG_ERROR]);
void tracker_destroy(struct tracker *);

/* Reports changes since the last view to the core. Returns false with the error set if they cannot
 * be reported. */
bool tracker_observe(struct tracker *, const struct view *, policy_time now, struct orders *,
                     char error[CONFIG_ERROR]);

/* Asks the core, and creates orders. */
bool tracker_decide(struct tracker *, policy_time now, struct orders *, char error[CONFIG_ERROR]);

/* Prints why each pending job is pending, which repeats the search for all of them. Call after
 * tracker_decide(). */
void tracker_explain(struct tracker *);

/* When something may change by time alone; INT64_MAX: never. */
policy_time tracker_wakeup(const struct tracker *);

/* Returns true if no order is outstanding. */
bool tracker_is_quiet(const struct tracker *);

/* Numbers of pending jobs, and of running or starting ones, for messages. */
void tracker_counts(const struct tracker *, size_t *waiting, size_t *running);

#endif
