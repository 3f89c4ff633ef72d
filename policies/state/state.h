/* SPDX-License-Identifier: MIT */
/*
 * The cluster: every task, what it holds, and the place it is nominated to. Tasks are placed,
 * evicted, moved and put back, tentatively and for good, so the model is built around one
 * operation: *a task changes its place* (tasks.h). The totals of a node, queue or job are sums of
 * its tasks' contributions, so undoing a change restores every sum exactly.
 *     queues (a forest) ── job classes ── jobs ── pod sets ── tasks ── nodes ── devices
 *
 * A task's place has two halves. What it *holds* is physical: it is running there, or being
 * released there. Its *nomination* is a claim on resources that are idle or still being released. A
 * moved victim has both: it is being released at the old place and nominated to the new one.
 */
#ifndef POLICY_STATE_STATE_H
#define POLICY_STATE_STATE_H

#include "base/bits.h"
#include "base/blocks.h"
#include "base/id_heap.h"
#include "state/amounts.h"
#include "state/changes.h"
#include "state/engine.h"
#include "state/pool_set.h"
#include "state/traits.h"
#include "state/usage.h"

#define PC_MAX_DEPTH 10 /* of nested constraints: the job, groups, the pod set */

/* ---- requests ---- */

/* A normalized request. Devices are requested in exactly one way: whole (share, memory 0), share,
 * memory, or mig. */
struct pc_request {
    int32_t devices;
    int32_t share;  /* thousandths of each device, 1..999; 0: whole devices or memory */
    int64_t memory; /* MiB of each device; 0: none */
    int64_t cpu, mem;
    uint64_t types;    /* all bits if any type is acceptable */
    uint32_t selector; /* in cluster.selectors, or PC_NONE: any node */
    int32_t mig_milli; /* the weight of its MIG instances in quotas */
    bool wants_mig;
    uint8_t mig[POLICY_MAX_PROFILES];
};

struct pc_role {
    uint32_t first_task, tasks;
    uint32_t set;
    struct pc_request request;
};

/* A pod set of a shape: tasks first_task .. first_task + tasks - 1 of the job. */
struct pc_set {
    uint32_t first_task, tasks;
    int32_t min_tasks; /* 0: each task is scheduled by itself */
    int32_t group;     /* 1 + index, 0: under the job */
    struct policy_constraint topology;
};

/* What equal jobs have in common; found by hash. */
struct pc_shape {
    uint64_t hash;
    uint32_t next_in_hash, users;
    uint32_t failed_in;       /* cluster.action_number of its last failure, */
    uint32_t failed_pool_set; /* and the pool set whose nodes were tried */
    uint32_t role_count, set_count, group_count;
    uint32_t tasks;
    struct pc_role *roles; /* the arrays share one block */
    struct pc_set *sets;
    struct policy_group *groups;
    uint8_t size_class;
    uint8_t memo; /* 1 + index in cluster.shape_memos; 0: none */
    struct policy_constraint topology;
    bool constrained; /* it contains some topology constraint */
    bool elastic;     /* some pod set may exceed its minimum */
    bool
        alike; /* all tasks start together with the same request: whole devices or none, anywhere */
    bool mixed;        /* requests differ: with fewer free devices they may fit earlier */
    bool bare;         /* some task requests no device of any kind */
    bool shares;       /* some task requests parts of devices */
    bool parts;        /* the same, or instances */
    bool wants_memory; /* some task requests device memory: its weight depends on the cluster */
    struct pc_amounts
        first; /* the request of its minimum (all tasks if there is none); not with wants_memory */
    struct pc_amounts total; /* the request of all tasks: an upper bound wherever they are placed */
    int32_t need;            /* fewest whole devices requested by a task, 0 for shares and none */
};

/* Recent specs with one role, and their shapes: see shapes.c. */
#define PC_SHAPE_MEMOS 64

struct pc_shape_memo {
    struct policy_role role;
    struct policy_constraint topology; /* of the job */
    uint32_t shape;                    /* 1 + its index; 0: none */
};

/* ---- nodes ---- */

/*
 * Usage of one device in units: MiB of its memory (rounded down to a multiple of 100), or
 * thousandths if that is unknown or the configuration counts so (pc_traits.thousandths). used +
 * releasing <= capacity. Nominated whole devices are counted on the node, nominated shares on their
 * device.
 */
struct pc_device {
    int32_t used, releasing, nominated;
    uint16_t sharers, nominated_sharers; /* tasks that hold, or are nominated to, a share of it */
    uint8_t slices, slices_leaving,
        slices_nominated; /* memory slices of freely created MIG instances */
    uint8_t compute, compute_leaving, compute_nominated; /* compute slices of these */
};

/* An evictable task; PC_NONE twice: none. */
struct pc_evictable_task {
    uint32_t job, task;
};

