/* SPDX-License-Identifier: MIT */
/*
 * The cluster: every task by itself, what it holds, and which place it is nominated to. Tasks are
 * placed, evicted, moved and put back, on trial and for good, so the model is built around one
 * operation: *a task changes its place* (tasks.h). What a node, a queue or a job amounts to is the
 * sum of what its tasks contribute, so undoing a change restores every sum exactly.
 *
 *     queues (a forest) ── classes of equal pending jobs ── jobs ── pod sets ── tasks ── nodes ──
 *     devices
 *
 * A task's place has two halves. What it *holds* is physical: it runs there, or is being released
 * there. What it is *nominated* (nominated) is a claim on resources that are idle or still being
 * released. A victim that is moved has both: it is being released at the old place and nominated to
 * the new one.
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

#define PC_MAX_DEPTH 10 /* of constraints inside each other: the job, groups, the pod set */

/* ---- what jobs ask for ---- */

/* A request in normal form. Exactly one of these asks for devices: whole (share, memory 0), share,
 * memory, mig. */
struct pc_request {
    int32_t devices;
    int32_t share;  /* thousandths of each device, 1..999; 0: whole devices, or memory */
    int64_t memory; /* MiB of each device; 0: none */
    int64_t cpu, mem;
    uint64_t types;    /* all bits when any will do */
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
    int32_t min_tasks; /* 0: each task is taken by itself */
    int32_t group;     /* 1 + index, 0: under the job */
    struct policy_constraint topology;
};

/* What jobs of one kind look like; shared by all that are equal, found by hash. */
struct pc_shape {
    uint64_t hash;
    uint32_t next_in_hash, users;
    uint32_t failed_in;       /* cluster.action_number of the action in which it failed last, */
    uint32_t failed_pool_set; /* and on which nodes: those of a pool set */
    uint32_t role_count, set_count, group_count;
    uint32_t tasks;
    struct pc_role *roles; /* the arrays lie in one block */
    struct pc_set *sets;
    struct policy_group *groups;
    uint8_t size_class;
    uint8_t memo; /* 1 + its place in cluster.shape_memos; 0: none */
    struct policy_constraint topology;
    bool constrained; /* some topology constraint is somewhere in it */
    bool elastic;     /* some pod set may have more tasks than its minimum */
    bool alike;  /* all tasks start together and want the same: whole devices, or none, anywhere */
    bool mixed;  /* not all tasks ask for the same: with less that is free they may fit sooner */
    bool bare;   /* some task wants no device of any kind */
    bool shares; /* some task wants parts of devices */
    bool parts;  /* the same, or instances */
    bool wants_memory; /* some task asks for memory of devices: its weight depends on the cluster */
    struct pc_amounts first; /* what its minimum (all tasks where there is none) asks for; not with
                                wants_memory */
    struct pc_amounts total; /* of all its tasks: never more than this, wherever they are placed */
    int32_t need; /* the fewest whole devices that one of its tasks wants, 0 for shares and none */
};

/* Specs with one role that came lately, and their shapes: see shapes.c. */
#define PC_SHAPE_MEMOS 64

struct pc_shape_memo {
    struct policy_role role;
    struct policy_constraint topology; /* of the job */
    uint32_t shape;                    /* 1 + its index; 0: none */
};

/* ---- nodes ---- */

/*
 * What is used of one device, in units: MiB of its memory (rounded down to a multiple of 100), or
 * thousandths where that is unknown or the configuration counts so (pc_traits.thousandths). used +
 * releasing <= capacity. Nominated whole devices are counted on the node, shares on their device.
 */
struct pc_device {
    int32_t used, releasing, nominated;
    uint16_t sharers, nominated_sharers; /* tasks that hold, or are nominated, a share of it */
    uint8_t slices, slices_leaving,
        slices_nominated; /* memory slices of MIG instances, where they are made freely */
    uint8_t compute, compute_leaving, compute_nominated; /* compute slices of these */
};

/* A task that may be evicted; PC_NONE twice: none. */
struct pc_evictable_task {
    uint32_t job, task;
};

