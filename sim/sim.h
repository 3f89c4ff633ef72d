/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The driver: virtual time around a policy core. It streams jobs from a trace, applies events to
 * the world, gives the core the facts that production would, asks it to decide when its cycle is
 * due, and carries out its decisions. The driver knows nothing about policies; the core knows
 * nothing about virtual time.
 *
 * At one instant, jobs end first, then jobs arrive, then the policy decides. There are no ticks:
 * time jumps from event to event.
 *
 * The driver does not measure. Observers receive events and read the state:
 *
 *     interval   a site's state was constant in [from, to): integrate
 *     submitted, started, ended   a job's life; it starts again after each eviction
 *     launched   a job that had to start up or restart first is at work
 *     decided    the decisions of the policy core; evicted: the effects of an eviction on a job
 *     cycled     the policy core was asked and its decisions are carried out; or an instant is over
 *                and there was nothing to decide
 *     held       a task took devices, or released them
 *     spent      how a span of a job's time was spent; all spans add up to all time for which
 * devices were held broke, repaired   a fault strikes; its effects end turned          a node went
 * down or returned, stopped or resumed accepting tasks provisioned     a node was ordered or
 * released interrupted     a job lost its devices to a fault changed    the terms of a queue
 * changed as planned tick       the state at a sampling time, after all events up to and including
 * it
 *
 * Eviction takes time. An evicted task gets a notice and keeps its devices for grace_ms. A job that
 * stops altogether uses that time to write a checkpoint if it is able to, and otherwise loses its
 * work since the last one. It is pending at once, and after a restart continues from its saved
 * work. An elastic job that keeps its minimum loses nothing when it shrinks or grows. A gang of
 * which some tasks are moved stops in the same way, but its other tasks keep their devices until
 * all run again. A job ended by a limit (time or idleness) does not return: a build session then
 * counts as completed, any other job as cancelled.
 *
 * A run may also begin in the middle, with the contents of a snapshot (initial_state.h).
 *
 * A site is a set of pools that share their queues: work pending for one pool of a site may use
 * another pool of it, but none of another site. Most fleets are one site.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "policies/facts/fact.h"
#include "sim/base/err.h"
#include "sim/elastic_nodes.h"
#include "sim/fault.h"
#include "sim/fleet/fleet.h"
#include "sim/initial_state.h"
#include "sim/kernel/events.h"
#include "sim/memory/rules.h"
#include "sim/network.h"
#include "sim/planned_changes.h"
#include "sim/spare_nodes.h"
#include "sim/storage_rules.h"
#include "sim/work/job.h"
#include "sim/work/overhead.h"
#include "sim/work/request.h"
#include "traces/trace.h"

#define SIM_MOST_TICKS 10000000 /* samples per run */

struct sim;

/*
 * How a span of time was spent, within the measurement window (milli is 0 outside): thousandths of
 * devices for work, restart, checkpoints, or held without running. `unsafe_ms` of work_ms is not
 * covered by a checkpoint yet; `saved`: earlier work is covered from now on.
 */
struct sim_span {
    int64_t milli;
    int64_t speed_ppm;    /* speed of the work, relative to the recorded speed */
    int64_t hardware_ppm; /* speed it would have had with the best placement on such nodes */
    struct work_spent spent;
};

struct sim_eviction {
    int32_t action, reason; /* enum policy_action, enum policy_reason */
    int32_t tasks;
    bool whole;   /* no task of the job runs any more */
    bool stopped; /* the job makes no progress for want of tasks */
    bool kept;    /* nothing was lost */
};

/* in place of a class of faults: ended for its device memory; its node was removed as planned */
#define SIM_CAUSE_MEMORY  UINT32_MAX
#define SIM_CAUSE_PLANNED (UINT32_MAX - 1)

