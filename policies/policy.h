/* SPDX-License-Identifier: MIT */
/*
 * The policy core: facts in, decisions out.
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
 *                  policy_node_spec), .devices = 8, ...});
 *     policy_queue q = policy_add_queue(p, now, &queue_spec);
 *     policy_job   j = policy_submit(p, now, &job_spec);
 *     size_t count;
 *     const struct policy_decision *d = policy_decide(p, now, &count);
 *     for (size_t i = 0; i < count; i++) ... start d[i].task of d[i].job on d[i].node, devices
 *     d[i].devices ...
 *     policy_task_started(p, later, j, POLICY_ALL_TASKS);
 *     policy_task_ended(p, much_later, j, POLICY_ALL_TASKS, POLICY_SUCCEEDED);
 *
 * The core does no I/O, reads no clock, draws no random numbers, has no threads, no globals and no
 * memory but what the embedder's allocator gives. Equal facts at equal times give equal decisions,
 * on every machine.
 *
 * Threads: two instances share nothing and may be used by two threads at the same time, provided
 * their allocators may be. One instance is used by one thread at a time, calls that take a const
 * policy included: who shares one locks around each call and around the use of what it returned.
 * Tables (policy_preset_row() ...) and policy_config_*() may be used anywhere.
 *
 * Rules that hold for every function
 *   - Ids are dense small integers that the core hands out. A node, queue or job that was removed
 *     or has ended may have its number reused; jobs carry a generation, so a stale job id is
 *     recognised.
 *   - Time is int64 milliseconds on the embedder's clock, and never goes back: an earlier `at` is
 *     refused.
 *   - Amounts are integers: devices in thousandths (1000 = one whole device), CPU in thousandths of
 *     a core, memory in MiB. -1 (POLICY_UNLIMITED) means unlimited for a quota or limit, "not
 *     modelled" for a capacity.
 *   - A fact that contradicts what is known is refused (negative status, policy_last_error() says
 *     why) and changes nothing. So does running out of memory.
 *   - Callee copies what it keeps. A returned pointer belongs to the policy and lives until its
 *     next call that is not const.
 *   - Structs begin with `size` (set it to sizeof): they grow at their end, and an older embedder
 *     keeps working. Fields that a shorter struct lacks read as zero, and zero always means the
 *     former behaviour; answers are written as far as they fit. A longer struct, of a newer
 *     embedder, is taken when the fields that this version does not know are zero. Structs without
 *     a size (labels, terms, requests, shares, amounts, groups, decisions) never grow but in what
 *     they have reserved; a request may, at its end, with the role or typical task that ends in it.
 *
 * A policy is a composition of rows: a *job order* (which job is next), a *queue order* (which
 * queue is next; without one jobs of all queues are compared, or those of each queue), a
 * *placement* (which node) and *actions* (allocate, evict for others, backfill, reclaim, ...), with
 * their options. A *preset* names a composition: fifo, slurm, runai. Every policy takes jobs of
 * every kind: gangs of any roles, elastic ones, shares, device memory, MIG instances, labels,
 * topology, gated tasks. Some only ever start jobs; others evict, and some nominate: promise a task
 * a place that is still being released. What means nothing to a composition (past use where no
 * order goes by it) is refused with POLICY_UNSUPPORTED, never ignored; policy_traits() tells what
 * it does and wants to know. The preset kube-default takes each task by itself, as the default
 * scheduler of Kubernetes does (`pods`). A *plugin* (plugin.h) brings rows of its own, or decides
 * in place of all.
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

#define POLICY_VERSION            2 /* of this contract; raised when something breaks, never for growth */
#define POLICY_MAX_DEVICES        64   /* on one node: a set of devices is one uint64_t */
#define POLICY_MAX_ROLES          4096 /* in one job */
#define POLICY_MAX_GROUPS         256  /* of roles in one job */
#define POLICY_MAX_TYPES          64 /* of devices in one cluster: a set of types is one uint64_t */
#define POLICY_MAX_POOLS          4096
#define POLICY_MAX_PROFILES       16   /* of MIG instances in one cluster */
#define POLICY_MAX_LEVELS         16   /* of one topology */
#define POLICY_MAX_TYPICAL        4096 /* kinds of typical tasks */
#define POLICY_MAX_TOPOLOGIES     16
#define POLICY_MOST_REASONS       32 /* that there will ever be: arrays by reason have this size */
#define POLICY_WHOLE              1000 /* thousandths of a device */
#define POLICY_UNLIMITED          (-1)
#define POLICY_MAX_THRESHOLDS     4  /* of attained service: one queue more than that */
#define POLICY_MAX_PLUGIN_OPTIONS 32 /* that a plugin declares */
#define POLICY_NO_ID              UINT32_MAX
#define POLICY_ALL_TASKS          UINT32_MAX
#define POLICY_NEVER              INT64_MIN /* a time that was not */
#define POLICY_INHERIT            (-1)      /* a time span that the queue above decides */

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

/* ---- status and errors ----------------------------------------------------------------------- */