/* What every fit and every change of place looks at stands first, and together. */
struct pc_node {
    bool exists, whole_only;
    bool in_memory; /* units are MiB, not thousandths */
    bool plain;     /* up and healthy, no device of it shared or cut: see pc_pool_sets_shift() */
    bool shared_listed;  /* its pool sets list it among those with shared devices, */
    int32_t free_listed; /* and under so many wholly free devices, or -1 */
    int32_t state, mig;
    uint32_t pool, type, rank;
    int32_t devices, capacity; /* of one device, units */
    int32_t nominated_whole;
    uint64_t usable;
    uint64_t idle;           /* devices nobody has anything of */
    uint64_t held, released; /* as wholes, by tasks that run, or that are being released */
    /* now: idle; soon: idle + releasing - nominated */
    int64_t cpu_idle, mem_idle, cpu_soon, mem_soon;
    int32_t tasks_idle, tasks_soon; /* places for tasks left, without those of shared devices */
    uint64_t leaving; /* all that is on them is being released, and nothing nominated */
    uint64_t shared;  /* used or nominated in part: targets for shares */
    uint64_t
        groups; /* held or nominated in shares: each takes a place for a task (its reservation) */
    uint64_t parts_taken, parts_leaving; /* used or nominated in part, and being released in part */
    uint64_t parts_open; /* of the first, with room left, and not cut into instances */
    int64_t idle_milli, unusable_milli; /* what its pool sets count of it: see state/pool_sets.h */
    int64_t
        soon_milli; /* thousandths of devices that are free soon, parts of shared ones included, */
    int64_t soon_uncut_milli; /* and the same without MIG instances, as its pool sets count it */
    int32_t listed;           /* whole devices under which it stands in by_soon, or -1 */
    uint8_t size_class;       /* of the next block */
    struct pc_device
        *device; /* of parts, one for each; NULL while there are none: read pc_device_of() */

    int32_t memory;    /* of one device, MiB; 0: not known */
    int32_t max_tasks; /* INT32_MAX when not bounded */
    int64_t cpu_total, mem_total;
    int32_t mig_total[POLICY_MAX_PROFILES], mig_idle[POLICY_MAX_PROFILES],
        mig_soon[POLICY_MAX_PROFILES];
    struct policy_label *labels;
    uint32_t label_count;
    uint32_t reserved, ending; /* in cluster.reservation: its tasks that have their places here, and
                                  those that end */
    int32_t reserved_whole;    /* whole devices of the former */
    policy_time empty_since;   /* of a node that may be given back; POLICY_NEVER: it is in use */
    uint32_t popped; /* scratch: the first task that stands here in cluster.popped, or PC_NONE */
    int32_t trial_freed; /* scratch: devices that a trial would free */
    uint32_t worth_in;   /* the step of a search (cluster.step_number) in which a trial on it may be
                            accepted */
    bool trial_seen;     /* scratch: counted among the nodes of its victims */
    struct pc_evictable_task first_evictable; /* of the evictable tasks on it: see state/room.h */
    int32_t giving_parts;                     /* devices that these want parts of, and instances */
    uint8_t
        giving[POLICY_MAX_DEVICES + 1]; /* evictable tasks on it, by whole devices that they want */
    uint8_t
        room[POLICY_MAX_DEVICES + 1]; /* for tasks of so many devices, when it was counted last */
    uint32_t domain[POLICY_MAX_TOPOLOGIES]; /* its domain at the lowest level of each topology, or
                                               PC_NONE */
};

/* Nodes that satisfy a conjunction of terms, kept as a set of ranks. */
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
    PC_GONE /* of a gang that waits again as a whole, once the last of its tasks has gone */
};

/* Where a task is. Two places are the same when they are equal as bytes. */
struct pc_place {
    uint64_t devices;               /* held */
    uint64_t nominated_devices;     /* of a share: which; whole devices are only counted */
    uint32_t node, nominated;       /* PC_NONE: none */
    uint8_t holding;                /* enum pc_holding */
    uint8_t started;                /* held since this decision: not reported as started yet */
    uint8_t slice, nominated_slice; /* first memory slice of a MIG instance that was made freely */
    uint32_t
        counted; /* 1 + the pool, where devices are only counted: then it has no node; else 0 */
};

