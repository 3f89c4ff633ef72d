/* SPDX-License-Identifier: MIT */
/*
 * The policy core: facts in, decisions out.
 *
 * A `struct policy` is one scheduler. The embedder (a simulator, a decision service, an adapter of a production
 * cluster) tells it what happened: nodes came and went, jobs were submitted, tasks started and ended. Asked to
 * decide, it answers with a list of decisions, which the embedder carries out and whose effects it reports back:
 *
 *     struct policy_config config;
 *     policy_config_init(&config, "fifo", allocator, &error);
 *     struct policy *p = policy_create(&config, &error);
 *     policy_node  n = policy_add_node(p, now, &(struct policy_node_spec){.size = sizeof(struct policy_node_spec), .devices = 8, ...});
 *     policy_queue q = policy_add_queue(p, now, &queue_spec);
 *     policy_job   j = policy_submit(p, now, &job_spec);
 *     size_t count;
 *     const struct policy_decision *d = policy_decide(p, now, &count);
 *     for (size_t i = 0; i < count; i++) ... start d[i].task of d[i].job on d[i].node, devices d[i].devices ...
 *     policy_task_started(p, later, j, POLICY_ALL_TASKS);
 *     policy_task_ended(p, much_later, j, POLICY_ALL_TASKS, POLICY_SUCCEEDED);
 *
 * The core does no I/O, reads no clock, draws no random numbers, has no threads, no globals and no memory but what
 * the embedder's allocator gives. Equal facts at equal times give equal decisions, on every machine. Two instances
 * are independent; one instance is used by one thread at a time.
 *
 * Rules that hold for every function
 *   - Ids are dense small integers that the core hands out. A node, queue or job that was removed or has ended may
 *     have its number reused; jobs carry a generation, so a stale job id is recognised.
 *   - Time is int64 milliseconds on the embedder's clock, and never goes back: an earlier `at` is refused.
 *   - Amounts are integers: devices in thousandths (1000 = one whole device), CPU in thousandths of a core, memory in
 *     MiB. -1 (POLICY_UNLIMITED) means unlimited for a quota or limit, "not modelled" for a capacity.
 *   - A fact that contradicts what is known is refused (negative status, policy_last_error() says why) and changes
 *     nothing. So does running out of memory.
 *   - Callee copies what it keeps. A returned pointer belongs to the policy and lives until its next call that is
 *     not const.
 *   - Structs begin with `size` (set it to sizeof): they grow at their end, and an older embedder keeps working.
 *     Fields that a shorter struct lacks read as zero, and zero always means the former behaviour. What is still to
 *     come (GPU memory and MIG requests, topology constraints, role groups, elastic sizes, usage history) grows
 *     the structs that way; eviction, nomination, reclaim and preemption already have their decisions and facts.
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

#define POLICY_VERSION      1  /* of this contract; raised when something breaks, never for growth */
#define POLICY_MAX_DEVICES  64 /* on one node: a set of devices is one uint64_t */
#define POLICY_MAX_ROLES    16 /* in one job */
#define POLICY_MAX_TYPES    64 /* of devices in one cluster: a set of types is one uint64_t */
#define POLICY_MAX_POOLS    4096
#define POLICY_MOST_REASONS 32   /* that there will ever be: arrays by reason have this size */
#define POLICY_WHOLE        1000 /* thousandths of a device */
#define POLICY_UNLIMITED    (-1)
#define POLICY_NO_ID        UINT32_MAX
#define POLICY_ALL_TASKS    UINT32_MAX

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

/* ---- status and errors ------------------------------------------------------------------------------------- */

enum policy_status {
    POLICY_OK = 0,
    POLICY_NO_MEMORY = -1,
    POLICY_INVALID = -2,  /* a value out of range */
    POLICY_UNKNOWN = -3,  /* no such node, queue, job, task, option or name */
    POLICY_CONFLICT = -4, /* contradicts what is known: a device taken twice, a task that does not run, ... */
    POLICY_TIME_BACK = -5,
    POLICY_UNSUPPORTED = -6, /* meaningful, but not by this version */
};

struct policy_error {
    int32_t status;
    char message[252];
};

/* ---- configuration ------------------------------------------------------------------------------------------ */

/*
 * realloc-shaped: old == NULL allocates, new_size == 0 frees (and returns NULL), old_size is what was asked for
 * before. Returns NULL when there is no memory. Must return memory aligned for any type.
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

struct policy_config {
    uint32_t size;
    struct policy_allocator allocator;
    char preset[32];
    int32_t order;     /* policy_order_row() */
    int32_t placement; /* policy_placement_row() */
    int32_t scope, blocking;
    uint64_t seed; /* for placements that choose at random: a pure function of seed and decision number */
    uint64_t reserved[8]; /* 0; policy_config_init() fills the whole struct, so options grow in here */
};

