/* SPDX-License-Identifier: MIT */
/*
 * A policy of your own, as a shared library. It exports one struct of this name, and fills in what
 * it brings:
 *
 *     static int64_t smallest(void *self, const struct policy_job_spec *job) { ... }
 *     const struct policy_plugin fauxpolicy_plugin = {
 *         POLICY_PLUGIN_HEAD("smallest-first", "fewest devices first"), .key = smallest};
 *
 *     cc -shared -fPIC -o smallest_first.so smallest_first.c
 *     fauxfleet run scenario.json --policy ./smallest_first.so -o out
 *
 * What it may bring
 *   - an order by what is known when a job is submitted (`key`),
 *   - an order by what is known while jobs run, which evicts who has fallen behind (`rank`),
 *   - a queue order: which queue is served next (`queue_key`); the base divides the fleet among
 *     queues,
 *   - a placement (`score`),
 *   - an action (`act`) in the place of one of the base's, or after them all,
 *   - or a whole policy (`decide`), which looks at nodes and jobs and says who starts where and who
 *     has to go. It may have `key` or `rank` beside it (they sort the jobs that it sees) and
 *     `score` (where place() puts tasks).
 * Everything else (places, blocking, backfill, options) is that of the built-in policy `base`.
 *
 * All of them may look at the same read-only view (struct policy_view), which shows what the
 * built-in policies see. A plugin may declare options of its own (`options`), and save its state,
 * so that whoever restarts, or goes on from a snapshot, decides as the plugin before would have
 * (`save`, `load`).
 *
 * Rules
 *   - Equal calls give equal answers: no clock, no random numbers, no files, nothing kept in
 *     globals. State belongs into what `create` returns; several policies of one plugin may live
 *     side by side, each used by one thread at a time.
 *   - What a function is given lives until it returns.
 *   - A whole policy decides through the functions of its plan. Each checks first: what cannot be
 *     (a device that is taken, a gang in part, a job that does not run) is refused, and fails the
 *     policy: the embedder's policy_decide() ends with POLICY_WRONG_PLUGIN and a message with the
 *     plugin's name. What was decided before stands.
 *   - The policy core calls a plugin, a plugin never calls the policy core but for the functions of
 *     its plan.
 *
 * Units are those of policy.h: devices in thousandths where they may be shared, milliseconds, MiB.
 * The embedder loads the library; see policy_config_plugin() in policy.h.
 */
#ifndef POLICY_PLUGIN_H
#define POLICY_PLUGIN_H

#include "policy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* of this header; raised when something breaks, never for growth */
#define POLICY_PLUGIN_VERSION 1
#define POLICY_PLUGIN_SYMBOL  "fauxpolicy_plugin" /* the name of the struct in the library */
#define POLICY_PLUGIN_NAME    32 /* characters of a plugin's name, with the last 0 */

/* The first members of the struct. */
#define POLICY_PLUGIN_HEAD(name, summary)                                                          \
    (uint32_t)sizeof(struct policy_plugin), POLICY_PLUGIN_VERSION, name, summary

/* ---- the view -------------------------------------------------------------------------------- */

/*
 * What the built-in policies see, read-only. Nothing is copied until it is asked for, so a plugin
 * pays for what it looks at. Answers are the caller's structs: set `size` to sizeof before, members
 * that a shorter struct lacks are left out. A question about what does not exist is answered with
 * false, NULL or POLICY_NO_ID. Pointers in an answer live until the function of the plugin returns,
 * or until the plugin decides something.
 *
 *     struct policy_view_queue queue = {.size = sizeof queue};
 *     if (view->queue(view, id, &queue) && queue.allocated.gpu > queue.fair_share.gpu) ...
 *
 * Amounts are thousandths of devices, thousandths of cores, and MiB. Ids are dense: those in use
 * are below node_ids, queue_ids and job_ids, with gaps where one was removed.
 */