enum policy_status {
    POLICY_OK = 0,
    POLICY_NO_MEMORY = -1,
    POLICY_INVALID = -2, /* a value out of range */
    POLICY_UNKNOWN = -3, /* no such node, queue, job, task, option or name */
    /* contradicts what is known: a device taken twice, a task that does not run, ... */
    POLICY_CONFLICT = -4,
    POLICY_TIME_BACK = -5,
    POLICY_UNSUPPORTED = -6,  /* meaningful, but not by this version */
    POLICY_WRONG_PLUGIN = -7, /* the policy's plugin did what it may not */
};

struct policy_error {
    int32_t status;
    char message[252];
};

/* ---- configuration --------------------------------------------------------------------------- */

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

/*
 * Says if jobs behind one that cannot start may go ahead. Without a queue order blocking has to be
 * strict. POLICY_SINGLE needs one: the first job that cannot start gets a reservation, and keeps it
 * until it starts.
 */
enum policy_backfill {
    POLICY_NO_BACKFILL = 0,
    POLICY_EASY = 1,
    POLICY_CONSERVATIVE = 2,
    POLICY_SINGLE = 3
};
enum policy_easy_variant { POLICY_EASY_TEXTBOOK = 0, POLICY_EASY_FROZEN = 1 };

/* Which queue is next: none (jobs of all queues are compared, or of each for itself: `scope`), or
 * row i of the queue orders. */
enum policy_queue_order { POLICY_NO_QUEUE_ORDER = 0, POLICY_FAIR_SHARE = 1 /* 1 + i */ };

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
    bool backfill;   /* true: policy_config.backfill is POLICY_SINGLE, whatever it says */
    bool over_quota; /* false: the quota of a leaf is its limit, too, unless it is unlimited */
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

/* Who goes first in a ranked line when the order says nothing. */
enum policy_ties {
    /* jobs that run, by their start, then those that wait, by their time in the queue */
    POLICY_TIES_RUNNING = 0,
    POLICY_TIES_WAITING = 1,  /* jobs that wait, then those that run: two may take turns for ever
                                 when nothing else  tells them apart, unless each eviction makes a
                                 job's remaining time longer */
    POLICY_TIES_PREVIOUS = 2, /* as they stood in the last decision; new ones last */
};

/* When a job that has attained a threshold goes to the next queue. */
enum policy_demotion {
    POLICY_DEMOTE_EXACT = 0, /* as soon as it has attained more */
    /* as the simulator of Tiresias (NSDI 2019) does it: see order/attained.c */
    POLICY_DEMOTE_PUBLISHED = 1,
};

/* Of ranked lines; each has an option of the same name. */
struct policy_ranked_options {
    int64_t threshold[POLICY_MAX_THRESHOLDS]; /* attained service: thousandths of devices x ms,
                                                 rising */
    int32_t thresholds;                       /* how many */
    int32_t ties;                             /* enum policy_ties */
    int32_t demotion;                         /* enum policy_demotion */
    bool refill; /* place all jobs anew in each decision: where devices are only counted that is the
                    same */
};

struct policy_plugin; /* plugin.h */

/* Of the order by multifactor priority; each has an option of the same name with priority_ before
 * it. */
struct policy_multifactor_options {
    int64_t weight_age, weight_fairshare, weight_job_size, weight_partition, weight_qos;
    int64_t max_age_ms;     /* age counts up to this */
    int64_t half_life_ms;   /* of past use; 0: it does not fade */
    int64_t calc_period_ms; /* priorities are calculated so often */
    bool favor_small;       /* the smaller the job the more points */
};

/* How a node is scored that a task fits: by what is left of it, or by what is taken, the task
 * included. */
enum policy_score { POLICY_LEAST_ALLOCATED = 0, POLICY_MOST_ALLOCATED = 1 };

/* In which order tasks wait that have the same priority and were submitted at the same time. */
enum policy_pod_order {
    POLICY_PODS_BY_JOB = 0,   /* all of one job, then those of the next */
    POLICY_PODS_IN_TURNS = 1, /* the first task of each job, then the second of each, ... */
};

/* Whom a task of higher priority may evict. */
enum policy_pod_victims {
    POLICY_VICTIMS_LOWER = 0,       /* whoever has a lower priority */
    POLICY_VICTIMS_PREEMPTIBLE = 1, /* of these, jobs that may be preempted */
};

/* Of kube-default; each has an option of the same name, pod_order for `order`, but for `on`. */
struct policy_pod_options {
    int32_t on; /* 1: each task is taken by itself, whatever minimums and topology its job has, and
                   quotas do not count */
    int32_t score;   /* enum policy_score */
    int32_t order;   /* enum policy_pod_order */
    int32_t victims; /* enum policy_pod_victims */
};

/* Who orders nodes and gives them back. */
enum policy_provision {
    POLICY_PROVISION_NONE = 0,       /* nobody */
    POLICY_PROVISION_REACTIVE = 1,   /* as pending jobs want them */
    POLICY_PROVISION_PREDICTIVE = 2, /* and ahead of the demand of the same hour a week before */
};