struct pc_task {
    struct pc_place place;
    struct pc_evictable_task next,
        behind;     /* evictable tasks on the same node, in no order: see state/room.h */
    uint8_t end;    /* enum pc_end */
    uint8_t action; /* of the decision that is being made about it */
    uint8_t reason;
    bool noted;    /* stands in cluster.noted: its decision is still to be written */
    bool popped;   /* taken from its job's rest in the search for victims */
    bool recorded; /* a victim that an earlier step of the search settled on */
    bool trial;    /* evicted on trial: it may be placed again */
    uint32_t for_job;
    struct pc_place before; /* when it was noted */
};

/* How many tasks of a pod set are what. active = run or are nominated to a place. */
struct pc_counts {
    int32_t active, running, releasing, pending, gated, succeeded;
    int32_t popped; /* of the active ones, in the search for victims */
    int32_t taken;  /* scratch of reclaim */
};

enum pc_job_state { PC_FREE = 0, PC_HELD, PC_LIVE };
enum pc_absent {
    PC_PRESENT = 0,
    PC_UNREADY, /* too few of its tasks may start */
    PC_SHUT,    /* it is suspended, or a queue that it stands in */
};

/*
 * What there is of a job beside its entry, from when one of its tasks is active, gated or over
 * until all of them are merely pending again, or the job is over: made by pc_detail_make(), and
 * read through pc_task() and its kin, which answer for a job that has none.
 */
struct pc_detail {
    policy_time last_start, stale_since, stale_reported;
    policy_time idle_since, reported; /* idle_since POLICY_NEVER: busy */
    int64_t gives; /* scratch: thousandths of devices that a trial could take of it */
    uint32_t next_of_size, last_of_size; /* beside it in queue.of_size, or PC_NONE */
    uint32_t popped;                     /* scratch: its first task in cluster.popped, or PC_NONE */
    uint32_t users; /* tasks of it that are noted, changes that may be undone, and other users */
    int64_t reported_milli,
        held_milli; /* how much it holds as modules know, and how much it holds now, */
    int32_t reported_tasks, holding; /* by so many tasks; with modules only */
    struct pc_amounts
        active_amounts; /* what its active tasks amounted to when queue.active learned of it, */
    int8_t gives_as;    /* and its elastic state then */
    uint8_t size_class; /* of this block: see base/blocks.h */
    struct pc_counts *counts; /* one for each pod set, behind the tasks */
    struct pc_task tasks[];   /* all of the shape's */
};

/* As small as can be: a hundred thousand of them may be pending. */
struct pc_job {
    struct pc_key key; /* of the job order */
    uint64_t rank;
    policy_time submitted, eligible;
    int64_t interactive_limit_ms;
    int64_t limit_ms; /* declared, or else expected, run time; -1 not known */
    /* What every start and end looks at stands together. */
    struct pc_detail *detail; /* NULL: all its tasks are pending */
    uint32_t gen, queue, shape;
    int32_t priority;
    int32_t active, running, releasing, pending, succeeded; /* sums over the sets */
    uint32_t class;                                         /* in which it waits, or PC_NONE */
    uint32_t place_in_class;                                /* of a shared class */
    uint32_t home;   /* with lanes: the class of all jobs like it; see pending/pending.h */
    uint32_t ticket; /* how often the id left a class: older entries of it are stale */
    uint8_t state, workload;
    uint8_t life; /* enum pc_life: what modules were told of it */
    bool preemptible, stale;
    bool suspended, shut; /* it is; and it or a queue that it stands in is: it starts nothing */
    uint8_t absent;       /* enum pc_absent: why it stands in no class though tasks of it wait */
    bool
        evicted; /* with lanes: a task of the gang was: it waits again when the last one has gone */
    bool may_stand_alone; /* with lanes: there is room for a class of its own */
    bool gives;           /* stands in queue.active */
    bool marked;          /* scratch */
};

