/* SPDX-License-Identifier: MIT */
/*
 * The policy core: facts in, decisions out. An older copy of policies/policy.h, for the test that a
 * program built with it works with the library of today: its structs are as short as those of any
 * version that has to work.
 *
 * A `struct policy` is one scheduler. The embedder (a simulator, a decision service, an adapter of
 * a production cluster) tells it what happened: nodes came and went, jobs were submitted, tasks
 * started and ended. Asked to decide, it answers with a list of decisions, which the embedder
 * carries out and whose effects it reports back:
 *
 *     struct policy_config config;
 *     policy_config_init(&config, "fifo", allocator, &error);
 *     struct policy *p = policy_create(&config, &error);
 *     policy_node  n = policy_add_node(p, now, &(struct policy_node_spec){.size = sizeof(struct
 * policy_node_spec), .devices = 8, ...}); policy_queue q = policy_add_queue(p, now, &queue_spec);
 *     policy_job   j = policy_submit(p, now, &job_spec);
 *     size_t count;
 *     const struct policy_decision *d = policy_decide(p, now, &count);
 *     for (size_t i = 0; i < count; i++) ... start d[i].task of d[i].job on d[i].node, devices
 * d[i].devices ... policy_task_started(p, later, j, POLICY_ALL_TASKS); policy_task_ended(p,
 * much_later, j, POLICY_ALL_TASKS, POLICY_SUCCEEDED);
 *
 * The core does no I/O, reads no clock, draws no random numbers, has no threads, no globals and no
 * memory but what the embedder's allocator gives. Equal facts at equal times give equal decisions,
 * on every machine. Two instances are independent; one instance is used by one thread at a time.
 *
 * Rules that hold for every function
 *   - Ids are dense small integers that the core hands out. A node, queue or job that was removed
 * or has ended may have its number reused; jobs carry a generation, so a stale job id is
 * recognised.
 *   - Time is int64 milliseconds on the embedder's clock, and never goes back: an earlier `at` is
 * refused.
 *   - Amounts are integers: devices in thousandths (1000 = one whole device), CPU in thousandths of
 * a core, memory in MiB. -1 (POLICY_UNLIMITED) means unlimited for a quota or limit, "not modelled"
 * for a capacity.
 *   - A fact that contradicts what is known is refused (negative status, policy_last_error() says
 * why) and changes nothing. So does running out of memory.
 *   - Callee copies what it keeps. A returned pointer belongs to the policy and lives until its
 * next call that is not const.
 *   - Structs begin with `size` (set it to sizeof): they grow at their end, and an older embedder
 * keeps working. Fields that a shorter struct lacks read as zero, and zero always means the former
 * behaviour.
 *
 * Two families of policies share this contract. *Lines* (fifo, sjf, the packing studies) take gangs
 * of one shape in one order and only ever start them. The *quota policy* (preset runai) divides the
 * fleet among a tree of queues, and may evict: its decisions also nominate (promise what is being
 * released) and evict. Facts that only the quota policy understands are refused by lines with
 * POLICY_UNSUPPORTED, never ignored.
 */
#ifndef POLICY_H
#define POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define POLICY_API __attribute__((visibility("default")))

#define POLICY_VERSION        2 /* of this contract; raised when something breaks, never for growth */
#define POLICY_MAX_DEVICES    64   /* on one node: a set of devices is one uint64_t */
#define POLICY_MAX_ROLES      4096 /* in one job */
#define POLICY_MAX_GROUPS     256  /* of roles in one job */
#define POLICY_MAX_TYPES      64   /* of devices in one cluster: a set of types is one uint64_t */
#define POLICY_MAX_POOLS      4096
#define POLICY_MAX_PROFILES   16 /* of MIG instances in one cluster */
#define POLICY_MAX_LEVELS     16 /* of one topology */
#define POLICY_MAX_TOPOLOGIES 16
#define POLICY_MOST_REASONS   32   /* that there will ever be: arrays by reason have this size */
#define POLICY_WHOLE          1000 /* thousandths of a device */
#define POLICY_UNLIMITED      (-1)
#define POLICY_NO_ID          UINT32_MAX
#define POLICY_ALL_TASKS      UINT32_MAX
#define POLICY_NEVER          INT64_MIN /* a time that was not */
#define POLICY_INHERIT        (-1)      /* a time span that the queue above decides */