/* Fixed counts of MIG instances of a node, by profile. */
struct pc_instances {
    int32_t total[POLICY_MAX_PROFILES];
    int32_t idle[POLICY_MAX_PROFILES], soon[POLICY_MAX_PROFILES];
};

/* Members used by every fit check and change of place come first, together. */
struct pc_node {
    bool exists, whole_only;
    bool in_memory;      /* units are MiB, not thousandths */
    bool plain;          /* up and healthy, no device shared or split: see pc_pool_sets_shift() */
    bool shared_listed;  /* listed in its pool sets among nodes with shared devices, */
    int32_t free_listed; /* and under this many wholly free devices, or -1 */
    int32_t state, mig;
    uint32_t pool, type, rank;
    int32_t devices, capacity; /* of one device, in units */
    int32_t nominated_whole;
    uint64_t usable;
    uint64_t idle;           /* devices without any task */
    uint64_t held, released; /* whole devices of running tasks, and of tasks being released */
    /* *_idle: now; *_soon: idle + releasing - nominated */
    int64_t cpu_idle, mem_idle, cpu_soon, mem_soon;
    int32_t tasks_idle, tasks_soon; /* free task slots, without those of shared devices */
    uint64_t leaving;               /* everything on them is being released, nothing is nominated */
    int64_t idle_milli, unusable_milli; /* as counted by its pool sets: see state/pool_sets.h */
    /* read and used as scratch by the search for victims */
    struct pc_evictable_task first_evictable; /* of the evictable tasks on it: see state/room.h */
    uint32_t popped;     /* the first task on it in cluster.popped, or PC_NONE */
    int32_t trial_freed; /* devices that a trial would free */
    uint32_t worth_in; /* the last step of a search (cluster.step_number) in which a trial on it may
                          be accepted */
    bool trial_seen;   /* already counted among the victims' nodes */
    int32_t listed;    /* number of whole devices under which by_soon lists it, or -1 */
    uint64_t shared;   /* partly used or nominated: candidates for shares */
    uint64_t groups;   /* held or nominated in shares: each takes a task slot (its reservation) */
    uint64_t parts_taken, parts_leaving; /* partly used or nominated, and partly being released */
    uint64_t parts_open; /* of the former, those with room left and not split into instances */
    int64_t
        soon_milli; /* thousandths of devices free after release, parts of shared ones included, */
    int64_t soon_uncut_milli; /* and without MIG instances, as counted by its pool sets */
    uint8_t size_class;       /* of the next block */
    struct pc_device
        *device; /* one per device for parts; NULL while there are none: read pc_device_of() */

    int32_t memory;    /* of one device, MiB; 0: unknown */
    int32_t max_tasks; /* INT32_MAX if unlimited */
    int64_t cpu_total, mem_total;
    struct pc_instances *instances; /* of POLICY_MIG_FIXED; else NULL */
    struct policy_label *labels;
    uint32_t label_count;
    uint32_t reserved,
        ending; /* in cluster.reservation: reserved tasks placed here, and tasks ending here */
    int32_t reserved_whole;  /* whole devices of the former */
    policy_time empty_since; /* of a node that may be released; POLICY_NEVER: it is in use */
    int32_t measured_whole;  /* whole devices free after release when its room was last counted */
    int32_t giving_parts;    /* devices of which evictable tasks hold parts or instances */
    uint8_t giving[POLICY_MAX_DEVICES + 1]; /* evictable tasks on it, by whole devices requested */
    uint8_t room[POLICY_MAX_DEVICES + 1];   /* by devices per task, as last counted */
    uint32_t domain[POLICY_MAX_TOPOLOGIES]; /* its domain at the lowest level of each topology, or
                                               PC_NONE */
};

/* What the tasks of other queues leave on a node: see act/victims/barren.h. */
enum { PC_LEAVINGS_QUEUES = 32, PC_LEAVINGS_MOST = 254, PC_LEAVINGS_GANG = 255 };

struct pc_leavings {
    bool known;
    bool gangs;  /* there are evictable tasks of gangs */
    int8_t soon; /* whole devices free after release */
    /* By queue, devices that evictable tasks of other queues hold, at most PC_LEAVINGS_MOST;
     * PC_LEAVINGS_GANG: one is of a gang. */
    uint8_t others[PC_LEAVINGS_QUEUES];
};

/* Nodes that match a conjunction of terms, as a set of ranks. */
struct pc_selector {
    struct policy_term *terms;
    uint32_t *values; /* of all terms */
    uint32_t term_count, value_count;
    struct pc_bits nodes;
};

/* ---- jobs and tasks ---- */

enum pc_holding { PC_NOTHING = 0, PC_RUNS, PC_RELEASING };
enum pc_end {
    PC_ALIVE = 0,
    PC_GATED,
    PC_SUCCEEDED,
    PC_FAILED,
    PC_GONE /* of a gang that becomes pending again as a whole, once its last task has ended */
};