struct policy_view_node {
    uint32_t size;
    policy_node id;
    uint32_t rank; /* ties: the smallest first */
    uint32_t pool, type;
    int32_t state;   /* enum policy_node_state; nodes that are down or draining take no new tasks */
    int32_t mig;     /* enum policy_mig_mode */
    int32_t devices; /* on the node; sets of devices have so many bits */
    int32_t tasks_free;     /* tasks that it may still take; -1: any number */
    bool whole_only;        /* takes only tasks that want all its devices, whole */
    int64_t device_mem_mib; /* of each device; 0: not known */
    uint64_t usable;        /* the devices that are healthy, */
    uint64_t idle;          /* of these those that nobody has anything of, */
    uint64_t leaving;       /* those that will be idle when all that is being released has gone, */
    uint64_t shared;        /* and those that are taken in part: device() says how much */
    int32_t
        nominated; /* whole devices that are promised to nominated tasks; of idle or leaving ones */
    int64_t cpu_total_milli, mem_total_mib; /* -1: not modelled; so are the others then */
    int64_t cpu_idle_milli, mem_idle_mib;   /* free now */
    int64_t cpu_soon_milli, mem_soon_mib;   /* idle + being released - nominated */
    const int32_t *mig_total,
        *mig_idle; /* POLICY_MAX_PROFILES instances each, of POLICY_MIG_FIXED; else NULL */
    const struct policy_label *labels;
    uint32_t label_count;
};

struct policy_view_device {
    uint32_t size;
    bool usable;
    int64_t mem_mib; /* 0: not known */
    /* parts of the device, thousandths, rounded down where devices are counted in MiB: run on it,
     * being released, nominated */
    int32_t used_milli, leaving_milli, nominated_milli;
    int32_t tasks; /* that hold a share of it */
    int32_t slices,
        slices_free; /* memory slices of MIG instances that are made freely: 8 in all, else 0 */
};

struct policy_view_queue {
    uint32_t size;
    policy_queue id, parent; /* i = POLICY_NO_ID: a root */
    int32_t priority;        /* larger first */
    uint32_t rank;           /* ties */
    policy_time created;
    bool leaf;                         /* has jobs and no queues below it */
    struct policy_share gpu, cpu, mem; /* quota, limit and weight */
    const uint32_t *pools;             /* the only ones that its jobs may use; NULL: any */
    uint32_t pool_count;
    int64_t fixed_milli; /* devices kept for its build sessions */
    int64_t preempt_min_runtime_ms, reclaim_min_runtime_ms; /* or POLICY_INHERIT */
    struct policy_amounts
        allocated; /* what tasks have that run or are nominated, below the queue or in it */
    struct policy_amounts non_preemptible; /* of these, what jobs have that may not be preempted */
    struct policy_amounts request;         /* what runs, and what is pending */
    struct policy_amounts
        fair_share; /* of this decision; -1 unlimited; 0 where the base divides nothing */
    struct policy_amounts usage_ppm; /* past use, of what the cluster had */
    uint64_t jobs;                   /* that exist */
};

/* A job: where it stands, and what was said of it when it was submitted. */
struct policy_view_job {
    uint32_t size;
    policy_job id;
    policy_queue queue;
    int32_t priority, workload; /* enum policy_workload */
    bool preemptible;
    bool eligible_now; /* its begin time has come */
    uint32_t user;     /* 0: not known */
    uint64_t rank;     /* ties: the smallest first */
    policy_time submitted, eligible;
    policy_time last_start;   /* when it last went from nothing to running; POLICY_NEVER */
    policy_time stale_since;  /* it runs below its minimum since then; POLICY_NEVER: it does not */
    policy_time idle_since;   /* POLICY_NEVER: its devices are in use, or nobody reported */
    int64_t run_ms;           /* expected run time, -1 unknown */
    int64_t limit_ms;         /* declared limit, -1 none */
    int64_t estimate_ms;      /* of a predictor, 0 none */
    int64_t remaining_ms;     /* as reported or expected, to run from its last start on; INT64_MAX
                                 unknown */
    int64_t attained;         /* service that it had: devices x time, thousandths x ms */
    int32_t tasks, min_tasks; /* of all roles; its gang minimum */
    int32_t running, releasing, pending; /* tasks; with min_tasks < tasks the job is elastic */
    uint32_t role_count, group_count;
    struct policy_constraint topology;
    struct policy_amounts minimum,
        all; /* what its minimum, and all of its tasks ask for, as queues count it */
};