/* What cycles note of a job; beside it, as jobs in lanes need none. */
struct pc_job_marks {
    uint32_t kept_in;   /* the decision (cluster.decision_number) that kept its nominations first */
    uint32_t tried_in;  /* the action (cluster.action_number) that looked at it last */
    uint32_t hope_in;   /* the action in whose queue walk it counts as one that may succeed, or 0 */
    uint32_t wanted_in; /* scratch: the step of a search (cluster.step_number) in which it may be of
                           use */
    uint32_t displacer_in; /* scratch: the marking (cluster.displaced.marks) that found it last */
    uint64_t lost; /* how many pairs there had been with the last one that it lost in, or 0 */
};

/* ---- waiting jobs ---- */

/*
 * Pending jobs of one leaf that are alike: same shape, priority and rights, and nothing started
 * yet. When the oldest cannot be placed, none can. A job that has started in part is a class of its
 * own.
 */
struct pc_class {
    uint32_t queue, shape;
    int32_t priority;
    bool preemptible, exists;
    uint8_t workload;
    uint32_t single;         /* the job whose own class it is, or PC_NONE: shared, in `jobs` */
    struct pc_idheap jobs;   /* by the job order */
    uint32_t place_in_queue; /* in queue.classes, or PC_NONE */
    int32_t blocked;         /* why allocate failed last (policy_reason), or 0 */
    uint64_t blocked_in; /* cluster.freed at that time: still true while nothing was freed since */
    int64_t limit_ms; /* with the option `backfill`: of all of them, as they declared it; else -1 */
    uint32_t added_in;     /* the action (cluster.action_number) whose queue walk it joined last */
    uint32_t failed_in;    /* the action in which one of its jobs failed last */
    uint32_t held_back_in; /* the decision (cluster.decision_number) whose plan of starts held one
                              back */
    uint32_t next_free;
};

/* ---- queues ---- */

/* Jobs, and what their minimums ask for. */
struct pc_waiting {
    uint64_t jobs;
    int64_t gpu_milli;
};

/*
 * Sizes of jobs, by the devices that all their tasks ask for: size n has more than 2^(n-1) and at
 * most 2^n devices, size 0 at most one.
 */
#define PC_SIZES 48

/* Jobs in order, in blocks: see state/evictable.h. */
#define PC_BLOCK 128

struct pc_block {
    struct pc_amounts sum; /* of the jobs' active_amounts */
    uint32_t count, ids[PC_BLOCK];
};

struct pc_evictable {
    struct pc_block *blocks;
    uint32_t *order; /* of those in use; behind them the free ones */
    uint32_t block_count, blocks_used, block_capacity, order_capacity;
    uint32_t count; /* jobs */
    uint32_t parts; /* of these, such as do not give all they have at once: gives_as is not 0 */
};

struct pc_evictable_place {
    uint32_t block, place;
};

