/* SPDX-License-Identifier: MIT */
/*
 * What backfill wants to know beside the lanes, kept as jobs come, start and end: candidates for
 * going ahead (candidates.h) and running jobs by their declared ends, or the plan of conservative
 * backfill (plan.h). Exists only with backfill: pending.ahead is NULL else, and all calls do
 * nothing.
 *
 * Every job has room here before it is pending, so only pc_ahead_reserve() can fail.
 */
#ifndef POLICY_PENDING_AHEAD_H
#define POLICY_PENDING_AHEAD_H

#include "pending/candidates.h"
#include "pending/pending.h"
#include "pending/plan.h"

#define PC_SOME_DAY (INT64_MAX / 2) /* after all times that are declared */

/* A job that holds something; there is room for one of each job with details. */
struct pc_ahead_holder {
    policy_time started;
    int64_t held_milli; /* devices of its pool set that it holds, as the plan has them */
    uint32_t job;       /* or the next free one */
    int32_t tasks;      /* that hold something; above 0 */
};

/* With backfill frozen: the job at the head of a lane whose time was found, and that time. */
struct pc_frozen {
    policy_job job;
    policy_time at;
};

/* A pool set in the plan. */
struct pc_ahead_set {
    bool known;
    int64_t all_milli;  /* idle and held in all, as the plan has it */
    int64_t held_milli; /* by jobs */
};

struct pc_ahead {
    uint32_t *holder_of; /* by job: PC_NONE, or which of these it is: */
    uint32_t job_count, job_capacity;
    struct pc_ahead_holder *holders;
    uint32_t holder_count, holder_capacity, holder_free;
    policy_time
        *reserved_at; /* conservative, by job: when it starts at the latest; INT64_MAX: not known */
    uint32_t reserved_capacity;
    struct pc_candidates candidates; /* EASY */
    struct pc_order_nodes runners;   /* EASY: holders, by declared end, rank and job; a tree: */
    uint32_t running;
    struct pc_frozen *frozen; /* of each lane */
    uint32_t frozen_count, frozen_capacity;
    struct pc_plan plan;       /* conservative */
    struct pc_ahead_set *sets; /* conservative, by pool set */
    uint32_t set_count, set_capacity;
    bool due; /* something happened since backfill looked last */
};

extern const struct pc_module pc_ahead_module;                /* hears of nodes */
extern const struct pc_history_row *const pc_ahead_records[]; /* of its history: ahead_history.c */

bool pc_ahead_create(struct policy *); /* false: no memory */
void pc_ahead_destroy(struct policy *);

/* Room for a new job of that class. */
bool pc_ahead_reserve(struct policy *, uint32_t job, uint32_t class);

/* Room for all classes that there is room for in pending/. */
bool pc_ahead_reserve_classes(struct policy *);

/* A job has joined its class, or leaves it. */
void pc_ahead_add(struct policy *, uint32_t job);
void pc_ahead_remove(struct policy *, uint32_t job);

/* True if anything of the class may start may have changed. */
void pc_ahead_hide(struct policy *, uint32_t class);

/* What the job holds may have changed, for good; and it is over. */
void pc_ahead_settle(struct policy *, uint32_t job);
void pc_ahead_forget(struct policy *, uint32_t job);

/* The keys of jobs have changed. */
void pc_ahead_rekey(struct policy *);

/* The time that another scheduler reserved. */
void pc_ahead_reserve_time(struct policy *, uint32_t job, policy_time start);

/* EASY: the jobs that hold something by their declared ends: the first, and the one behind that;
 * PC_NONE: none. */
uint32_t pc_ahead_first_to_end(const struct policy *);
uint32_t pc_ahead_next_to_end(const struct policy *, uint32_t job);

/* How long the job may run, from its start; INT64_MAX: not known. */
int64_t pc_ahead_limit(const struct pc_job *);

/* When it ends as declared if it starts now, or runs already; INT64_MAX: not known. */
policy_time pc_ahead_end(const struct policy *, uint32_t job);

/* Before a pass of conservative backfill: what is free in each pool set is as it is now. */
void pc_ahead_settle_sets(struct policy *);

/* What is wrong, or NULL. */
const char *pc_ahead_check(const struct policy *);

#endif