struct policy;
typedef int64_t policy_time; /* milliseconds */
typedef struct {
    uint32_t i;
} policy_node;
typedef struct {
    uint32_t i;
} policy_queue;
typedef struct {
    uint32_t i;   /* dense: usable as an index into the embedder's own table */
    uint32_t gen; /* tells apart jobs that had the same i one after the other */
} policy_job;

/* ---- status and errors
 * ------------------------------------------------------------------------------------- */

enum policy_status {
    POLICY_OK = 0,
    POLICY_NO_MEMORY = -1,
    POLICY_INVALID = -2, /* a value out of range */
    POLICY_UNKNOWN = -3, /* no such node, queue, job, task, option or name */
    POLICY_CONFLICT =
        -4, /* contradicts what is known: a device taken twice, a task that does not run, ... */
    POLICY_TIME_BACK = -5,
    POLICY_UNSUPPORTED = -6, /* meaningful, but not by this version */
};

struct policy_error {
    int32_t status;
    char message[252];
};

/* ---- configuration
 * ------------------------------------------------------------------------------------------ */

/*
 * realloc-shaped: old == NULL allocates, new_size == 0 frees (and returns NULL), old_size is what
 * was asked for before. Returns NULL when there is no memory. Must return memory aligned for any
 * type.
 */
struct policy_allocator {
    void *(*resize)(void *user, void *old, size_t old_size, size_t new_size);
    void *user;
};

enum policy_scope { POLICY_SCOPE_FLEET = 0, POLICY_SCOPE_QUEUE = 1 }; /* who waits behind whom */
enum policy_blocking {
    POLICY_STRICT = 0, /* the first job that cannot start holds back all behind it in its scope */
    POLICY_SKIP = 1,   /* jobs that cannot start are passed over */
};

enum policy_packing { POLICY_PACK = 0, POLICY_SPREAD = 1 };
enum policy_reclaim_protection { POLICY_PROTECT_LCA = 0, POLICY_PROTECT_QUEUE = 1 };
enum policy_usage_window {
    POLICY_USAGE_GIVEN = 0,
    POLICY_USAGE_SLIDING = 1,
    POLICY_USAGE_TUMBLING = 2
};

/* What the quota policy may do and how; each has an option of the same name, see
 * policy_option_row(). */
struct policy_quota_options {
    uint32_t actions; /* set of 1 << enum policy_action that it takes */
    int32_t gpu_placement, cpu_placement, device_placement; /* enum policy_packing */
    bool fairness;              /* false: queues are taken by priority and age alone */
    bool priorities;            /* false: jobs are taken by age alone */
    bool node_predicates;       /* false: labels, affinities and types of nodes are not looked at */
    bool consolidating_reclaim; /* victims that found another place do not count as taken */
    bool full_hierarchy;        /* false: all leaves stand under one unlimited root */
    bool signatures; /* a job is passed over when one like it failed in the same action */
    bool backfill;   /* false: no reservation for the first job that cannot start */
    int32_t consolidation_victims; /* most jobs moved for one; 0 none, -1 any number */
    int32_t queue_depth;           /* jobs of one leaf that an action looks at; -1 all */
    int32_t protection;            /* enum policy_reclaim_protection */
    int32_t usage_window;          /* enum policy_usage_window: who keeps the history of use */
    int64_t saturation_ppm;        /* multiplier of the reclaimer's saturation, at least 1000000 */
    int64_t usage_k_ppm;           /* weight of past use in the division of over-quota */
    int64_t usage_window_ms, usage_half_life_ms; /* 0: no decay */
    int64_t staleness_grace_ms; /* a gang below its minimum is evicted after this; -1 never */
    int64_t preempt_min_runtime_ms, reclaim_min_runtime_ms; /* where no queue sets one */
    int64_t interactive_limit_ms; /* build sessions end after this; 0 never */
    int64_t workday_end_ms; /* with it: at this time of the day (UTC) that follows; -1 at any */
    int64_t idle_limit_ms;  /* jobs end after being idle for so long; 0 never */
    int64_t idle_grace_ms;  /* not counted at the start of a build session */
    int64_t idle_grace_train_ms; /* and of training, which may begin on CPUs */
    int64_t idle_below_ppm;      /* device utilization below which a job is idle */
};