struct pc_queue {
    bool exists, leaf;
    uint32_t parent, rank, pool_set, depth;
    int32_t priority;
    policy_time created;
    struct pc_amounts quota, limit, weight;
    struct pc_amounts
        reported_limit;   /* `limit` is less where a leaf may not have more than its quota */
    bool limited;         /* by `limit`, in some resource */
    bool suspended, shut; /* it is; and it or a queue above it is */
    int64_t preempt_min_ms, reclaim_min_ms; /* POLICY_INHERIT: not set */
    int64_t fixed_milli, build_milli;       /* devices kept for build sessions, and held by them */
    uint64_t jobs;
    struct pc_waiting early;     /* of these: jobs whose time has not come, */
    struct pc_waiting absent[3]; /* and that stand in no class, by enum pc_absent */
    uint32_t *children;
    uint32_t child_count, child_capacity;
    struct pc_amounts allocated, fixed; /* of tasks that run or are nominated to a place; of jobs
                                           that may not be preempted */
    struct pc_amounts request;          /* what runs, and what all pending tasks ask for */
    struct pc_amounts
        held; /* of tasks that run or are being released; where the history of use is kept */
    struct pc_amounts fair, allocatable;
    struct pc_amounts usage_ppm;
    struct pc_evictable active; /* a leaf's jobs with active tasks that may be evicted */
    uint32_t of_size[PC_SIZES]; /* the first of these of each size, see pc_size_of(), or PC_NONE */
    uint64_t givers;            /* so many of these are below the queue, or in it */
    uint64_t part_givers;       /* and of these, with tasks that hold parts of devices */
    uint32_t *classes;          /* a leaf's classes with pending jobs */
    uint32_t class_count, class_capacity;
    /* scratch of the search for victims and of orders */
    struct pc_amounts before, before_fixed, remaining;
    bool lost;
    uint32_t bare_classes; /* of its classes, those of whose tasks some want no devices */
    uint32_t judged_in; /* the step of a search (cluster.step_number) in which its bearer was found
                           out */
    uint32_t bearer;    /* the queue that bears what the leaf loses */
    uint32_t bears_in;  /* the step in which it was found out how much it bears */
    int64_t bears, bears_alone, /* by that queue, thousandths of devices: at most, at most where the
                                   job's side gives nothing, and */
        bears_before;           /* before the last piece, */
    int64_t given, largest;     /* listed in the trial, and the largest piece of that */
    uint32_t next_bearer;       /* another queue that bears something in this step, or PC_NONE */
    int64_t kept, kept_below; /* for sessions of it that are not there yet, and of those below it on
                                 the same nodes */
    uint32_t kept_in;  /* the last decision in which a nomination of one of its jobs was kept */
    int32_t looked_at; /* jobs of it that the action at hand took */
};

/* ---- topologies ---- */

/* How much is wanted of how much that is free; nothing free: infinite. */
struct pc_ratio {
    uint64_t wanted, free;
};

/*
 * A domain: nodes that have the same labels down to its level. Domain 0 of each topology is its
 * virtual root; the domains of one level stand side by side, and so do the children of each, in the
 * order of their label values.
 */
struct pc_domain {
    uint32_t parent, level; /* level 0: the root, 1: the top level, ... */
    uint32_t first_child, child_count;
    uint32_t first_node, node_count; /* in topology.ranks */
    /* scratch: what the tasks at hand would find there */
    bool held;              /* others of the job are there already */
    uint32_t usable;        /* nodes that they may use */
    int64_t copies;         /* how many of the largest of them fit */
    struct pc_amounts free; /* idle and releasing; INT64_MAX: not modelled */
    struct pc_ratio ratio;  /* of the resource that is scarcest for them */
};

struct pc_topology {
    bool known;
    bool stale;    /* nodes came or went since the domains were made */
    uint64_t made; /* how often they were */
    uint32_t levels[POLICY_MAX_LEVELS], level_count;
    struct pc_domain *domains;
    uint32_t domain_count, domain_capacity;
    uint32_t level_start[POLICY_MAX_LEVELS +
                         2]; /* the first domain of each level, and where the last level ends */
    uint32_t *ranks;         /* of the nodes inside, domain after domain */
    uint32_t rank_capacity;
};

/* The areas of one depth that are being tried: see place/topology.h. */
struct pc_area_scratch {
    struct pc_bits nodes;
    uint8_t *scores; /* by rank */
    uint32_t *tries; /* domains, the best first */
    uint32_t *order; /* domains from the top down, each level from the tightest to the emptiest */
    uint32_t score_capacity, try_capacity, order_capacity;
    uint32_t packed, packed_count; /* the part of `order` with the preferred level */
};

/* ---- the undo log ---- */

struct pc_undo {
    uint32_t job, task;
    struct pc_place before;
};

/* A task with a decision to be written when the cycle is over. */
struct pc_ref {
    uint32_t job, gen, task;
};

/* Tasks of one job. */
struct pc_tasks {
    uint32_t *ids;
    uint32_t count, capacity;
};

/* A place that the last decision nominated. */
struct pc_nomination {
    uint32_t job, gen, task, node;
    uint64_t devices; /* of shares and instances */
    uint8_t slice;    /* of an instance that is made freely */
};

