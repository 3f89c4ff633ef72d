/* SPDX-License-Identifier: MIT */
/*
 * Candidates for backfill: pending jobs by class, so that a decision finds those that may go ahead
 * without a look at all.
 *
 *     pool set ── need ── classes, by first job ── jobs, in order
 *
 * Each job has a *limit*, how long it declares to run; a tree of the jobs of a class knows the
 * least limit below each of its nodes, and a tree of the classes of one pool set and need the least
 * limits of classes. A need is the fewest whole devices that one task asks of a node (0..63, see
 * pending/blocked.h).
 *
 * A pass goes through candidates in the order of jobs. The caller says which needs are *open*, as
 * when that many devices are free beside all reservations: then the first job of each class is a
 * candidate, whatever its limit. With other needs only jobs are that end soon enough. When a job
 * fails, so do the others of its class, but those with smaller limits perhaps:
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
 * enough. Jobs, classes and sets are the caller's numbers. Room is reserved before, so that nothing
 * else fails.
 */
#ifndef POLICY_PENDING_CANDIDATES_H
#define POLICY_PENDING_CANDIDATES_H

#include "base/order_tree.h"

#define PC_CANDIDATE_NEEDS 64

struct pc_candidate_class {
    uint32_t jobs; /* root of its jobs, or PC_NONE */
    uint32_t set;  /* PC_NONE: not known yet */
    int32_t need;
    bool hidden; /* none of its jobs may start */
    bool listed; /* it stands in the tree of its set and need */
    uint32_t
        pass; /* the last one in which only jobs with limits up to `most` are candidates still, */
    int64_t most;
    bool waits; /* and whether there was one behind the cursor */
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
        waiting; /* classes with a job that may end soon enough, at that job; of this pass */
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

/* Room for that job, class and pool set, and for all with smaller numbers; false: no memory. */
bool pc_candidates_reserve(struct pc_candidates *, const struct pc_memory *, uint32_t job,
                           uint32_t class, uint32_t set);

/* Where the class belongs; it has no jobs. To be called before the first is added, and again for
 * another class of that number. */
void pc_candidates_define(struct pc_candidates *, uint32_t class, uint32_t set, int32_t need);

/* The job is pending. `limit` INT64_MAX: it declares none. */
void pc_candidates_add(struct pc_candidates *, uint32_t job, uint32_t class, struct pc_order_place,
                       int64_t limit);
void pc_candidates_remove(struct pc_candidates *, uint32_t job, uint32_t class);

/* None of the jobs of the class may start, or they may again. */
void pc_candidates_hide(struct pc_candidates *, uint32_t class, bool hide);

/* ---- a pass ---- */

void pc_candidates_begin(struct pc_candidates *);

/*
 * Jobs of `open` needs of that set are candidates, and those of `before` needs with limits up to
 * `most` (INT64_MIN: none). Bit i is need i.
 */
void pc_candidates_open(struct pc_candidates *, uint32_t set, uint64_t open, uint64_t before,
                        int64_t most);

/* These needs of the set are open no more: from now on they are `before` needs. */
void pc_candidates_close(struct pc_candidates *, uint32_t set, uint64_t needs, int64_t most);

/* The next candidate and its class, or PC_NONE. */
uint32_t pc_candidates_next(struct pc_candidates *, uint32_t *class);

/* No other job of the class is a candidate in this pass but those with limits up to `most`
 * (INT64_MIN: none). */
void pc_candidates_failed(struct pc_candidates *, uint32_t class, int64_t most);

/* What is wrong, or NULL. */
const char *pc_candidates_check(const struct pc_candidates *);

#endif