struct policy_config {
    uint32_t size;
    struct policy_allocator allocator;
    char preset[32];
    int32_t order;     /* policy_order_row() */
    int32_t placement; /* policy_placement_row() */
    int32_t scope, blocking;
    uint64_t seed; /* for placements that choose at random: a pure function of seed and decision
                      number */
    struct policy_quota_options quota;
};

/* The defaults of a preset. POLICY_UNKNOWN when there is none of that name. */
POLICY_API int policy_config_init_sized(struct policy_config *, uint32_t size, const char *preset,
                                        struct policy_allocator, struct policy_error *);

static inline int policy_config_init(struct policy_config *config, const char *preset,
                                     struct policy_allocator allocator, struct policy_error *error)
{
    return policy_config_init_sized(config, (uint32_t)sizeof *config, preset, allocator, error);
}

/* Sets one option by name from text, e.g. "blocking", "skip". See policy_option_row(). */
POLICY_API int policy_config_set(struct policy_config *, const char *option, const char *value,
                                 struct policy_error *);

/* The tables behind configuration: row i of what is built in, or NULL behind the last one. */
struct policy_row {
    const char *name, *summary;
};
POLICY_API const struct policy_row *policy_preset_row(size_t i);
POLICY_API const struct policy_row *policy_order_row(size_t i);
POLICY_API const struct policy_row *policy_placement_row(size_t i);
POLICY_API const struct policy_row *policy_option_row(size_t i); /* the summary lists the values */

/* True when the placement only counts devices of a pool: starts then name a pool and no node. */
POLICY_API bool policy_placement_counts(const struct policy_config *);

POLICY_API struct policy *policy_create(const struct policy_config *, struct policy_error *);
POLICY_API void policy_destroy(struct policy *); /* NULL is fine */
POLICY_API const struct policy_error *policy_last_error(const struct policy *);

/* ---- facts: nodes
 * ------------------------------------------------------------------------------------------- */

enum policy_node_state {
    POLICY_NODE_UP = 0,
    POLICY_NODE_DRAINING = 1, /* what runs goes on, nothing new starts */
    POLICY_NODE_DOWN = 2,     /* the embedder reports the end of the tasks that ran there */
};

enum policy_mig_mode {
    POLICY_MIG_OFF = 0,
    POLICY_MIG_SINGLE = 1, /* instances look like devices; only whole ones can be asked for */
    POLICY_MIG_FIXED = 2,  /* instances as counted; only they can be asked for */
    /* instances are made where the geometry of a device allows them; devices mix with them */
    POLICY_MIG_FREE = 3,
};

/* Labels of nodes: keys and values are strings that the embedder has numbered. */
struct policy_label {
    uint32_t key, value;
};

struct policy_node_spec {
    uint32_t size;
    int32_t devices; /* 0..POLICY_MAX_DEVICES */
    uint32_t type;   /* of its devices, 0..POLICY_MAX_TYPES-1; the embedder numbers the types */
    uint32_t pool;   /* 0..POLICY_MAX_POOLS-1, numbered by the embedder */
    uint32_t rank; /* among nodes that are equal otherwise the smallest rank is taken; unique, below
                      2^22 */
    int32_t max_tasks;      /* at one time, or POLICY_UNLIMITED */
    int64_t cpu_milli;      /* or POLICY_UNLIMITED: not modelled */
    int64_t mem_mib;        /* or POLICY_UNLIMITED: not modelled */
    int64_t device_mem_mib; /* of each device; 0 unknown: requests for device memory do not fit */
    int32_t mig;            /* enum policy_mig_mode */
    const int32_t *mig_instances; /* POLICY_MAX_PROFILES counts, for POLICY_MIG_FIXED; or NULL */
    const struct policy_label *labels;
    uint32_t label_count;
    bool whole_only; /* takes only tasks that want all its devices (NVLink pools sold as whole
                        nodes) */
};

/* Returns id POLICY_NO_ID on refusal. The node is up and all its devices are usable. */
POLICY_API policy_node policy_add_node(struct policy *, policy_time at,
                                       const struct policy_node_spec *);
POLICY_API int policy_remove_node(struct policy *, policy_time at,
                                  policy_node); /* refused while tasks run there */
POLICY_API int policy_set_node_state(struct policy *, policy_time at, policy_node, int32_t state);

/* A device that is not usable takes no new task; one that runs there goes on until the embedder
 * says otherwise. */
POLICY_API int policy_set_device_health(struct policy *, policy_time at, policy_node,
                                        uint32_t device, bool usable);