/* A task that is evicted on trial, and where it was. */
struct pc_victim {
    uint32_t job, task;
    uint32_t next_on_node, next_of_job; /* in the list of popped ones, or PC_NONE */
    struct pc_place before;
};

struct pc_victims {
    struct pc_victim *of;
    uint32_t count, capacity;
};

/* One job lost tasks so that another could run: see act/reversal.h. */
struct pc_pair {
    uint32_t by, by_gen, loser, loser_gen;
    policy_time at;
};

struct pc_pairs {
    struct pc_pair *of; /* by time */
    uint32_t count, capacity;
    uint32_t overtaken; /* of these, the first ones, since which something else has happened */
    uint32_t marks;     /* counts markings */
    uint64_t dropped;   /* pairs that were here before */
    bool happened; /* since the last decision, that none of the policy's decisions brought about */
};

/* ---- queue walks: see order/queue_walk.h ---- */

/* num / den, not reduced; den > 0. */
struct pc_share {
    uint64_t num, den;
};

/* A queue as it is compared with its siblings, represented by one of its jobs. */
struct pc_standing {
    const struct pc_queue *queue;
    int64_t key; /* of a plugin's queue order; else 0 */
    bool within_share, starved, within_allocatable;
    struct pc_share then,
        now; /* its dominant share, with what the job asks for or gives, and without */
};

struct pc_walk_slot {
    uint32_t *jobs; /* of a leaf: a heap, best first; of victims only those that gave already, and
                       have more */
    uint32_t count, capacity;
    struct pc_evictable_place next_victim; /* of a leaf: those from there on had no turn */
    bool gives;                            /* there are such, */
    bool all;                              /* and the filter admits each of them */
    bool known;                            /* `standing` is, but for `then` */
    uint32_t leaves;                       /* at and below the queue that have jobs in the walk */
    uint32_t best;                         /* job of these, with what it asks for or gives */
    struct pc_amounts next, taken;
    struct pc_standing standing;
    bool listed;
};

/* A victim that the search at hand looks for, and what its queue is compared by when its turn
 * comes. */
struct pc_wanted_job {
    uint32_t job;
    struct pc_evictable_place at;
    struct pc_standing standing;
};

struct pc_wanted {
    struct pc_wanted_job *of;
    uint32_t *order; /* indexes in `of` */
    uint32_t count, capacity, order_capacity;
    uint32_t kept;         /* behind the first `count`: jobs that are no victims in this decision */
    uint32_t sorted, next; /* how many there are in `order`, and how many of these had their turn */
};

struct pc_queue_walk {
    bool victims;               /* the last to be served comes first */
    bool fresh;                 /* every `best` is right, but on the path of `changed` */
    uint32_t changed;           /* a leaf, or PC_NONE */
    struct pc_walk_slot *slots; /* one for each queue */
    uint32_t slot_capacity;
    uint32_t *queues; /* those with jobs at or below them, now or before */
    uint32_t queue_count, queue_capacity;
    bool (*filter)(const void *context, uint32_t job); /* of victims */
    const void *filter_context;
};

/* ---- tasks one by one: see order/task_queue.h ---- */

/* A job with the first of its tasks that had no turn yet, or a task that was nominated to a place.
 */
struct pc_queued_task {
    uint32_t job, task;
    uint32_t kept; /* its nomination, in cluster.kept; PC_NONE: none */
    uint8_t stage; /* enum pc_stage */
    int32_t why;   /* policy_reason: why the first of its tasks that found no place found none; 0:
                      none did yet */
};

struct pc_task_queue {
    struct pc_queued_task *of; /* a heap, first in order first */
    uint32_t count, capacity;
};

/* ---- the reservation: see act/backfill_single.c ---- */

/* A task that will have ended at the time of the reservation, or one that has its place reserved.
 */
struct pc_then {
    uint32_t job, task, node;
    uint32_t next; /* of its kind on the node, or PC_NONE */
};

