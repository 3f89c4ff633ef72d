/* SPDX-License-Identifier: MIT */
/*
 * The policy core: facts in, decisions out.
 *
 * A `struct policy` is one scheduler. The embedder (a simulator, a decision service, an adapter of
 * a production cluster) reports what happens: nodes come and go, jobs are submitted, tasks start
 * and end. When asked to decide, the policy returns a list of decisions; the embedder carries them
 * out and reports their effects:
 *
 *     struct policy_config config;
 *     policy_config_init(&config, "fifo", allocator, &error);
 *     struct policy *p = policy_create(&config, &error);
 *     policy_node  n = policy_add_node(p, now, &(struct policy_node_spec){
 *                          .size = sizeof(struct policy_node_spec), .devices = 8, ...});
 *     policy_queue q = policy_add_queue(p, now, &queue_spec);
 *     policy_job   j = policy_submit(p, now, &job_spec);
 *     size_t count;
 *     const struct policy_decision *d = policy_decide(p, now, &count);
 *     for (size_t i = 0; i < count; i++)
 *         ... start d[i].task of d[i].job on d[i].node, devices d[i].devices ...
 *     policy_task_started(p, later, j, POLICY_ALL_TASKS);
 *     policy_task_ended(p, much_later, j, POLICY_ALL_TASKS, POLICY_SUCCEEDED);
 *
 * The core does no I/O, reads no clock, draws no random numbers, and has no threads and no globals.
 * All its memory comes from the embedder's allocator. Equal facts at equal times give equal
 * decisions on every machine.
 *
 * Threads: two instances share nothing and may be used by two threads at the same time if their
 * allocators allow it. An instance is used by one thread at a time, even for calls that take a
 * const policy: to share one, hold a lock around each call and while using what it returned. Tables
 * (policy_preset_row() ...) and policy_config_*() may be used from any thread.
 *
 * Rules that hold for every function
 *   - Ids are dense small integers assigned by the core. The number of a node, queue or job that
 *     was removed or has ended may be reused; jobs carry a generation, so stale job ids are
 *     detected.
 *   - Time is int64 milliseconds on the embedder's clock and never goes back: an earlier `at` is
 *     refused.
 *   - Amounts are integers: devices in thousandths (1000 = one whole device), CPU in thousandths of
 *     a core, memory in MiB. -1 (POLICY_UNLIMITED) means unlimited for a quota or limit, and "not
 *     modelled" for a capacity.
 *   - A fact that contradicts the known state is refused (negative status; policy_last_error() says
 *     why) and changes nothing. The same holds when memory runs out.
 *   - The callee copies what it keeps. A returned pointer belongs to the policy and is valid until
 *     its next non-const call.
 *   - Structs begin with `size` (set it to sizeof). They only grow at the end, so older embedders
 *     keep working: fields that a shorter struct lacks read as zero, and zero always means the
 *     previous behaviour; answers are written as far as they fit. A longer struct from a newer
 *     embedder is accepted if the fields unknown to this version are zero. Structs without a size
 *     (labels, terms, requests, shares, amounts, groups, decisions) grow only into their reserved
 *     fields; a request may also grow at its end together with the role or typical task that ends
 *     in it.
 *
 * A policy is a composition of rows: a *job order* (which job is next), a *queue order* (which
 * queue is next; without one, jobs are compared across all queues or within each queue), a
 * *placement* (which node) and *actions* (allocate, backfill, reclaim, preempt, ...), with their
 * options. A *preset* names a composition: fifo, slurm, runai. Every policy accepts every kind of
 * job: gangs with any roles, elastic jobs, shares of devices, device memory, MIG instances, labels,
 * topology, gated tasks. Some policies only start jobs; others evict, and some nominate, that is,
 * reserve a place that is still being released. A fact that has no meaning for a composition (past
 * usage without an order that uses it) is refused with POLICY_UNSUPPORTED, never ignored;
 * policy_traits() lists what a policy does and which facts it needs. The preset kube-default
 * schedules task by task, as the default scheduler of Kubernetes does (`pods`). A *plugin*
 * (plugin.h) adds its own rows or replaces the whole decision.
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

#define POLICY_VERSION            2    /* of this contract; raised only for breaking changes */
#define POLICY_MAX_DEVICES        64   /* on one node: a set of devices is one uint64_t */
#define POLICY_MAX_ROLES          4096 /* in one job */
#define POLICY_MAX_GROUPS         256  /* of roles in one job */
#define POLICY_MAX_TYPES          64 /* of devices in one cluster: a set of types is one uint64_t */
#define POLICY_MAX_POOLS          4096
#define POLICY_MAX_PROFILES       16   /* of MIG instances in one cluster */
#define POLICY_MAX_LEVELS         16   /* of one topology */
#define POLICY_MAX_TYPICAL        4096 /* kinds of typical tasks */
#define POLICY_MAX_TOPOLOGIES     16
#define POLICY_MOST_REASONS       32   /* in any version: size of arrays by reason */
#define POLICY_WHOLE              1000 /* thousandths of a device */
#define POLICY_UNLIMITED          (-1)
#define POLICY_MAX_THRESHOLDS     4 /* of attained service; there is one more queue than thresholds */
#define POLICY_MAX_PLUGIN_OPTIONS 32 /* declared by one plugin */
#define POLICY_NO_ID              UINT32_MAX
#define POLICY_ALL_TASKS          UINT32_MAX
#define POLICY_NEVER              INT64_MIN /* an event that has not happened */
#define POLICY_INHERIT            (-1)      /* take the time span of the parent queue */

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
    uint32_t gen; /* distinguishes jobs that reuse the same i */
} policy_job;

/* ---- status and errors ----------------------------------------------------------------------- */

enum policy_status {
    POLICY_OK = 0,
    POLICY_NO_MEMORY = -1,
    POLICY_INVALID = -2, /* a value out of range */
    POLICY_UNKNOWN = -3, /* no such node, queue, job, task, option or name */
    /* contradicts the known state: a device taken twice, a task that is not running, ... */
    POLICY_CONFLICT = -4,
    POLICY_TIME_BACK = -5,
    POLICY_UNSUPPORTED = -6,  /* valid, but not supported by this version or policy */
    POLICY_WRONG_PLUGIN = -7, /* the policy's plugin broke its contract */
};

struct policy_error {
    int32_t status;
    char message[252];
};

/* ---- configuration --------------------------------------------------------------------------- */

/*
 * Like realloc: old == NULL allocates, new_size == 0 frees and returns NULL, old_size is the size
 * requested before. Returns NULL when out of memory. The memory must be aligned for any type.
 */
struct policy_allocator {
    void *(*resize)(void *user, void *old, size_t old_size, size_t new_size);
    void *user;
};

enum policy_scope {
    POLICY_SCOPE_FLEET = 0,
    POLICY_SCOPE_QUEUE = 1
}; /* whose jobs block one another */
enum policy_blocking {
    POLICY_STRICT = 0, /* the first job that cannot start blocks all jobs behind it in its scope */
    POLICY_SKIP = 1,   /* jobs that cannot start are skipped */
};

/*
 * Controls whether jobs behind a blocked one may start. Without a queue order, backfill requires
 * strict blocking. POLICY_SINGLE requires a queue order: the first job that cannot start gets a
 * reservation and keeps it until it starts.
 */