/*
 * A topology is a list of label keys from the top level down. Topologies are numbered from 1, and
 * so are their levels; a node without a label of every level stands outside. To be told before jobs
 * refer to it; telling it again replaces it.
 */
POLICY_API int policy_set_topology(struct policy *, policy_time at, uint32_t topology,
                                   const uint32_t *levels, uint32_t level_count);

/* A MIG profile and the slices that an instance takes: 3g.40gb computes with 3 of 7 and occupies 4
 * of 8 memory slices. */
POLICY_API int policy_set_mig_profile(struct policy *, policy_time at, uint32_t profile,
                                      int32_t compute_slices, int32_t memory_slices);

/* ---- facts: queues
 * ------------------------------------------------------------------------------------------ */

struct policy_share {
    int64_t quota;  /* guaranteed amount, POLICY_UNLIMITED, 0 none */
    int64_t limit;  /* never more than this, or POLICY_UNLIMITED */
    int64_t weight; /* of the over-quota share, in thousandths */
};

struct policy_queue_spec {
    uint32_t size;
    policy_queue parent; /* i = POLICY_NO_ID: a root */
    int32_t priority;    /* larger first */
    uint32_t rank;       /* breaks ties between queues */
    policy_time created;
    struct policy_share gpu, cpu, mem;
    const uint32_t *pools; /* the only pools its jobs may use; NULL: any */
    uint32_t pool_count;
    int64_t preempt_min_runtime_ms,
        reclaim_min_runtime_ms; /* its jobs are no victims before; or POLICY_INHERIT */
    int64_t fixed_milli;        /* devices kept for its build sessions: nobody else may have them */
};

POLICY_API policy_queue policy_add_queue(struct policy *, policy_time at,
                                         const struct policy_queue_spec *);
POLICY_API int policy_remove_queue(struct policy *, policy_time at,
                                   policy_queue); /* refused while it has jobs */

/* Amounts of the resources that are shared out: thousandths of devices, thousandths of cores, MiB.
 */
struct policy_amounts {
    int64_t gpu, cpu, mem;
};

/* What the queue used in the past, in parts per million of what the cluster had; for the option
 * usage_window given. */
POLICY_API int policy_set_usage(struct policy *, policy_time at, policy_queue,
                                const struct policy_amounts *ppm);

/* ---- facts: jobs
 * -------------------------------------------------------------------------------------------- */

/* The node's label `key` has to be one of the values. */
struct policy_term {
    uint32_t key, value_count;
    const uint32_t *values;
};

/* What one task asks of one node. At most one of device_milli, device_mem_mib and mig asks for less
 * than a device. */
struct policy_request {
    int32_t devices;      /* how many, 0..POLICY_MAX_DEVICES */
    int32_t device_milli; /* share of each: 1..1000; 0 and 1000 both mean whole devices */
    int64_t cpu_milli;    /* >= 0 */
    int64_t mem_mib;      /* >= 0 */
    uint64_t types;       /* set of device types that will do; 0: any */
    int64_t
        device_mem_mib; /* memory on each of `devices` devices instead of device_milli; 0: none */
    const int32_t *mig; /* POLICY_MAX_PROFILES counts of instances, with devices = 0; or NULL */
    const struct policy_term *terms; /* all have to hold */
    uint32_t term_count;
};

/*
 * Where tasks have to be near each other. Topology 0: no constraint. Levels count from 1 at the
 * top; 0: none; -1: a topology or level that nobody has told of, so that the tasks cannot be
 * placed.
 */
struct policy_constraint {
    int32_t topology, required, preferred;
};

/*
 * Like tasks of a job: a role, or pod set. Tasks start in the order of their numbers and are
 * evicted in the reverse order. Where the tasks of one pod set are not all alike, it is a run of
 * roles: all but the first have `joined`, and min_tasks, group and topology of the first count for
 * all of them.
 */
struct policy_role {
    uint32_t size;
    int32_t tasks;     /* >= 1 */
    int32_t min_tasks; /* gang minimum, 1..tasks of the pod set; lines need it to be all tasks */
    bool joined;       /* belongs to the pod set of the role before it */
    int32_t group;     /* 1 + the index of its group in the job; 0: directly under the job */
    struct policy_constraint topology;
    struct policy_request request;
};