struct pc_reservation {
    uint32_t job, gen; /* whose it is, from decision to decision; PC_NONE: there is none */
    bool in_force;     /* the rest is known, of now: the nodes are marked */
    bool binds;        /* scratch: the job that is being placed has to spare it, */
    uint32_t candidate;
    policy_time ends; /* which will end then, if it does not go on where it was */
    /* True if a task may have a place on a node beside it; set by whoever puts it in force. NULL:
     * nobody has. */
    bool (*spares)(struct policy *, uint32_t job, uint32_t task, uint32_t node);
    policy_time at;
    struct pc_amounts wants; /* what the job will start with, as bounds of queues see it */
    struct pc_then *of;
    uint32_t count, capacity;
};

/* Nodes of a pool that may be ordered: see state/offers.h. */
struct pc_offer {
    struct policy_offer spec;
    struct pc_bits off, ordered, up; /* by rank; up: draining ones, too */
    int32_t off_count, ordered_count, up_count;
    uint32_t cursor; /* scratch of a plan: the first rank that may be ordered next, */
    int32_t fresh;   /* and how many nodes it orders; */
    int32_t spare;   /* empty ones, there or on their way, that no job of the plan wants */
};

struct pc_cluster {
    struct pc_traits traits;
    const struct pc_placement *placement;      /* place/place.h */
    struct pc_changes changes;                 /* of nodes */
    uint16_t (*kinds)[POLICY_MAX_DEVICES + 1]; /* tasks of each kind on each node: state/kinds.h */
    uint32_t kind_capacity;
    struct pc_node *nodes;
    uint32_t node_count, node_capacity, nodes_removed;
    struct pc_offer *offers; /* by pool */
    uint32_t offer_count, offer_capacity;
    struct pc_bits up; /* nodes that take new tasks, by rank */
    struct pc_bits
        by_soon[POLICY_MAX_DEVICES + 1];     /* of these, with so many whole devices idle or soon */
    uint32_t listed[POLICY_MAX_DEVICES + 1]; /* how many nodes by_soon has */
    int64_t soon_milli;                      /* of nodes that are up */
    int32_t most_free;            /* scratch of allocate: most whole devices free soon on one */
    struct pc_bits with_shared;   /* of these, with a device that is shared */
    struct pc_bits changed_nodes; /* whose room is to be counted anew, by rank: see state/room.h */
    struct pc_bits
        roomy[POLICY_MAX_DEVICES + 1];       /* whose room is more than what is free now, by rank */
    int64_t room[POLICY_MAX_DEVICES + 1];    /* sums of that of the nodes */
    uint32_t giving[POLICY_MAX_DEVICES + 1]; /* evictable tasks, by whole devices that they want */
    uint32_t giving_parts; /* and those that want parts of devices, or instances */
    int32_t most_devices;
    struct pc_amounts capacity;       /* of nodes that are up */
    int32_t unmodelled[PC_RESOURCES]; /* of these, nodes whose amount is not known: then it is not
                                         shared out */
    int64_t smallest_memory;          /* of one device in the cluster; 0: none is known */
    int32_t slices[POLICY_MAX_PROFILES], memory_slices[POLICY_MAX_PROFILES];

    struct pc_selector *selectors;
    uint32_t selector_count, selector_capacity;
    struct pc_pool_set *pool_sets;
    uint32_t pool_set_count, pool_set_capacity;
    struct pc_pool *pools;
    uint32_t pool_count, pool_capacity;
    bool tiers_known; /* of pool sets, as of the fleet of this version */
    uint32_t tiers_of;
    bool any_freed;         /* something in some pool set, since the last decision */
    uint32_t fleet_version; /* grows when nodes come or go */
    struct pc_topology topologies[POLICY_MAX_TOPOLOGIES];
    struct pc_area_scratch areas[PC_MAX_DEPTH];
    uint32_t *paths; /* scratch of making domains */
    uint32_t path_capacity;

    struct pc_shape *shapes;
    uint32_t shape_count, shape_capacity, shape_free;
    uint32_t *shape_hash;
    uint32_t shape_hash_capacity, shapes_live;
    struct pc_shape_memo shape_memos[PC_SHAPE_MEMOS];