enum policy_view_task_state {
    POLICY_TASK_PENDING = 0,
    POLICY_TASK_RUNS = 1,
    /* it is being released; it may be nominated to its next place already */
    POLICY_TASK_LEAVES = 2,
    POLICY_TASK_GATED = 3,
    POLICY_TASK_OVER = 4,
};

struct policy_view_task {
    uint32_t size;
    int32_t state; /* enum policy_view_task_state */
    uint32_t role;
    policy_node node;      /* that it holds something of; i = POLICY_NO_ID: none */
    uint64_t devices;      /* there; 0: none, or MIG instances of fixed counts */
    policy_node nominated; /* i = POLICY_NO_ID: it is not */
};

/* Nodes that have the same labels from the top level of a topology down to this one. */
struct policy_view_domain {
    uint32_t size;
    uint32_t level;        /* 0: all nodes of the topology, 1: its top level, ... */
    uint32_t parent;       /* number of the domain one level up; POLICY_NO_ID at level 0 */
    uint32_t nodes;        /* in it */
    const uint32_t *ranks; /* of these nodes; node_at() has their ids */
};

struct policy_view {
    uint32_t size;
    policy_time now;
    uint32_t node_ids, queue_ids, job_ids;
    uint32_t topologies; /* are numbered from 1 to this; some may not be known */
    struct policy_amounts
        capacity; /* of nodes that are up and healthy devices, as queues count it */

    bool (*node)(const struct policy_view *, policy_node, struct policy_view_node *);
    bool (*device)(const struct policy_view *, policy_node, uint32_t device,
                   struct policy_view_device *);
    bool (*queue)(const struct policy_view *, policy_queue, struct policy_view_queue *);
    /* By number: every job is found so. The generation of an id is in the answer. */
    bool (*job)(const struct policy_view *, uint32_t i, struct policy_view_job *);
    /*
     * What a role asks for, as it was submitted: tasks, minimum, group, topology, and the whole
     * request (whole devices, a share, GPU memory, MIG, CPU, memory, types and terms on labels).
     */
    bool (*role)(const struct policy_view *, policy_job, uint32_t role, struct policy_role *);
    bool (*group)(const struct policy_view *, policy_job, uint32_t group, struct policy_group *);
    bool (*task)(const struct policy_view *, policy_job, uint32_t task, struct policy_view_task *);

    /* True if the task would fit the node now, its labels, types and pools included. */
    bool (*fits)(const struct policy_view *, policy_job, uint32_t task, policy_node);
    policy_node (*node_at)(const struct policy_view *, uint32_t rank);

    /* The label keys of a topology from the top level down, *count of them; NULL: it is not known.
     */
    const uint32_t *(*levels)(const struct policy_view *, uint32_t topology, uint32_t *count);
    /* Domains are numbered from 0 (all nodes that have all the labels), level by level. False
     * behind the last. */
    bool (*domain)(const struct policy_view *, uint32_t topology, uint32_t i,
                   struct policy_view_domain *);
    /* The domain of a node at a level; POLICY_NO_ID: it stands outside of the topology. */
    uint32_t (*domain_of)(const struct policy_view *, uint32_t topology, uint32_t level,
                          policy_node);

    /* The embedder's name for a number, see policy_set_name(); NULL: it told none, or the plugin
     * did not ask (`wants`). */
    const char *(*name)(const struct policy_view *, int32_t of, uint32_t number);
};

