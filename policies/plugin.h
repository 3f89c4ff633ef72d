/* SPDX-License-Identifier: MIT */
/*
 * A policy of your own, as a shared library. The library exports one struct of this name with the
 * functions that it provides:
 *
 *     static int64_t smallest(void *self, const struct policy_job_spec *job) { ... }
 *     const struct policy_plugin fauxpolicy_plugin = {
 *         POLICY_PLUGIN_HEAD("smallest-first", "fewest devices first"), .key = smallest};
 *
 *     cc -shared -fPIC -o smallest_first.so smallest_first.c
 *     fauxfleet run scenario.json --policy ./smallest_first.so -o out
 *
 * A plugin may provide
 *   - an order by facts known at submission (`key`),
 *   - an order by time or progress, which evicts nothing (`rekey`),
 *   - an order by facts known while jobs run, which evicts jobs that fall behind (`rank`),
 *   - a queue order: which queue is served next (`queue_key`); the base divides the fleet among
 *     queues,
 *   - a placement (`score`),
 *   - an action (`act`), instead of one of the base's or after all of them,
 *   - or a whole policy (`decide`), which looks at nodes and jobs and decides what starts where and
 *     what is evicted. It may be combined with `key` or `rank` (order of the jobs that it sees) and
 *     `score` (where place() puts tasks).
 *
 * Everything else (placement, blocking, backfill, options) comes from the built-in policy `base`.
 * All functions may use the same read-only view (struct policy_view), which shows what the built-in
 * policies see. A plugin may declare its own options (`options`) and save its state, so that a
 * restarted or restored policy decides as its predecessor would have (`save`, `load`).
 *
 * Rules
 *   - Equal calls give equal answers: no clock, no random numbers, no files, no globals. State
 *     belongs in what `create` returns; several policies of one plugin may exist side by side, each
 *     used by one thread at a time.
 *   - Arguments are valid until the function returns.
 *   - A whole policy decides through the functions of its plan. Each checks its arguments first: an
 *     impossible decision (a device already taken, part of a gang, a job that is not running) is
 *     refused and fails the policy: the embedder's policy_decide() ends with POLICY_WRONG_PLUGIN
 *     and a message with the plugin's name. Earlier decisions stand.
 *   - The core calls the plugin; a plugin calls the core only through the functions of its plan.
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

/* of this header; raised only for breaking changes */
#define POLICY_PLUGIN_VERSION 1
#define POLICY_PLUGIN_SYMBOL  "fauxpolicy_plugin" /* the name of the struct in the library */
#define POLICY_PLUGIN_NAME    32 /* size of a plugin's name, including the terminating 0 */

/* The first members of the struct. */
#define POLICY_PLUGIN_HEAD(name, summary)                                                          \
    (uint32_t)sizeof(struct policy_plugin), POLICY_PLUGIN_VERSION, name, summary

/* ---- the view -------------------------------------------------------------------------------- */

/*
 * What the built-in policies see, read-only. Nothing is copied until asked for, so a plugin pays
 * only for what it looks at. Answers are written to the caller's structs: set `size` to sizeof
 * before the call; members that a shorter struct lacks are omitted. Queries about unknown objects
 * return false, NULL or POLICY_NO_ID. Pointers in an answer are valid until the plugin's function
 * returns or the plugin decides something.
 *
 *     struct policy_view_queue queue = {.size = sizeof queue};
 *     if (view->queue(view, id, &queue) && queue.allocated.gpu > queue.fair_share.gpu) ...
 *
 * Amounts are thousandths of devices, thousandths of cores, and MiB. Ids are dense and below
 * node_ids, queue_ids and job_ids, with gaps where objects were removed.
 */