/* Roles and groups of a job that have a common constraint. */
struct policy_group {
    int32_t parent; /* 1 + the index of the group above, smaller than its own; 0: directly under the
                       job */
    struct policy_constraint topology;
};

enum policy_workload { POLICY_TRAIN = 0, POLICY_BUILD = 1, POLICY_INFERENCE = 2 };

struct policy_job_spec {
    uint32_t size;
    policy_queue queue;
    int32_t priority; /* larger is more urgent */
    bool preemptible;
    uint64_t rank;         /* breaks ties, smaller first; unique among the jobs of the policy */
    policy_time submitted; /* what orders by age go by; <= at */
    policy_time eligible;  /* not considered before; 0 or earlier than `at`: at once */
    int64_t run_ms;        /* expected run time, -1 unknown (sorts last) */
    int64_t limit_ms;      /* declared limit, -1 none */
    const struct policy_role *roles;   /* tasks are numbered 0.. through the roles in this order */
    uint32_t role_count;               /* 1..POLICY_MAX_ROLES */
    const struct policy_group *groups; /* in the order in which they are placed */
    uint32_t group_count;
    struct policy_constraint topology;
    int32_t workload;             /* enum policy_workload */
    int64_t interactive_limit_ms; /* instead of the option's: 0 the option's, -1 none */
};

/* Returns i = POLICY_NO_ID on refusal. A job is a gang: it starts with all minimums or not at all.
 */
POLICY_API policy_job policy_submit(struct policy *, policy_time at,
                                    const struct policy_job_spec *);
POLICY_API int policy_cancel(struct policy *, policy_time at, policy_job); /* pending jobs only */

/* A gang that was already running below its minimum at `since` (POLICY_NEVER: only now) when it was
 * told. */
POLICY_API int policy_set_stale_since(struct policy *, policy_time at, policy_job,
                                      policy_time since);

/* Mean utilization of the job's devices since the last report, in parts per million; feeds idle
 * detection. */
POLICY_API int policy_report_activity(struct policy *, policy_time at, policy_job,
                                      int64_t utilization_ppm);

/* ---- facts: tasks. `task` may be POLICY_ALL_TASKS
 * ------------------------------------------------------------ */

enum policy_outcome {
    POLICY_SUCCEEDED = 0,
    POLICY_FAILED = 1,
    POLICY_EVICTED =
        2, /* ended because the policy or the cluster stopped it: the job is pending again */
};

/*
 * Found running, not started by this instance: restarts, snapshots. Lines want gangs to be reported
 * whole. `since` is when the job last went from nothing to running (POLICY_NEVER: not known,
 * nothing protects it). `devices` is empty for MIG instances of fixed counts.
 */
POLICY_API int policy_task_running(struct policy *, policy_time at, policy_job, uint32_t task,
                                   policy_node, uint64_t devices, policy_time since);
POLICY_API int policy_task_started(struct policy *, policy_time at, policy_job, uint32_t task);
/* It is being stopped: its resources will be free, but are not yet. The answer to an eviction, and
 * in snapshots. */
POLICY_API int policy_task_releasing(struct policy *, policy_time at, policy_job, uint32_t task);
/* A pending task that must not be started (gated) or may be again. */
POLICY_API int policy_task_gated(struct policy *, policy_time at, policy_job, uint32_t task,
                                 bool gated);
/* It could not be started after all: the whole gang gives its resources back and is pending again.
 */
POLICY_API int policy_start_failed(struct policy *, policy_time at, policy_job);
/*
 * A task is over and its devices are free. Lines: when the last one has ended the job is over too
 * (its id goes stale), or pending again if any task was evicted. Quota: an evicted task is pending
 * again at once; one that succeeded or failed never is (a pending one may be reported so as well),
 * and the job is over when all tasks are. With POLICY_ALL_TASKS and another outcome than EVICTED
 * the whole job is over, pending tasks included.
 */
POLICY_API int policy_task_ended(struct policy *, policy_time at, policy_job, uint32_t task,
                                 int32_t outcome);

/* ---- decisions
 * ---------------------------------------------------------------------------------------------- */

enum policy_kind {
    POLICY_START = 1,    /* bind the task now */
    POLICY_NOMINATE = 2, /* it will start there once what is being released is free */
    POLICY_EVICT = 3,    /* stop the task */
};