/* ---- what plugins are shown when they are asked ---------------------------------------------- */

/* A node. Those that are down or draining take no new tasks. */
struct policy_plugin_node {
    policy_node id;
    uint32_t rank; /* ties: the smallest first */
    uint32_t pool, type;
    int32_t state; /* enum policy_node_state */
    int32_t devices, tasks,
        max_tasks;        /* of these, those that run here, and how many may; -1 any number */
    int32_t free_milli;   /* free on usable devices */
    uint64_t usable;      /* the devices that are healthy, */
    uint64_t whole;       /* of these those that are entirely free, */
    uint64_t shared;      /* and those that are taken in part */
    const uint16_t *room; /* thousandths left of each device */
    int64_t cpu_free_milli, mem_free_mib;   /* -1: not modelled */
    int64_t cpu_total_milli, mem_total_mib; /* -1: not modelled */
    const struct policy_view *view;         /* for all that is not said here */
    uint64_t reserved[3];
};

enum policy_plugin_state {
    POLICY_JOB_WAITS = 0,
    POLICY_JOB_RUNS = 1,
    POLICY_JOB_LEAVES = 2, /* evicted, but not gone yet: it holds its devices still */
};

/* Like tasks of a job. */
struct policy_plugin_role {
    int32_t tasks;
    int32_t devices, device_milli; /* of one task: how many, and the share of each: 1..1000 */
    int64_t cpu_milli, mem_mib;
    uint64_t types; /* set of device types that will do */
    const struct policy_request
        *all; /* the whole request: MIG, GPU memory, terms on labels; NULL: see view->role() */
    uint64_t reserved[1];
};

/* Where a task is, or is to be. */
struct policy_plugin_seat {
    policy_node node;
    uint64_t devices; /* for start(): 0 the usual ones */
};

/* A job that waits, or holds devices. */
struct policy_plugin_job {
    policy_job id;
    policy_queue queue;
    int32_t state; /* enum policy_plugin_state */
    int32_t priority;
    bool preemptible;
    uint64_t rank;         /* ties: the smallest first */
    policy_time submitted; /* first */
    policy_time since;     /* it has been in this state; of a job that waits: in the queue */
    uint64_t turn;         /* among jobs of one state: the order in which they came to it */
    int64_t key;           /* what the plugin's key or rank said; 0 without one */
    int64_t run_ms;        /* expected run time, -1 unknown */
    int64_t limit_ms;      /* declared limit, -1 none */
    int64_t estimate_ms;   /* of a predictor, 0 none */
    int64_t remaining_ms;  /* to run from now on (or its next start); INT64_MAX unknown */
    int64_t attained;      /* devices x time that it had, thousandths x ms */
    int64_t gpu_milli;     /* of the whole gang */
    int32_t tasks;         /* of the gang */
    uint32_t role_count;   /* tasks are numbered through the roles; */
    uint32_t seat_count;   /* those that hold devices, in that order; none while it waits */
    const struct policy_plugin_role *roles;
    const struct policy_plugin_seat *seats;
    const struct policy_view *view; /* for all that is not said here */
    uint64_t reserved[3];
};

/* ---- what a whole policy, or an action, does ------------------------------------------------- */

/* A task that is to start, and where. */
struct policy_plugin_start {
    uint32_t task;
    policy_node node;
    uint64_t devices; /* 0: the usual ones */
};

/*
 * The view and the ways to decide. Decisions are in effect at once: nodes and jobs show what is
 * left after each. Jobs are in the order of `key` or `rank`, equal ones by `rank`; those that leave
 * come last. Jobs that could not even run on the empty fleet, or whose time has not come, are not
 * shown.
 */