struct policy_view_node {
    uint32_t size;
    policy_node id;
    uint32_t rank; /* tie-break: the smallest first */
    uint32_t pool, type;
    int32_t state;   /* enum policy_node_state; nodes that are down or draining take no new tasks */
    int32_t mig;     /* enum policy_mig_mode */
    int32_t devices; /* on the node; device sets have this many bits */
    int32_t tasks_free;     /* tasks it can still take; -1: unlimited */
    bool whole_only;        /* accepts only tasks that take all its devices whole */
    int64_t device_mem_mib; /* of each device; 0: unknown */
    uint64_t usable;        /* healthy devices, */
    uint64_t idle;          /* of these, devices without any task, */
    uint64_t leaving;       /* devices that are idle once everything being released is gone, */
    uint64_t shared;        /* devices partly taken: device() has the amounts */
    int32_t nominated;      /* whole devices nominated, among idle or leaving ones */
    int64_t cpu_total_milli, mem_total_mib; /* -1: not modelled; so are the amounts below */
    int64_t cpu_idle_milli, mem_idle_mib;   /* free now */
    int64_t cpu_soon_milli, mem_soon_mib;   /* idle + being released - nominated */
    const int32_t *mig_total,
        *mig_idle; /* POLICY_MAX_PROFILES counts each, with POLICY_MIG_FIXED; else NULL */
    const struct policy_label *labels;
    uint32_t label_count;
};

struct policy_view_device {
    uint32_t size;
    bool usable;
    int64_t mem_mib; /* 0: unknown */
    /* thousandths of the device that are running, being released, nominated; rounded down if the
     * device is counted in MiB */
    int32_t used_milli, leaving_milli, nominated_milli;
    int32_t tasks; /* tasks that hold a share of it */
    int32_t slices,
        slices_free; /* memory slices of freely created MIG instances: 8 in all, else 0 */
};

struct policy_view_queue {
    uint32_t size;
    policy_queue id, parent; /* i = POLICY_NO_ID: a root */
    int32_t priority;        /* larger first */
    uint32_t rank;           /* tie-break */
    policy_time created;
    bool leaf;                         /* has no child queues; holds jobs */
    struct policy_share gpu, cpu, mem; /* quota, limit and weight */
    const uint32_t *pools;             /* pools its jobs may use; NULL: any */
    uint32_t pool_count;
    int64_t fixed_milli; /* devices reserved for its build sessions */
    int64_t preempt_min_runtime_ms, reclaim_min_runtime_ms; /* or POLICY_INHERIT */
    struct policy_amounts allocated;       /* running or nominated tasks in the queue or below it */
    struct policy_amounts non_preemptible; /* of these, tasks of non-preemptible jobs */
    struct policy_amounts request;         /* running plus pending */
    struct policy_amounts
        fair_share; /* as of this decision; -1 unlimited; 0 if the base divides nothing */
    struct policy_amounts usage_ppm; /* past usage, in ppm of the cluster's capacity */
    uint64_t jobs;                   /* unfinished jobs */
};

/* A job: its state and its submission. */
struct policy_view_job {
    uint32_t size;
    policy_job id;
    policy_queue queue;
    int32_t priority, workload; /* enum policy_workload */
    bool preemptible;
    bool eligible_now; /* its eligible time has passed */
    uint32_t user;     /* 0: unknown */
    uint64_t rank;     /* tie-break: the smallest first */
    policy_time submitted, eligible;
    policy_time last_start;  /* last transition from no running task to some; POLICY_NEVER */
    policy_time stale_since; /* running below its minimum since; POLICY_NEVER: it is not */
    policy_time idle_since;  /* POLICY_NEVER: its devices are in use, or no report */
    int64_t run_ms;          /* expected run time, -1 unknown */
    int64_t limit_ms;        /* declared limit, -1 none */
    int64_t estimate_ms;     /* from a predictor, 0 none */
    int64_t
        remaining_ms; /* as reported or expected, counted from its last start; INT64_MAX unknown */
    int64_t attained; /* attained service: devices x time, thousandths x ms */
    int32_t tasks, min_tasks; /* of all roles; gang minimum */
    int32_t running, releasing,
        pending; /* task counts; with min_tasks < tasks the job is elastic */
    uint32_t role_count, group_count;
    struct policy_constraint topology;
    struct policy_amounts minimum,
        all; /* requests of its minimum and of all its tasks, as queues count them */
};