struct sim_interruption {
    uint32_t class;     /* of the fault, or SIM_CAUSE_... */
    int64_t lost_units; /* units of work that have to be repeated */
    int64_t hung_ms;    /* before the fault was detected */
    bool kept;          /* a checkpoint was written first, or there was nothing to lose */
    bool corrupt;       /* the work since the fault was corrupt */
    bool goes_on;       /* with its remaining tasks */
    bool own;           /* fails by itself and does not return */
};

struct sim_observer {
    void *self;
    bool (*concerned)(void *self, const struct sim *); /* asked before the run; false: it wants no
                                                          events of such a run. NULL: always true */
    void (*interval)(void *self, const struct sim *, uint32_t site, int64_t from_ms, int64_t to_ms);
    void (*submitted)(void *self, const struct sim *, const struct work_job *);
    void (*started)(void *self, const struct sim *, const struct work_job *);
    void (*launched)(void *self, const struct sim *, const struct work_job *);
    void (*ended)(void *self, const struct sim *,
                  const struct work_job *); /* its tasks are still listed */
    void (*decided)(void *self, const struct sim *, const struct policy_decision *,
                    const struct work_job *);
    void (*evicted)(void *self, const struct sim *, const struct work_job *,
                    const struct sim_eviction *);
    void (*held)(void *self, const struct sim *, const struct work_job *, const struct work_task *,
                 int sign);
    void (*spent)(void *self, const struct sim *, const struct work_job *, const struct sim_span *);
    void (*broke)(void *self, const struct sim *, const struct sim_fault *);
    void (*repaired)(void *self, const struct sim *, const struct sim_fault *);
    void (*turned)(void *self, const struct sim *, uint32_t node);
    void (*provisioned)(void *self, const struct sim *, const struct policy_decision *);
    void (*interrupted)(void *self, const struct sim *, const struct work_job *,
                        const struct sim_interruption *);
    void (*dropped)(void *self, const struct sim *,
                    const struct work_job *); /* fill: it fits nowhere */
    void (*changed)(void *self, const struct sim *, uint32_t queue);
    void (*moved)(void *self, const struct sim *, const struct work_job *, enum sim_store_kind,
                  sim_store_amount); /* to or from storage, in the window */
    void (*cycled)(void *self, const struct sim *, bool asked);
    void (*tick)(void *self, const struct sim *, int64_t at_ms);
    void (*expected)(void *self, const struct sim *, const struct work_job *); /* the job has the
                                        next event: a hint to prefetch its rows, nothing more */
};

#define SIM_OBSERVERS 32 /* maximum */

/* Observers of each event, by index. */
struct sim_listeners {
    uint8_t count, who[SIM_OBSERVERS - 1];
};
struct sim_heard {
    struct sim_listeners interval, submitted, started, launched, ended, decided, evicted, held,
        spent, broke, repaired, turned, provisioned, interrupted, dropped, changed, moved, cycled,
        tick, expected;
};

/* A queue as configured, and its current state. */
struct sim_queue {
    const char *name; /* owned by the run's name table or the scenario */
    int32_t parent;   /* index, -1 for a root */
    int priority;
    int64_t created_ms;
    struct policy_share gpu, cpu, mem; /* thousandths of GPUs and cores, MiB; weights in
                                          thousandths */
    uint32_t *pools; /* fleet pools it is bound to, ascending unless in order of preference; NULL:
                        any */
    bool ordered_pools, strict_order;
    uint32_t pool_count;
    int64_t preempt_min_runtime_ms, reclaim_min_runtime_ms; /* or POLICY_INHERIT */
    int64_t fixed_milli;               /* devices reserved for its build sessions */
    bool suspended;                    /* starts nothing */
    bool spans_pools;                  /* its gangs may span pools with different quotas */
    struct policy_pool_quota *by_pool; /* of fleet pools; NULL: its quota holds anywhere */
    uint32_t by_pool_count;
    /* filled in by the driver */
    policy_queue core;
    uint32_t site;
    int node_gpus;                       /* devices of the largest node that its jobs may use */
    int64_t held_milli;                  /* by its tasks, including those being released */
    int64_t running_milli, wanted_milli; /* by running tasks; by tasks that hold nothing */
    uint64_t pending_jobs, running_jobs;
    bool altered; /* listed in its site's `altered` */
};