/* Where a task is. Places are equal if their bytes are. */
struct pc_place {
    uint64_t devices;               /* held */
    uint64_t nominated_devices;     /* of a share: which; whole devices are only counted */
    uint32_t node, nominated;       /* PC_NONE: none */
    uint8_t holding;                /* enum pc_holding */
    uint8_t started;                /* started in this decision: not reported as started yet */
    uint8_t slice, nominated_slice; /* first memory slice of a freely created MIG instance */
    uint32_t counted; /* 1 + the pool if devices are only counted: there is no node; else 0 */
};

struct pc_task {
    struct pc_place place;
    struct pc_evictable_task next,
        behind;     /* evictable tasks on the same node, unordered: see state/room.h */
    uint8_t end;    /* enum pc_end */
    uint8_t action; /* of the decision being made about it */
    uint8_t reason;
    bool noted;    /* in cluster.noted: its decision is still to be written */
    bool popped;   /* taken from its job in the search for victims */
    bool recorded; /* a victim recorded by an earlier step of the search */
    bool trial;    /* evicted tentatively: it may be placed again */
    uint32_t for_job;
    struct pc_place before; /* its place when it was noted */
};

/* Tasks of a pod set by state. active = running or nominated. */
struct pc_counts {
    int32_t active, running, releasing, pending, gated, succeeded;
    int32_t popped; /* of the active ones, in the search for victims */
    int32_t taken;  /* scratch of reclaim */
};

enum pc_job_state { PC_FREE = 0, PC_HELD, PC_LIVE };
enum pc_absent {
    PC_PRESENT = 0,
    PC_UNREADY, /* too few of its tasks may start */
    PC_SHUT,    /* it or one of its queues is suspended */
};

/*
 * The part of a job's state needed while some task is active, gated or over; dropped when all are
 * pending again or the job is over. Created by pc_detail_make() and read through pc_task() and
 * related functions, which also work for jobs without it.
 */
struct pc_detail {
    policy_time stale_since, stale_reported;
    policy_time idle_since, reported; /* idle_since POLICY_NEVER: busy */
    int64_t gives; /* scratch: thousandths of devices that a trial could take from it */
    int64_t reported_milli, held_milli;  /* amounts held, as last reported to modules and now, */
    int32_t reported_tasks, holding;     /* and numbers of tasks; with modules only */
    uint32_t next_of_size, last_of_size; /* neighbours in queue.of_size, or PC_NONE */
    uint32_t popped;                     /* scratch: its first task in cluster.popped, or PC_NONE */
    uint32_t active_on; /* the node in its entry in queue.active: see struct pc_giver, */
    struct pc_amounts active_amounts; /* its active tasks' amounts as of that entry, */
    int8_t gives_as;                  /* and its elastic state then */
    uint8_t size_class;               /* of this block: see base/blocks.h */
    uint32_t users;                   /* references: noted tasks, undoable changes, and others */
    policy_time last_start;
    struct pc_counts *counts; /* one per pod set, stored after the tasks */
    struct pc_task tasks[];   /* all tasks of the shape */
};
/* The details of a job of one task fill a block of 256 bytes. */
_Static_assert(sizeof(struct pc_detail) + sizeof(struct pc_task) + sizeof(struct pc_counts) <= 256,
               "a job of one task needs a larger block");

/* Kept small: a hundred thousand may be pending. */
struct pc_job {
    struct pc_key key; /* of the job order */
    uint64_t rank;
    policy_time submitted;
    int64_t limit_ms; /* declared, else expected, run time; -1 unknown */
    /* Members used by every start and end, kept together. */
    struct pc_detail *detail; /* NULL: all its tasks are pending */
    uint32_t gen, queue, shape;
    int32_t priority;
    int32_t active, running, releasing, pending; /* sums over the sets */
    uint32_t class;                              /* its class while pending, or PC_NONE */
    union {
        uint32_t place_in_class; /* in a shared class, or among the held jobs */
        uint32_t near; /* with lanes, of a live job: a node of it, perhaps a former one; only to
                          prefetch */
    };
    uint32_t home;   /* with lanes: the class of all equivalent jobs; see pending/pending.h */
    uint32_t ticket; /* how often the id left a class: invalidates older entries */
    uint8_t state, workload;
    uint8_t life; /* enum pc_life: what was last reported to modules */
    bool preemptible, stale;
    uint8_t absent;               /* enum pc_absent: why it is in no class despite pending tasks */
    bool marked;                  /* scratch */
    bool suspended : 1, shut : 1; /* suspended: itself; shut: it or one of its queues is suspended,
                                     so it starts nothing */
    bool evicted : 1; /* with lanes: a task of the gang was evicted: pending again when the last one
                         has ended */
    bool may_stand_alone : 1; /* with lanes: memory for a class of its own is reserved */
    bool gives : 1;           /* is in queue.active */
    bool timed : 1;           /* has an entry in cluster.times */
};