/* Of provisioning; each has an option of the same name with provision_ before it. */
struct policy_provision_options {
    int32_t how;        /* enum policy_provision; the option is `provision` */
    int32_t headroom;   /* empty nodes that each pool with an offer keeps ready */
    uint64_t hours[3];  /* of the week for which the headroom is kept: bit 0 is Monday 00:00 to
                           01:00; none set: at all of them */
    int64_t protect_ms; /* after the last order nothing is given back for so long */
    int64_t budget;     /* micro-USD in 30 days, for nodes of all offers; 0: no bound */
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
    int32_t backfill, easy_variant;
    struct policy_ranked_options ranked;
    const struct policy_plugin *plugin; /* or NULL; set by policy_config_plugin() */
    struct policy_multifactor_options multifactor;
    bool queue_limits; /* a job that would take a queue over its limit is held back; with a queue
                          order always */
    bool time_limits;  /* a job ends at its declared limit */
    struct policy_pod_options pods;
    int64_t reversal_ms;    /* quota: before what was taken and lost again is taken once more */
    int32_t queue_order;    /* enum policy_queue_order */
    int32_t backfill_depth; /* conservative with a queue order: most jobs that a decision plans, at
                               least 1 */
    uint64_t reserved[4];   /* 0 */
    int64_t plugin_options[POLICY_MAX_PLUGIN_OPTIONS]; /* values of the plugin's own, in the order
                                                          of its table */
    struct policy_provision_options provision;
};

/*
 * The defaults of a preset. POLICY_UNKNOWN when there is none of that name. `size` is that of the
 * caller's struct: no more is written, and options that it lacks are as the preset has them.
 * policy_config_init() is the same in C and C++.
 */
POLICY_API int policy_config_init_sized(struct policy_config *, uint32_t size, const char *preset,
                                        struct policy_allocator, struct policy_error *);

static inline int policy_config_init(struct policy_config *config, const char *preset,
                                     struct policy_allocator allocator, struct policy_error *error)
{
    return policy_config_init_sized(config, (uint32_t)sizeof *config, preset, allocator, error);
}

/*
 * The same for a policy of the embedder's own: the defaults are those of its base, and the preset
 * is its name. The struct and its functions are not copied: they have to be there as long as
 * policies of this configuration are. Refused with POLICY_INVALID when it was made for another
 * version of plugin.h, or what it brings does not go together.
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
 * Sets one option by name from text, e.g. "blocking", "skip". See policy_option_row().
 * POLICY_UNSUPPORTED for one that came after the caller's struct. `unit`, `queue_order` and `order`
 * bring options of their own, and drop others: set them first.
 */
POLICY_API int policy_config_set(struct policy_config *, const char *option, const char *value,
                                 struct policy_error *);

/* POLICY_INVALID, and in words why, when options do not go together. policy_create() refuses these
 * too. */
POLICY_API int policy_config_check(const struct policy_config *, struct policy_error *);

/* The tables behind configuration: row i of what is built in, or NULL behind the last one. */
struct policy_row {
    const char *name, *summary;
};
POLICY_API const struct policy_row *policy_preset_row(size_t i);
POLICY_API const struct policy_row *policy_order_row(size_t i);
POLICY_API const struct policy_row *policy_placement_row(size_t i);
POLICY_API const struct policy_row *policy_option_row(size_t i); /* the summary lists the values */

/* Compositions that are refused: the options ("order, backfill"), and the sentence that
 * policy_config_check() says. */
POLICY_API const struct policy_row *policy_refusal_row(size_t i);

/* Row i of the options that the chosen rows go by, its plugin's own last; NULL behind the last one.
 */
POLICY_API const struct policy_row *policy_config_option_row(const struct policy_config *,
                                                             size_t i);

/* True when the placement only counts devices of a pool: starts then name a pool and no node. */
POLICY_API bool policy_placement_counts(const struct policy_config *);

/* True when the placement goes by what is typical of the workload: see policy_set_typical_tasks().
 */
POLICY_API bool policy_wants_typical_tasks(const struct policy_config *);

/* True when its order goes by how far jobs are: it has to be told that, see
 * policy_report_progress(). */
POLICY_API bool policy_is_ranked(const struct policy_config *);

/*
 * What the policy of a configuration does, and wants to know: a set of these, answered from the
 * rows that it is composed of. An embedder that has to behave in one way or another asks here, and
 * never for the name of a policy.
 */
