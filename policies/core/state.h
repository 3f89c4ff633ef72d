/* SPDX-License-Identifier: MIT */
/*
 * The state of a policy: what it knows of nodes, queues and jobs, and the indexes that make deciding cheap. All of
 * it hangs on `struct policy`; arrays are indexed by dense ids.
 *
 *     lanes ── groups ── pending jobs          who is next
 *     sites ── nodes by free devices           where it may go
 *     task slots                               what runs where
 *
 * A *lane* is one line of waiting jobs: the whole fleet's, or one for each queue (option `scope`). Inside it, jobs
 * that ask for the same thing from the same queue form a *group*: when one of them cannot be placed, none can. A
 * group that failed is blocked until something that it could use is freed.
 *
 * A *site* is a set of pools that some queue is bound to, with its nodes indexed; a group looks for room in its site.
 */
#ifndef POLICY_CORE_STATE_H
#define POLICY_CORE_STATE_H

#include "base/bits.h"
#include "base/memory.h"
#include "pending/candidates.h"
#include "pending/plan.h"
#include "policy.h"
#include "rows.h"

/* ---- requests and groups ---- */

/* A policy_request in normal form: device_milli is 1..1000, or 0 when no device is wanted. */
struct pc_request {
    int32_t devices, milli;
    int64_t cpu, mem;
    uint64_t types; /* all bits when any will do */
};

struct pc_role {
    int32_t tasks;
    int32_t reserved; /* zero, so that roles compare as bytes */
    struct pc_request request;
};

/* A pending job in its group's heap. Stale (to be dropped when it comes up) unless the job's ticket is the same. */
struct pc_entry {
    int64_t key;
    uint64_t rank;
    uint32_t job, ticket;
};

struct pc_heap {
    struct pc_entry *entries;
    uint32_t count, capacity;
};

struct pc_group {
    uint32_t queue, lane, site;
    uint32_t role_count;
    struct pc_role *roles; /* role_count of them */
    uint64_t hash;
    uint32_t next_in_hash;
    uint32_t jobs;         /* all jobs of this shape that exist; 0: may be swept */
    uint32_t pending;      /* of these: waiting in `heap` */
    int32_t tasks;         /* a job's */
    int32_t largest;       /* devices that its largest task wants wholly */
    int64_t gpu_milli;     /* a job's total */
    int64_t whole_devices; /* a job's total of wholly wanted devices */
    struct pc_heap heap;
    uint32_t heap_pos;      /* in its lane, or PC_NONE */
    int32_t blocked;        /* why it was not placed (policy_reason), or 0: may be tried */
    int32_t need;           /* see waiting.h */
    uint32_t waiting_pos;   /* among the site's waiting groups while blocked, or PC_NONE */
    int32_t counted_reason; /* under which `counted_jobs` stand in the site's backlog, or 0 */
    uint64_t counted_jobs;
    uint32_t fleet_version; /* of the fleet that `never_fits` was found out for */
    bool never_fits;
    bool unplanned;     /* with conservative backfill: its jobs are promised nothing now */
    bool over_limit;    /* a limit of its queue, or of one above, holds it back: see limits.h */
    uint64_t failed_in; /* ranked lines: the last placing in which a job of it found no place; */
    int32_t failed_why; /* and why */
};

/* A heap of ids whose members know their place in it. */
struct pc_idheap {
    uint32_t *ids;
    uint32_t count, capacity;
};

struct pc_lane {
    struct pc_idheap
        groups;       /* strict: all with pending jobs that could ever fit; skip: of these, not the blocked */
    uint32_t members; /* groups that exist in this lane */
    uint32_t heap_pos;     /* in policy.lanes_ready, or PC_NONE */
    policy_job frozen;     /* backfill, variant frozen: the job whose time was found, */
    policy_time frozen_at; /* and that time */
};

/* ---- nodes and sites ---- */

struct pc_node {
    bool exists, whole_only; /* whole_only: takes only tasks that want all its devices */
    int32_t state;
    uint32_t pool, type, rank;
    int32_t devices, tasks, max_tasks;
    int64_t cpu_free, mem_free, cpu_total, mem_total; /* PC_PLENTY when not modelled */
    uint64_t usable;                                  /* devices that are healthy */
    uint64_t whole;                                   /* of these: entirely free */
    uint64_t partial;                                 /* of these: shared, with room left */
    int32_t free_milli;                               /* of the usable ones */
    uint16_t *room;                                   /* thousandths left of each device */
    uint16_t *of_kind; /* behind `room`: tasks of each pc_kind(), of those with devices */
    uint64_t version;  /* another one, of the whole policy, whenever what is left here changes */
    uint32_t claim;    /* newest of a reservation on it, or PC_NONE; only while backfill looks */
    uint32_t domain; /* with placement topology: the smallest that it lies in, or PC_NONE; see place/near.h */
};
#define PC_NODE_COUNTS (2 * POLICY_MAX_DEVICES + 1) /* room and of_kind are one block */
#define PC_PLENTY      (INT64_MAX / 4)

