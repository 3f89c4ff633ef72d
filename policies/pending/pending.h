/* SPDX-License-Identifier: MIT */
/*
 * Pending jobs: which is next, and which have to wait until something is freed.
 *
 *     lanes ── job classes ── pending jobs
 *     pool sets ── blocked classes, by need
 *
 * A *job class* is the pending jobs of one queue and shape. When the first of them cannot be
 * placed, none can, so only first jobs are ever tried. A job of which a part runs asks for
 * something else than the rest of its class: it stands in a class of its own.
 *
 * A *lane* lists job classes in the order of their first jobs: the fleet's, or one for each queue
 * (option `scope`). With strict blocking a class that cannot be placed holds back its lane; else it
 * is passed over.
 *
 * A class that could not be placed is *blocked* until something that it could use is freed; see
 * blocked.h.
 *
 * The room that jobs need here is made when facts arrive that may be refused. So joining and
 * leaving a class cannot fail, and deciding allocates nothing.
 */
#ifndef POLICY_PENDING_PENDING_H
#define POLICY_PENDING_PENDING_H

#include "rows.h"
#include "state/state.h"

/* ---- types ---- */

/* A pending job in the heap of its class. Stale (dropped when it comes up) unless the job's ticket
 * is the same. */
struct pc_entry {
    struct pc_key key;
    uint64_t rank;
    uint32_t job, ticket;
};

struct pc_entries {
    struct pc_entry *of;
    uint32_t count, capacity;
};

struct pc_job_class {
    struct pc_entry first; /* its first job, while some are pending */
    bool exists;
    bool alone;      /* of one job, of which a part runs, has ended or may not start */
    bool above;      /* and which has its minimum: behind all that have not, see struct pc_key */
    bool never_fits; /* the empty, healthy fleet could not hold such a job */
    bool unplanned; /* conservative backfill: its jobs are nominated nothing; see pending/ahead.h */
    bool over_limit;       /* a limit of its queue, or of one above it, holds it back */
    uint32_t queue, shape; /* a use of the shape is counted as long as the class exists */
    uint32_t lane, set;    /* set: the pool set of its queue */
    uint32_t jobs;         /* all jobs of the class that exist, pending or not; 0: may be swept */
    uint32_t pending;      /* of these: in `heap` */
    struct pc_entries heap;
    int64_t gpu_milli;     /* that one job asks for: its minimum, or all of it where it has none, */
    int64_t whole_devices; /* and of these devices that are wanted wholly */
    uint64_t types;        /* of devices that some task may have */
    bool
        summed; /* sums of what is free say when such a job cannot start: no memory, no instances */
    uint64_t hash;
    uint32_t next_in_hash; /* or the next free class */
    uint32_t lane_pos;     /* among the classes of its lane, or PC_NONE */
    uint32_t blocked_pos;  /* among the blocked classes of its pool set, or PC_NONE */
    int32_t need;          /* see blocked.h */
    int32_t blocked;       /* why it was not placed (policy_reason), or 0: may be tried */
    int32_t
        counted_reason; /* under which `counted_jobs` stand in the backlog of its pool set, or 0 */
    uint64_t counted_jobs;
    uint32_t fleet_version; /* of the fleet that `never_fits` was found out for */
};

struct pc_lane {
    struct pc_idheap classes; /* strict: all with pending jobs that could ever fit; skip: of these,
                                 not the blocked */
    uint32_t members;         /* classes that exist in the lane */
    uint32_t ready_pos;       /* in pending.ready, or PC_NONE */
};

struct pc_backlog_cell {
    uint64_t jobs;
    int64_t gpu_milli;
};

/* What waits for one pool set. */
struct pc_waiting_set {
    struct pc_idheap blocked[PC_NEEDS]; /* classes, by need */
    uint64_t needs;                     /* the set of those in which classes wait */
    uint32_t members[PC_NEEDS];         /* classes that exist, by need */
    uint64_t pending_jobs;
    int64_t pending_milli;
    struct pc_backlog_cell backlog[POLICY_REASONS];
};

struct pc_pending {
    struct pc_ahead *ahead; /* with backfill, see pending/ahead.h; else NULL */
    struct pc_job_class *classes;
    uint32_t class_count, class_capacity, class_free, classes_live;
    uint32_t *hash;
    uint32_t hash_capacity;
    struct pc_lane *lanes;
    uint32_t lane_count, lane_capacity;
    struct pc_idheap ready; /* lanes whose next class may be tried */
    struct pc_waiting_set *sets;
    uint32_t set_count, set_capacity;
    uint32_t *aside; /* classes that failed in this decision */
    uint32_t aside_count, aside_capacity;
    uint32_t judged_version; /* of the fleet that all pending classes were judged for */
    uint32_t held_back;      /* classes that limits of queues hold back */
    uint32_t alone_reserved; /* jobs that may stand alone: there is room for a class of each */
};

/* ---- the life of the index ---- */