    struct pc_job *jobs;
    uint32_t job_count, job_capacity, job_free; /* free ones chained by `shape` */
    uint32_t shut_count;                        /* jobs that may start nothing: suspended */
    struct pc_job_marks *marks;                 /* beside jobs; NULL with lanes */
    uint32_t mark_capacity;
    struct pc_blocks blocks;      /* for details of jobs, and devices of nodes */
    struct pc_idheap held;        /* jobs whose time has not come, by that time */
    struct pc_amounts jobs_total; /* of their shapes: at most PC_MOST */
    uint32_t *stale;              /* jobs below their minimum */
    uint32_t stale_count, stale_capacity;

    struct pc_queue *queues;
    uint32_t queue_count, queue_capacity;
    uint32_t *roots;
    uint32_t root_count, root_capacity;
    struct pc_usage_window window;
    struct pc_usage *usages; /* of each queue, when the history is kept here; else NULL */
    uint32_t usage_capacity;
    struct pc_usage capacity_usage;

    struct pc_pending
        *pending; /* lanes of pending jobs; NULL: there is a queue order, and classes */
    /* Set by pending/, which the state may not call. */
    bool (*reserve_class)(struct policy *); /* for one more job with details; false: no memory */
    void (*settle)(struct policy *,
                   uint32_t job); /* after a committed change of one of its tasks */
    struct pc_class *classes;
    uint32_t class_count, class_capacity, class_free;
    uint32_t class_live;   /* classes that exist */
    uint32_t detail_count; /* jobs with details */
    bool limited_jobs;     /* some job came with a time limit of its own */
    bool flat;             /* the hierarchy is switched off: all leaves stand side by side */
    uint64_t freed;        /* grows whenever something is freed that a blocked job could wait for */
    bool limits_eased;     /* something of a queue with a limit ended since the last decision */
    bool out_of_memory;    /* in this decision */
    bool changed;          /* it starts or evicts something */
    bool has_modules;      /* which hear of jobs: see state/job_life.h */
    bool start_failed;     /* while a start is taken back */
    bool trying;           /* changes are on trial: what they free is not really freed */
    bool exhaustive;       /* for tests: no shortcut is taken, everything is tried */

    struct pc_undo *undo;
    uint32_t undo_count, undo_capacity;
    struct pc_ref *noted;
    uint32_t noted_count, noted_capacity;
    struct {
        struct pc_nomination *of;
        uint32_t count, capacity;
        uint32_t told; /* how many there were, when this cycle began */
    } kept;            /* nominations of the last decision */
    struct pc_pairs displaced;

    /* the cycle at hand */
    uint64_t version, decided_version; /* of the facts; those that the last decision saw through */
    uint32_t action;                   /* enum policy_action */
    uint32_t decision_number;          /* counts decisions that looked */
    uint32_t kept_in;                  /* the last of these in which a nomination was kept */
    uint32_t action_number;            /* counts actions of all cycles */
    policy_time next_time;             /* when time alone may change the answer */
    struct pc_queue_walk pending_walk, victim_walk, trial_walk;
    struct pc_tasks asked, placing, taking, solving, nested[10]; /* scratch: lists of tasks */
    struct pc_victims popped, recorded, evicted; /* scratch of the search for victims */
    struct pc_wanted wanted;                     /* the same: see act/victims/wanted.h */
    uint32_t *gathered;                          /* indexes in `popped` */
    uint32_t gathered_count, gathered_capacity;
    struct pc_task_queue pods; /* scratch: tasks that wait, one by one */
    struct pc_reservation reservation;
    int64_t fixed_milli;          /* kept for build sessions, of all queues */
    bool session_reserve_ignored; /* while it is asked what would be if nothing were kept */
    uint32_t step_number;         /* counts steps of all searches */
    uint32_t partial_job;         /* of which only some tasks are looked at, or PC_NONE */
    struct pc_amounts partial_amounts;
    struct pc_claim *claims; /* scratch of the division */
    uint32_t claim_capacity;
    struct pc_claim **claim_order;
    uint32_t claim_order_capacity;
    uint32_t *walk; /* scratch: queues from the top down */
    uint32_t walk_count, walk_capacity;
};

#endif
