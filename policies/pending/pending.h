/* SPDX-License-Identifier: MIT */
/*
 * Pending jobs: which is next, and which are blocked until something is released.
 *
 *     lanes ── job classes ── pending jobs
 *     pool sets ── blocked classes, by need
 *
 * A *job class* is the pending jobs of one queue and shape. When the first of them cannot be
 * placed, none can, so only first jobs are tried. A partly running job asks for something else than
 * the rest of its class, so it gets a class of its own.
 *
 * A *lane* lists job classes in the order of their first jobs. There is one for the fleet, or one
 * for each queue (option `scope`). With strict blocking a class that cannot be placed holds back
 * its lane; otherwise it is skipped.
 *
 * A class that could not be placed is *blocked* until something that it could use is released; see
 * blocked.h.
 *
 * Room for jobs is made when facts arrive, which may be refused. Joining and leaving a class
 * therefore cannot fail, and decisions allocate nothing.
 */
#ifndef POLICY_PENDING_PENDING_H
#define POLICY_PENDING_PENDING_H

#include "rows.h"
#include "state/state.h"

/* ---- types ---- */

/*
 * A pending job in the heap of its class. Stale entries, whose ticket differs from the job's, are
 * dropped when they reach the top.
 */
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
    bool alone;      /* holds a single job of which a part runs, has ended or may not start */
    bool above;      /* that job has its minimum: goes behind all jobs that do not, see struct
                        pc_key */
    bool never_fits; /* the empty, healthy fleet could not hold such a job */
    bool unplanned;  /* conservative backfill: its jobs get no nominations; see pending/ahead.h */
    bool over_limit; /* held back by a limit of its queue or of one above it */
    uint32_t queue, shape; /* the class holds a reference to its shape */
    uint32_t lane, set;    /* set: the pool set of its queue */
    uint32_t jobs;         /* all jobs of the class, pending or not; 0: may be swept */
    uint32_t pending;      /* of these, in `heap` */
    struct pc_entries heap;
    int64_t gpu_milli;     /* per job: its minimum, or all tasks if it has none, */
    int64_t whole_devices; /* and of these the devices requested whole */
    uint64_t types;        /* device types that some task may use */
    bool summed; /* sums of free devices suffice to decide that such a job cannot start: it requests
                    no device memory and no instances */
    uint64_t hash;
    uint32_t next_in_hash;  /* or the next free entry */
    uint32_t lane_pos;      /* in the classes of its lane, or PC_NONE */
    uint32_t blocked_pos;   /* in the blocked classes of its pool set, or PC_NONE */
    int32_t need;           /* see blocked.h */
    int32_t blocked;        /* why it was not placed (policy_reason); 0: may be tried */
    int32_t counted_reason; /* the reason under which `counted_jobs` are in the backlog of its pool
                               set, or 0 */
    uint64_t counted_jobs;
    uint32_t fleet_version; /* fleet version for which `never_fits` was computed */
};

struct pc_lane {
    struct pc_idheap classes; /* strict: all classes with pending jobs that could ever fit; skip:
                                 those that are not blocked */
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
    uint64_t needs;                     /* bit set of the needs with blocked classes */
    uint32_t members[PC_NEEDS];         /* number of classes, by need */
    uint64_t pending_jobs;
    int64_t pending_milli;
    struct pc_backlog_cell backlog[POLICY_REASONS];
};

struct pc_pending {
    struct pc_ahead *ahead; /* NULL without backfill, see pending/ahead.h */
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
    uint32_t judged_version; /* fleet version for which all pending classes were judged */
    uint32_t held_back;      /* classes held back by queue limits */
    uint32_t alone_reserved; /* jobs that may need a class of their own: there is room for each */
};

/* ---- the life of the index ---- */

bool pc_pending_create(struct policy *); /* false: out of memory */
void pc_pending_destroy(struct policy *);

/* Makes room for the lane of a queue, and for what waits for a pool set; false: out of memory. */
bool pc_pending_reserve_queue(struct policy *, uint32_t queue);
bool pc_pending_reserve_set(struct policy *, uint32_t set);

/* Removes the queue's classes: its id may be reused by a queue with other pools. */
void pc_pending_drop_queue(struct policy *, uint32_t queue);

/* ---- jobs ---- */