enum policy_view_task_state {
    POLICY_TASK_PENDING = 0,
    POLICY_TASK_RUNS = 1,
    /* being released; may already be nominated to its next place */
    POLICY_TASK_LEAVES = 2,
    POLICY_TASK_GATED = 3,
    POLICY_TASK_OVER = 4,
};

struct policy_view_task {
    uint32_t size;
    int32_t state; /* enum policy_view_task_state */
    uint32_t role;
    policy_node node;      /* where it holds resources; i = POLICY_NO_ID: none */
    uint64_t devices;      /* on that node; 0: none, or MIG instances of fixed counts */
    policy_node nominated; /* i = POLICY_NO_ID: not nominated */
};

/* Nodes with the same labels from the top level of a topology down to this level. */
struct policy_view_domain {
    uint32_t size;
    uint32_t level;        /* 0: all nodes of the topology, 1: its top level, ... */
    uint32_t parent;       /* number of the domain one level up; POLICY_NO_ID at level 0 */
    uint32_t nodes;        /* number of nodes in it */
    const uint32_t *ranks; /* ranks of these nodes; node_at() has their ids */
};

struct policy_view {
    uint32_t size;
    policy_time now;
    uint32_t node_ids, queue_ids, job_ids;
    uint32_t topologies; /* numbered from 1 to this; some may be unknown */
    struct policy_amounts
        capacity; /* of nodes that are up and healthy devices, as queues count it */

    bool (*node)(const struct policy_view *, policy_node, struct policy_view_node *);
    bool (*device)(const struct policy_view *, policy_node, uint32_t device,
                   struct policy_view_device *);
    bool (*queue)(const struct policy_view *, policy_queue, struct policy_view_queue *);
    /* By number, so every job can be found. The answer has the generation of the id. */
    bool (*job)(const struct policy_view *, uint32_t i, struct policy_view_job *);
    /*
     * A role as submitted: tasks, minimum, group, topology and the complete request (whole devices,
     * a share, GPU memory, MIG, CPU, memory, types and label terms).
     */
    bool (*role)(const struct policy_view *, policy_job, uint32_t role, struct policy_role *);
    bool (*group)(const struct policy_view *, policy_job, uint32_t group, struct policy_group *);
    bool (*task)(const struct policy_view *, policy_job, uint32_t task, struct policy_view_task *);

    /* Returns true if the task fits the node now; includes labels, types and pools. */
    bool (*fits)(const struct policy_view *, policy_job, uint32_t task, policy_node);
    policy_node (*node_at)(const struct policy_view *, uint32_t rank);

    /* Label keys of a topology from the top level down, *count of them; NULL: unknown topology. */
    const uint32_t *(*levels)(const struct policy_view *, uint32_t topology, uint32_t *count);
    /* Domains are numbered from 0 (all nodes that have all the labels), level by level. Returns
     * false past the last. */
    bool (*domain)(const struct policy_view *, uint32_t topology, uint32_t i,
                   struct policy_view_domain *);
    /* Domain of a node at a level; POLICY_NO_ID: the node is outside the topology. */
    uint32_t (*domain_of)(const struct policy_view *, uint32_t topology, uint32_t level,
                          policy_node);

    /* The embedder's name for a number, see policy_set_name(); NULL: none was set, or the plugin
     * did not ask for names (`wants`). */
    const char *(*name)(const struct policy_view *, int32_t of, uint32_t number);
};

/* ---- arguments of plugin functions ----------------------------------------------------------- */