enum policy_trait {
    POLICY_TRAIT_COUNTS = 1 << 0, /* as policy_placement_counts() says */
    /* chooses nodes at random: the seed of the configuration matters */
    POLICY_TRAIT_DRAWS = 1 << 1,
    POLICY_TRAIT_NOMINATES = 1 << 2, /* may promise tasks places that are being released */
    /* divides the fleet: policy_queue_info() has what each queue is due */
    POLICY_TRAIT_DIVIDES = 1 << 3,
    POLICY_TRAIT_LIMITS = 1 << 4,     /* no queue gets more of any resource than its limit */
    POLICY_TRAIT_GPU_LIMITS = 1 << 5, /* no queue gets more devices than its limit */
    POLICY_TRAIT_QUOTAS = 1 << 6, /* nor more than its quota in jobs that may not be preempted */
    /* the quota of a queue without queues below it is its limit, too */
    POLICY_TRAIT_OWNED = 1 << 7,
    POLICY_TRAIT_FLAT = 1 << 8, /* queues stand side by side: limits of those above do not count */
    POLICY_TRAIT_ANY_VICTIM = 1 << 9, /* evicts jobs for others that may not be preempted, too */
    POLICY_TRAIT_PARTS = 1 << 10,     /* starts tasks one by one, so that a gang may run in part */
    /* An evicted gang is pending again when its last task has gone; else each task is as soon as it
     * has. */
    POLICY_TRAIT_WHOLE = 1 << 11,
    /* A job that even the empty fleet could not hold delays nobody, and is told by its reason;
     * elsewhere it is one like others. */
    POLICY_TRAIT_SORTS_OUT = 1 << 12,
    POLICY_TRAIT_RESTLESS = 1 << 13, /* may have something to decide while no job waits */
    /* what happens in some pools may change decisions about others */
    POLICY_TRAIT_COUPLED = 1 << 14,
    /* is to know how long jobs really run (run_ms), not what was declared */
    POLICY_TRAIT_FORESIGHT = 1 << 15,
    POLICY_TRAIT_PROGRESS = 1 << 16, /* wants policy_report_progress() */
    POLICY_TRAIT_ACTIVITY = 1 << 17, /* wants policy_report_activity() */
    POLICY_TRAIT_TYPICAL = 1 << 18,  /* wants policy_set_typical_tasks() */
    POLICY_TRAIT_NEAR = 1 << 19,     /* goes by the topology also where no job asks for it */
    /* is told of topologies before nodes; others when a job asks for one */
    POLICY_TRAIT_TOPOLOGY = 1 << 20,
    POLICY_TRAIT_NAMES = 1 << 21,      /* wants policy_set_name(): a plugin that asks for names */
    POLICY_TRAIT_PROVISIONS = 1 << 22, /* orders nodes: wants policy_set_offer() */
};

/* A set of enum policy_trait; 0 when the configuration is none. */
POLICY_API uint64_t policy_traits(const struct policy_config *);

POLICY_API struct policy *policy_create(const struct policy_config *, struct policy_error *);
POLICY_API void policy_destroy(struct policy *); /* NULL is fine */
POLICY_API const struct policy_error *policy_last_error(const struct policy *);

/* ---- facts: nodes ---------------------------------------------------------------------------- */

enum policy_node_state {
    POLICY_NODE_UP = 0,
    POLICY_NODE_DRAINING = 1, /* what runs goes on, nothing new starts */
    POLICY_NODE_DOWN = 2,     /* the embedder reports the end of the tasks that ran there */
    POLICY_NODE_OFF = 3,      /* not there, but may be ordered where its pool has an offer */
    POLICY_NODE_ORDERED = 4,  /* on its way */
};

enum policy_mig_mode {
    POLICY_MIG_OFF = 0,
    POLICY_MIG_SINGLE = 1, /* instances look like devices; only whole ones can be asked for */
    POLICY_MIG_FIXED = 2,  /* instances as counted; only they can be asked for */
    /* Instances are made where the geometry of a device allows them; devices mix with them. In
     * shares the cluster has 7 of each such device, as many as the slices that instances of it
     * weigh. */
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
    int64_t cpu_milli;      /* or POLICY_UNLIMITED: not modelled; quota: at most 2^40 */
    int64_t mem_mib;        /* or POLICY_UNLIMITED: not modelled; quota: at most 2^40 */
    int64_t device_mem_mib; /* of each device; 0 unknown: requests for device memory do not fit */
    int32_t mig;            /* enum policy_mig_mode */
    const int32_t *mig_instances; /* POLICY_MAX_PROFILES counts, for POLICY_MIG_FIXED; or NULL */
    const struct policy_label *labels;
    uint32_t label_count;
    bool whole_only; /* takes only tasks that want all its devices, whole (NVLink pools sold as
                        whole nodes) */
};

/* Returns id POLICY_NO_ID on refusal. The node is up and all its devices are usable. */
POLICY_API policy_node policy_add_node(struct policy *, policy_time at,
                                       const struct policy_node_spec *);
POLICY_API int policy_remove_node(struct policy *, policy_time at,
                                  policy_node); /* refused while tasks run there */
POLICY_API int policy_set_node_state(struct policy *, policy_time at, policy_node, int32_t state);

/*
 * Nodes that may be had on demand. They are known like others (policy_add_node()), and off until
 * they are ordered (as nodes of state CLOUD are in Slurm). All of them that belong to one pool are
 * alike, and the pool has at most one offer.
 *
 *     off --POLICY_ORDER--> ordered --the embedder reports up--> up --POLICY_RELEASE--> off
 *
 * Both decisions are in effect at once. An order that cannot be filled is answered with the state
 * off; a node that is not to be had for a time is down instead of off.
 */
struct policy_offer {
    uint32_t size;
    uint32_t pool;
    int32_t least, most;   /* nodes that are kept at any rate, and at most; most 0: no offer */
    int64_t price;         /* micro-USD for a node and an hour, from the order to the release */
    int64_t delay_ms;      /* from an order until the node takes jobs, as far as is known */
    int64_t idle_ms;       /* a node that nobody uses is given back after so long */
    int64_t wait_ms;       /* only jobs that have been pending for so long count */
    int64_t least_paid_ms; /* an order costs at least as much as so long a time */
    policy_time monday;    /* some Monday 0:00, for hours of the week; at most a week from 0 */
};

