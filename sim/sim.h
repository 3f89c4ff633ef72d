/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The driver: virtual time around a policy core. It streams jobs out of a trace, applies events to
 * the world, tells the core the facts that production would, asks it to decide when its cycle is
 * due, and enacts what it decides. It knows nothing of policies; the core knows nothing of virtual
 * time.
 *
 * At one instant: first ends, then arrivals, then the policy. Nothing ticks: time jumps from event
 * to event.
 *
 * What is measured is no business of the driver. Observers are told what happens and look at the
 * state (read-only):
 *
 *     interval   a site's state was constant in [from, to): integrate
 *     submitted, started, ended   what happened to a job; it starts anew after each eviction
 *     launched   a job that had to start up or to restart first is at work
 *     decided    what the policy core wants done; evicted: what an eviction did to a job
 *     cycled     the policy core was asked, and all that it wanted is done; or an instant is over,
 *                and it has nothing to decide
 *     held       a task took devices, or gave them back
 *     spent      what a span of a job's time was spent on; all spans together are all time for
 *                which devices were held
 *     broke, repaired   a fault begins; its effects end
 *     turned          a node left or came back, takes no more tasks or takes them again
 *     provisioned     a node was ordered, or given back
 *     interrupted     a job lost its devices to a fault
 *     changed    the terms of a queue changed as planned
 *     tick       the state at a sampling time, all events up to and including it applied
 *
 * Eviction takes time. A task that is evicted gets a notice and keeps its devices until that is
 * over (grace_ms); a job that stops altogether writes a checkpoint in it when it is one that does,
 * and loses what it did since its last one otherwise. It is pending again at once, and after a
 * restart it goes on from what was safe. An elastic job that keeps its minimum loses nothing when
 * it shrinks or grows. A gang of which some tasks are moved stops in the same way, but the others
 * keep their devices until all run again. A job that was ended by a limit (its time, or idleness)
 * does not come back: a build session has then completed, any other job counts as cancelled.
 *
 * A run may also begin in the middle, with what a snapshot shows (initial_state.h).
 *
 * A site is a set of pools that share their queues: work that waits for one pool of a site may use
 * another, work of one site never uses another's. Most fleets are one site.
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

#define SIM_MOST_TICKS 10000000 /* samples in one run */

struct sim;

/*
 * What a span of time was spent on, inside the measurement window (milli is 0 outside): thousandths
 * of devices for work, restart, checkpoints, or held without running. `unsafe_ms` of work_ms is not
 * yet covered by a checkpoint; `saved`: what was not covered before is now.
 */
struct sim_span {
    int64_t milli;
    int64_t speed_ppm;    /* at which it worked, of the recorded speed */
    int64_t hardware_ppm; /* what that would have been on the best placement on such nodes */
    struct work_spent spent;
};

struct sim_eviction {
    int32_t action, reason; /* enum policy_action, enum policy_reason */
    int32_t tasks;
    bool whole;   /* nothing of the job runs on */
    bool stopped; /* nor does its work, for want of tasks */
    bool kept;    /* nothing was lost */
};

/* instead of a class of faults: ended for its device memory */
#define SIM_CAUSE_MEMORY UINT32_MAX

struct sim_interruption {
    uint32_t class;     /* of the fault, or SIM_CAUSE_MEMORY */
    int64_t lost_units; /* of work, that have to be done again */
    int64_t hung_ms;    /* before it was noticed */
    bool kept;          /* a checkpoint was written first, or it has nothing to lose */
    bool corrupt;       /* what it did was worth nothing */
    bool goes_on;       /* with the tasks that it has left */
    bool own;           /* it fails by its own doing, and does not come back */
};

struct sim_observer {
    void *self;
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
    void (*cycled)(void *self, const struct sim *, bool asked);
    void (*tick)(void *self, const struct sim *, int64_t at_ms);
};

#define SIM_OBSERVERS 32 /* at most */

/* Who wants to hear of what: numbers of observers. */
struct sim_listeners {
    uint8_t count, who[SIM_OBSERVERS - 1];
};
struct sim_heard {
    struct sim_listeners interval, submitted, started, launched, ended, decided, evicted, held,
        spent, broke, repaired, turned, provisioned, interrupted, dropped, changed, cycled, tick;
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
    int64_t preempt_min_runtime_ms, reclaim_min_runtime_ms; /* or POLICY_INHERIT */
    int64_t fixed_milli; /* devices kept for its build sessions */
    bool suspended;      /* it starts nothing */
    /* filled in by the driver */
    policy_queue core;
    uint32_t site;
    int node_gpus;                       /* devices of the largest node that its jobs may use */
    int64_t held_milli;                  /* by its tasks, those being released included */
    int64_t running_milli, wanted_milli; /* by those that run; of tasks that hold nothing */
    uint64_t pending_jobs, running_jobs;
};