enum policy_backfill {
    POLICY_NO_BACKFILL = 0,
    POLICY_EASY = 1,
    POLICY_CONSERVATIVE = 2,
    POLICY_SINGLE = 3
};
enum policy_easy_variant { POLICY_EASY_TEXTBOOK = 0, POLICY_EASY_FROZEN = 1 };

/* How the next queue is chosen: not at all (jobs are compared across queues or within each, see
 * `scope`), or by row i of the queue orders. */
enum policy_queue_order { POLICY_NO_QUEUE_ORDER = 0, POLICY_FAIR_SHARE = 1 /* 1 + i */ };

enum policy_packing { POLICY_PACK = 0, POLICY_SPREAD = 1 };
enum policy_reclaim_protection { POLICY_PROTECT_LCA = 0, POLICY_PROTECT_QUEUE = 1 };
enum policy_usage_window {
    POLICY_USAGE_GIVEN = 0,
    POLICY_USAGE_SLIDING = 1,
    POLICY_USAGE_TUMBLING = 2
};

/* Options of the quota policy; each has an option of the same name, see policy_option_row(). */
struct policy_quota_options {
    uint32_t actions; /* set of 1 << enum policy_action: the actions enabled */
    int32_t gpu_placement, cpu_placement, device_placement; /* enum policy_packing */
    bool fairness;              /* false: queues are ordered by priority and age alone */
    bool priorities;            /* false: jobs are ordered by age alone */
    bool node_predicates;       /* false: labels, affinities and node types are ignored */
    bool consolidating_reclaim; /* victims that are placed elsewhere do not count as reclaimed */
    bool full_hierarchy;        /* false: all leaves are children of one unlimited root */
    bool signatures;            /* skip a job if an equivalent one failed in the same action */
    bool backfill;              /* true: forces policy_config.backfill to POLICY_SINGLE */
    bool over_quota;            /* false: the quota of a leaf is also its limit, unless unlimited */
    int32_t consolidation_victims; /* most jobs moved for one job; 0 none, -1 unlimited */
    int32_t queue_depth;           /* jobs per leaf that an action considers; -1 all */
    int32_t protection;            /* enum policy_reclaim_protection */
    int32_t usage_window;          /* enum policy_usage_window: where usage history comes from */
    int64_t saturation_ppm;        /* multiplier of the reclaimer's saturation, at least 1000000 */
    int64_t usage_k_ppm;           /* weight of past usage in the over-quota division */
    int64_t usage_window_ms, usage_half_life_ms; /* 0: no decay */
    int64_t staleness_grace_ms; /* how long a gang may run below its minimum; -1 for ever */
    int64_t preempt_min_runtime_ms, reclaim_min_runtime_ms; /* default for queues that set none */
    int64_t interactive_limit_ms; /* time limit of interactive (build) sessions; 0 none */
    int64_t workday_end_ms;       /* extends that limit to this time of day (UTC); -1 off */
    int64_t idle_limit_ms;        /* jobs are ended after being idle this long; 0 never */
    int64_t idle_grace_ms;        /* not counted as idle at the start of a build session */
    int64_t idle_grace_train_ms;  /* same for training jobs, which may start on CPUs */
    int64_t idle_below_ppm;       /* device utilization below which a job is idle */
};

/* Tie-breaking of the ranked job order. */
enum policy_ties {
    /* running jobs by start time, then pending ones by time in the queue */
    POLICY_TIES_RUNNING = 0,
    POLICY_TIES_WAITING =
        1, /* pending jobs, then running ones: two otherwise equal jobs may alternate for ever
              unless each eviction adds to the remaining time */
    POLICY_TIES_PREVIOUS = 2, /* as ranked in the last decision; new jobs last */
};

/* When a job that has attained a threshold moves to the next queue. */
enum policy_demotion {
    POLICY_DEMOTE_EXACT = 0, /* as soon as its attained service exceeds the threshold */
    /* as the simulator of Tiresias (NSDI 2019) does; see order/attained.c */
    POLICY_DEMOTE_PUBLISHED = 1,
};

/* Options of ranked orders; each has an option of the same name. */
struct policy_ranked_options {
    int64_t threshold[POLICY_MAX_THRESHOLDS]; /* attained service: thousandths of devices x ms,
                                                 ascending */
    int32_t thresholds;                       /* how many are set */
    int32_t ties;                             /* enum policy_ties */
    int32_t demotion;                         /* enum policy_demotion */
    bool refill; /* place all jobs from scratch in each decision; no effect where devices are only
                    counted */
};

struct policy_plugin; /* plugin.h */

/* Options of the multifactor priority order; each has an option of the same name, prefixed with
 * priority_. */
struct policy_multifactor_options {
    int64_t weight_age, weight_fairshare, weight_job_size, weight_partition, weight_qos;
    int64_t max_age_ms;     /* age at which the age factor is 1 */
    int64_t half_life_ms;   /* of past usage; 0: no decay */
    int64_t calc_period_ms; /* interval between priority calculations */
    bool favor_small;       /* smaller jobs get more points */
};

/* How a feasible node is scored: by the free fraction or by the allocated fraction, with the task
 * placed. */
enum policy_score { POLICY_LEAST_ALLOCATED = 0, POLICY_MOST_ALLOCATED = 1 };

/* Order of pending tasks with equal priority and submission time. */
enum policy_pod_order {
    POLICY_PODS_BY_JOB = 0,   /* all tasks of one job, then those of the next */
    POLICY_PODS_IN_TURNS = 1, /* the first task of each job, then the second of each, ... */
};

/* Which tasks a task of higher priority may evict. */
enum policy_pod_victims {
    POLICY_VICTIMS_LOWER = 0,       /* any task of lower priority */
    POLICY_VICTIMS_PREEMPTIBLE = 1, /* tasks of lower priority whose job is preemptible */
};

/* Options of kube-default; each but `on` has an option of the same name (`order`: pod_order). */
struct policy_pod_options {
    int32_t
        on; /* 1: tasks are scheduled one by one; gang minimums, topology and quotas are ignored */
    int32_t score;   /* enum policy_score */
    int32_t order;   /* enum policy_pod_order */
    int32_t victims; /* enum policy_pod_victims */
};

/* Node provisioning. */
enum policy_provision {
    POLICY_PROVISION_NONE = 0,     /* no provisioning */
    POLICY_PROVISION_REACTIVE = 1, /* for pending jobs */
    POLICY_PROVISION_PREDICTIVE =
        2, /* also ahead of the demand at the same hour of the previous week */
};

/* Options of provisioning; each has an option of the same name, prefixed with provision_. */
struct policy_provision_options {
    int32_t how;       /* enum policy_provision; the option is `provision` */
    int32_t headroom;  /* empty nodes that each pool with an offer keeps ready */
    uint64_t hours[3]; /* hours of the week with headroom: bit 0 is Monday 00:00 to 01:00; none set:
                          always */
    int64_t protect_ms; /* no release within this time after the last order */
    int64_t budget;     /* micro-USD per 30 days over all offers; 0: unlimited */
};