/*
 * Telling it again replaces it. Of offers that will do the cheapest is taken, the smaller pool of
 * equals. POLICY_UNSUPPORTED where the policy does not provision.
 */
POLICY_API int policy_set_offer(struct policy *, policy_time at, const struct policy_offer *);

/* A device that is not usable takes no new task; one that runs there goes on until the embedder
 * says otherwise. */
POLICY_API int policy_set_device_health(struct policy *, policy_time at, policy_node,
                                        uint32_t device, bool usable);

/*
 * A topology is a list of label keys from the top level down. Topologies are numbered from 1, and
 * so are their levels; a node without a label of every level stands outside. To be told before jobs
 * refer to it; telling it again replaces it. The placement topology goes by the topology with the
 * lowest number, whether jobs name it or not.
 */
POLICY_API int policy_set_topology(struct policy *, policy_time at, uint32_t topology,
                                   const uint32_t *levels, uint32_t level_count);

/* A MIG profile and the slices that an instance takes: 3g.40gb computes with 3 of 7 and occupies 4
 * of 8 memory slices. */
POLICY_API int policy_set_mig_profile(struct policy *, policy_time at, uint32_t profile,
                                      int32_t compute_slices, int32_t memory_slices);

enum policy_name_of {
    POLICY_NAME_TYPE = 0, /* of devices: "H100-SXM-80GB" */
    POLICY_NAME_POOL = 1,
    POLICY_NAME_PROFILE = 2, /* of MIG instances: "3g.40gb" */
};

/*
 * What the embedder calls a number that it hands out, for plugins that look at names; decisions
 * never go by them otherwise. Copied; telling it again replaces it. At most 255 characters. Only
 * kept where the policy has POLICY_TRAIT_NAMES.
 */
POLICY_API int policy_set_name(struct policy *, policy_time at, int32_t of, uint32_t number,
                               const char *name);

/* ---- facts: queues --------------------------------------------------------------------------- */

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
    /* Devices kept for its build sessions: nobody else may have them. At most its quota and its
     * limit. What queues below it keep on the same nodes is part of it; where they keep more in
     * sum, that is kept. */
    int64_t fixed_milli;
    bool
        suspended; /* none of its jobs starts, nor of those of queues below it; what runs goes on */
    uint8_t reserved[7]; /* 0 */
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

/*
 * What the queue used in the past, in parts per million of what the cluster had. With the option
 * usage_window given this stays until it is told again. Else a history is kept here, from the first
 * job on, and this is what it was in the window that ends with the next decision: for an embedder
 * that starts anew. To be told of every queue, inner ones too.
 */
POLICY_API int policy_set_usage(struct policy *, policy_time at, policy_queue,
                                const struct policy_amounts *ppm);

/* ---- facts: jobs ----------------------------------------------------------------------------- */

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
    int32_t min_tasks; /* gang minimum, 1..tasks of the pod set */
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
    int64_t run_ms;   /* expected run time, -1 unknown (sorts last); for backfill where no limit is
                         declared */
    int64_t limit_ms; /* declared limit, -1 none */
    const struct policy_role *roles;   /* tasks are numbered 0.. through the roles in this order */
    uint32_t role_count;               /* 1..POLICY_MAX_ROLES */
    const struct policy_group *groups; /* in the order in which they are placed */
    uint32_t group_count;
    struct policy_constraint topology;
    int32_t workload;             /* enum policy_workload */
    int64_t interactive_limit_ms; /* instead of the option's: 0 the option's, -1 none */
    int64_t estimate_ms; /* run time that a predictor expects, for the order predicted-gpu-time; 0
                            none */
    uint32_t
        user; /* whose it is, by the embedder's numbers, for the order multifactor; 0 not known */
    policy_time deadline; /* it should be over by then, for the order edf; 0 none */
};

/*
 * Returns i = POLICY_NO_ID on refusal. A job is a gang: it starts with all minimums or not at all.
 * Quota: all jobs that are not over ask for at most 2^51 of each resource together, devices and
 * cores in thousandths, memory in MiB.
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

/* A kind of task that is typical of the workload, and how many there are of it, 1 to 2^32. */
struct policy_typical_task {
    uint32_t size;
    int64_t count;
    struct policy_request
        request; /* devices, share, CPU and types; nothing else has a part in it */
};

/*
 * What the workload is made of: placements that avoid fragments (fgd) see a node as well used when
 * what is left there suits such tasks. A few dozen kinds that make up most of `all` tasks are
 * enough. The part of a kind among those told is (count / all) / (sum of counts / all), each
 * quotient a double, and fractions are summed in the order of the array: that is how published
 * results were computed. Telling it again replaces it; until it is told all nodes are equally good.
 * POLICY_UNSUPPORTED where policy_wants_typical_tasks() is false.
 */
POLICY_API int policy_set_typical_tasks(struct policy *, policy_time at,
                                        const struct policy_typical_task *, uint32_t count,
                                        int64_t all);
/*
 * How long the job still has to run, all told, from now on (or from its next start): run_ms of its
 * spec counts until this is said. To be told at least when a job was stopped and has more or less
 * left than its time to run says: overheads of the restart, work that was lost. With
 * POLICY_TRAIT_PROGRESS only.
 */
POLICY_API int policy_report_progress(struct policy *, policy_time at, policy_job,
                                      int64_t remaining_ms);