struct sim_site {
    int64_t milli, milli_used; /* devices installed in its pools, and in use */
    int64_t milli_down;        /* on nodes that are down */
    int64_t milli_reclaimed;   /* of these, on reclaimed nodes, */
    int64_t milli_tested;      /* and on nodes under test */
    int64_t milli_drained;     /* idle devices on draining nodes */
    int64_t aside_milli;       /* demand of jobs that were set aside, */
    uint64_t aside_jobs;       /* and their number */
    int64_t since_ms;          /* time since which its state is constant */
    uint32_t *queues;          /* leaf queues bound to its pools */
    size_t queue_count, queue_capacity;
    uint32_t *backlogs; /* one queue for each distinct set of pools among them */
    size_t backlog_count, backlog_capacity;
    uint32_t
        *altered; /* queues whose sums or terms changed at `since_ms`, or since the beginning */
    size_t altered_count, altered_capacity;
};

/*
 * A source of work beside the trace that submits and ends jobs during the run, at any time that it
 * names, after the arrivals of that instant, with sim_submit() and sim_end_job().
 */
struct sim_clients {
    void *self;                                  /* NULL: none */
    void (*begin)(void *self, int64_t first_ms); /* called when the first job is submitted */
    int64_t (*next_ms)(void *self);              /* INT64_MAX: never again */
    bool (*act)(void *self, struct sim *, struct err *);
};

/* Records facts and decisions; `told` NULL: not recorded. */
struct sim_facts {
    void *self;
    void (*begun)(void *, const struct sim *); /* the core exists and knows nothing yet */
    void (*told)(void *, const struct fact *); /* the core accepted the fact */
    void (*decided)(void *, const struct sim *, const struct policy_decision *, size_t count);
};

/* Measures the time spent in the policy core: called around every call. */
struct sim_stopwatch {
    void *self; /* NULL: none */
    void (*begin)(void *self);
    void (*end)(void *self, bool asked); /* asked: the call was a decision */
};

/*
 * Ends of the window that follow from the jobs instead of a horizon: the end of the last job, or
 * the last submission. The latter is known once no job is left to come: the window then closes
 * after that whole instant. If that leaves no time to measure (all jobs arrive at once, or during
 * the warm-up), the window ends with the last job after all.
 */
#define SIM_TO_LAST_JOB        INT64_C(-1)
#define SIM_TO_LAST_SUBMISSION INT64_C(-2)