struct sim_site {
    int64_t milli, milli_used; /* devices installed in its pools, and in use */
    int64_t milli_down;        /* of nodes that are down; */
    int64_t milli_reclaimed;   /* of these, because somebody else has them */
    int64_t milli_drained;     /* idle ones of nodes that take no more tasks */
    int64_t aside_milli;       /* of jobs that were set aside: what they would want, */
    uint64_t aside_jobs;       /* and how many they are */
    int64_t since_ms;          /* its state has been constant since */
    uint32_t *queues;          /* leaf queues whose work goes here */
    size_t queue_count, queue_capacity;
    uint32_t *backlogs; /* one queue for each different set of pools among them */
    size_t backlog_count, backlog_capacity;
};

/*
 * A source of work beside the trace, which submits and ends jobs during the run: at any time that
 * it names, after the arrivals of that instant, with sim_submit() and sim_end_job().
 */
struct sim_clients {
    void *self;                                  /* NULL: none */
    void (*begin)(void *self, int64_t first_ms); /* told when the first job is submitted */
    int64_t (*next_ms)(void *self);              /* INT64_MAX: never again */
    bool (*act)(void *self, struct sim *, struct err *);
};

/* Records facts and decisions; `told` NULL: none. */
struct sim_facts {
    void *self;
    void (*begun)(void *, const struct sim *); /* the core is there, and knows nothing yet */
    void (*told)(void *, const struct fact *); /* taken by the core */
    void (*decided)(void *, const struct sim *, const struct policy_decision *, size_t count);
};

/* Measures the time that the policy core takes: called around every call of it. */
struct sim_stopwatch {
    void *self; /* NULL: none */
    void (*begin)(void *self);
    void (*end)(void *self, bool asked); /* asked: it was a decision */
};

/*
 * Ends of the window that follow from the jobs, in place of a horizon: the end of the last job, or
 * the last submission. The latter is known once no job is left to come: the window then closes
 * after that instant, all of which lies in it. If that leaves no time to measure (all jobs come at
 * once, or in the warm-up), the window ends with the last job after all.
 */
#define SIM_TO_LAST_JOB        INT64_C(-1)
#define SIM_TO_LAST_SUBMISSION INT64_C(-2)

struct sim_config {
    struct fleet *fleet;      /* filled; owned by the caller, its use state changes */
    struct sim_queue *queues; /* taken over (array and pools) */
    size_t queue_count;
    bool queues_from_trace; /* names that are not among `queues` become unbound root queues */
    struct policy_config policy;
    const struct policy_typical_task
        *typical; /* of the workload, where the policy wants to know; else NULL */
    uint32_t typical_count;
    int64_t typical_of; /* so many tasks in all */
    int64_t cycle_ms;   /* 0: decide at every event; else at multiples of it on the trace's clock */
    struct trace_names names;
    bool begins; /* at begin_ms, before the first submission; else with that */
    int64_t begin_ms;
    int64_t warmup_ms;  /* measurement starts so long after the first submission */
    int64_t horizon_ms; /* and ends so long after it (arrivals stop then), or as SIM_TO_... says */
    bool drain;         /* run on until all jobs have ended */
    int64_t drain_cap_ms; /* but at most so long after the horizon; -1: no cap */
    int64_t tick_ms;      /* sampling interval, 0 none */
    bool shrink;          /* elastic jobs go on with the tasks that a failure leaves them */
    int64_t grace_ms;     /* from an eviction until the task's devices are free */
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
    const struct sim_change *changes; /* planned; of the caller, for as long as the sim is there */
    size_t change_count;
    struct sim_storage_rules storage;
    bool closed;          /* users react to the ends of their jobs (sim/dependencies.h) */
    int64_t think_max_ms; /* closed: after longer breaks they do not; -1: they always do */
    struct memory_rules gpu_memory; /* MEMORY_OFF: limits of device memory mean nothing */
    bool single_tasks; /* the core is not told of gangs: it may start some tasks, which wait for the
                          rest */
    bool ask_always; /* decide at every cycle, also when nothing can have changed (for debugging) */
    uint64_t seed;   /* of what jobs do by chance: phases of build sessions */
    bool audit;      /* check all invariants after every instant */
    const struct sim_observer *observers; /* must outlive the sim */
    size_t observer_count;
    bool (*keep_going)(void *, const struct sim *); /* asked now and then; NULL: always */
    void *keep_going_self;
};

struct sim {
    struct sim_config config;
    struct sim_heard heard;
    struct fleet *fleet;
    struct policy *policy;
    uint64_t traits;   /* of the policy: a set of enum policy_trait */
    bool counts;       /* devices are only counted */
    bool has_topology; /* the core knows the levels of the fabric, */
    bool no_topology;  /* or has no use for them */
    struct event_queue events;
    size_t many_events; /* pending: so many are looked through for such as are out of date */
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
    int64_t shift_ms; /* of arrivals, where they begin with the run */