struct policy_config {
    uint32_t size;
    struct policy_allocator allocator;
    char preset[32];
    int32_t order;     /* policy_order_row() */
    int32_t placement; /* policy_placement_row() */
    int32_t scope, blocking;
    uint64_t
        seed; /* for random placements: choices are a pure function of seed and decision number */
    struct policy_quota_options quota;
    int32_t backfill, easy_variant;
    struct policy_ranked_options ranked;
    const struct policy_plugin *plugin; /* or NULL; set by policy_config_plugin() */
    struct policy_multifactor_options multifactor;
    bool queue_limits; /* jobs that would exceed a queue limit stay pending; always on with a queue
                          order */
    bool time_limits;  /* jobs end at their declared limit */
    struct policy_pod_options pods;
    int64_t reversal_ms;    /* quota: minimum time before a victim of reclaim may take the resources
                               back */
    int32_t queue_order;    /* enum policy_queue_order */
    int32_t backfill_depth; /* conservative with a queue order: most jobs planned per decision, at
                               least 1 */
    uint64_t reserved[4];   /* 0 */
    int64_t plugin_options[POLICY_MAX_PLUGIN_OPTIONS]; /* values of the plugin's options, in the
                                                          order of its table */
    struct policy_provision_options provision;
};

/*
 * Fills in the defaults of a preset. Returns POLICY_UNKNOWN if there is no preset of that name.
 * `size` is that of the caller's struct: nothing is written beyond it, and options that it lacks
 * keep the preset's values. policy_config_init() is the same in C and C++.
 */
POLICY_API int policy_config_init_sized(struct policy_config *, uint32_t size, const char *preset,
                                        struct policy_allocator, struct policy_error *);

static inline int policy_config_init(struct policy_config *config, const char *preset,
                                     struct policy_allocator allocator, struct policy_error *error)
{
    return policy_config_init_sized(config, (uint32_t)sizeof *config, preset, allocator, error);
}

/*
 * The same for the embedder's own policy: defaults are those of its base, and its name serves as
 * the preset. The struct and its functions are not copied and must outlive all policies of this
 * configuration. Returns POLICY_INVALID if the plugin was built for another version of plugin.h or
 * its parts are inconsistent.
 */
POLICY_API int policy_config_plugin_sized(struct policy_config *, uint32_t size,
                                          const struct policy_plugin *, struct policy_allocator,
                                          struct policy_error *);

static inline int policy_config_plugin(struct policy_config *config,
                                       const struct policy_plugin *plugin,
                                       struct policy_allocator allocator,
                                       struct policy_error *error)
{
    return policy_config_plugin_sized(config, (uint32_t)sizeof *config, plugin, allocator, error);
}

/*
 * Sets one option by name from text, e.g. "blocking", "skip". See policy_option_row(). Returns
 * POLICY_UNSUPPORTED for an option newer than the caller's struct. `unit`, `queue_order` and
 * `order` add and remove other options: set them first.
 */
POLICY_API int policy_config_set(struct policy_config *, const char *option, const char *value,
                                 struct policy_error *);

/* Returns POLICY_INVALID, with an explanation, if options contradict each other. policy_create()
 * makes the same check. */
POLICY_API int policy_config_check(const struct policy_config *, struct policy_error *);

/* The tables of built-in rows: row i, or NULL past the last one. */
struct policy_row {
    const char *name, *summary;
};
POLICY_API const struct policy_row *policy_preset_row(size_t i);
POLICY_API const struct policy_row *policy_order_row(size_t i);
POLICY_API const struct policy_row *policy_placement_row(size_t i);
POLICY_API const struct policy_row *policy_queue_order_row(size_t i);
POLICY_API const struct policy_row *policy_action_row(size_t i); /* in the order they run in */
POLICY_API const struct policy_row *policy_option_row(size_t i); /* the summary lists the values */

/* Rejected combinations: the options involved ("order, backfill") and the message of
 * policy_config_check(). */
POLICY_API const struct policy_row *policy_refusal_row(size_t i);

/* Row i of the options that apply to the chosen rows, the plugin's own last; NULL past the last
 * one. */
POLICY_API const struct policy_row *policy_config_option_row(const struct policy_config *,
                                                             size_t i);

/* Returns true if the placement only counts the devices of a pool: starts then name a pool and no
 * node. */
POLICY_API bool policy_placement_counts(const struct policy_config *);

/* Returns true if the placement uses the typical tasks of the workload: see
 * policy_set_typical_tasks(). */
POLICY_API bool policy_wants_typical_tasks(const struct policy_config *);

/* Returns true if the order depends on the progress of jobs, which then must be reported: see
 * policy_report_progress(). */
POLICY_API bool policy_is_ranked(const struct policy_config *);

/*
 * What a policy does and which facts it needs, derived from the rows it is composed of. Embedders
 * test these traits and never the name of a policy.
 */
enum policy_trait {
    POLICY_TRAIT_COUNTS = 1 << 0, /* see policy_placement_counts() */
    /* chooses nodes at random: the seed of the configuration matters */
    POLICY_TRAIT_DRAWS = 1 << 1,
    POLICY_TRAIT_NOMINATES = 1 << 2, /* may nominate tasks to places that are being released */
    /* divides the fleet: policy_queue_info() has the fair share of each queue */
    POLICY_TRAIT_DIVIDES = 1 << 3,
    POLICY_TRAIT_LIMITS = 1 << 4,     /* enforces the limits of queues for all resources */
    POLICY_TRAIT_GPU_LIMITS = 1 << 5, /* enforces the device limits of queues */
    POLICY_TRAIT_QUOTAS = 1 << 6, /* also limits non-preemptible jobs to the quota of their queue */
    /* the quota of a leaf queue is also its limit */
    POLICY_TRAIT_OWNED = 1 << 7,
    POLICY_TRAIT_FLAT = 1 << 8,       /* queues are flat: limits of parents do not apply */
    POLICY_TRAIT_ANY_VICTIM = 1 << 9, /* may also evict non-preemptible jobs */
    POLICY_TRAIT_PARTS = 1 << 10,     /* starts tasks one by one, so a gang may run in part */
    /* An evicted gang is pending again once its last task has ended; without this trait each task
     * is pending as soon as it has ended itself. */
    POLICY_TRAIT_WHOLE = 1 << 11,
    /* A job that would not fit even the empty fleet delays no other job and has a reason of its
     * own; without this trait it is treated like any other job. */
    POLICY_TRAIT_SORTS_OUT = 1 << 12,
    POLICY_TRAIT_RESTLESS = 1 << 13, /* may decide something even if no job is pending */
    /* events in one pool may change decisions about others */
    POLICY_TRAIT_COUPLED = 1 << 14,
    /* wants actual run times (run_ms) instead of declared ones */
    POLICY_TRAIT_FORESIGHT = 1 << 15,
    POLICY_TRAIT_PROGRESS = 1 << 16, /* wants policy_report_progress() */
    POLICY_TRAIT_ACTIVITY = 1 << 17, /* wants policy_report_activity() */
    POLICY_TRAIT_TYPICAL = 1 << 18,  /* wants policy_set_typical_tasks() */
    POLICY_TRAIT_NEAR = 1 << 19,     /* uses the topology even for jobs that do not ask for it */
    /* needs topologies before nodes; others only need them when a job refers to one */
    POLICY_TRAIT_TOPOLOGY = 1 << 20,
    POLICY_TRAIT_NAMES = 1 << 21,      /* wants policy_set_name(): a plugin asked for names */
    POLICY_TRAIT_PROVISIONS = 1 << 22, /* orders nodes: wants policy_set_offer() */
};

/* Returns a set of enum policy_trait; 0 for an invalid configuration. */
POLICY_API uint64_t policy_traits(const struct policy_config *);