struct sim_config {
    struct fleet *fleet;      /* filled in; owned by the caller, and its use changes */
    struct sim_queue *queues; /* ownership of the array and its pools moves to the sim */
    size_t queue_count;
    bool queues_from_trace; /* names that are not in `queues` become unbound root queues */
    struct policy_config policy;
    const struct policy_typical_task
        *typical; /* typical tasks of the workload, if the policy uses them; else NULL */
    uint32_t typical_count;
    int64_t typical_of; /* their total number */
    int64_t cycle_ms;   /* 0: decide at every event; else at multiples of this on the trace's
                           clock */
    struct trace_names names;
    bool begins; /* at begin_ms, before the first submission; else at the first submission */
    int64_t begin_ms;
    int64_t warmup_ms;    /* warm-up after the first submission, before measurement starts */
    int64_t horizon_ms;   /* end of measurement after the first submission (arrivals stop then), or
                             SIM_TO_... */
    bool drain;           /* run until all jobs have ended */
    int64_t drain_cap_ms; /* at most this long after the horizon; -1: no cap */
    int64_t tick_ms;      /* sampling interval, 0 none */
    enum trace_on_failure on_failure; /* of jobs that do not say it: TRACE_RESTART unless set */
    int64_t grace_ms;                 /* from an eviction until the task's devices are free */
    struct work_checkpoints checkpoints;
    struct work_startup startup;
    struct work_overheads overheads;
    struct sim_faults faults;
    struct sim_clients clients;
    struct sim_initial_state initial_state;
    struct sim_facts facts;
    struct sim_stopwatch stopwatch;
    struct sim_spares spares;
    struct sim_elastic elastic;
    struct sim_network network;
    const struct sim_change *changes; /* planned changes; owned by the caller, and must outlive
                                         the sim */
    size_t change_count;
    struct sim_storage_rules storage;
    bool closed;                    /* users react to the end of their jobs (sim/dependencies.h) */
    int64_t think_max_ms;           /* closed: no reaction after a longer break; -1: always */
    struct memory_rules gpu_memory; /* MEMORY_OFF: limits of device memory are ignored */
    bool single_tasks; /* the core does not see gangs: it may start some tasks, which wait for
                          the rest */
    bool ask_always;   /* decide at every cycle even if nothing can have changed (for debugging) */
    uint64_t seed;     /* of random behaviour of jobs: phases of build sessions */
    bool audit;        /* check all invariants after every instant */
    const struct sim_observer *observers; /* must outlive the sim */
    size_t observer_count;
    bool (*keep_going)(void *, const struct sim *); /* polled; NULL: never stops */
    void *keep_going_self;
};

struct sim {
    struct sim_config config;
    struct sim_heard heard;
    struct fleet *fleet;
    struct policy *policy;
    uint64_t traits;   /* of the policy: set of enum policy_trait */
    bool counts;       /* devices are counted, not placed */
    bool has_topology; /* the core knows the levels of the fabric */
    bool no_topology;  /* the core does not use them */
    struct event_queue events;
    size_t many_events; /* queued: above this number, outdated events are removed */
    struct work_table work;
    struct sim_queue *queues;
    size_t queue_count, queue_capacity;
    uint32_t *queue_of_name; /* by id in names.queues; WORK_NONE unknown */
    size_t queue_of_name_count;
    struct sim_site *sites;
    size_t site_count;
    uint32_t *site_of_pool;

    struct trace *trace;
    struct trace_job next; /* read ahead */
    bool has_next;
    int64_t shift_ms; /* of arrivals that begin with the run */

    int64_t now_ms, first_submit_ms,
        last_end_ms;          /* INT64_MIN before the first; last_end of any job */
    int64_t last_eligible_ms; /* over all submitted jobs */
    int64_t decided_ms;       /* last time that the policy was asked */
    int64_t last_submit_ms;   /* last submission of a trace job so far; the beginning before the
                                 first */
    int64_t window_start_ms, window_end_ms; /* end is INT64_MAX while open */
    bool window_falls_back; /* to the end of the last job: nothing else can be measured */
    int64_t next_tick_ms;
    int64_t tick_count;
    int64_t idle_milli;       /* held, but not by running tasks: restarting, being released */
    int64_t hung_milli;       /* held by running tasks that hang since an undetected fault */
    int64_t least_device_mem; /* memory of the smallest device in MiB, 0 unknown */
    uint32_t *changed;        /* jobs changed by the decisions being carried out */
    size_t changed_count, changed_capacity;
    struct sim_trouble *troubles; /* current faults */
    size_t trouble_count, trouble_capacity;
    uint32_t free_trouble;
    uint32_t slow_troubles;                /* of these, faults that slow jobs down */
    struct sim_speed *speed;               /* speeds of jobs; NULL: all run at their ideal speed */
    struct sim_spare_book *spares;         /* NULL: there are no spare nodes */
    struct sim_elastic_book *elastic_book; /* NULL: all nodes always exist */
    struct sim_storage *storage;           /* shared storage; NULL: not modelled */
    struct sim_memory *memory;             /* shared device memory; NULL: only requests count */
    struct unsettled *unsettled;           /* counts decisions that do not settle */
    struct sim_dependencies *dependencies; /* held jobs; NULL: none */
    struct sim_rungs *rungs;       /* arrays that stop losing jobs early; NULL: none so far */
    struct sim_planned *planned;   /* planned changes; NULL: none */
    struct sim_activity *activity; /* of build sessions, by job; NULL: not tracked */
    size_t activity_count;
    uint64_t elastic; /* current jobs that may grow */
    uint64_t submitted, ended, running, pending, aside, event_count, decision_count, cycle_count;
    uint64_t unestimated; /* jobs submitted without a predicted run time */
    bool beside;          /* the current submission is no trace job */
    uint64_t besides;     /* number of such submissions */
    bool filling;         /* packing study: nothing leaves */
    bool stopped;         /* by keep_going */
    bool unsorted;        /* sim_run() failed because the trace is not sorted */
};