struct pc_backlog_cell {
    uint64_t jobs;
    int64_t gpu_milli;
};

#define PC_NEEDS 64 /* 0 to 63, and more counts as 63: a set of needs is one uint64_t */

/* With placement topology: what is free in its domains, see place/near.h; else `near` is NULL. */
struct pc_domain_counts {
    const struct pc_near *near;
    int64_t *cells; /* so many (`step`) of each domain */
    uint32_t step, capacity;
};

struct pc_site {
    uint32_t *pools; /* sorted; pool_count 0: every pool */
    uint32_t pool_count;
    struct pc_bits nodes;                           /* by rank: those that take new tasks */
    struct pc_bits by_free[POLICY_MAX_DEVICES + 1]; /* by rank: of these, with so many wholly free devices */
    struct pc_bits shared;                /* by rank: of these, with a shared device that has room */
    int32_t most_devices, fewest_devices; /* on any node it ever had; 0 and 0 before the first */
    int64_t whole, milli;                 /* free on `nodes` */
    int64_t milli_of_type[POLICY_MAX_TYPES];
    int64_t installed_devices, unusable_milli; /* idle on nodes or devices that cannot be used now */
    struct pc_idheap waiting[PC_NEEDS];        /* blocked groups, by need: see waiting.h */
    uint64_t waiting_needs;                    /* the set of those in which groups wait */
    uint32_t members[PC_NEEDS];                /* groups that exist, by need */
    bool freed;                                /* something was since the last decision: */
    int32_t freed_whole;                       /* the most wholly free devices on a node where it was */
    int32_t freed_room;                        /* the most room on a device of such a node, thousandths */
    uint64_t pending_jobs;
    int64_t pending_milli;
    struct pc_backlog_cell backlog[POLICY_REASONS];
    bool
        planned; /* with conservative backfill: the plan knows the site, with so much free and held in all, */
    int64_t planned_milli;
    int64_t running_milli; /* and what jobs hold of it */
    struct pc_domain_counts domains;
};

/* A pool knows the sites that contain it, and what is free where devices are only counted. */
struct pc_pool {
    uint32_t *sites;
    uint32_t site_count, site_capacity;
    int64_t free_milli, installed_milli;
    int64_t nodes;
};

/* ---- jobs ---- */

enum pc_job_state { PC_FREE = 0, PC_HELD, PC_PENDING, PC_ACTIVE };

struct pc_job {
    int64_t key; /* of the order */
    uint64_t rank;
    policy_time eligible;
    uint32_t group, gen, ticket;
    uint32_t first_slot; /* tasks in order of their number; PC_NONE */
    uint32_t active;     /* tasks that hold resources */
    int32_t priority;
    uint8_t state;
    bool preemptible, evicted;
    bool declared, stopping; /* `limit` is one that was declared; it is over and the job is being ended */
    uint32_t association;    /* with multifactor priority: see multifactor.h */
    policy_time waits_since; /* and since when, at most; it does not begin anew with an eviction */
    int64_t limit;           /* declared, or expected run time; -1 none */
    policy_time started,
        promised; /* with backfill: and when it will start at the latest; INT64_MAX not known */
};

struct pc_slot {
    uint64_t devices;
    uint32_t node; /* or PC_NONE: counted in `pool` */
    uint32_t pool;
    uint32_t next;
    uint32_t task;
    uint16_t role;
    bool running; /* reported as started */
};

struct pc_queue {
    bool exists;
    uint32_t site, parent, rank;
    int32_t priority;
    uint64_t jobs;
    uint32_t children;
    struct policy_share gpu, cpu, mem;
    policy_time created;
    int64_t taken_milli; /* with limits of queues: devices of its jobs and of those below it */
};

/* ---- backfill: see act/backfill.h ---- */

/* The first job of a line could start at this time, with what its claims keep free now. */
struct pc_reservation {
    policy_time at; /* INT64_MAX: never, and nothing is claimed */
    uint32_t first_claim, claim_count;
    uint32_t pool; /* where devices are only counted: so many thousandths in this pool */
    int64_t counted, counted_taken;
    bool held; /* its claims are taken */
};

/*
 * What a reservation needs of a node beyond what is given back there by its time (less than nothing counts as nothing),
 * and what of that is taken on its behalf: less where another reservation was first.
 */
struct pc_keep {
    uint32_t node, next; /* next: of an earlier reservation on the same node, or PC_NONE */
    int64_t cpu, mem, cpu_taken, mem_taken;
    int32_t room[POLICY_MAX_DEVICES];
    uint16_t taken[POLICY_MAX_DEVICES];
};

/* ---- transactions: see txn.h ---- */

struct pc_undo {
    uint64_t devices;
    uint32_t node, pool; /* node PC_NONE: `milli` counted in the pool */
    int64_t milli;
    uint64_t version; /* of the node, before */
    const struct pc_request *request;
};

/* ---- tables of what is built in ---- */