POLICY_API struct policy *policy_create(const struct policy_config *, struct policy_error *);
POLICY_API void policy_destroy(struct policy *); /* accepts NULL */
POLICY_API const struct policy_error *policy_last_error(const struct policy *);

/* ---- facts: nodes ---------------------------------------------------------------------------- */

enum policy_node_state {
    POLICY_NODE_UP = 0,
    POLICY_NODE_DRAINING = 1, /* running tasks continue, nothing new starts */
    POLICY_NODE_DOWN = 2,     /* the embedder reports the end of the tasks that ran there */
    POLICY_NODE_OFF = 3,      /* not provisioned; may be ordered if its pool has an offer */
    POLICY_NODE_ORDERED = 4,  /* ordered, not yet available */
};

enum policy_mig_mode {
    POLICY_MIG_OFF = 0,
    POLICY_MIG_SINGLE = 1, /* instances look like devices; only whole ones can be requested */
    POLICY_MIG_FIXED = 2,  /* fixed instance counts; only instances can be requested */
    /* Instances are created wherever the geometry of a device allows; whole devices may be
     * requested too. In queue shares the cluster has 7 of each such device, the total slice weight
     * of its instances. */
    POLICY_MIG_FREE = 3,
};

/* Node labels: keys and values are strings numbered by the embedder. */
struct policy_label {
    uint32_t key, value;
};

struct policy_node_spec {
    uint32_t size;
    int32_t devices;   /* 0..POLICY_MAX_DEVICES */
    uint32_t type;     /* of its devices, 0..POLICY_MAX_TYPES-1; numbered by the embedder */
    uint32_t pool;     /* 0..POLICY_MAX_POOLS-1, numbered by the embedder */
    uint32_t rank;     /* the smallest rank wins among otherwise equal nodes; unique, below 2^22 */
    int32_t max_tasks; /* concurrent tasks, or POLICY_UNLIMITED */
    int64_t cpu_milli; /* or POLICY_UNLIMITED: not modelled; quota: at most 2^40 */
    int64_t mem_mib;   /* or POLICY_UNLIMITED: not modelled; quota: at most 2^40 */
    int64_t device_mem_mib; /* of each device; 0 unknown: requests for device memory do not fit */
    int32_t mig;            /* enum policy_mig_mode */
    const int32_t *mig_instances; /* POLICY_MAX_PROFILES counts, for POLICY_MIG_FIXED; or NULL */
    const struct policy_label *labels;
    uint32_t label_count;
    bool whole_only; /* accepts only tasks that take all its devices whole (NVLink pools sold as
                        whole nodes) */
};

/* Returns id POLICY_NO_ID on refusal. The node starts up with all devices usable. */
POLICY_API policy_node policy_add_node(struct policy *, policy_time at,
                                       const struct policy_node_spec *);
POLICY_API int policy_remove_node(struct policy *, policy_time at,
                                  policy_node); /* refused while tasks run there */
POLICY_API int policy_set_node_state(struct policy *, policy_time at, policy_node, int32_t state);

/*
 * Nodes available on demand. They are added like others (policy_add_node()) and stay off until
 * ordered (as nodes in state CLOUD do in Slurm). All on-demand nodes of a pool are alike, and a
 * pool has at most one offer.
 *   off --POLICY_ORDER--> ordered --the embedder reports up--> up --POLICY_RELEASE--> off
 *
 * Both decisions take effect at once. Report an order that cannot be filled with state off; report
 * a node that is temporarily unavailable as down instead of off.
 */
struct policy_offer {
    uint32_t size;
    uint32_t pool;
    int32_t least, most;   /* nodes always kept, and at most; most 0: no offer */
    int64_t price;         /* micro-USD per node hour, from order to release */
    int64_t delay_ms;      /* expected time from an order until the node accepts jobs */
    int64_t idle_ms;       /* a node is released after being idle this long */
    int64_t wait_ms;       /* only jobs pending for at least this long count */
    int64_t least_paid_ms; /* minimum billed time per order */
    policy_time monday;    /* a Monday 0:00, base of the hours of the week; at most a week from 0 */
};

/*
 * Sets or replaces an offer. The cheapest suitable offer is used; ties go to the smaller pool
 * number. Returns POLICY_UNSUPPORTED if the policy does not provision.
 */
POLICY_API int policy_set_offer(struct policy *, policy_time at, const struct policy_offer *);

/* An unusable device takes no new tasks; a task running there continues until the embedder reports
 * otherwise. */
POLICY_API int policy_set_device_health(struct policy *, policy_time at, policy_node,
                                        uint32_t device, bool usable);

/*
 * Sets or replaces a topology: a list of label keys from the top level down. Topologies and their
 * levels are numbered from 1; a node that lacks the label of any level is outside. Set topologies
 * before jobs refer to them. The placement `topology` uses the lowest-numbered topology even for
 * jobs that name none.
 */
POLICY_API int policy_set_topology(struct policy *, policy_time at, uint32_t topology,
                                   const uint32_t *levels, uint32_t level_count);

/* Defines a MIG profile and the slices of an instance: 3g.40gb has 3 of 7 compute slices and 4 of 8
 * memory slices. */
POLICY_API int policy_set_mig_profile(struct policy *, policy_time at, uint32_t profile,
                                      int32_t compute_slices, int32_t memory_slices);

enum policy_name_of {
    POLICY_NAME_TYPE = 0, /* of device types: "H100-SXM-80GB" */
    POLICY_NAME_POOL = 1,
    POLICY_NAME_PROFILE = 2, /* of MIG instances: "3g.40gb" */
};

/*
 * Sets or replaces the embedder's name for a number, for plugins that look at names; built-in
 * decisions never depend on names. The name is copied; at most 255 characters. Kept only by
 * policies with POLICY_TRAIT_NAMES.
 */
POLICY_API int policy_set_name(struct policy *, policy_time at, int32_t of, uint32_t number,
                               const char *name);

/* ---- facts: queues --------------------------------------------------------------------------- */

struct policy_share {
    int64_t quota;  /* guaranteed amount, POLICY_UNLIMITED, or 0 */
    int64_t limit;  /* upper bound, or POLICY_UNLIMITED */
    int64_t weight; /* of over-quota, in thousandths */
};

/*
 * A quota that holds in some pools only, as those of one GPU type: an entry for each pool, of which
 * all but the first have `joined`. Queues that name one pool of such a group name all of them, in
 * any order.
 */
struct policy_pool_quota {
    uint32_t pool;
    bool joined;         /* shares the quota of the previous entry */
    uint8_t reserved[3]; /* 0 */
    int64_t quota;       /* thousandths of devices, at least 0 */
};

struct policy_queue_spec {
    uint32_t size;
    policy_queue parent; /* i = POLICY_NO_ID: a root */
    int32_t priority;    /* larger first */
    uint32_t rank;       /* breaks ties between queues */
    policy_time created;
    struct policy_share gpu, cpu, mem;
    const uint32_t *pools; /* pools its jobs may use; NULL: any */
    uint32_t pool_count;
    int64_t preempt_min_runtime_ms, reclaim_min_runtime_ms; /* minimum run time before its jobs
                                                               become victims; or POLICY_INHERIT */
    /* Devices reserved for its build sessions, at most its quota and its limit. Reservations of its
     * children on the same nodes are part of it; where their sum is larger, the sum is reserved. */
    int64_t fixed_milli;
    bool suspended;     /* no job in it or below it starts; running jobs continue */
    bool spans_pools;   /* its gangs may span pools with different quotas */
    bool ordered_pools; /* `pools` are in order of preference; else ascending, without one */
    bool strict_order;  /* that order also precedes leaving pools to queues that depend on them */
    /* Quotas by pool; `gpu.quota` is their sum. Count 0: its quota holds in any pool. */
    uint32_t by_pool_count;
    const struct policy_pool_quota *by_pool;
};