/* Creates the policy core and adds nodes and queues. The trace is borrowed. */
bool sim_create(struct sim **, const struct sim_config *, struct trace *, struct err *);
void sim_destroy(struct sim *); /* accepts NULL */

/*
 * Every fact reaches the core through this function, at the current time; results are in the fact
 * afterwards. Returns the core's status. The recorder is informed.
 */
int sim_tell(struct sim *, struct fact *);

/* Runs to the end of the scenario, or until every event up to and including `until_ms` is done. */
bool sim_run(struct sim *, int64_t until_ms, struct err *);

/* Closes all intervals and the window; called once after the last sim_run(). Checks that no job was
 * lost. */
bool sim_finish(struct sim *, struct err *);

/*
 * Packing study instead of a replay: jobs[order[i]] arrives i-th, nothing ever leaves, and a job
 * that fits nowhere is dropped at once. `jobs` are copies whose strings belong to the caller.
 */
bool sim_fill(struct sim *, const struct trace_job *jobs, const int64_t *order, size_t count,
              struct err *);

/*
 * For clients: submits a job now (submit_ms, eligible_ms) that does not count as a trace job;
 * returns NULL with err set. The other ends a job now: as completed, or as cancelled if it is
 * pending and holds nothing.
 */
struct work_job *sim_submit(struct sim *, const struct trace_job *, struct err *);
bool sim_end_job(struct sim *, struct work_job *, struct err *);

/*
 * A node of the initial state is down or draining from the start; the caller has informed the core.
 */
bool sim_set_aside(struct sim *, uint32_t node, bool away, struct err *);

/* Makes a job that was set aside because it never fits pending like any other: for explanations, or
 * because it is cancelled. */
bool sim_let_in(struct sim *, struct work_job *, struct err *);

/*
 * policy_explain() of a pending job; a job that was set aside gets the reason that it never fits.
 */
int sim_explain(const struct sim *, const struct work_job *, struct policy_explanation *);

/* True if a pending job does not fit even the empty fleet, so that no policy can start it. */
bool sim_never_fits(const struct sim *, const struct work_job *);

/* Part of the time between two moments that lies within the measurement window. */
static inline int64_t sim_inside(const struct sim *sim, int64_t from, int64_t to)
{
    from = from > sim->window_start_ms ? from : sim->window_start_ms;
    to = to < sim->window_end_ms ? to : sim->window_end_ms;
    return to > from ? to - from : 0;
}

/* True if a trace job submitted then is measured. A window without a horizon has no end. */
static inline bool sim_counts(const struct sim *sim, int64_t submit_ms)
{
    return submit_ms >= sim->window_start_ms &&
           (sim->config.horizon_ms < 0 || submit_ms < sim->window_end_ms);
}

/* True if the policy has the trait (enum policy_trait). */
static inline bool sim_is(const struct sim *sim, uint64_t trait)
{
    return (sim->traits & trait) != 0;
}

/* Pending work of a site by reason (policies/policy.h). */
void sim_backlog(const struct sim *, uint32_t site, struct policy_backlog *);

#endif