/* ---- facts: tasks. `task` may be POLICY_ALL_TASKS -------------------------------------------- */

enum policy_outcome {
    POLICY_SUCCEEDED = 0,
    POLICY_FAILED = 1,
    /* stopped by the policy (but for a limit) or the cluster: it is pending again */
    POLICY_EVICTED = 2,
};

/*
 * Found running, not started by this instance: restarts, snapshots. With POLICY_TRAIT_WHOLE gangs
 * are to be reported whole. `since` is when the job last went from nothing to running
 * (POLICY_NEVER: not known, nothing protects it). `devices` is empty for MIG instances of fixed
 * counts.
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
 * A task is over and its devices are free. With POLICY_TRAIT_WHOLE a rigid gang (every minimum
 * equals its tasks) is over when its last task has ended (its id goes stale), or pending again if
 * any task was evicted. Else an evicted task is pending again at once; one that succeeded or failed
 * never is (a pending one may be reported so as well), and the job is over when all tasks are. With
 * POLICY_ALL_TASKS and another outcome than EVICTED the whole job is over, pending tasks included.
 */
POLICY_API int policy_task_ended(struct policy *, policy_time at, policy_job, uint32_t task,
                                 int32_t outcome);

/* ---- facts: history -------------------------------------------------------------------------- */

/*
 * What some policies remember beside what is there. Who starts anew, or goes on from a snapshot, is
 * to be told it, or decides otherwise than the policy before would have. A record is one thing that
 * is remembered; each kind uses the members that are named with it, and `job` or `queue` where it
 * says so. What no record tells of is as if nothing had happened before.
 */
enum policy_history_kind {
    /*
     * Of a `job` of a ranked line: that up to `at` it had `attained`, and, where `timed`, has
     * `remaining` to run from then on (INT64_MAX: nobody knows). Starts and evictions are numbered
     * one by one: `started`, `evicted` are its last ones (0: none); who was evicted went back into
     * the queue at `entered`. It has passed `level` thresholds, and stood on `place` in the last
     * decision, counted from 1; 0 behind all others. With `chosen` it waits, and was found to have
     * a part of the devices; with `leaving` its eviction was decided, whether that was answered or
     * not, and with `settled` nothing has happened since that changes who has a part. Where it
     * runs, part of that was attained since `from`, and it would be done at `until` (INT64_MAX:
     * nobody knows): a start that fails takes that back. Both 0: not known.
     */
    POLICY_HISTORY_JOB = 1,
    /*
     * Of a `job` that waits: that it was promised to start at `at` (INT64_MAX: some time).
     * Conservative backfill promises all of them a time, and keeps it for those that run and may
     * have to wait again; EASY, variant frozen, the first of each line; the quota policy with
     * backfill has one reservation at a time and finds its time anew: with `due` no time was
     * promised, and who keeps one finds it in the next decision.
     */
    POLICY_HISTORY_PROMISE = 2,
    /*
     * Multifactor: what a `user` of a `queue` has used up to `at`: `used`, which had faded at the
     * begin of the period of priority_calc_period_s that `at` lies in, and `used_since` from there
     * on. Users were ranked last with this `place`.
     */
    POLICY_HISTORY_USER = 3,
    /*
     * Multifactor: priorities were calculated last as of `at`, of `count` users in all and of
     * `capacity.gpu`, and count ages up to `from`, which is to be so until `until`; the highest
     * priority of a job so far was `level`. With `due` a calculation is due at once.
     */
    POLICY_HISTORY_PRIORITIES = 4,
    /* placements that choose at random: so many tasks (`count`) were placed so far */
    POLICY_HISTORY_DRAWS = 5,
    /*
     * Quota, with a usage_window other than given: what a `queue` (i = POLICY_NO_ID: the cluster)
     * held (had) from `from` on for `count` ms, at most a 64th of the window and no longer than up
     * to `at`: amounts x ms, in `used_gpu`, `used_cpu`, `used_mem`. Amounts have been what they are
     * since `until`. The newest part first, up to `at`; what no part tells of is nothing.
     */
    POLICY_HISTORY_USAGE = 6,
    /*
     * Quota: since `from` the `job` has been idle (POLICY_NEVER: it is not), as was reported at
     * `at`.
     */
    POLICY_HISTORY_IDLE = 7,
    /*
     * Quota: the last decision nominated this `task` of the `job` to this `node`: of shares and
     * instances to these `devices`, of an instance that is made freely to the memory slice `place`.
     * In the order of the decisions.
     */
    POLICY_HISTORY_NOMINATION = 8,
    /*
     * Lines: this `job`, the first of its kind that waits, found no place in the last decision, for
     * the reason `level`. So its kind is not tried again before something is freed that it may use.
     */
    POLICY_HISTORY_BLOCKED = 9,
    /*
     * All that was told before was known to a decision, so that nothing has to be decided before
     * something happens, or it is `until`. To be told last, and only where all is as it was then.
     * Ranked lines have one of each queue, where queues have lines of their own; there with `due`
     * the chosen may be placed now.
     */
    POLICY_HISTORY_DECIDED = 10,
    /* quota: since `from` the gang of the `job` has been running below its minimum */
    POLICY_HISTORY_STALE = 11,
    /*
     * Lines: of the `job`, which runs, tasks were evicted: it waits again when the others end. With
     * `leaving` it was decided to end it at its time limit, or that was reported, and with
     * `settled` as well none of its tasks has been evicted yet.
     */
    POLICY_HISTORY_EVICTED = 12,
    /*
     * Quota: that tasks of the `job` run was decided and not reported yet: those in the set
     * `devices`, of which bit 0 is the task `task`. (Of a job with thousands of tasks those behind
     * the first 4096 are not told.)
     */
    POLICY_HISTORY_STARTED = 13,
    /*
     * Quota: the `job` lost tasks at `at` by reclaim or preempt, so that the job `other` could run;
     * with `due` something else has happened since than what the policy decided. In the order of
     * their times, and those with `due` first.
     */
    POLICY_HISTORY_DISPLACED = 14,
    /*
     * Plugins: a part of the state that the plugin saved, as hexadecimal `data`: the bytes from
     * `place` on, of `count` in all, which `level` is the version of. In the order of the bytes,
     * all of one time. They begin with the plugin's name and a 0; a plugin of another name does not
     * take them (POLICY_UNSUPPORTED).
     */
    POLICY_HISTORY_PLUGIN = 15,
    /*
     * What an order or action with a memory of its own keeps beside the kinds above: `data` is the
     * name of the module, all other members are the module's. A policy without that module does not
     * take it (POLICY_UNSUPPORTED).
     */
    POLICY_HISTORY_MODULE = 16,
};

