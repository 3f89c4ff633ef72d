/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The driver: virtual time around a policy core. It streams jobs out of a trace, applies events to the world, tells
 * the core the facts that production would, asks it to decide when its cycle is due, and enacts what it decides. It
 * knows nothing of policies; the core knows nothing of virtual time.
 *
 * At one instant: first ends, then arrivals, then the policy. Nothing ticks: time jumps from event to event.
 *
 * What is measured is no business of the driver. Observers are told what happens and look at the state (read-only):
 *
 *     interval   a site's state was constant in [from, to): integrate
 *     submitted, started, ended, decided   what happened to a job
 *     tick       the state at a sampling time, all events up to and including it applied
 *
 * A site is a set of pools that share their queues: work that waits for one pool of a site may use another, work of
 * one site never uses another's. Most fleets are one site.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "sim/base/err.h"
#include "sim/fleet/fleet.h"
#include "sim/kernel/events.h"
#include "sim/work/job.h"
#include "traces/trace.h"

#define SIM_MOST_TICKS 10000000 /* samples in one run */

struct sim;

struct sim_observer {
    void *self;
    void (*interval)(void *self, const struct sim *, uint32_t site, int64_t from_ms, int64_t to_ms);
    void (*submitted)(void *self, const struct sim *, const struct work_job *);
    void (*started)(void *self, const struct sim *, const struct work_job *);
    void (*ended)(void *self, const struct sim *, const struct work_job *); /* its tasks are still listed */
    void (*decided)(void *self, const struct sim *, const struct policy_decision *, const struct work_job *);
    void (*dropped)(void *self, const struct sim *, const struct work_job *); /* fill: it fits nowhere */
    void (*tick)(void *self, const struct sim *, int64_t at_ms);
};

/* A queue as configured, and its life. */
struct sim_queue {
    const char *name; /* owned by the run's name table, or the scenario */
    int32_t parent;   /* index, -1 for a root */
    int priority;
    int64_t created_ms;
    struct policy_share gpu, cpu, mem; /* milli-GPUs, milli-cores, MiB; weights in thousandths */
    uint32_t *pools;                   /* fleet pools it is bound to, rising; NULL: any */
    uint32_t pool_count;
    /* filled in by the driver */
    policy_queue core;
    uint32_t site;
    int node_gpus; /* devices of the largest node that its jobs may use */
    int64_t running_milli, pending_milli;
    uint64_t pending_jobs, running_jobs;
};

struct sim_site {
    int64_t milli, milli_used; /* devices installed in its pools, and in use */
    int64_t since_ms;          /* its state has been constant since */
    uint32_t *queues;          /* leaf queues whose work goes here */
    size_t queue_count, queue_capacity;
    uint32_t *backlogs; /* one queue for each different set of pools among them */
    size_t backlog_count, backlog_capacity;
};

struct sim_config {
    struct fleet *fleet;      /* filled; owned by the caller, its use state changes */
    struct sim_queue *queues; /* taken over (array and pools) */
    size_t queue_count;
    bool queues_from_trace; /* names that are not among `queues` become unbound root queues */
    struct policy_config policy;
    int64_t cycle_ms; /* 0: decide at every event; else at multiples of it on the trace's clock */
    struct trace_names names;
    int64_t warmup_ms;    /* measurement starts so long after the first submission */
    int64_t horizon_ms;   /* and ends so long after it (arrivals stop then); -1: with the last job */
    bool drain;           /* run on until all jobs have ended */
    int64_t drain_cap_ms; /* but at most so long after the horizon; -1: no cap */
    int64_t tick_ms;      /* sampling interval, 0 none */
    bool audit;           /* check all invariants after every instant */
    const struct sim_observer *observers; /* must outlive the sim */
    size_t observer_count;
    bool (*keep_going)(void *, const struct sim *); /* asked now and then; NULL: always */
    void *keep_going_self;
};

struct sim {
    struct sim_config config;
    struct fleet *fleet;
    struct policy *policy;
    bool counts; /* devices are only counted */
    struct event_queue events;
    struct work_table work;
    struct sim_queue *queues;
    size_t queue_count, queue_capacity;
    uint32_t *queue_of_name; /* by names.queues id; WORK_NONE unknown */
    size_t queue_of_name_count;
    struct sim_site *sites;
    size_t site_count;
    uint32_t *site_of_pool;

    struct trace *trace;
    struct trace_job next; /* looked ahead */
    bool has_next;

    int64_t now_ms, first_submit_ms, last_end_ms; /* INT64_MIN before the first; last_end of any job */
    int64_t window_start_ms, window_end_ms;       /* end INT64_MAX while open */
    int64_t next_tick_ms;
    int64_t tick_count;
    uint64_t submitted, ended, running, pending, event_count, decision_count, cycle_count;
    bool stopped;  /* by keep_going */
    bool unsorted; /* sim_run() failed because the trace is not sorted */
};

/* Builds the policy core and tells it of nodes and queues. The trace is borrowed. */
bool sim_create(struct sim **, const struct sim_config *, struct trace *, struct err *);
void sim_destroy(struct sim *); /* NULL is fine */

/* Runs to the end of the scenario, or until all that happens up to and including `until_ms` has happened. */
bool sim_run(struct sim *, int64_t until_ms, struct err *);

/* Closes all intervals and the window; called once after the last sim_run(). Checks that no job was lost. */
bool sim_finish(struct sim *, struct err *);

/*
 * Packing study instead of a replay: jobs[order[i]] arrives i-th, nothing ever leaves, what fits nowhere is dropped
 * at once. `jobs` are copies whose strings the caller keeps.
 */
bool sim_fill(struct sim *, const struct trace_job *jobs, const int64_t *order, size_t count, struct err *);

/* Whether a pending job could not even start on the empty fleet: no policy helps it. */
bool sim_never_fits(const struct sim *, const struct work_job *);

/* Pending work of a site by reason (policies/policy.h). */
void sim_backlog(const struct sim *, uint32_t site, struct policy_backlog *);

#endif