/* One task looking for a place. */
struct pc_ask {
    const struct pc_request *request;
    bool remainder; /* a smaller task of a gang whose other tasks take whole nodes */
    bool any;       /* any place where it fits will do: it is only asked whether there is one */
    uint64_t draw;  /* for placements that choose at random */
};

struct pc_pick {
    uint64_t devices;
    uint32_t node;
};

struct pc_placement {
    struct policy_row row;
    bool (*choose)(const struct policy *, const struct pc_site *, const struct pc_ask *, struct pc_pick *);
    bool near;   /* gangs go into the smallest domain that holds them, see place/near.h; there by choose() */
    bool counts; /* devices of a pool are only counted; choose is NULL */
    bool keeps_scores;  /* see place/scores.h */
    bool wants_typical; /* tasks, of policy_set_typical_tasks() */
};

/* A typical task of the workload; the memory of the request is 0. */
struct pc_typical {
    struct pc_request request;
    int64_t count;
    double part; /* of the sum of all counts */
};

extern const struct pq_job_order *const pc_orders[];
extern const uint32_t pc_order_count;
extern const struct pc_placement *const pc_placements[];
extern const uint32_t pc_placement_count;

struct policy {
    struct pc_memory memory;
    struct policy_config config;
    const struct pq_job_order *order;
    const struct pc_placement *placement;
    struct pc_modules modules; /* of the chosen rows */
    struct policy_error error;
    policy_time now;

    struct pc_node *nodes;
    uint32_t node_count, node_capacity;
    uint32_t *node_of_rank;
    uint32_t rank_capacity;
    struct pc_pool *pools;
    uint32_t pool_count, pool_capacity;
    uint32_t nodes_removed; /* free ids among nodes[0..node_count-1] */
    uint32_t fleet_version,
        judged_version; /* grows when nodes come or go; the one never_fits was judged for */

    struct pc_site *sites;
    uint32_t site_count, site_capacity;
    struct pc_queue *queues;
    uint32_t queue_count, queue_capacity;

    struct pc_group *groups;
    uint32_t group_count, group_capacity, group_free; /* free ones chained by next_in_hash */
    uint32_t *hash;
    uint32_t hash_capacity, group_live;

    struct pc_job *jobs;
    uint32_t job_count, job_capacity, job_free; /* free ones chained by first_slot */
    struct pc_slot *slots;
    uint32_t slot_capacity, slot_free, slots_free; /* free ones chained by next; how many */
    struct pc_heap held;                           /* by eligible time */
    uint32_t held_jobs;

    struct pc_lane *lanes;
    uint32_t lane_count, lane_capacity;
    struct pc_idheap lanes_ready; /* lanes whose next job may be tried */
    uint32_t *aside;              /* groups that failed in this decision */
    uint32_t aside_count, aside_capacity;
    bool any_freed;
    bool rolling_back; /* what is given back now was never really taken */

    struct pc_candidates candidates; /* with backfill: pending jobs; see pending/candidates.h */
    uint32_t
        running; /* with backfill or time limits: a tree in candidates.jobs, of jobs that run, by (end, rank) */
    struct pc_plan
        plan; /* with conservative backfill: of pending jobs whose groups are listed in their lanes */
    struct pc_reservations {
        struct pc_reservation *of;
        uint32_t count, capacity;
    } reservations;
    struct pc_keeps {
        struct pc_keep *of;
        uint32_t count, capacity;
    } claims;
    bool backfill_due; /* something happened since it last looked */

    struct pc_undo *undo;
    uint32_t undo_count, undo_capacity;
    struct policy_decision *decisions;
    uint32_t decision_count, decision_capacity;
    uint64_t draws;
    uint64_t versions;          /* of nodes, handed out so far */
    struct pc_scores *scores;   /* of placements that keep them, else NULL */
    struct pc_typical *typical; /* in the order in which they were told */
    uint32_t typical_count;

    struct pc_near *near;               /* of the placement topology, or NULL */
    struct pc_ranked *ranked;           /* of ranked lines, or NULL */
    struct pc_plugin *plugin;           /* or NULL */
    struct pc_multifactor *multifactor; /* of that order, or NULL */
    uint32_t held_back;                 /* groups that limits of queues hold back */
    bool limits_eased;                  /* something of a limited queue ended since the last decision */

    struct cluster *cluster; /* of the quota policy: then it has taken the place of all above; or NULL */
};

/* ---- errors: error.c ---- */

/* Remembers why a fact is refused: "what value: expected". Returns status. */
int pc_refuse(struct policy *, int status, const char *what, int64_t value, const char *expected);
void pc_error_set(struct policy_error *, int status, const char *what, const char *name,
                  const char *expected);
void pc_error_text(struct policy_error *, const char *); /* behind what it says; NULL error: nothing */
void pc_error_number(struct policy_error *, int64_t);
bool pc_text_equal(const char *a, const char *b);

/* Advances the clock, or refuses. */
int pc_at(struct policy *, policy_time at);

/* Refuses for want of memory what pc_at() let pass, and sets the clock back: nothing has changed then. */
int pc_no_memory(struct policy *, policy_time before, const char *what, int64_t value);

#endif