struct policy_plan {
    uint32_t size;
    policy_time now;
    const struct policy_plugin_node *nodes; /* by rank */
    const struct policy_plugin_job *jobs;
    uint32_t node_count, job_count;
    /*
     * When to ask again although nothing has happened; INT64_MAX (as it is at first): never. In any
     * case the plugin is asked when something happened while jobs wait, and when an eviction is
     * answered.
     */
    policy_time wake_at;

    /* The node of a seat; NULL when there is no such node. */
    const struct policy_plugin_node *(*node)(const struct policy_plan *, policy_node);

    /* True if such a task fits the node now. */
    bool (*fits)(const struct policy_plan *, const struct policy_plugin_node *,
                 const struct policy_plugin_role *);

    /* Starts a job that waits, all of its tasks, where the placement puts them. False: they do not
     * fit now. */
    bool (*place)(struct policy_plan *, const struct policy_plugin_job *);

    /* Starts a job that waits, with one seat for each of its tasks. False: refused. */
    bool (*start)(struct policy_plan *, const struct policy_plugin_job *,
                  const struct policy_plugin_seat *seats, uint32_t count);

    /*
     * Evicts a job that runs and may be preempted; `for_job` (or NULL) is served by it. Not one
     * that this very decision has started, nor one a second time at the same time. Its devices are
     * free when the embedder has answered, and then the plugin is asked again. False: refused.
     */
    bool (*evict)(struct policy_plan *, const struct policy_plugin_job *,
                  const struct policy_plugin_job *for_job);

    /* Gives up, with a reason for people: what the plugin needs is not there. */
    void (*give_up)(struct policy_plan *, const char *why);

    const struct policy_view *view;

    /*
     * The same by id, for jobs of every kind. place_job() starts what is next of the job where the
     * placement puts it: its minimum, or, when that runs, one task more of an elastic job. False:
     * no room, or a limit or quota of a queue is in the way.
     */
    bool (*place_job)(struct policy_plan *, policy_job);

    /*
     * Starts these pending tasks of the job there. Each of its pod sets has to have its minimum
     * then, and queues have to stay within their limits. False: refused.
     */
    bool (*start_tasks)(struct policy_plan *, policy_job, const struct policy_plugin_start *,
                        uint32_t count);

    /*
     * Evicts the job, or of an elastic job one task above its minimum. `for_job` (i = POLICY_NO_ID:
     * none) is served by it. False: refused; shrink_job() also when the job has no task above its
     * minimum.
     */
    bool (*evict_job)(struct policy_plan *, policy_job, policy_job for_job);
    bool (*shrink_job)(struct policy_plan *, policy_job, policy_job for_job);

    uint64_t reserved[3];
};

/* ---- options of a plugin --------------------------------------------------------------------- */

enum policy_option_kind {
    POLICY_OPTION_FLAG = 0,    /* true or false: 1 or 0 */
    POLICY_OPTION_WORD = 1,    /* one of `words`: its number, from 0 */
    POLICY_OPTION_NUMBER = 2,  /* a whole number */
    POLICY_OPTION_SECONDS = 3, /* a time span: said in seconds, the value is in milliseconds */
    POLICY_OPTION_RATIO = 4,   /* a decimal number; the value is in parts per million */
};

/*
 * An option of the plugin's own: set like a built-in one (--set policy.options.NAME=...), swept,
 * recorded and replayed with it. The value is one int64. The name has letters, digits and '_' and
 * is none of a built-in option.
 */
struct policy_plugin_option {
    struct policy_row row; /* name and summary */
    int32_t kind;          /* enum policy_option_kind */
    const char *words;     /* "zero|one|two", of POLICY_OPTION_WORD; else NULL */
    int64_t usual;         /* the default */
    int64_t least, most;   /* of numbers, spans and ratios, -1 at least; in units of the value */
};

/* What open() is given. */
struct policy_plugin_setup {
    uint32_t size;
    uint32_t option_count;
    const int64_t
        *options;  /* the values, in the order of the plugin's table; live until open() returns */
    uint64_t seed; /* of the configuration */
};