/*
 * Returns the class of a new job, creating it if needed (it then holds a reference to the shape);
 * PC_NONE: out of memory. The job counts as a member, and has room in the class, until
 * pc_class_leave().
 */
uint32_t pc_class_join(struct policy *, uint32_t queue, uint32_t shape);
void pc_class_leave(struct policy *, uint32_t class);

/*
 * A part of the job may become pending separately: makes room for a class of its own. Once per job
 * is enough; a job that is always pending as a whole does not need it. False: out of memory.
 */
bool pc_pending_allow_alone(struct policy *, uint32_t job);

/*
 * To be called after any committed change of the job: it joins, leaves or changes its class. Trial
 * changes are not followed, so rolling them back needs no work.
 */
void pc_pending_settle(struct policy *, uint32_t job);

/* Updates the key of the job in its class, if it is pending. */
void pc_pending_rekey_job(struct policy *, uint32_t job, struct pc_key);

/* The job is over: it leaves its class, and its reserved room is released. */
void pc_pending_forget(struct policy *, uint32_t job);

/* Counts a held job in the backlog (sign 1), or removes it (-1). */
void pc_pending_count_held(struct policy *, uint32_t job, int sign);

/* ---- deciding: lanes.c ---- */

/* Before a decision: checks again which jobs never fit, if nodes came or went. */
void pc_pending_wake(struct policy *);

/*
 * Returns the class whose first job is next, or PC_NONE if none can be tried. Includes blocked
 * classes that could use what was released since the last decision.
 */
uint32_t pc_pending_next(struct policy *);

static inline uint32_t pc_first_job(const struct pc_job_class *k) /* requires pending > 0 */
{
    return k->first.job;
}

/*
 * Blocks the class: its first job could not be placed, for this reason. It is not tried again in
 * this decision.
 */
void pc_pending_block(struct policy *, uint32_t class, int32_t reason);

/*
 * Ends the decision. `complete`: it was not cut short by lack of memory, so nothing counts as
 * released any more.
 */
void pc_pending_close(struct policy *, bool complete);

/* Holds the class back because of a queue limit, or releases it. */
void pc_pending_hold_back(struct policy *, uint32_t class, bool hold);

/* Recomputes the keys of all jobs (pc_job_order.rekey) and restores every order. */
void pc_pending_rekey(struct policy *);

/* Returns true if, as far as pending jobs go, another decision could change anything. */
bool pc_pending_has_work(const struct policy *);

/* ---- shared inside pending/ ---- */

/* Recomputes the keys of all jobs in classes. */
void pc_pending_rekey_classes(struct policy *);

/* Returns the job's entry for the heap of its class. */
struct pc_entry pc_entry_of(const struct pc_cluster *, uint32_t job);

/* Returns false for an entry that became stale when its job left the class. */
PC_INLINE bool pc_is_current(const struct pc_cluster *c, const struct pc_entry *e)
{
    return c->jobs[e->job].ticket == e->ticket;
}

PC_INLINE bool pc_key_before(const struct pc_entry *a, const struct pc_entry *b)
{
    if (a->key.major != b->key.major)
        return a->key.major < b->key.major;
    return a->key.minor < b->key.minor || (a->key.minor == b->key.minor && a->rank < b->rank);
}

/* Returns true if the first job of one class comes before that of another. */
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

/*
 * To be called after any change of a class: updates its place in the backlog and in its lane, and
 * the lane's among the ready ones.
 */
void pc_lane_settle(struct policy *, uint32_t class);

/*
 * To be called after a change of its number of pending jobs alone: updates the backlog, which
 * counts the jobs of a blocked class under its reason; with strict blocking only the first job has
 * the reason.
 */
void pc_class_account(struct policy *, struct pc_job_class *);

/* Unblocks the class: it may be tried again, or has no pending jobs left. */
void pc_class_unblock(struct policy *, uint32_t class);

/* Checks whether the class could ever fit, if nodes came or went since the last check. */
void pc_class_judge(struct policy *, uint32_t class);

/*
 * Returns true if the empty, healthy fleet could hold a job of the shape on the nodes of the pool
 * set. See ever.c.
 */
bool pc_could_ever_fit(struct policy *, uint32_t shape, uint32_t set);

#endif
