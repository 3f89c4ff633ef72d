/* SPDX-License-Identifier: MIT */
/*
 * Between Slurm and the policy core: what the core has been told of the cluster, and what is under
 * way.
 *
 *     Slurm --load--> view --tracker_observe()--> facts --> core --tracker_decide()--> orders
 *     --send--> Slurm
 *
 * Nothing is remembered here that Slurm does not know: who starts anew makes a new tracker,
 * observes, and goes on. A job that was released and has not started when the tracker first sees it
 * is held again, and decided about anew.
 *
 *                       decided, released            Slurm has started it
 *          TRACK_WAITING ----------------> TRACK_STARTING ------------> TRACK_RUNNING
 *             ^    ^------------------------------'  it did not start in time      |
 *             |                                                                    | decided, told
 *               to stop
 *             '------------- it is pending again ---------------- TRACK_STOPPING <-'
 *
 * In shadow nothing is done: every look is that of a new tracker at a cluster that Slurm schedules.
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
    int64_t start_timeout_ms; /* a released job that has not started after this is held again */
    int64_t requeue_wait_ms;  /* a job that was stopped is not released before */
    int64_t repeat_ms;        /* orders to stop are given again after this */
};

struct tracker;

/* Belongs to the tracker's user: they have to live as long as it. `say` gets lines for people,
 * without their end. */
struct tracker_world {
    const struct config *config;
    const struct policy_config *core;
    struct facts *facts;
    void (*say)(void *of, const char *line);
    void *of;
};

/* NULL with the error set when the core refuses its configuration. */
struct tracker *tracker_create(const struct tracker_options *, const struct tracker_world *,
                               policy_time now, char error[CONFIG_ERROR]);
void tracker_destroy(struct tracker *);

/* Tells the core what has changed since the last view. False with the error set when that cannot be
 * told. */
bool tracker_observe(struct tracker *, const struct view *, policy_time now, struct orders *,
                     char error[CONFIG_ERROR]);

/* Asks the core, and says what is to be done. */
bool tracker_decide(struct tracker *, policy_time now, struct orders *, char error[CONFIG_ERROR]);

/* Says of each job that waits, why; the policy looks at all of them again. After tracker_decide().
 */
void tracker_explain(struct tracker *);

/* When time alone may change something; INT64_MAX: never. */
policy_time tracker_wakeup(const struct tracker *);

/* Nothing was ordered that is not done yet. */
bool tracker_is_quiet(const struct tracker *);

/* Jobs that wait, and that run or are about to, for messages. */
void tracker_counts(const struct tracker *, size_t *waiting, size_t *running);

#endif