bool pc_pending_create(struct policy *); /* false: no memory */
void pc_pending_destroy(struct policy *);

/* Room for the lane of a queue, and for what waits for a pool set; false: no memory. */
bool pc_pending_reserve_queue(struct policy *, uint32_t queue);
bool pc_pending_reserve_set(struct policy *, uint32_t set);

/* A queue that is removed must leave no class behind: its id may be given to a queue with other
 * pools. */
void pc_pending_drop_queue(struct policy *, uint32_t queue);

/* ---- jobs ---- */

/*
 * The class of a new job, made when there is none yet (then it counts a use of the shape); PC_NONE:
 * no memory. The job is counted in it, and has room in it, until pc_class_leave().
 */
uint32_t pc_class_join(struct policy *, uint32_t queue, uint32_t shape);
void pc_class_leave(struct policy *, uint32_t class);

/*
 * A part of the job may be pending alone from now on: makes room for the class that it would stand
 * in. Once for a job is enough; a job of which all or nothing is pending at any time needs none.
 * False: no memory.
 */
bool pc_pending_allow_alone(struct policy *, uint32_t job);

/*
 * After anything about the job changed for good: it joins, leaves or changes its class. What is on
 * trial is not followed: rolled back, it leaves nothing to be done.
 */
void pc_pending_settle(struct policy *, uint32_t job);

/* The job stands in its class by another key, if it is pending. */
void pc_pending_rekey_job(struct policy *, uint32_t job, struct pc_key);

/* The job is over: it leaves its class, and gives back what was reserved for it. */
void pc_pending_forget(struct policy *, uint32_t job);

/* A job waits for its time (sign 1), or does no more (-1): counted in the backlog. */
void pc_pending_count_held(struct policy *, uint32_t job, int sign);

/* ---- deciding: lanes.c ---- */

/* Before a decision: looks again at what never fits, when nodes came or went. */
void pc_pending_wake(struct policy *);

/*
 * The class whose first job is next, or PC_NONE: none can be tried. Blocked classes that could use
 * what was freed since the last decision take part.
 */
uint32_t pc_pending_next(struct policy *);

static inline uint32_t pc_first_job(const struct pc_job_class *k) /* pending > 0 */
{
    return k->first.job;
}

/* The first job of the class could not be placed, for this reason; the class is not tried again in
 * this decision. */
void pc_pending_block(struct policy *, uint32_t class, int32_t reason);

/* The decision is over. `complete`: it was not cut short for want of memory, so that nothing counts
 * as freed any more. */
void pc_pending_close(struct policy *, bool complete);

/* A limit of its queue holds the class back, or does so no more. */
void pc_pending_hold_back(struct policy *, uint32_t class, bool hold);

/* The keys of jobs have changed (pc_job_order.rekey): finds them and puts everything in order
 * again. */
void pc_pending_rekey(struct policy *);

/* True if another decision could change anything, as far as pending jobs go. */
bool pc_pending_has_work(const struct policy *);

/* ---- shared inside pending/ ---- */

/* The keys of all jobs in classes. */
void pc_pending_rekey_classes(struct policy *);

/* What the heap of its class has of the job. */
struct pc_entry pc_entry_of(const struct pc_cluster *, uint32_t job);

PC_INLINE bool pc_key_before(const struct pc_entry *a, const struct pc_entry *b)
{
    if (a->key.major != b->key.major)
        return a->key.major < b->key.major;
    return a->key.minor < b->key.minor || (a->key.minor == b->key.minor && a->rank < b->rank);
}

/* True if the first job of one class comes before that of another. */
PC_INLINE bool pc_class_stands_before(const struct pc_job_class *a, const struct pc_job_class *than)
{
    if (a->above != than->above && a->first.key.major == than->first.key.major)
        return than->above;
    return pc_key_before(&a->first, &than->first);
}

PC_INLINE bool pc_class_before(const struct policy *p, uint32_t a, uint32_t b)
{
    const struct pc_job_class *classes = p->cluster->pending->classes;
    return pc_class_stands_before(&classes[a], &classes[b]);
}

/* After any change of a class: its place in the backlog, in its lane, and its lane's among those
 * that are ready. */
void pc_lane_settle(struct policy *, uint32_t class);

/*
 * After its number of pending jobs changed, and nothing else: its place in the backlog, which
 * counts a blocked class's jobs under its reason; with strict blocking only the first one has it.
 */
void pc_class_account(struct policy *, struct pc_job_class *);

/* It may be tried again, or has nothing to wait for any more. */
void pc_class_unblock(struct policy *, uint32_t class);

/* Looks whether the class could ever fit, if nodes came or went since. */
void pc_class_judge(struct policy *, uint32_t class);

/* True if the empty, healthy fleet could hold a job of the shape on the nodes of the pool set:
 * ever.c. */
bool pc_could_ever_fit(struct policy *, uint32_t shape, uint32_t set);

#endif