/* The defaults of a preset. POLICY_UNKNOWN when there is none of that name. */
POLICY_API int policy_config_init(struct policy_config *, const char *preset, struct policy_allocator,
                                  struct policy_error *);

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

/* ---- facts: nodes ------------------------------------------------------------------------------------------- */

enum policy_node_state {
    POLICY_NODE_UP = 0,
    POLICY_NODE_DRAINING = 1, /* what runs goes on, nothing new starts */
    POLICY_NODE_DOWN = 2,     /* the embedder reports the end of the tasks that ran there */
};

struct policy_node_spec {
    uint32_t size;
    int32_t devices; /* 0..POLICY_MAX_DEVICES */
    uint32_t type;   /* of its devices, 0..POLICY_MAX_TYPES-1; the embedder numbers the types */
    uint32_t pool;   /* 0..POLICY_MAX_POOLS-1, numbered by the embedder */
    uint32_t rank;   /* among nodes that are equal otherwise the smallest rank is taken; unique, below 2^22 */
    int32_t max_tasks; /* at one time, or POLICY_UNLIMITED */
    int64_t cpu_milli; /* or POLICY_UNLIMITED: not modelled */
    int64_t mem_mib;   /* or POLICY_UNLIMITED: not modelled */
};

/* Returns id POLICY_NO_ID on refusal. The node is up and all its devices are usable. */
POLICY_API policy_node policy_add_node(struct policy *, policy_time at, const struct policy_node_spec *);
POLICY_API int policy_remove_node(struct policy *, policy_time at,
                                  policy_node); /* refused while tasks run there */
POLICY_API int policy_set_node_state(struct policy *, policy_time at, policy_node, int32_t state);

/* A device that is not usable takes no new task; one that runs there goes on until the embedder says otherwise. */
POLICY_API int policy_set_device_health(struct policy *, policy_time at, policy_node, uint32_t device,
                                        bool usable);

/* ---- facts: queues ------------------------------------------------------------------------------------------ */

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
};

POLICY_API policy_queue policy_add_queue(struct policy *, policy_time at, const struct policy_queue_spec *);
POLICY_API int policy_remove_queue(struct policy *, policy_time at,
                                   policy_queue); /* refused while it has jobs */

/* ---- facts: jobs -------------------------------------------------------------------------------------------- */

/* What one task asks of one node. */
struct policy_request {
    int32_t devices;      /* how many, 0..POLICY_MAX_DEVICES */
    int32_t device_milli; /* share of each: 1..1000; 0 and 1000 both mean whole devices */
    int64_t cpu_milli;    /* >= 0 */
    int64_t mem_mib;      /* >= 0 */
    uint64_t types;       /* set of device types that will do; 0: any */
};

/* Like tasks of a job: a role, or pod set. */
struct policy_role {
    uint32_t size;
    int32_t tasks;     /* >= 1 */
    int32_t min_tasks; /* gang minimum, 1..tasks; today equal to tasks, else POLICY_UNSUPPORTED */
    struct policy_request request;
};

struct policy_job_spec {
    uint32_t size;
    policy_queue queue;
    int32_t priority; /* larger is more urgent */
    bool preemptible;
    uint64_t rank;                   /* breaks ties, smaller first; unique among the jobs of the policy */
    policy_time submitted;           /* what orders by age go by; <= at */
    policy_time eligible;            /* not considered before; 0 or earlier than `at`: at once */
    int64_t run_ms;                  /* expected run time, -1 unknown (sorts last) */
    int64_t limit_ms;                /* declared limit, -1 none */
    const struct policy_role *roles; /* tasks are numbered 0.. through the roles in this order */
    uint32_t role_count;             /* 1..POLICY_MAX_ROLES */
};

/* Returns i = POLICY_NO_ID on refusal. A job is a gang: it starts with all minimums or not at all. */
POLICY_API policy_job policy_submit(struct policy *, policy_time at, const struct policy_job_spec *);
POLICY_API int policy_cancel(struct policy *, policy_time at, policy_job); /* pending jobs only */

/* ---- facts: tasks. `task` may be POLICY_ALL_TASKS ------------------------------------------------------------ */

enum policy_outcome {
    POLICY_SUCCEEDED = 0,
    POLICY_FAILED = 1,
    POLICY_EVICTED = 2, /* ended because the policy or the cluster stopped it: the job is pending again */
};