/* ---- the plugin ------------------------------------------------------------------------------ */

enum policy_plugin_wants {
    POLICY_WANTS_NAMES = 1, /* the embedder is to tell names: policy_set_name() */
};

struct policy_plugin {
    uint32_t size, version; /* POLICY_PLUGIN_HEAD() */
    const char *name, *summary;

    /* The built-in policy that the rest is taken from; NULL: fifo, or srtf for rank and decide. */
    const char *base;

    /* State of one policy, from the embedder's memory; NULL: none is needed. create returns NULL
     * without memory. */
    void *(*create)(const struct policy_allocator *);
    void (*destroy)(void *self, const struct policy_allocator *);

    /* Place in the order, smaller first; asked once, when the job is submitted. */
    int64_t (*key)(void *self, const struct policy_job_spec *);

    /*
     * Place in the order now, smaller first; asked for every job that waits or runs, whenever
     * something happened. The devices are divided in this order, and running jobs that get none are
     * evicted (see the preset srtf). The job has no seats.
     */
    int64_t (*rank)(void *self, const struct policy_plugin_job *, policy_time now);

    /* With rank: when time alone changes the place of this running job; INT64_MAX never. NULL:
     * never, for all. */
    policy_time (*changes)(void *self, const struct policy_plugin_job *, policy_time now);

    /*
     * How good the node, which it fits, is for such a task: the highest wins, then the smallest
     * rank. Goes by its arguments alone, and by what the view shows of this node: answers are kept
     * as long as the node does not change.
     */
    int64_t (*score)(void *self, const struct policy_plugin_node *,
                     const struct policy_plugin_role *);

    /* Decides what is to be done now. */
    void (*decide)(void *self, struct policy_plan *);

    /*
     * What follows came later: a plugin whose struct ends before it has none of it.
     */

    uint64_t wants; /* set of enum policy_plugin_wants */

    /* Options of its own, at most POLICY_MAX_PLUGIN_OPTIONS. */
    const struct policy_plugin_option *options;
    uint32_t option_count;

    uint32_t state_version; /* of what save() writes */

    /* What is wrong with values of options together, as a sentence; NULL: nothing. */
    const char *(*check)(const struct policy_plugin_setup *);

    /* In the place of `create`, for a plugin with options. NULL without memory. */
    void *(*open)(const struct policy_allocator *, const struct policy_plugin_setup *);

    /*
     * The state as bytes, for snapshots and restarts: writes them if there is `room` for all, and
     * returns how many there are. Only what cannot be found out again from the view has to be in
     * there.
     */
    size_t (*save)(const void *self, void *bytes, size_t room);

    /*
     * Takes over what a save() of this plugin wrote, with the state_version of then. The state is
     * as made by create or open. False: it cannot (another version, or there is no memory), and the
     * state has to be as it was.
     */
    bool (*load)(void *self, uint32_t version, const void *bytes, size_t size);

    /*
     * Of two queues with the same parent the one with the smaller key is served first; equal ones
     * in the order of the base, which has to have queues (runai, static). Victims are taken in the
     * reverse order. Asked when one of them is compared with the others: `queue.allocated` is that
     * of now.
     */
    int64_t (*queue_key)(void *self, const struct policy_view *, policy_queue);

    /*
     * An action: decides in the turn of the base's action `act_for` ("consolidate"; see the option
     * `actions`), which it replaces; NULL: after all of them. Plans of actions show nodes and jobs
     * in the view only: node_count and job_count are 0.
     */
    void (*act)(void *self, struct policy_plan *);
    const char *act_for;
};

/* Bytes of the struct in the first version of this header. */
#define POLICY_PLUGIN_FIRST_SIZE offsetof(struct policy_plugin, wants)

/* The one symbol of the library. */
extern POLICY_API const struct policy_plugin fauxpolicy_plugin;

#ifdef __cplusplus
}
#endif
#endif