POLICY_API policy_queue policy_add_queue(struct policy *, policy_time at,
                                         const struct policy_queue_spec *);
POLICY_API int policy_remove_queue(struct policy *, policy_time at,
                                   policy_queue); /* refused while it has jobs */

/* Amounts of the shared resources: thousandths of devices, thousandths of cores, MiB. */
struct policy_amounts {
    int64_t gpu, cpu, mem;
};

/*
 * Past usage of the queue, in parts per million of the cluster's capacity. With option usage_window
 * "given", the value holds until set again. Otherwise the core keeps the history from the first job
 * on, and this value is the usage in the window that ends with the next decision: for an embedder
 * that restarts. Set it for every queue, inner ones included.
 */
POLICY_API int policy_set_usage(struct policy *, policy_time at, policy_queue,
                                const struct policy_amounts *ppm);

/* ---- facts: jobs ----------------------------------------------------------------------------- */

/* The node's label `key` must have one of the values. */
struct policy_term {
    uint32_t key, value_count;
    const uint32_t *values;
};

/* What one task requests of one node. At most one of device_milli, device_mem_mib and mig may
 * request part of a device. */
struct policy_request {
    int32_t devices;      /* how many, 0..POLICY_MAX_DEVICES */
    int32_t device_milli; /* share of each: 1..1000; 0 and 1000 both mean whole devices */
    int64_t cpu_milli;    /* >= 0 */
    int64_t mem_mib;      /* >= 0 */
    uint64_t types;       /* set of acceptable device types; 0: any */
    int64_t
        device_mem_mib; /* memory on each of `devices` devices, instead of device_milli; 0: none */
    const int32_t *mig; /* POLICY_MAX_PROFILES counts of instances, with devices = 0; or NULL */
    const struct policy_term *terms; /* all must match */
    uint32_t term_count;
};

/*
 * How close tasks must be to each other. Topology 0: no constraint. Levels count from 1 at the top;
 * 0: none; -1: an unknown topology or level, so the tasks cannot be placed.
 */
struct policy_constraint {
    int32_t topology, required, preferred;
};

/*
 * Identical tasks of a job: a role, or pod set. Tasks start in ascending order and are evicted in
 * descending order. A pod set with different tasks is a run of roles: all but the first have
 * `joined`, and min_tasks, group and topology of the first apply to all of them.
 */
struct policy_role {
    uint32_t size;
    int32_t tasks;     /* >= 1 */
    int32_t min_tasks; /* gang minimum, 1..tasks of the pod set */
    bool joined;       /* belongs to the pod set of the previous role */
    int32_t group;     /* 1 + index of its group in the job; 0: directly under the job */
    struct policy_constraint topology;
    struct policy_request request;
};

/* Roles and groups of a job with a common topology constraint. */
struct policy_group {
    int32_t
        parent; /* 1 + index of the parent group, which comes earlier; 0: directly under the job */
    struct policy_constraint topology;
};

enum policy_workload { POLICY_TRAIN = 0, POLICY_BUILD = 1, POLICY_INFERENCE = 2 };

struct policy_job_spec {
    uint32_t size;
    policy_queue queue;
    int32_t priority; /* larger is more urgent */
    bool preemptible;
    uint64_t rank;         /* breaks ties, smaller first; unique among the jobs of the policy */
    policy_time submitted; /* age is measured from here; <= at */
    policy_time eligible;  /* earliest start; 0 or earlier than `at`: at once */
    int64_t run_ms;   /* expected run time, -1 unknown (sorts last); used by backfill if no limit is
                         declared */
    int64_t limit_ms; /* declared limit, -1 none */
    const struct policy_role *roles; /* tasks are numbered from 0 through the roles in this order */
    uint32_t role_count;             /* 1..POLICY_MAX_ROLES */
    const struct policy_group *groups; /* in placement order */
    uint32_t group_count;
    struct policy_constraint topology;
    int32_t workload;             /* enum policy_workload */
    int64_t interactive_limit_ms; /* overrides the option: 0 the option's value, -1 none */
    int64_t estimate_ms;  /* run time from a predictor, for the order predicted-gpu-time; 0 none */
    uint32_t user;        /* the embedder's user number, for the order multifactor; 0 unknown */
    policy_time deadline; /* for the order edf; 0 none */
};

/*
 * Returns i = POLICY_NO_ID on refusal. A job is a gang: it starts with all minimums or not at all.
 * Quota: all unfinished jobs together may request at most 2^51 of each resource, devices and cores
 * in thousandths, memory in MiB.
 */
POLICY_API policy_job policy_submit(struct policy *, policy_time at,
                                    const struct policy_job_spec *);
POLICY_API int policy_cancel(struct policy *, policy_time at, policy_job); /* pending jobs only */

/* Reports a gang that has been running below its minimum since `since` (POLICY_NEVER: since
 * now). */
POLICY_API int policy_set_stale_since(struct policy *, policy_time at, policy_job,
                                      policy_time since);

/* Mean utilization of the job's devices since the last report, in parts per million; feeds idle
 * detection. */
POLICY_API int policy_report_activity(struct policy *, policy_time at, policy_job,
                                      int64_t utilization_ppm);

/* A task type that is typical of the workload, and how many such tasks there are, 1 to 2^32. */
struct policy_typical_task {
    uint32_t size;
    int64_t count;
    struct policy_request request; /* devices, share, CPU and types; other fields are ignored */
};

/*
 * Describes the workload: fragmentation-aware placement (fgd) prefers nodes whose remainder suits
 * typical tasks. A few dozen types that cover most of `all` tasks are enough. The fraction of a
 * type among those given is (count / all) / (sum of counts / all), each quotient a double, summed
 * in the order of the array, as published results were computed. Replaces an earlier list; without
 * one, all nodes score the same. Returns POLICY_UNSUPPORTED if policy_wants_typical_tasks() is
 * false.
 */
POLICY_API int policy_set_typical_tasks(struct policy *, policy_time at,
                                        const struct policy_typical_task *, uint32_t count,
                                        int64_t all);
/*
 * Reports the total run time that the job has left from now (or from its next start); until then
 * run_ms of its spec counts. Report it at least when a stopped job has more or less left than its
 * run time implies: restart overhead, lost work. Only with POLICY_TRAIT_PROGRESS.
 */
POLICY_API int policy_report_progress(struct policy *, policy_time at, policy_job,
                                      int64_t remaining_ms);

/* ---- facts: tasks. `task` may be POLICY_ALL_TASKS -------------------------------------------- */

enum policy_outcome {
    POLICY_SUCCEEDED = 0,
    POLICY_FAILED = 1,
    /* stopped by the policy (except at a limit) or the cluster: pending again */
    POLICY_EVICTED = 2,
};

/*
 * Reports a task that runs but was not started by this instance (restart, snapshot). With
 * POLICY_TRAIT_WHOLE, report all tasks of a gang. `since` is when the job last went from no running
 * task to some (POLICY_NEVER: unknown, so no minimum run time protects it). `devices` is empty for
 * MIG instances of fixed counts.
 */