/* A node. Those that are down or draining take no new tasks. */
struct policy_plugin_node {
    policy_node id;
    uint32_t rank; /* tie-break: the smallest first */
    uint32_t pool, type;
    int32_t state; /* enum policy_node_state */
    int32_t devices, tasks,
        max_tasks;        /* devices, running tasks, and the most tasks allowed; -1 unlimited */
    int32_t free_milli;   /* free on usable devices */
    uint64_t usable;      /* healthy devices, */
    uint64_t whole;       /* of these, entirely free devices, */
    uint64_t shared;      /* and partly taken ones */
    const uint16_t *room; /* thousandths free on each device */
    int64_t cpu_free_milli, mem_free_mib;   /* -1: not modelled */
    int64_t cpu_total_milli, mem_total_mib; /* -1: not modelled */
    const struct policy_view *view;         /* for everything not listed here */
    uint64_t reserved[3];
};

enum policy_plugin_state {
    POLICY_JOB_WAITS = 0,
    POLICY_JOB_RUNS = 1,
    POLICY_JOB_LEAVES = 2, /* evicted, but still holds its devices */
};

/* Identical tasks of a job. */
struct policy_plugin_role {
    int32_t tasks;
    int32_t devices,
        device_milli; /* of one task: number of devices, and the share of each: 1..1000 */
    int64_t cpu_milli, mem_mib;
    uint64_t types; /* set of acceptable device types */
    const struct policy_request
        *all; /* the complete request: MIG, GPU memory, label terms; NULL: see view->role() */
    uint64_t reserved[1];
};

/* Where a task runs or is to start. */
struct policy_plugin_seat {
    policy_node node;
    uint64_t devices; /* for start(): 0: default choice */
};

/* A job that is pending or holds devices. */
struct policy_plugin_job {
    policy_job id;
    policy_queue queue;
    int32_t state; /* enum policy_plugin_state */
    int32_t priority;
    bool preemptible;
    uint64_t rank;         /* tie-break: the smallest first */
    policy_time submitted; /* first submission */
    policy_time since;     /* start of its current state; for a pending job: in the queue since */
    uint64_t turn;         /* sequence number of entering this state, among jobs in it */
    int64_t key;           /* result of the plugin's key, rekey or rank; 0 without one */
    int64_t run_ms;        /* expected run time, -1 unknown */
    int64_t limit_ms;      /* declared limit, -1 none */
    int64_t estimate_ms;   /* from a predictor, 0 none */
    int64_t remaining_ms;  /* from now (or its next start); INT64_MAX unknown */
    int64_t attained;      /* attained service: devices x time, thousandths x ms */
    int64_t gpu_milli;     /* of the whole gang */
    int32_t tasks;         /* of the gang */
    uint32_t role_count;   /* tasks are numbered through the roles */
    uint32_t seat_count;   /* tasks that hold devices, in task order; none while pending */
    const struct policy_plugin_role *roles;
    const struct policy_plugin_seat *seats;
    const struct policy_view *view; /* for everything not listed here */
    uint64_t reserved[3];
};

/* ---- interface of a whole policy or an action ------------------------------------------------ */

/* A task to start, and where. */
struct policy_plugin_start {
    uint32_t task;
    policy_node node;
    uint64_t devices; /* 0: default choice */
};

/*
 * The view plus the functions that decide. Decisions take effect at once: nodes and jobs show the
 * state after each. Jobs are ordered by `key` or `rank`, ties by `rank`; jobs being evicted come
 * last. Jobs that would not fit even the empty fleet or are not yet eligible are omitted.
 */
struct policy_plan {
    uint32_t size;
    policy_time now;
    const struct policy_plugin_node *nodes; /* by rank */
    const struct policy_plugin_job *jobs;
    uint32_t node_count, job_count;
    /*
     * When to call again without new events; INT64_MAX (initial value): never. In any case the
     * plugin is called after events while jobs are pending, and when an eviction is answered.
     */
    policy_time wake_at;

    /* The node of a seat; NULL if unknown. */
    const struct policy_plugin_node *(*node)(const struct policy_plan *, policy_node);

    /* Returns true if such a task fits the node now. */
    bool (*fits)(const struct policy_plan *, const struct policy_plugin_node *,
                 const struct policy_plugin_role *);