/* Kinds that are only true of the cluster, queues and options of then: see policy_set_history(). */
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
    const char *data; /* text; NULL: none. Of the policy until its next call that is not const, or
                         the next record */
};

/*
 * Hands out one record after the other, in an order in which they can be told: set *next to 0
 * before the first one, and `size` each time. False behind the last one. Records are of the time of
 * the last fact or decision.
 */
POLICY_API bool policy_history(const struct policy *, uint64_t *next, struct policy_history *);

/*
 * Tells one record: after nodes, queues, jobs and tasks, and before the first decision.
 * POLICY_UNSUPPORTED: the policy remembers no such thing, so that nothing is lost by that. BLOCKED
 * and DECIDED are only true of the cluster, queues and options of then: who has changed any of
 * these leaves them out.
 */
POLICY_API int policy_set_history(struct policy *, policy_time at, const struct policy_history *);

/*
 * What is lost where the history is not told: sentence i ("the draws that were made: others
 * follow"), NULL behind the last. *kind is that of the records that would tell it, 0: none does.
 */
POLICY_API const char *policy_forgets(const struct policy *, size_t i, int32_t *kind);

/* ---- decisions ------------------------------------------------------------------------------- */

enum policy_kind {
    POLICY_START = 1,    /* bind the task now */
    POLICY_NOMINATE = 2, /* it will start there once what is being released is free; not told again
                            while it stays */
    POLICY_EVICT = 3,    /* stop the task; how to answer depends on the action */
    POLICY_ORDER = 4,    /* order `node`; about no job (job.i = POLICY_NO_ID) */
    POLICY_RELEASE = 5,  /* give `node` back: it is empty; about no job */
};

enum policy_action {
    POLICY_ALLOCATE = 1,
    POLICY_CONSOLIDATE = 2,
    POLICY_RECLAIM = 3,
    POLICY_PREEMPT = 4,
    POLICY_STALE = 5,
    POLICY_BACKFILL = 6, /* allocate, of jobs behind one that has a reservation */
    POLICY_LIMITS = 7,   /* time limits and idle jobs */
    /* nodes are ordered and given back; numbers from 8 on are left to rows of embedders */
    POLICY_PROVISION = 30,
};

/* numbers of actions are smaller: arrays by action have this size */
#define POLICY_MOST_ACTIONS 32

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
    /* it may not be preempted, and a queue has no quota left for it */
    POLICY_REASON_OVER_QUOTA = 10,
    /* would fit, but in no domain of the level that it requires */
    POLICY_REASON_TOPOLOGY_FRAGMENTED = 11,
    POLICY_REASON_TOPOLOGY_UNKNOWN = 12, /* names a topology or level that does not exist */
    POLICY_REASON_NOT_READY = 13,        /* fewer tasks exist, or may start, than its minimum */
    /* no usable node has the labels or the device type it wants */
    POLICY_REASON_NODE_MISMATCH = 14,
    POLICY_REASON_RELEASING = 15,   /* what it was nominated to is still being released */
    POLICY_REASON_FIXED_QUOTA = 16, /* what is free is kept for build sessions of other queues */
    POLICY_REASON_RESERVED = 17,    /* would delay a job that has a reservation */
    /* why a task was evicted */
    /* a queue within its quota takes from one above its own */
    POLICY_REASON_RECLAIM_OVER_QUOTA = 18,
    /* a queue within its fair share takes from one above its own */
    POLICY_REASON_RECLAIM_OVER_SHARE = 19,
    POLICY_REASON_PREEMPTED = 20, /* by a job of higher priority; quota policy: of the same queue */
    POLICY_REASON_MOVED = 21,     /* it runs on at another place */
    POLICY_REASON_STALE_GANG = 22, /* its gang was below the minimum for too long */
    POLICY_REASON_TIME_LIMIT = 23,
    POLICY_REASON_IDLE = 24,
    /* ranked lines: why a job is pending, and why one was evicted */
    POLICY_REASON_OUTRANKED = 25, /* jobs that come before it in the order take the devices */
    POLICY_REASON_SUSPENDED = 26, /* the job is suspended, or a queue that it stands in */
    POLICY_REASONS = 27,          /* how many there are in this version */
};
POLICY_API const char *policy_reason_name(int32_t reason);    /* "FRAGMENTED"; "" when unknown */
POLICY_API const char *policy_reason_summary(int32_t reason); /* one line for people */
POLICY_API const char *policy_action_name(int32_t action);    /* "allocate" */
POLICY_API const char *policy_kind_name(int32_t kind);        /* "start" */