POLICY_API int policy_task_running(struct policy *, policy_time at, policy_job, uint32_t task,
                                   policy_node, uint64_t devices, policy_time since);
POLICY_API int policy_task_started(struct policy *, policy_time at, policy_job, uint32_t task);
/* The task is being stopped; its resources are not free yet. Answers an eviction; also used in
 * snapshots. */
POLICY_API int policy_task_releasing(struct policy *, policy_time at, policy_job, uint32_t task);
/* Marks a pending task as gated (must not start) or ungated. */
POLICY_API int policy_task_gated(struct policy *, policy_time at, policy_job, uint32_t task,
                                 bool gated);
/* The start failed: the whole gang releases its resources and is pending again. */
POLICY_API int policy_start_failed(struct policy *, policy_time at, policy_job);
/*
 * A task has ended and its devices are free. With POLICY_TRAIT_WHOLE, when the last task of a rigid
 * gang (all minimums equal the task counts) ends, the gang is over (its id becomes stale), or
 * pending again if any task was evicted. Without it, an evicted task is pending again at once; a
 * task that succeeded or failed never is (this may also be reported for a pending task), and the
 * job is over when all tasks are. POLICY_ALL_TASKS with an outcome other than EVICTED ends the
 * whole job, pending tasks included.
 */
POLICY_API int policy_task_ended(struct policy *, policy_time at, policy_job, uint32_t task,
                                 int32_t outcome);

/* ---- facts: history -------------------------------------------------------------------------- */

/*
 * State that some policies remember beyond the current facts. A restarted or restored policy needs
 * it to decide as its predecessor would have. Each record holds one remembered item; each kind uses
 * the members named with it, plus `job` or `queue` where noted. Anything without a record is
 * treated as if it had never happened.
 */
enum policy_history_kind {
    /*
     * Ranked order, per `job`: it had `attained` by `at`, and, if `timed`, has `remaining` to run
     * from then (INT64_MAX: unknown). Starts and evictions are numbered consecutively: `started`
     * and `evicted` are its last ones (0: none); an evicted job re-entered the queue at `entered`.
     * It has passed `level` thresholds, and had rank `place` in the last decision, counted from 1;
     * 0 means after all others. `chosen`: it is pending and was selected to get devices; `leaving`:
     * its eviction was decided, whether answered or not; `settled`: nothing has happened since that
     * changes the selection. If it is running, it attained part of that since `from` and would
     * finish at `until` (INT64_MAX: unknown); a failed start reverts this. Both 0: unknown.
     */
    POLICY_HISTORY_JOB = 1,
    /*
     * The pending `job` has a reservation to start at `at` (INT64_MAX: unknown). Conservative
     * backfill reserves a time for every job, and keeps it while the job runs in case it has to
     * wait again; EASY, variant frozen, for the first job of each scope. The quota policy with
     * backfill has one reservation at a time and recomputes its time: `due` means that the time is
     * not fixed yet and is found in the next decision.
     */
    POLICY_HISTORY_PROMISE = 2,
    /*
     * Multifactor: usage of a `user` in a `queue` up to `at`: `used`, decayed to the start of the
     * priority_calc_period_s that contains `at`, and `used_since` from there on. `place` is the
     * user's rank in the last calculation.
     */
    POLICY_HISTORY_USER = 3,
    /*
     * Multifactor: priorities were last calculated as of `at`, for `count` users in all and
     * `capacity.gpu`; ages count up to `from`, valid until `until`; `level` is the highest job
     * priority so far. `due`: a calculation is due at once.
     */
    POLICY_HISTORY_PRIORITIES = 4,
    /* random placements: number of tasks (`count`) placed so far */
    POLICY_HISTORY_DRAWS = 5,
    /*
     * Quota, with a usage_window other than given: what a `queue` (i = POLICY_NO_ID: the cluster's
     * capacity) held from `from` on for `count` ms, at most a 64th of the window and not beyond
     * `at`: amounts x ms, in `used_gpu`, `used_cpu`, `used_mem`. Amounts have been unchanged since
     * `until`. Newest part first, up to `at`; time without a part counts as zero.
     */
    POLICY_HISTORY_USAGE = 6,
    /*
     * Quota: the `job` has been idle since `from` (POLICY_NEVER: it is not idle), as reported at
     * `at`.
     */
    POLICY_HISTORY_IDLE = 7,
    /*
     * Quota: the last decision nominated this `task` of the `job` to this `node`: shares and
     * instances to these `devices`, a freely created instance to the memory slice `place`. In
     * decision order.
     */
    POLICY_HISTORY_NOMINATION = 8,
    /*
     * Job orders without a queue order: this `job`, the first pending one of its class, found no
     * place in the last decision, for the reason `level`. Its class is not retried until something
     * it can use is released.
     */
    POLICY_HISTORY_BLOCKED = 9,
    /*
     * A decision has taken all earlier facts into account: nothing needs to be decided before a new
     * fact or `until`. Set it last, and only if nothing has changed since. Ranked orders have one
     * record per queue if queues are ordered separately; there `due` means that the selected jobs
     * may be placed now.
     */
    POLICY_HISTORY_DECIDED = 10,
    /* quota: the gang of the `job` has been running below its minimum since `from` */
    POLICY_HISTORY_STALE = 11,
    /*
     * Job orders without a queue order: tasks of the running `job` were evicted; it is pending
     * again when the others end. `leaving`: it was decided or reported to end at its time limit;
     * with `settled` as well, none of its tasks has been evicted yet.
     */
    POLICY_HISTORY_EVICTED = 12,
    /*
     * Quota: starts of tasks of the `job` that were decided but not yet reported: the set
     * `devices`, whose bit 0 is the task `task`. (Tasks beyond the first 4096 of a job are not
     * recorded.)
     */
    POLICY_HISTORY_STARTED = 13,
    /*
     * Quota: the `job` lost tasks at `at` by reclaim or preempt to the job `other`; `due`:
     * something other than the policy's own decisions has happened since. Ordered by time, those
     * with `due` first.
     */
    POLICY_HISTORY_DISPLACED = 14,
    /*
     * Plugins: a chunk of the plugin's saved state as hexadecimal `data`: the bytes from `place`
     * on, of `count` in all, written by state version `level`. In byte order, all with the same
     * time. The bytes begin with the plugin's name and a 0; a plugin of another name refuses them
     * (POLICY_UNSUPPORTED).
     */
    POLICY_HISTORY_PLUGIN = 15,
    /*
     * State of an order or action module beyond the kinds above: `data` is the name of the module,
     * which defines all other members. A policy without that module refuses it
     * (POLICY_UNSUPPORTED).
     */
    POLICY_HISTORY_MODULE = 16,
};

/* Returns true for kinds that hold only while cluster, queues and options are unchanged: see
 * policy_set_history(). */
static inline bool policy_history_is_of_then(int32_t kind)
{
    return kind == POLICY_HISTORY_BLOCKED || kind == POLICY_HISTORY_DECIDED;
}