enum policy_action {
    POLICY_ALLOCATE = 1,
    POLICY_CONSOLIDATE = 2,
    POLICY_RECLAIM = 3,
    POLICY_PREEMPT = 4,
    POLICY_STALE = 5,
    POLICY_BACKFILL = 6,
    POLICY_LIMITS = 7, /* time limits and idle jobs */
};

/* Why a job is pending, or why a task was evicted. Numbers are stable. */
enum policy_reason {
    POLICY_REASON_NONE = 0,
    POLICY_REASON_NOT_ELIGIBLE = 1, /* its begin time has not come */
    POLICY_REASON_WAITING = 2,      /* not looked at yet: the next decision will */
    /* could be tried, but stands behind a job that cannot start (strict blocking) */
    POLICY_REASON_BEHIND = 3,
    POLICY_REASON_NEVER_FITS = 4,    /* not even on the empty fleet */
    POLICY_REASON_DEVICES_BUSY = 5,  /* fewer devices free than it wants */
    POLICY_REASON_FRAGMENTED = 6,    /* enough free in sum, but not in the pieces it needs */
    POLICY_REASON_CPU_OR_MEMORY = 7, /* devices are there, CPU or memory beside them is not */
    POLICY_REASON_NODES_DOWN = 8,    /* would fit if all nodes and devices were usable */
    /* why a job of the quota policy is pending */
    POLICY_REASON_OVER_LIMIT = 9, /* a queue would go over its limit */
    POLICY_REASON_OVER_QUOTA =
        10, /* it may not be preempted, and a queue has no quota left for it */
    POLICY_REASON_TOPOLOGY_FRAGMENTED =
        11, /* would fit, but in no domain of the level that it requires */
    POLICY_REASON_TOPOLOGY_UNKNOWN = 12, /* names a topology or level that does not exist */
    POLICY_REASON_NOT_READY = 13,        /* fewer tasks exist, or may start, than its minimum */
    POLICY_REASON_NODE_MISMATCH =
        14,                         /* no usable node has the labels or the device type it wants */
    POLICY_REASON_RELEASING = 15,   /* what it was nominated to is still being released */
    POLICY_REASON_FIXED_QUOTA = 16, /* what is free is kept for build sessions of other queues */
    POLICY_REASON_RESERVED = 17,    /* would delay a job that has a reservation */
    /* why a task was evicted */
    POLICY_REASON_RECLAIM_OVER_QUOTA =
        18, /* a queue within its quota takes from one above its own */
    POLICY_REASON_RECLAIM_OVER_SHARE =
        19,                        /* a queue within its fair share takes from one above its own */
    POLICY_REASON_PREEMPTED = 20,  /* by a job of higher priority of the same queue */
    POLICY_REASON_MOVED = 21,      /* it runs on at another place */
    POLICY_REASON_STALE_GANG = 22, /* its gang was below the minimum for too long */
    POLICY_REASON_TIME_LIMIT = 23,
    POLICY_REASON_IDLE = 24,
    POLICY_REASONS = 25, /* how many there are in this version */
};
POLICY_API const char *policy_reason_name(int32_t reason);    /* "FRAGMENTED"; "" when unknown */
POLICY_API const char *policy_reason_summary(int32_t reason); /* one line for people */
POLICY_API const char *policy_action_name(int32_t action);    /* "allocate" */
POLICY_API const char *policy_kind_name(int32_t kind);        /* "start" */

struct policy_decision {
    int32_t kind, action;
    int32_t reason; /* of an eviction, else 0 */
    uint32_t task;  /* or POLICY_ALL_TASKS where devices are only counted */
    policy_job job;
    policy_job for_job; /* served by an eviction, else i = POLICY_NO_ID */
    policy_node node;   /* i = POLICY_NO_ID where devices are only counted */
    uint32_t pool;
    uint64_t devices;  /* the set of devices on the node; 0 where only counted */
    int64_t gpu_milli; /* taken in total by this decision */
    uint64_t
        reserved[3]; /* 0; decisions are an array, so they grow in here (MIG instances, moves) */
};

/*
 * Decides what can be decided now. Starts are in effect at once: their devices are taken until
 * policy_start_failed() or policy_task_ended(). Returns an array of *count decisions, owned by the
 * policy, valid until its next call that is not const; NULL with *count = 0 when there is nothing
 * to do. When memory ran out policy_last_error() has that status afterwards (else POLICY_OK, or
 * POLICY_TIME_BACK); what was decided before is returned, the rest stays pending, and another call
 * goes on. Without new facts a second call decides nothing.
 */