/* Times that few jobs specify: read them by pc_eligible() and pc_interactive_limit(). */
struct pc_job_times {
    policy_time eligible;         /* INT64_MIN: at once */
    int64_t interactive_limit_ms; /* 0: the option applies */
};

/* Per-job marks of decision cycles; a separate array, as jobs in lanes need none. */
struct pc_job_marks {
    uint32_t tried_in;     /* the last action (cluster.action_number) that considered it */
    uint32_t hope_in;      /* the action whose queue walk counts it as able to succeed, or 0 */
    uint32_t wanted_in;    /* scratch: the step of a search (cluster.step_number) in which it may be
                              useful */
    uint32_t displacer_in; /* scratch: the last marking (cluster.displaced.marks) that found it */
    uint64_t lost;         /* number of pairs up to the last one in which it lost, or 0 */
};

/* ---- pending jobs ---- */

/*
 * Equivalent pending jobs of one leaf: same shape, priority and rights, and nothing started yet. If
 * the oldest cannot be placed, none can. A partly started job has a class of its own.
 */
struct pc_class {
    uint32_t queue, shape;
    int32_t priority;
    bool preemptible, exists;
    uint8_t workload;
    uint32_t single;         /* the job with this class of its own, or PC_NONE: shared, in `jobs` */
    struct pc_idheap jobs;   /* in job order */
    uint32_t place_in_queue; /* in queue.classes, or PC_NONE */
    int32_t blocked;         /* reason of the last failed allocation (policy_reason), or 0 */
    uint64_t blocked_in; /* cluster.freed at that time: the reason holds while nothing was released
                            since */
    int64_t limit_ms;    /* with the option `backfill`: declared by all of them; else -1 */
    uint32_t added_in;   /* the last action (cluster.action_number) whose queue walk it joined */
    uint32_t failed_in;  /* the last action in which one of its jobs failed */
    uint32_t held_back_in; /* the last decision (cluster.decision_number) whose plan of starts held
                              one back */
    uint32_t next_free;
};

/* ---- queues ---- */

/* Number of jobs, and the request of their minimums. */
struct pc_waiting {
    uint64_t jobs;
    int64_t gpu_milli;
};

/* Counters of late steps, by their number of tasks; the last one is for all larger numbers. */
enum { PC_LATE_STEPS = 16 };

/*
 * Size classes of jobs, by the devices requested by all tasks: class n has more than 2^(n-1) and at
 * most 2^n devices, class 0 at most one.
 */
#define PC_SIZES 48

/* Jobs in order, stored in blocks: see state/evictable.h. */
#define PC_BLOCK 128

/* An evictable job. What a walk of victims asks about most of them is kept here, as each job,
 * detail and task is read from memory. */
struct pc_giver {
    uint32_t job;
    uint32_t node;  /* of its one task; PC_NONE: there are more, or it does not give it at once */
    uint32_t shape; /* if it gives what that requests in total; else PC_NONE */
};

struct pc_block {
    struct pc_amounts sum; /* of the jobs' active_amounts */
    int32_t lowest;        /* priority of these */
    uint32_t count;
    struct pc_giver of[PC_BLOCK];
};

struct pc_evictable {
    struct pc_block *blocks;
    uint32_t *order; /* blocks in use, then the free ones */
    uint32_t block_count, blocks_used, block_capacity, order_capacity;
    uint32_t count; /* jobs */
    int32_t lowest; /* priority of these, if there are any */
    uint32_t parts; /* of these, jobs that do not give everything at once: gives_as is not 0 */
};

struct pc_evictable_place {
    uint32_t block, place;
};

/* All victims behind a job in its own leaf would leave room for only this many tasks: see
 * state/scarcity.h. */
#define PC_SCARCITIES 8

struct pc_scarcity {
    struct pc_key key; /* of the job, */
    uint64_t rank;
    int32_t priority, devices; /* requested by each of its tasks, at least */
    int64_t room;
};

/* A queue's amounts in a group of pools, in thousandths of devices: see state/pool_quotas.h. */
struct pc_group_share {
    int64_t quota;             /* if the queue has quotas by pool */
    int64_t allocated, fixed;  /* as in pc_queue */
    int64_t request;           /* active there, plus pending work that may run there */
    int64_t due;               /* guaranteed amount, or POLICY_UNLIMITED */
    int64_t fair, allocatable; /* of the last division */
    int64_t before, remaining; /* scratch of the search for victims */
};

/* Pools that share quotas. */
struct pc_group {
    uint64_t types;   /* of their devices */
    int64_t capacity; /* on nodes that are up */
    int64_t room;     /* scratch of the division: not covered by quotas */
    uint32_t turn;    /* entry k: the k-th group to visit. Group 0 is first, then by lowest pool, so
                         that the order in which queues were added does not matter */
};