struct policy_history {
    uint32_t size;
    int32_t kind; /* enum policy_history_kind */
    policy_job job;
    policy_queue queue;
    policy_node node;
    uint32_t task, user;
    uint64_t devices; /* set */
    policy_time at, from, until, entered;
    int64_t attained;  /* thousandths of devices x ms, that is device-microseconds */
    int64_t remaining; /* ms */
    uint64_t started, evicted;
    uint64_t count;
    uint64_t used;                         /* thousandths of devices x 0.1 s */
    uint64_t used_since;                   /* device-microseconds */
    uint64_t used_gpu, used_cpu, used_mem; /* as in struct policy_amounts, x ms */
    int64_t capacity;                      /* thousandths of devices */
    uint32_t place;
    int32_t level;
    bool due, chosen, leaving, settled, timed;
    uint8_t reserved[3]; /* 0 */
    policy_job other;    /* i = POLICY_NO_ID: none */
    const char
        *data; /* text, or NULL; valid until the policy's next non-const call or the next record */
};

/*
 * Iterates over the records in an order in which they can be restored: set *next to 0 before the
 * first call, and `size` before each. Returns false past the last one. Records are as of the last
 * fact or decision.
 */
POLICY_API bool policy_history(const struct policy *, uint64_t *next, struct policy_history *);

/*
 * Restores one record: after nodes, queues, jobs and tasks, and before the first decision. Returns
 * POLICY_UNSUPPORTED if the policy does not use such records, so nothing is lost. BLOCKED and
 * DECIDED hold only while cluster, queues and options are unchanged: skip them otherwise.
 */
POLICY_API int policy_set_history(struct policy *, policy_time at, const struct policy_history *);

/*
 * What is lost if the history is not restored: sentence i, or NULL past the last. *kind is the kind
 * of record that would preserve it; 0: none does.
 */
POLICY_API const char *policy_forgets(const struct policy *, size_t i, int32_t *kind);

/* ---- decisions ------------------------------------------------------------------------------- */

enum policy_kind {
    POLICY_START = 1,    /* bind the task now */
    POLICY_NOMINATE = 2, /* the task will start there once the devices are released; not repeated
                            while it stands */
    POLICY_EVICT = 3,    /* stop the task; the expected answer depends on the action */
    POLICY_ORDER = 4,    /* order `node`; concerns no job (job.i = POLICY_NO_ID) */
    POLICY_RELEASE = 5,  /* release the empty `node`; concerns no job */
};

enum policy_action {
    POLICY_ALLOCATE = 1,
    POLICY_CONSOLIDATE = 2,
    POLICY_RECLAIM = 3,
    POLICY_PREEMPT = 4,
    POLICY_STALE = 5,
    POLICY_BACKFILL = 6, /* allocate for jobs behind one that has a reservation */
    POLICY_LIMITS = 7,   /* time limits and idle jobs */
    /* order and release nodes; numbers from 8 on are left to the embedder's rows */
    POLICY_PROVISION = 30,
};

/* upper bound for action numbers: size of arrays indexed by action */
#define POLICY_MOST_ACTIONS 32

/* Why a job is pending or a task was evicted. Numbers are stable. */
enum policy_reason {
    POLICY_REASON_NONE = 0,
    POLICY_REASON_NOT_ELIGIBLE = 1, /* its begin time has not come */
    POLICY_REASON_WAITING = 2,      /* not considered yet: the next decision will */
    /* behind a job that cannot start (strict blocking) */
    POLICY_REASON_BEHIND = 3,
    POLICY_REASON_NEVER_FITS = 4,   /* not even on the empty fleet */
    POLICY_REASON_DEVICES_BUSY = 5, /* fewer free devices than requested */
    POLICY_REASON_FRAGMENTED = 6, /* enough free devices in total, but not in the required shape */
    POLICY_REASON_CPU_OR_MEMORY = 7, /* devices are free, but CPU or memory next to them is not */
    POLICY_REASON_NODES_DOWN = 8,    /* would fit if all nodes and devices were usable */
    /* why a job of the quota policy is pending */
    POLICY_REASON_OVER_LIMIT = 9, /* would exceed the limit of a queue */
    /* non-preemptible, and a queue has too little quota left */
    POLICY_REASON_OVER_QUOTA = 10,
    /* would fit, but in no domain of the required level */
    POLICY_REASON_TOPOLOGY_FRAGMENTED = 11,
    POLICY_REASON_TOPOLOGY_UNKNOWN = 12, /* refers to an unknown topology or level */
    POLICY_REASON_NOT_READY = 13,        /* fewer tasks exist or are ungated than its minimum */
    /* no usable node has the required labels or device type */
    POLICY_REASON_NODE_MISMATCH = 14,
    POLICY_REASON_RELEASING = 15, /* nominated; its place is still being released */
    POLICY_REASON_FIXED_QUOTA =
        16,                      /* free devices are reserved for build sessions of other queues */
    POLICY_REASON_RESERVED = 17, /* would delay a job with a reservation */
    /* why a task was evicted */
    /* a queue within its quota reclaims from one over its quota */
    POLICY_REASON_RECLAIM_OVER_QUOTA = 18,
    /* a queue within its fair share reclaims from one over its fair share */
    POLICY_REASON_RECLAIM_OVER_SHARE = 19,
    POLICY_REASON_PREEMPTED = 20, /* by a job of higher priority; quota policy: in the same queue */
    POLICY_REASON_MOVED = 21,     /* moved; continues elsewhere */
    POLICY_REASON_STALE_GANG = 22, /* its gang was below its minimum for too long */
    POLICY_REASON_TIME_LIMIT = 23,
    POLICY_REASON_IDLE = 24,
    /* ranked orders: why a job is pending or was evicted */
    POLICY_REASON_OUTRANKED = 25, /* higher-ranked jobs take the devices */
    POLICY_REASON_SUSPENDED = 26, /* the job or one of its queues is suspended */
    POLICY_REASONS = 27,          /* number of reasons in this version */
};
POLICY_API const char *policy_reason_name(int32_t reason);    /* "FRAGMENTED"; "" when unknown */
POLICY_API const char *policy_reason_summary(int32_t reason); /* one line for display */
POLICY_API const char *policy_action_name(int32_t action);    /* "allocate" */
POLICY_API const char *policy_kind_name(int32_t kind);        /* "start" */

/*
 * Answer an eviction with policy_task_releasing() when the task was told to stop, and with
 * policy_task_ended() when its devices are free. The outcome POLICY_EVICTED makes the task pending
 * again. A job ended by POLICY_LIMITS must not be answered so, or it would restart: when its last
 * task is gone, report policy_task_ended(..., POLICY_ALL_TASKS, POLICY_SUCCEEDED or POLICY_FAILED).
 * Until then gate its tasks that hold nothing, and undo starts of its tasks in the same decision
 * (policy_start_failed()).
 *
 * A ranked order evicts first: the jobs that benefit start in the next decision after the answer,
 * on whatever is free by then.
 */
struct policy_decision {
    int32_t kind, action;
    int32_t reason; /* of an eviction, else 0 */
    uint32_t task;  /* or POLICY_ALL_TASKS if devices are only counted */
    policy_job job;
    policy_job for_job; /* beneficiary of an eviction, else i = POLICY_NO_ID */
    policy_node node;   /* i = POLICY_NO_ID if devices are only counted */
    uint32_t pool;
    uint64_t devices;  /* devices on the node; 0 if only counted */
    int64_t gpu_milli; /* total taken by this decision */
    uint64_t
        reserved[3]; /* 0; room for growth, as decisions form an array (MIG instances, moves) */
};

