/* SPDX-License-Identifier: MIT */
/*
 * Backfill candidates: pending jobs by class, so that a decision finds the jobs that may start
 * early without scanning them all.
 *
 *     pool set ── need ── classes, by first job ── jobs, in order
 *
 * Each job has a *limit*, its declared run time; a tree of the jobs of a class knows the smallest
 * limit in each subtree, and a tree of the classes of one pool set and need the smallest limits of
 * the classes. A need is the fewest whole devices that one task asks of a node (0..63, see
 * pending/blocked.h).
 *
 * A pass visits candidates in job order. The caller says which needs are *open*, that is for which
 * enough devices are free beside all reservations: the first job of each such class is a candidate,
 * whatever its limit. With other needs only jobs that end soon enough are. When a job fails, so do
 * the others of its class, except perhaps those with smaller limits:
 *
 *     pc_candidates_begin(c);
 *     for each pool set
 *         pc_candidates_open(c, set, needs that may start beside reservations, needs that may start
 *         before them, most);
 *     while ((job = pc_candidates_next(c, &class)) != PC_NONE)
 *         if it starts
 *             pc_candidates_remove(c, job, class);
 *         else
 *             pc_candidates_failed(c, class, most);
 *
 * A pass costs O(log n) for each job that it returns and each class with a job that ends soon
 * enough. Job, class and set numbers are the caller's. Room is reserved beforehand, so nothing else
 * fails.
 */
#ifndef POLICY_PENDING_CANDIDATES_H
#define POLICY_PENDING_CANDIDATES_H

#include "base/order_tree.h"

#define PC_CANDIDATE_NEEDS 64

struct pc_candidate_class {
    uint32_t jobs; /* root of its jobs, or PC_NONE */
    uint32_t set;  /* PC_NONE: not defined yet */
    int32_t need;
    bool hidden; /* none of its jobs may start */
    bool listed; /* in the tree of its set and need */
    uint32_t
        pass; /* the last pass in which only jobs with limits up to `most` remain candidates, */
    int64_t most;
    bool waits; /* and whether there was such a job after the cursor */
};

struct pc_candidate_set {
    uint32_t classes[PC_CANDIDATE_NEEDS]; /* roots */
    uint64_t needs;                       /* of trees that are not empty */
    uint64_t open;                        /* in this pass */
};

struct pc_candidates {
    struct pc_order_nodes jobs;  /* value: limit */
    struct pc_order_nodes heads; /* classes at their first jobs; value: least limit */
    struct pc_order_nodes
        waiting; /* classes with a job that may end soon enough, at that job, in this pass */
    struct pc_candidate_class *classes;
    uint32_t class_count, class_capacity;
    struct pc_candidate_set *sets;
    uint32_t set_count, set_capacity;
    uint32_t pass; /* from 1 */
    uint32_t waiting_root;
    struct pc_order_place cursor; /* of the job that was returned last */
};

void pc_candidates_init(struct pc_candidates *);
void pc_candidates_free(struct pc_candidates *, const struct pc_memory *);

/* Makes room for the job, class and pool set, and for all smaller numbers; false: out of memory. */
bool pc_candidates_reserve(struct pc_candidates *, const struct pc_memory *, uint32_t job,
                           uint32_t class, uint32_t set);

/*
 * Sets where an empty class belongs. Must be called before its first job is added, and again when
 * its number is reused.
 */
void pc_candidates_define(struct pc_candidates *, uint32_t class, uint32_t set, int32_t need);

/* Adds a pending job. `limit` INT64_MAX: none declared. */
void pc_candidates_add(struct pc_candidates *, uint32_t job, uint32_t class, struct pc_order_place,
                       int64_t limit);
void pc_candidates_remove(struct pc_candidates *, uint32_t job, uint32_t class);

/*
 * When all places change: empties all classes, then adds jobs to one class after the other, which
 * may be hidden as before:
 *
 *     pc_candidates_clear(c);
 *     for each class with jobs
 *         for each of them, in any order
 *             pc_candidates_refill(c, job, class, place, limit);
 *         pc_candidates_refilled(c, class);
 */
void pc_candidates_clear(struct pc_candidates *);
void pc_candidates_refill(struct pc_candidates *, uint32_t job, uint32_t class,
                          struct pc_order_place, int64_t limit);
void pc_candidates_refilled(struct pc_candidates *, uint32_t class);

/* Excludes all jobs of the class because they may not start, or admits them again. */
void pc_candidates_hide(struct pc_candidates *, uint32_t class, bool hide);

/* ---- a pass ---- */

void pc_candidates_begin(struct pc_candidates *);

/*
 * Jobs of the set with `open` needs are candidates, and those with `before` needs if their limit is
 * at most `most` (INT64_MIN: none). Bit i is need i.
 */
void pc_candidates_open(struct pc_candidates *, uint32_t set, uint64_t open, uint64_t before,
                        int64_t most);

/* These needs of the set are no longer open: from now on they are `before` needs. */
void pc_candidates_close(struct pc_candidates *, uint32_t set, uint64_t needs, int64_t most);

/* Returns the next candidate and its class, or PC_NONE. */
uint32_t pc_candidates_next(struct pc_candidates *, uint32_t *class);

/*
 * In this pass, the only further candidates of the class are jobs with limits up to `most`
 * (INT64_MIN: none).
 */
void pc_candidates_failed(struct pc_candidates *, uint32_t class, int64_t most);

/* Returns a description of what is wrong, or NULL. */
const char *pc_candidates_check(const struct pc_candidates *);

#endif