    /* Starts all tasks of a pending job where the placement puts them. Returns false if they do not
     * fit now. */
    bool (*place)(struct policy_plan *, const struct policy_plugin_job *);

    /* Starts a pending job with one seat for each of its tasks. Returns false if refused. */
    bool (*start)(struct policy_plan *, const struct policy_plugin_job *,
                  const struct policy_plugin_seat *seats, uint32_t count);

    /*
     * Evicts a running preemptible job on behalf of `for_job` (or NULL). Refuses jobs started by
     * this decision, and a second eviction at the same time. The devices are free once the embedder
     * has answered; then the plugin is called again. Returns false if refused.
     */
    bool (*evict)(struct policy_plan *, const struct policy_plugin_job *,
                  const struct policy_plugin_job *for_job);

    /* Gives up with a message for the user: something the plugin needs is missing. */
    void (*give_up)(struct policy_plan *, const char *why);

    const struct policy_view *view;

    /*
     * Variants by id, for jobs of every kind. place_job() starts the next part of the job where the
     * placement puts it: its minimum, or, if that is running, one more task of an elastic job.
     * Returns false if there is no room or a queue's limit or quota forbids it.
     */
    bool (*place_job)(struct policy_plan *, policy_job);

    /*
     * Starts these pending tasks of the job there. Afterwards each of its pod sets must have its
     * minimum and queues must be within their limits. Returns false if refused.
     */
    bool (*start_tasks)(struct policy_plan *, policy_job, const struct policy_plugin_start *,
                        uint32_t count);

    /*
     * evict_job() evicts the job, shrink_job() one task above the minimum of an elastic job, on
     * behalf of `for_job` (i = POLICY_NO_ID: none). Returns false if refused; shrink_job() also if
     * the job has no task above its minimum.
     */
    bool (*evict_job)(struct policy_plan *, policy_job, policy_job for_job);
    bool (*shrink_job)(struct policy_plan *, policy_job, policy_job for_job);

    uint64_t reserved[3];
};

/* ---- options of a plugin --------------------------------------------------------------------- */

enum policy_option_kind {
    POLICY_OPTION_FLAG = 0,    /* true or false, value 1 or 0 */
    POLICY_OPTION_WORD = 1,    /* one of `words`; the value is its index, from 0 */
    POLICY_OPTION_NUMBER = 2,  /* a whole number */
    POLICY_OPTION_SECONDS = 3, /* a time span given in seconds; the value is in milliseconds */
    POLICY_OPTION_RATIO = 4,   /* a decimal number; the value is in parts per million */
};

/*
 * An option of the plugin: set like a built-in one (--set policy.options.NAME=...), swept, recorded
 * and replayed with it. The value is one int64. The name consists of letters, digits and '_' and
 * differs from all built-in options.
 */
struct policy_plugin_option {
    struct policy_row row; /* name and summary */
    int32_t kind;          /* enum policy_option_kind */
    const char *words;     /* "zero|one|two" for POLICY_OPTION_WORD; else NULL */
    int64_t usual;         /* the default */
    int64_t least,
        most; /* of numbers, spans and ratios, in units of the value; least is -1 or more */
};

/* Arguments of open(). */
struct policy_plugin_setup {
    uint32_t size;
    uint32_t option_count;
    const int64_t
        *options;  /* values in the order of the plugin's table; valid until open() returns */
    uint64_t seed; /* of the configuration */
};

/* ---- the plugin ------------------------------------------------------------------------------ */

enum policy_plugin_wants {
    POLICY_WANTS_NAMES = 1, /* needs names: policy_set_name() */
    /* With a base that has quotas: needs run_ms, as quota-sjf does. Others always have it. */
    POLICY_WANTS_RUN_TIMES = 2,
};

struct policy_plugin {
    uint32_t size, version; /* POLICY_PLUGIN_HEAD() */
    const char *name, *summary;

    /* The built-in policy that supplies the rest; NULL: fifo, or srtf for rank and decide. */
    const char *base;