/*
 * Decides everything that can be decided now. Starts take effect at once: their devices are taken
 * until policy_start_failed() or policy_task_ended(). Returns an array of *count decisions, owned
 * by the policy and valid until its next non-const call; NULL with *count = 0 if there is nothing
 * to do. policy_last_error() is POLICY_OK afterwards, POLICY_TIME_BACK, or POLICY_NO_MEMORY: then
 * the decisions made so far are returned, the rest stays pending, and another call continues.
 * Without new facts a second call decides nothing.
 *
 * The status is POLICY_WRONG_PLUGIN when a plugin broke its contract: that decision was discarded,
 * earlier ones stand, and the policy is still consistent, but its plugin must not be trusted any
 * more.
 */
POLICY_API const struct policy_decision *policy_decide(struct policy *, policy_time now,
                                                       size_t *count);

/* The job of the plugin's rejected decision, after POLICY_WRONG_PLUGIN; i = POLICY_NO_ID if it
 * concerned none. */
POLICY_API policy_job policy_wrong_job(const struct policy *);

/* Returns the next time at which the answer may change without new facts; INT64_MAX if there is
 * none. */
POLICY_API policy_time policy_next_wakeup(const struct policy *);

/* Returns true if facts since the last decision may lead to a new one. */
POLICY_API bool policy_has_work(const struct policy *);

/* ---- questions ------------------------------------------------------------------------------- */

struct policy_explanation {
    uint32_t size;
    int32_t reason;          /* the dominant reason; POLICY_REASON_NONE if the job is not pending */
    policy_job behind;       /* the job that blocks it, else i = POLICY_NO_ID */
    int32_t behind_reason;   /* why that job is pending; POLICY_REASON_NONE: it runs or is about to
                                start */
    int64_t wanted_milli;    /* devices of the whole gang, thousandths */
    int64_t free_milli;      /* free in the pools it may use */
    int64_t free_whole;      /* of these, entirely free devices */
    int32_t tasks;           /* of the gang */
    int32_t tasks_fit_now;   /* how many of them fit now (the largest feasible smaller gang) */
    int32_t largest_request; /* whole devices requested on one node */
    int32_t most_free;       /* most entirely free devices on one usable node; FIXED_QUOTA: without
                                reserved ones */
    uint64_t jobs_before;    /* pending jobs ahead of it in its scope */
    /* evidence of the quota policy */
    policy_queue queue; /* whose limit, quota or session reserve (FIXED_QUOTA) applies, else i =
                           POLICY_NO_ID */
    int32_t resource;   /* of that queue: 0 GPU, 1 CPU, 2 memory */
    int64_t queue_has, queue_may,
        job_wants; /* of that resource; FIXED_QUOTA: used by its sessions, and reserved in all */
    /* The required topology level, and the most tasks that fit one of its domains now; with
     * NEVER_FITS: the level whose domains are too small (0: the fleet), and the most tasks that its
     * largest domain holds when empty. */
    int32_t level;
    int32_t tasks_fit_domain;
    /* OVER_QUOTA: 1 + a pool, if the quota is the one that the queue has in this pool and those
     * that share it; 0: a quota that holds anywhere. */
    uint32_t pool;
};
/* Set `size` before the call. Repeats the search, so it may cost as much as a decision. */
POLICY_API int policy_explain(struct policy *, policy_job, struct policy_explanation *);

/*
 * Pending work of the queues that share a pool set, by reason. Maintained incrementally, so the
 * call is cheap. Reasons are current; with more than 256 job classes pending, they are those of
 * each class's last attempt.
 */
struct policy_backlog {
    uint64_t jobs[POLICY_MOST_REASONS];
    int64_t gpu_milli[POLICY_MOST_REASONS];
};
POLICY_API int policy_backlog(const struct policy *, policy_queue, struct policy_backlog *);

/* A queue as of the last decision of the quota policy (allocated amounts are current). Set `size`
 * before the call. */
struct policy_queue_info {
    uint32_t size;
    struct policy_amounts fair_share, allocated, non_preemptible, request;
    struct policy_amounts usage_ppm;
};
POLICY_API int policy_queue_info(const struct policy *, policy_queue, struct policy_queue_info *);

/*
 * The same for one pool, together with the pools that share its quotas; thousandths of devices. Set
 * `size` before. POLICY_UNSUPPORTED while no queue has quotas by pool.
 */
struct policy_pool_share {
    uint32_t size;
    uint32_t group; /* the same number for pools that share quotas; 0: no quota names the pool */
    int64_t guaranteed; /* the part of its quota guaranteed there; or POLICY_UNLIMITED */
    int64_t fair_share, allocated, non_preemptible, request;
    int64_t capacity; /* of all the pools together */
};
POLICY_API int policy_pool_share(const struct policy *, policy_queue, uint32_t pool,
                                 struct policy_pool_share *);

/*
 * Whole devices without any task, and those with only tasks being released. The last nominations
 * are deducted, from releasing devices first.
 */
struct policy_node_info {
    uint32_t size;
    int32_t idle, releasing;
};
POLICY_API int policy_node_info(const struct policy *, policy_node, struct policy_node_info *);

/* ---- the fair-share division alone ----------------------------------------------------------- */

/* One queue. Parents come before their children. */
struct policy_share_row {
    uint32_t size;   /* the same in all rows */
    uint32_t parent; /* its row, or POLICY_NO_ID */
    int32_t priority;
    policy_time created; /* tie-break: older first, then by row */
    struct policy_share gpu, cpu, mem;
    struct policy_amounts request; /* of a leaf; for an inner queue it is the sum of its children */
    struct policy_amounts usage_ppm;
    struct policy_amounts fair_share; /* output */
};

/*
 * Divides the capacity: quotas first, then the rest by priority and weight, level by level. GPU
 * shares are rounded to whole devices, the others to one unit. *remaining is what the roots leave
 * over. Returns POLICY_INVALID if a parent does not precede its child.
 */
POLICY_API int policy_divide(struct policy_allocator, const struct policy_amounts *capacity,
                             int64_t usage_k_ppm, struct policy_share_row *rows, uint32_t count,
                             struct policy_amounts *remaining);

/* Verifies all invariants and checks all indexes against full scans; slow. Returns POLICY_CONFLICT
 * and names the first failure. */
POLICY_API int policy_check(const struct policy *, struct policy_error *);

/* ---- facts: planned changes -------------------------------------------------------------------
 */

/*
 * Changes a queue that may have jobs: its priority, shares, minimum run times, fixed_milli and
 * suspension. The spec is complete, as for policy_add_queue(); parent, rank, created and pools must
 * be unchanged (POLICY_CONFLICT). Running jobs continue: a queue above its new quota is over quota,
 * so its jobs can be reclaimed, and one above its new limit starts nothing until it is below. A
 * spec that changes nothing triggers no new decision.
 */
POLICY_API int policy_set_queue(struct policy *, policy_time at, policy_queue,
                                const struct policy_queue_spec *);

/* Changes the priority of a job, pending or running. */
POLICY_API int policy_set_priority(struct policy *, policy_time at, policy_job, int32_t priority);

/*
 * A suspended job starts no tasks; running ones continue, and an evicted one stays pending. When
 * resumed, it regains its place in the order. To stop it as well, suspend it and report its tasks
 * as evicted.
 */
POLICY_API int policy_suspend_job(struct policy *, policy_time at, policy_job, bool suspended);

#ifdef __cplusplus
}
#endif
#endif