    int64_t now_ms, first_submit_ms,
        last_end_ms;          /* INT64_MIN before the first; last_end of any job */
    int64_t last_eligible_ms; /* of all that were submitted */
    int64_t decided_ms;       /* when the policy was asked last */
    int64_t last_submit_ms;   /* of the trace's jobs so far; the beginning before the first */
    int64_t window_start_ms, window_end_ms; /* end INT64_MAX while open */
    bool window_falls_back; /* to the end of the last job: nothing else to measure */
    int64_t next_tick_ms;
    int64_t tick_count;
    int64_t idle_milli;       /* held, but not by tasks that run: restarting, being released */
    int64_t hung_milli;       /* held by running tasks that hang since an unnoticed fault */
    int64_t least_device_mem; /* MiB of the smallest device, 0 unknown */
    uint32_t *changed;        /* jobs that the decisions being carried out changed */
    size_t changed_count, changed_capacity;
    struct sim_trouble *troubles; /* faults that are not over */
    size_t trouble_count, trouble_capacity;
    uint32_t free_trouble;
    uint32_t slow_troubles;                /* of them, those that slow jobs down */
    struct sim_speed *speed;               /* of jobs; NULL: all go at their ideal one */
    struct sim_spare_book *spares;         /* NULL: no node is kept apart */
    struct sim_elastic_book *elastic_book; /* NULL: all nodes are there at all times */
    struct sim_storage *storage;           /* that jobs share; NULL: nothing is moved */
    struct sim_memory *memory; /* of devices that are shared; NULL: requests are all that counts */
    struct unsettled *unsettled;           /* decisions that get nowhere are counted there */
    struct sim_dependencies *dependencies; /* jobs that wait outside the core; NULL: none ever do */
    struct sim_rungs *rungs;       /* of arrays that stop losers early; NULL: none did so far */
    struct sim_planned *planned;   /* changes; NULL: none are planned */
    struct sim_activity *activity; /* of build sessions, by job; NULL: not followed */
    size_t activity_count;
    uint64_t elastic; /* jobs that are there and may grow */
    uint64_t submitted, ended, running, pending, aside, event_count, decision_count, cycle_count;
    uint64_t unestimated; /* were submitted without a predictor's word on their run time */
    bool beside;          /* what is submitted now is no job of the trace; */
    uint64_t besides;     /* so many were not */
    bool filling;         /* a packing study: nothing leaves */
    bool stopped;         /* by keep_going */
    bool unsorted;        /* sim_run() failed because the trace is not sorted */
};

/* Builds the policy core and tells it of nodes and queues. The trace is borrowed. */
bool sim_create(struct sim **, const struct sim_config *, struct trace *, struct err *);
void sim_destroy(struct sim *); /* NULL is fine */

/*
 * All that the core is told goes this way, now; what it hands out is in the fact then. Returns its
 * status. Whoever records the facts hears of it.
 */
int sim_tell(struct sim *, struct fact *);

/* Runs to the end of the scenario, or until all that happens up to and including `until_ms` has
 * happened. */
bool sim_run(struct sim *, int64_t until_ms, struct err *);

/* Closes all intervals and the window; called once after the last sim_run(). Checks that no job was
 * lost. */
bool sim_finish(struct sim *, struct err *);

/*
 * Packing study instead of a replay: jobs[order[i]] arrives i-th, nothing ever leaves, what fits
 * nowhere is dropped at once. `jobs` are copies whose strings the caller keeps.
 */
bool sim_fill(struct sim *, const struct trace_job *jobs, const int64_t *order, size_t count,
              struct err *);

/*
 * For clients: a job that is submitted now (submit_ms, eligible_ms), and is not counted among those
 * of the trace; NULL with err set. And one that ends now: as one that has done its work or, if it
 * waits and holds nothing, is cancelled.
 */
struct work_job *sim_submit(struct sim *, const struct trace_job *, struct err *);
bool sim_end_job(struct sim *, struct work_job *, struct err *);

/* A node of the initial state is away from the start, or drained; reported by its reader. */
bool sim_set_aside(struct sim *, uint32_t node, bool away, struct err *);

/* A job that was set aside because it never fits is pending as any other one: for explanations, or
 * since it is cancelled. */
bool sim_let_in(struct sim *, struct work_job *, struct err *);

/* policy_explain() of a pending job; of one that was set aside the reason is that it never fits. */
int sim_explain(const struct sim *, const struct work_job *, struct policy_explanation *);

/* True if a pending job does not fit even the empty fleet, so that no policy can start it. */
bool sim_never_fits(const struct sim *, const struct work_job *);

/* How much of the time between two moments lies in the measurement window. */
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