/* Found running, not started by this instance: restarts, snapshots. Pending gangs must be reported whole. */
POLICY_API int policy_task_running(struct policy *, policy_time at, policy_job, uint32_t task, policy_node,
                                   uint64_t devices, policy_time since);
POLICY_API int policy_task_started(struct policy *, policy_time at, policy_job, uint32_t task);
/* It could not be started after all: the whole gang gives its resources back and is pending again. */
POLICY_API int policy_start_failed(struct policy *, policy_time at, policy_job);
/*
 * A task is over and its devices are free. When the last one has ended the job is over too (its id goes stale), or
 * pending again if any task was evicted.
 */
POLICY_API int policy_task_ended(struct policy *, policy_time at, policy_job, uint32_t task, int32_t outcome);

/* ---- decisions ---------------------------------------------------------------------------------------------- */

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
};

/* Why a job is pending, or why a task was evicted. Numbers are stable. */
enum policy_reason {
    POLICY_REASON_NONE = 0,
    POLICY_REASON_NOT_ELIGIBLE = 1, /* its begin time has not come */
    POLICY_REASON_WAITING = 2,      /* not looked at yet: the next decision will */
    POLICY_REASON_BEHIND =
        3, /* could be tried, but stands behind a job that cannot start (strict blocking) */
    POLICY_REASON_NEVER_FITS = 4,    /* not even on the empty fleet */
    POLICY_REASON_DEVICES_BUSY = 5,  /* fewer devices free than it wants */
    POLICY_REASON_FRAGMENTED = 6,    /* enough free in sum, but not in the pieces it needs */
    POLICY_REASON_CPU_OR_MEMORY = 7, /* devices are there, CPU or memory beside them is not */
    POLICY_REASON_NODES_DOWN = 8,    /* would fit if all nodes and devices were usable */
    POLICY_REASONS = 9,              /* how many there are in this version */
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
    uint64_t devices;     /* the set of devices on the node; 0 where only counted */
    int64_t gpu_milli;    /* taken in total by this decision */
    uint64_t reserved[3]; /* 0; decisions are an array, so they grow in here (MIG instances, moves) */
};

/*
 * Decides what can be decided now. Starts are in effect at once: their devices are taken until policy_start_failed()
 * or policy_task_ended(). Returns an array of *count decisions, owned by the policy, valid until its next call that
 * is not const; NULL with *count = 0 when there is nothing to do. When memory ran out policy_last_error() has that
 * status afterwards (else POLICY_OK, or POLICY_TIME_BACK); what was decided before is returned, the rest stays
 * pending, and another call goes on. Without new facts a second call decides nothing.
 */
POLICY_API const struct policy_decision *policy_decide(struct policy *, policy_time now, size_t *count);

/* The next time at which time alone may change the answer; INT64_MAX when there is none. */
POLICY_API policy_time policy_next_wakeup(const struct policy *);

/* True when facts arrived since the last decision that may lead to a new one. */
POLICY_API bool policy_has_work(const struct policy *);

/* ---- questions ---------------------------------------------------------------------------------------------- */

struct policy_explanation {
    uint32_t size;
    int32_t reason;          /* dominant; POLICY_REASON_NONE when the job is not pending */
    policy_job behind;       /* the job it stands behind, else i = POLICY_NO_ID */
    int32_t behind_reason;   /* and why that one is pending */
    int64_t wanted_milli;    /* devices of the whole gang, thousandths */
    int64_t free_milli;      /* free in the pools that it may use */
    int64_t free_whole;      /* of these: wholly free devices */
    int32_t tasks;           /* of the gang */
    int32_t tasks_fit_now;   /* how many of them could be placed now (the nearest feasible smaller gang) */
    int32_t largest_request; /* whole devices wanted on one node */
    int32_t most_free;       /* most wholly free devices on one node that it may use */
    uint64_t jobs_before;    /* pending jobs that are ahead of it in its scope */
};
/* Set `size` before. Looks again, so it may cost as much as a decision. */
POLICY_API int policy_explain(struct policy *, policy_job, struct policy_explanation *);

/*
 * Pending work of the queues that share one set of pools, by reason. Kept up to date, so asking is cheap. Reasons are
 * those of now; when more than 256 kinds of jobs wait, those of the last time each was looked at.
 */
struct policy_backlog {
    uint64_t jobs[POLICY_MOST_REASONS];
    int64_t gpu_milli[POLICY_MOST_REASONS];
};
POLICY_API int policy_backlog(const struct policy *, policy_queue, struct policy_backlog *);

/* Verifies every invariant and every index against a plain scan; slow. POLICY_CONFLICT names the first that fails. */
POLICY_API int policy_check(const struct policy *, struct policy_error *);

#ifdef __cplusplus
}
#endif
#endif