/*
 * An eviction is answered with policy_task_releasing() when the task was told to stop, and with
 * policy_task_ended() when its devices are free. The outcome is POLICY_EVICTED: the task is pending
 * again. Only a job that the action POLICY_LIMITS ends has had its time: answered so it would be
 * started anew. When the last of its tasks has gone it is over, policy_task_ended(...,
 * POLICY_ALL_TASKS, POLICY_SUCCEEDED or POLICY_FAILED); tasks of it that hold nothing are gated
 * until then, and starts of others in the same decision are taken back (policy_start_failed()).
 *
 * A ranked line evicts first: whom it does so for starts in the next decision after the answer, in
 * what is free by then.
 */
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
 *
 * POLICY_WRONG_PLUGIN is the status when a plugin did what it may not: that decision was not taken,
 * those before it were, and the policy is as sound as ever, but its plugin is not to be trusted any
 * more.
 */
POLICY_API const struct policy_decision *policy_decide(struct policy *, policy_time now,
                                                       size_t *count);

/* The job that a plugin decided wrongly about, after POLICY_WRONG_PLUGIN; i = POLICY_NO_ID when it
 * was about none. */
POLICY_API policy_job policy_wrong_job(const struct policy *);

/* The next time at which time alone may change the answer; INT64_MAX when there is none. */
POLICY_API policy_time policy_next_wakeup(const struct policy *);

/* True when facts arrived since the last decision that may lead to a new one. */
POLICY_API bool policy_has_work(const struct policy *);

/* ---- questions ------------------------------------------------------------------------------- */

struct policy_explanation {
    uint32_t size;
    int32_t reason;          /* dominant; POLICY_REASON_NONE when the job is not pending */
    policy_job behind;       /* the job it stands behind, else i = POLICY_NO_ID */
    int32_t behind_reason;   /* and why that one is pending; POLICY_REASON_NONE: it runs, or is to
                                start */
    int64_t wanted_milli;    /* devices of the whole gang, thousandths */
    int64_t free_milli;      /* free in the pools that it may use */
    int64_t free_whole;      /* of these: wholly free devices */
    int32_t tasks;           /* of the gang */
    int32_t tasks_fit_now;   /* how many of them could be placed now (the nearest feasible smaller
                                gang) */
    int32_t largest_request; /* whole devices wanted on one node */
    int32_t most_free; /* most wholly free devices on one node that it may use; FIXED_QUOTA: beside
                          what is kept */
    uint64_t jobs_before; /* pending jobs that are ahead of it in its scope */
    /* evidence of the quota policy */
    policy_queue queue; /* whose limit, quota, or sessions (FIXED_QUOTA) stand in the way, else i =
                           POLICY_NO_ID */
    int32_t resource;   /* of that queue: 0 GPU, 1 CPU, 2 memory */
    int64_t queue_has, queue_may,
        job_wants; /* of that resource; FIXED_QUOTA: its sessions have, and are kept in all */
    /* The level of the topology that it required, and the most tasks one domain of it holds now;
     * with NEVER_FITS: the level whose domains are too small (0: the fleet is), and the most tasks
     * the largest would hold if it were empty. */
    int32_t level;
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

/*
 * Whole devices without a task, and with only tasks that are being released. What was nominated
 * last is deducted, as far as possible from those.
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

/* ---- facts: planned changes -------------------------------------------------------------------
 */

/*
 * Changes a queue while it has jobs: its priority, shares, minimum run times, fixed_milli, and
 * whether it is suspended. The spec is whole, as policy_add_queue() takes it; parent, rank, created
 * and pools have to be what they were (POLICY_CONFLICT). What runs goes on: a queue that has more
 * than its new quota is over quota, so its jobs can be reclaimed, and one above its new limit
 * starts nothing until it is below. A spec that changes nothing is no news.
 */
POLICY_API int policy_set_queue(struct policy *, policy_time at, policy_queue,
                                const struct policy_queue_spec *);

/* Changes the priority of a job, pending or running. */
POLICY_API int policy_set_priority(struct policy *, policy_time at, policy_job, int32_t priority);

/*
 * A suspended job starts no task; those that run go on, and an evicted one waits. Resumed, it
 * stands where it would have stood. To stop it, too, suspend it and report the end of its tasks as
 * evicted.
 */
POLICY_API int policy_suspend_job(struct policy *, policy_time at, policy_job, bool suspended);

#ifdef __cplusplus
}
#endif
#endif