POLICY_API const struct policy_decision *policy_decide(struct policy *, policy_time now,
                                                       size_t *count);

/* The next time at which time alone may change the answer; INT64_MAX when there is none. */
POLICY_API policy_time policy_next_wakeup(const struct policy *);

/* True when facts arrived since the last decision that may lead to a new one. */
POLICY_API bool policy_has_work(const struct policy *);

/* ---- questions
 * ---------------------------------------------------------------------------------------------- */

struct policy_explanation {
    uint32_t size;
    int32_t reason;          /* dominant; POLICY_REASON_NONE when the job is not pending */
    policy_job behind;       /* the job it stands behind, else i = POLICY_NO_ID */
    int32_t behind_reason;   /* and why that one is pending */
    int64_t wanted_milli;    /* devices of the whole gang, thousandths */
    int64_t free_milli;      /* free in the pools that it may use */
    int64_t free_whole;      /* of these: wholly free devices */
    int32_t tasks;           /* of the gang */
    int32_t tasks_fit_now;   /* how many of them could be placed now (the nearest feasible smaller
                                gang) */
    int32_t largest_request; /* whole devices wanted on one node */
    int32_t most_free;       /* most wholly free devices on one node that it may use */
    uint64_t jobs_before;    /* pending jobs that are ahead of it in its scope */
    /* evidence of the quota policy */
    policy_queue queue; /* whose limit or quota stands in the way, else i = POLICY_NO_ID */
    int32_t resource;   /* of that queue: 0 GPU, 1 CPU, 2 memory */
    int64_t queue_has, queue_may, job_wants; /* of that resource */
    int32_t
        level; /* of the topology that it required, and the most tasks one domain of it holds now */
    int32_t tasks_fit_domain;
};
/* Set `size` before. Looks again, so it may cost as much as a decision. */
POLICY_API int policy_explain(struct policy *, policy_job, struct policy_explanation *);

/*
 * Pending work of the queues that share one set of pools, by reason. Kept up to date, so asking is
 * cheap. Reasons are those of now; when more than 256 kinds of jobs wait, those of the last time
 * each was looked at.
 */
struct policy_backlog {
    uint64_t jobs[POLICY_MOST_REASONS];
    int64_t gpu_milli[POLICY_MOST_REASONS];
};
POLICY_API int policy_backlog(const struct policy *, policy_queue, struct policy_backlog *);

/* What the last decision of the quota policy knew of a queue (the amounts are those of now). Set
 * `size` before. */
struct policy_queue_info {
    uint32_t size;
    struct policy_amounts fair_share, allocated, non_preemptible, request;
    struct policy_amounts usage_ppm;
};
POLICY_API int policy_queue_info(const struct policy *, policy_queue, struct policy_queue_info *);

/* Whole devices without a task, and with only tasks that are being released; what was nominated
 * last is deducted. */
struct policy_node_info {
    uint32_t size;
    int32_t idle, releasing;
};
POLICY_API int policy_node_info(const struct policy *, policy_node, struct policy_node_info *);

/* ---- the fair-share division alone
 * --------------------------------------------------------------------------- */

/* One queue. Parents come before their children. */
struct policy_share_row {
    uint32_t size;
    uint32_t parent; /* its row, or POLICY_NO_ID */
    int32_t priority;
    policy_time created; /* ties: older first, then by row */
    struct policy_share gpu, cpu, mem;
    struct policy_amounts
        request; /* of a leaf; that of an inner queue is the sum of its children's */
    struct policy_amounts usage_ppm;
    struct policy_amounts fair_share; /* the answer */
};

/*
 * Divides the capacity: quotas first, then what remains by priority and weight, level by level. GPU
 * shares are rounded to whole devices, the others to one unit. *remaining is what the roots leave.
 * POLICY_INVALID when a parent does not come before its child.
 */
POLICY_API int policy_divide(struct policy_allocator, const struct policy_amounts *capacity,
                             int64_t usage_k_ppm, struct policy_share_row *rows, uint32_t count,
                             struct policy_amounts *remaining);

/* Verifies every invariant and every index against a plain scan; slow. POLICY_CONFLICT names the
 * first that fails. */
POLICY_API int policy_check(const struct policy *, struct policy_error *);

#ifdef __cplusplus
}
#endif
#endif