struct pc_queue {
    bool exists, leaf;
    uint32_t parent, rank, pool_set, depth;
    int32_t priority;
    policy_time created;
    struct pc_amounts quota, limit, weight;
    struct pc_amounts reported_limit; /* `limit` is smaller if a leaf may not exceed its quota */
    bool limited;                     /* `limit` bounds some resource */
    bool suspended, shut;             /* suspended: itself; shut: it or an ancestor is suspended */
    int64_t preempt_min_ms, reclaim_min_ms; /* POLICY_INHERIT: not set */
    int64_t fixed_milli, build_milli; /* devices reserved for build sessions, and held by them */
    uint64_t jobs;
    struct pc_waiting early;     /* of these: jobs that are not yet eligible, */
    struct pc_waiting absent[3]; /* and jobs in no class, by enum pc_absent */
    uint32_t *children;
    uint32_t child_count, child_capacity;
    struct pc_amounts allocated, fixed; /* of running or nominated tasks; of non-preemptible jobs */
    struct pc_amounts request;          /* running plus pending tasks */
    struct pc_amounts held; /* of tasks running or being released; if usage history is kept */
    struct pc_amounts fair, allocatable;
    struct pc_amounts usage_ppm;
    struct pc_group_share *groups; /* by group of pools, see state/pool_quotas.h, or NULL */
    uint32_t group_capacity;
    bool by_pool;               /* it has quotas by pool */
    bool spans_pools;           /* its gangs may span groups */
    struct pc_evictable active; /* a leaf's evictable jobs with active tasks */
    uint32_t
        of_size[PC_SIZES]; /* the first of these in each size class, see pc_size_of(), or PC_NONE */
    struct pc_scarcity scarcities[PC_SCARCITIES];
    uint32_t scarcity_count;
    uint64_t givers;      /* number of these in the queue or below it */
    uint64_t part_givers; /* of these, jobs that hold parts of devices */
    uint32_t *classes;    /* a leaf's classes with pending jobs */
    uint32_t class_count, class_capacity;
    /* scratch of the search for victims and of orders */
    struct pc_amounts before, before_fixed, remaining;
    bool lost;
    uint8_t late_steps[PC_LATE_STEPS]; /* consecutive steps of its gangs that were narrowed late, by
                                          their number of tasks: see patience_of() */
    uint32_t bare_classes; /* of its classes, those with a task that requests no devices */
    uint32_t judged_in;    /* the step of a search (cluster.step_number) in which its bearer was
                              determined */
    uint32_t bearer;       /* the queue that bears the leaf's losses */
    uint32_t bears_in;     /* the step in which its bounds were computed */
    int64_t bears, bears_alone, /* loss bounds of that queue, thousandths of devices: in total, in
                                   total if the job's side loses nothing, and */
        bears_before;           /* before the last piece, */
    int64_t given, largest;     /* listed in the trial, and the largest piece of that */
    uint32_t next_bearer;     /* the next queue that may lose something in this step, or PC_NONE */
    int64_t kept, kept_below; /* reserved for its sessions that are not running, and of those below
                                 it on the same nodes */
    uint32_t kept_in;         /* the last decision that renewed a nomination of one of its jobs */
    int32_t looked_at;        /* jobs of it considered by the current action */
};

/* ---- topologies ---- */

/* Requested over free; free 0: infinite. */
struct pc_ratio {
    uint64_t wanted, free;
};

/*
 * A domain: nodes with the same labels down to its level. Domain 0 of each topology is its virtual
 * root; domains of one level are contiguous, and so are the children of each, ordered by label
 * value.
 */
struct pc_domain {
    uint32_t parent, level; /* level 0: the root, 1: the top level, ... */
    uint32_t first_child, child_count;
    uint32_t first_node, node_count; /* in topology.ranks */
    /* scratch: what the current tasks would find there */
    bool held;              /* other tasks of the job are there already */
    uint32_t usable;        /* nodes that they may use */
    int64_t copies;         /* how many copies of the largest task fit */
    struct pc_amounts free; /* idle and releasing; INT64_MAX: not modelled */
    struct pc_ratio ratio;  /* of their scarcest resource */
};

struct pc_topology {
    bool known;
    bool stale;    /* nodes came or went since the domains were built */
    uint64_t made; /* number of rebuilds */
    uint32_t levels[POLICY_MAX_LEVELS], level_count;
    struct pc_domain *domains;
    uint32_t domain_count, domain_capacity;
    uint32_t level_start[POLICY_MAX_LEVELS +
                         2]; /* the first domain of each level, and the end of the last level */
    uint32_t *ranks;         /* of the nodes inside, grouped by domain */
    uint32_t rank_capacity;
};

/* The areas tried at one depth: see place/topology.h. */
struct pc_area_scratch {
    struct pc_bits nodes;
    uint8_t *scores; /* by rank */
    uint32_t *tries; /* domains, best first */
    uint32_t *order; /* domains from the top down, each level from the tightest to the emptiest */
    uint32_t score_capacity, try_capacity, order_capacity;
    uint32_t packed, packed_count; /* the part of `order` at the preferred level */
};