    /* State of one policy, from the embedder's memory; NULL if none is needed. create returns NULL
     * when out of memory. */
    void *(*create)(const struct policy_allocator *);
    void (*destroy)(void *self, const struct policy_allocator *);

    /* Sort key, smaller first; called once, at submission. */
    int64_t (*key)(void *self, const struct policy_job_spec *);

    /*
     * Current sort key, smaller first; called for every pending or running job after each event.
     * Devices are assigned in this order, and running jobs that get none are evicted (see the
     * preset srtf). The job has no seats.
     */
    int64_t (*rank)(void *self, const struct policy_plugin_job *, policy_time now);

    /* With rank: when the key of this running job changes by time alone; INT64_MAX never. NULL:
     * never, for all jobs. */
    policy_time (*changes)(void *self, const struct policy_plugin_job *, policy_time now);

    /*
     * Score of a feasible node for such a task: the highest wins, then the smallest rank. Must
     * depend only on its arguments and on what the view shows of this node: results are cached
     * until the node changes.
     */
    int64_t (*score)(void *self, const struct policy_plugin_node *,
                     const struct policy_plugin_role *);

    /* Makes all decisions. */
    void (*decide)(void *self, struct policy_plan *);

    /* Later additions: a plugin whose struct ends before a member does not use it. */

    uint64_t wants; /* set of enum policy_plugin_wants */

    /* Its own options, at most POLICY_MAX_PLUGIN_OPTIONS. */
    const struct policy_plugin_option *options;
    uint32_t option_count;

    uint32_t state_version; /* of the output of save() */

    /* Returns what is wrong with a combination of option values, as a sentence; NULL: nothing. */
    const char *(*check)(const struct policy_plugin_setup *);

    /* Replaces `create` in a plugin with options. Returns NULL when out of memory. */
    void *(*open)(const struct policy_allocator *, const struct policy_plugin_setup *);

    /*
     * Serializes the state for snapshots and restarts: writes it if it fits into `room` bytes, and
     * returns its size. Only what the view cannot tell must be included.
     */
    size_t (*save)(const void *self, void *bytes, size_t room);

    /*
     * Restores what save() of this plugin wrote with the given state_version, into a state fresh
     * from create or open. Returns false if it cannot (another version, or out of memory); the
     * state must then be unchanged.
     */
    bool (*load)(void *self, uint32_t version, const void *bytes, size_t size);

    /*
     * Of two sibling queues the one with the smaller key is served first; ties follow the base's
     * order; the base must have queues (runai, static). Victims are taken in reverse order. Called
     * on each comparison: `queue.allocated` is current.
     */
    int64_t (*queue_key)(void *self, const struct policy_view *, policy_queue);

    /*
     * An action: runs in place of the base's action `act_for` ("consolidate"; see the option
     * `actions`); NULL: after all of them. Plans of actions show nodes and jobs only in the view:
     * node_count and job_count are 0.
     */
    void (*act)(void *self, struct policy_plan *);
    const char *act_for;

    /*
     * In place of `key`: the current sort key of a job with pending tasks, smaller first, for an
     * order by time or progress that evicts nothing and goes with every base (see the built-in
     * order multifactor). Called when the job becomes pending, and for all such jobs before each
     * decision. A job that runs as a whole keeps the key that it started with. Must depend only on
     * what the view shows and on the state.
     */
    int64_t (*rekey)(void *self, const struct policy_view *, policy_job);

    /* With rekey: when time alone, without new events, changes the order of pending jobs next;
     * INT64_MAX never. NULL: never. */
    policy_time (*rekeys_at)(void *self, const struct policy_view *);
};

/* Size of the struct in the first version of this header. */
#define POLICY_PLUGIN_FIRST_SIZE offsetof(struct policy_plugin, wants)

/* The one symbol of the library. */
extern POLICY_API const struct policy_plugin fauxpolicy_plugin;

#ifdef __cplusplus
}
#endif
#endif
