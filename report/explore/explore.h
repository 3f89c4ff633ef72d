/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The explorer: one HTML file that draws every device of a run over time, with jobs as bars, above
 * the queue. It needs no network, and without scripts it still shows the ladder and the waits.
 *
 *     struct explore run;
 *     explore_init(&run);
 *     ... a simulation with the observer explore_observer(&run) ...
 *     explore_finish(&run, sim);
 *     explore_page(path, runs, 1, &err);
 *     explore_fini(&run);
 *
 * Rows are devices, node by node. If a policy only counts devices, a pool has as many rows as
 * devices, and a task gets the lowest free ones.
 *
 * A bar is the time that a job holds devices, from the start of a task until its release, including
 * the grace period of an eviction. Tasks on neighbouring devices for the same time share a bar.
 * Tasks that share a device are stacked within its row.
 *
 * The policy core is queried for the reason why a job is pending after the cycle in which it
 * arrives or is evicted, and then for all pending jobs at intervals, which grow with the run to
 * limit the number of queries. Once the interval is an hour, new jobs are first queried at the next
 * one. Queries do not change decisions.
 */
#ifndef REPORT_EXPLORE_EXPLORE_H
#define REPORT_EXPLORE_EXPLORE_H

#include "report/explore/bins.h"
#include "report/explore/rows.h"
#include "sim/sim.h"

struct explore_job {
    char *id;        /* owned */
    policy_job core; /* its number in the policy core while it is active */
    uint32_t queue, user;
    int64_t submit_ms, eligible_ms, first_start_ms, end_ms; /* WORK_NEVER: not yet */
    int64_t gpu_milli;
    uint32_t tasks, preemptions, failures;
    uint8_t class, status; /* status: enum explore_status */
    bool counted;          /* submitted in the measurement window */
    bool listed;           /* in the list of pending jobs */
    uint8_t reason;        /* the last known reason it was pending; POLICY_REASON_NONE: unknown */
};

enum explore_status {
    EXPLORE_PENDING,
    EXPLORE_RUNNING,
    EXPLORE_COMPLETED,
    EXPLORE_FAILED,
    EXPLORE_CANCELLED,
    EXPLORE_STATUSES
};

/* The reason why a job is pending from this time on, or EXPLORE_EVICTED and the like. */
struct explore_event {
    int64_t at_ms;
    uint32_t job;
    uint8_t kind; /* enum explore_kind */
    uint8_t what; /* reason, action or fault class */
};

enum explore_kind { EXPLORE_REASON, EXPLORE_EVICTED, EXPLORE_INTERRUPTED };
enum { EXPLORE_PLANNED = 254 }; /* interrupted: its node was removed as planned; 255 by memory */

/* A period in which a node did not accept tasks. */
struct explore_state {
    int64_t from_ms, to_ms;
    uint32_t node;
    uint8_t state; /* enum node_state */
};

struct explore_fault {
    int64_t at_ms;
    uint32_t node; /* WORK_NONE: the fault of a job, a switch or the fleet */
    uint32_t class;
};

struct explore {
    char *title, *policy; /* for the page; owned; set by the caller */
    bool dated;           /* times count from 1970 */
    int64_t begin_ms, end_ms, window_start_ms, window_end_ms;
    struct explore_job *jobs; /* in order of submission */
    size_t job_count, job_capacity;
    uint32_t *job_of; /* by the core's number */
    size_t job_of_count;
    struct explore_rows rows;
    struct explore_bins bins;
    struct explore_event *events;
    size_t event_count, event_capacity;
    struct explore_state *states;
    size_t state_count, state_capacity;
    struct explore_fault *faults;
    size_t fault_count, fault_capacity;
    uint8_t *state_of; /* by node, now */
    int64_t *state_since_ms;
    uint32_t *pending;                             /* jobs that may be pending */
    size_t pending_count, pending_capacity, fresh; /* from `fresh` on: not queried yet */
    int64_t asked_ms, step_ms; /* time of the last query of all jobs, and its interval */
    uint64_t questions;
    const struct sim *sim; /* names of nodes, queues and users; must outlive the page */
};

void explore_init(struct explore *);
struct sim_observer explore_observer(struct explore *);

/* Ends open bars and states; call after the run. */
void explore_finish(struct explore *, const struct sim *);
void explore_fini(struct explore *);

/* Writes the page of one run, or of two on one time axis. Returns false with err set (EXIT_INPUT)
 * if it cannot be written. */
#define EXPLORE_RUNS ((size_t)2)
bool explore_page(const char *path, const struct explore *runs, size_t count, struct err *err);

#endif