/* ---- the undo log ---- */

struct pc_undo {
    uint32_t job, task;
    struct pc_place before;
};

/* A task whose decision is written at the end of the cycle. */
struct pc_ref {
    uint32_t job, gen, task;
};

/* Tasks of one job. */
struct pc_tasks {
    uint32_t *ids;
    uint32_t count, capacity;
};

/* A place nominated by the last decision. */
struct pc_nomination {
    uint32_t job, gen, task, node;
    uint64_t devices; /* of shares and instances */
    uint8_t slice;    /* of a freely created instance */
};

/* A tentatively evicted task and its former place. */
struct pc_victim {
    uint32_t job, task;
    uint32_t next_on_node, next_of_job; /* in the lists of popped tasks, or PC_NONE */
    struct pc_place before;
};

struct pc_victims {
    struct pc_victim *of;
    uint32_t count, capacity;
};

/* Steps of searches that failed in an action, in the order of their failures: see
 * act/victims/failures.h. */
#define PC_FAILURES 32

struct pc_failure {
    struct pc_request request; /* of each task */
    uint32_t queue, tasks;     /* tasks: the number that the step was to place */
    uint8_t reach;             /* of the search, enum pc_reach */
    uint8_t workload;
    bool preemptible;
};

struct pc_failures {
    struct pc_failure of[PC_FAILURES];
    uint32_t count;         /* ever remembered in this action; the last ones are kept */
    uint32_t action_number; /* cluster.action_number at that time */
};

/* A job lost tasks so that another could run: see act/reversal.h. */
struct pc_pair {
    uint32_t by, by_gen, loser, loser_gen;
    policy_time at;
};

struct pc_pairs {
    struct pc_pair *of; /* by time */
    uint32_t count, capacity;
    uint32_t overtaken; /* the first ones, which precede some other event */
    uint32_t marks;     /* number of markings so far */
    uint64_t dropped;   /* number of pairs dropped so far */
    bool happened;      /* an event since the last decision that the policy did not cause */
};

/* ---- queue walks: see order/queue_walk.h ---- */

/* num / den, not reduced; den > 0. */
struct pc_share {
    uint64_t num, den;
};

/* A queue in comparisons with its siblings, represented by one of its jobs. */
struct pc_standing {
    const struct pc_queue *queue;
    int64_t key; /* from a plugin's queue order; else 0 */
    bool within_share, starved, within_allocatable;
    struct pc_share then, now; /* its dominant share, with and without the job's request or loss */
};

struct pc_walk_slot {
    uint32_t *jobs; /* of a leaf: a heap, best first; of victims, only jobs that gave already and
                       have more */
    uint32_t count, capacity;
    struct pc_evictable_place next_victim; /* of a leaf: jobs from here on had no turn */
    bool gives;                            /* there are such jobs, */
    bool all;                              /* and the filter admits all of them, */
    bool some_kept;     /* except those that keep their places in this decision, if there are any */
    bool known;         /* `standing` is valid except for `then` */
    uint32_t leaves;    /* leaves at and below the queue with jobs in the walk */
    uint32_t best;      /* the best of their jobs, with its request or loss, */
    uint32_t best_leaf; /* and its leaf */
    struct pc_amounts next, taken;
    struct pc_standing standing;
    bool listed;
};

/* A victim wanted by the current search, with the standing of its queue at its turn. */
struct pc_wanted_job {
    uint32_t job;
    struct pc_evictable_place at;
    struct pc_standing standing;
};

struct pc_wanted {
    struct pc_wanted_job *of;
    uint32_t *order; /* indexes in `of` */
    uint32_t count, capacity, order_capacity;
    uint32_t kept; /* past the first `count`: jobs that cannot be victims in this decision */
    uint32_t sorted, next; /* length of `order`, and the number already returned */
};

struct pc_queue_walk {
    bool victims;               /* reversed: last served comes first */
    bool fresh;                 /* every `best` is valid, except on the path of `changed` */
    uint32_t changed;           /* a leaf, or PC_NONE */
    struct pc_walk_slot *slots; /* one per queue */
    uint32_t slot_capacity;
    uint32_t *queues; /* those with jobs at or below them, now or before */
    uint32_t queue_count, queue_capacity;
    bool (*filter)(const void *context, uint32_t job); /* of victims */
    bool (*is_past)(const void *context, uint32_t job);
    const void *filter_context;
};

/* ---- tasks one by one: see order/task_queue.h ---- */

/* A job with its first task that had no turn yet, or a nominated task. */
struct pc_queued_task {
    uint32_t job, task;
    uint32_t kept; /* its nomination, in cluster.kept; PC_NONE: none */
    uint8_t stage; /* enum pc_stage */
    int32_t why;   /* policy_reason of the first of its tasks that did not fit; 0: none so far */
};

struct pc_task_queue {
    struct pc_queued_task *of; /* a heap, first in order on top */
    uint32_t count, capacity;
};

/* ---- the reservation: see act/backfill_single.c ---- */

/* A task that ends before the reservation, or one with a reserved place. */
struct pc_then {
    uint32_t job, task, node;
    uint32_t next; /* next of the same sort on the node, or PC_NONE */
};

struct pc_reservation {
    uint32_t job, gen; /* the owner, across decisions; PC_NONE: no reservation */
    bool in_force;     /* the rest is up to date: nodes are marked */
    bool binds;        /* scratch: the job being placed must respect it, */
    uint32_t candidate;
    policy_time ends; /* when that job will end unless it stays where it was */
    /* Returns true if a task may be placed on a node beside the reservation; set by the code that
     * activates it. NULL: inactive. */
    bool (*spares)(struct policy *, uint32_t job, uint32_t task, uint32_t node);
    policy_time at;
    struct pc_amounts wants; /* the job's initial request, as queue bounds count it */
    struct pc_then *of;
    uint32_t count, capacity;
};

/* Nodes of a pool that may be ordered: see state/offers.h. */
struct pc_offer {
    struct policy_offer spec;
    struct pc_bits off, ordered, up; /* by rank; up: includes draining ones */
    int32_t off_count, ordered_count, up_count;
    uint32_t cursor; /* scratch of a plan: the first rank that may be ordered next, */
    int32_t fresh;   /* number of nodes it orders; */
    int32_t spare;   /* empty nodes, up or on order, that the plan does not use */
};

struct pc_cluster {
    struct pc_traits traits;
    const struct pc_placement *placement;      /* place/place.h */
    struct pc_changes changes;                 /* of nodes */
    uint16_t (*kinds)[POLICY_MAX_DEVICES + 1]; /* tasks of each kind on each node: state/kinds.h */
    uint32_t kind_capacity;
    struct pc_node *nodes;
    uint32_t node_count, node_capacity, nodes_removed;
    struct pc_leavings *leavings; /* parallel to nodes, if jobs may be evicted */
    uint32_t leavings_capacity;
    struct pc_offer *offers; /* by pool */
    uint32_t offer_count, offer_capacity;
    struct pc_bits up; /* nodes that take new tasks, by rank */
    struct pc_bits
        by_soon[POLICY_MAX_DEVICES + 1];     /* of these, by whole devices free after release */
    uint32_t listed[POLICY_MAX_DEVICES + 1]; /* number of nodes in each by_soon */
    int64_t soon_milli;                      /* of nodes that are up */
    int32_t most_free; /* scratch of allocate: most whole devices free after release on one node */
    struct pc_bits with_shared;   /* of these, nodes with a shared device */
    struct pc_bits changed_nodes; /* nodes to recount, by rank: see state/room.h */
    struct pc_bits
        roomy[POLICY_MAX_DEVICES + 1];       /* nodes with more room than is free now, by rank */
    int64_t room[POLICY_MAX_DEVICES + 1];    /* sums over the nodes */
    uint32_t giving[POLICY_MAX_DEVICES + 1]; /* evictable tasks, by whole devices requested, */
    uint32_t giving_parts;                   /* and with parts of devices or instances */
    uint32_t giving_in_gangs[8];             /* of jobs with several tasks, by pc_gang_size() */
    int32_t most_devices;
    struct pc_amounts capacity;       /* of nodes that are up */
    int32_t unmodelled[PC_RESOURCES]; /* of these, nodes whose amount is unknown: then the resource
                                         is not shared out */
    int64_t smallest_memory;          /* of one device in the cluster; 0: unknown */
    int32_t slices[POLICY_MAX_PROFILES], memory_slices[POLICY_MAX_PROFILES];

    struct pc_selector *selectors;
    uint32_t selector_count, selector_capacity;
    struct pc_pool_set *pool_sets;
    uint32_t pool_set_count, pool_set_capacity;
    struct pc_pool *pools;
    uint32_t pool_count, pool_capacity;
    bool tiers_known; /* of pool sets, for this version of the fleet */
    uint32_t tiers_of;
    struct pc_group *groups;
    uint32_t group_count, group_capacity; /* group_count 0: no queue has quotas by pool */
    bool groups_known; /* parts of pool sets are valid for this version of the fleet */
    uint32_t groups_of;
    uint32_t confined_to;   /* 1 + the pool set that confines the current attempt; 0: the queue's */
    bool guaranteed_only;   /* the current attempt only places within guarantees */
    bool any_freed;         /* in some pool set, since the last decision */
    uint32_t fleet_version; /* incremented when nodes come or go */
    struct pc_topology topologies[POLICY_MAX_TOPOLOGIES];
    struct pc_area_scratch areas[PC_MAX_DEPTH];
    uint32_t *paths; /* scratch for building domains */
    uint32_t path_capacity;

    struct pc_shape *shapes;
    uint32_t shape_count, shape_capacity, shape_free;
    uint32_t *shape_hash;
    uint32_t shape_hash_capacity, shapes_live;
    struct pc_shape_memo shape_memos[PC_SHAPE_MEMOS];

    struct pc_job *jobs;
    uint32_t job_count, job_capacity, job_free; /* free slots linked by `shape` */
    uint32_t shut_count;                        /* jobs that may start nothing: suspended */
    struct pc_job_marks *marks;                 /* parallel to jobs; NULL with lanes */
    uint32_t mark_capacity;
    uint32_t *job_kept_in; /* parallel to marks: the last decision (decision_number) that renewed a
                              nomination of the job, which is no victim in it */
    uint32_t job_kept_capacity;
    struct pc_job_times *times; /* parallel to jobs, up to the last one that specified any */
    uint32_t time_capacity;
    struct pc_blocks blocks;      /* for job details and node devices */
    struct pc_idheap held;        /* jobs that are not yet eligible, by eligible time */
    struct pc_amounts jobs_total; /* of their shapes: at most PC_MOST */
    uint32_t *stale;              /* jobs below their minimum */
    uint32_t stale_count, stale_capacity;

    struct pc_queue *queues;
    uint32_t queue_count, queue_capacity;
    uint32_t *roots;
    uint32_t root_count, root_capacity;
    struct pc_usage_window window;
    struct pc_usage *usages; /* one per queue if usage history is kept here; else NULL */
    uint32_t usage_capacity;
    struct pc_usage capacity_usage;

    struct pc_pending
        *pending; /* lanes of pending jobs; NULL: there is a queue order with classes */
    /* Set by pending/, which the state must not call directly. */
    bool (*reserve_class)(struct policy *); /* reserves memory for one more job with details; false
                                               if out of memory */
    void (*settle)(struct policy *,
                   uint32_t job); /* called after a committed change of one of its tasks */
    struct pc_class *classes;
    uint32_t class_count, class_capacity, class_free;
    uint32_t class_live;   /* classes that exist */
    uint32_t detail_count; /* jobs with details */
    bool limited_jobs;     /* some job has its own interactive limit */
    bool flat;             /* hierarchy off: all leaves are siblings */
    uint64_t freed;        /* incremented when anything is released that a blocked job could use */
    bool limits_eased;     /* something of a queue with a limit ended since the last decision */
    bool out_of_memory;    /* in this decision */
    bool changed;          /* it starts or evicts something */
    bool has_modules;      /* modules are informed about jobs: see state/job_life.h */
    bool start_failed;     /* while a start is undone */
    bool trying;           /* changes are tentative: nothing counts as released */
    bool exhaustive;       /* for tests: no shortcuts, everything is tried */

    struct pc_undo *undo;
    uint32_t undo_count, undo_capacity;
    struct pc_ref *noted;
    uint32_t noted_count, noted_capacity;
    struct {
        struct pc_nomination *of;
        uint32_t count, capacity;
        uint32_t told; /* their number at the start of this cycle */
    } kept;            /* nominations of the last decision */
    struct pc_pairs displaced;

    /* the current cycle */
    uint64_t version, decided_version; /* version of the facts, and the version fully processed by
                                          the last decision */
    uint32_t action;                   /* enum policy_action */
    uint32_t decision_number;          /* counts decisions that did any work */
    uint32_t kept_in;                  /* the last of these that renewed a nomination */
    uint32_t action_number;            /* counts actions over all cycles */
    policy_time next_time;             /* when the answer may change by time alone */
    struct pc_queue_walk pending_walk, victim_walk, trial_walk;
    struct pc_tasks asked, placing, taking, solving, nested[10]; /* scratch: lists of tasks */
    struct pc_victims popped, recorded, evicted; /* scratch of the search for victims */
    struct pc_failures failures;
    struct pc_wanted wanted; /* also scratch: see act/victims/wanted.h */
    uint32_t *gathered;      /* indexes in `popped` */
    uint32_t gathered_count, gathered_capacity;
    struct pc_task_queue pods; /* scratch: queue of tasks in task-by-task scheduling */
    struct pc_reservation reservation;
    int64_t fixed_milli;          /* reserved for build sessions, over all queues */
    bool session_reserve_ignored; /* while evaluating what would happen without a reserve */
    uint32_t step_number;         /* counts steps of all searches */
    uint32_t partial_job;         /* a job of which only some tasks are considered, or PC_NONE */
    struct pc_amounts partial_amounts;
    struct pc_claim *claims; /* scratch of the division */
    uint32_t claim_capacity;
    struct pc_claim **claim_order;
    uint32_t claim_order_capacity;
    uint32_t *walk; /* scratch: queues from the top down */
    uint32_t walk_count, walk_capacity;
};

/* No bound may skip a trial: for tests, and with quotas by pool, which the bounds do not cover. */
static inline bool pc_tries_all(const struct pc_cluster *c)
{
    return c->exhaustive || c->group_count > 0;
}

#endif
