/* SPDX-License-Identifier: MIT */
/*
 * State that backfill adds to the lanes, updated as jobs are submitted, start and end: backfill
 * candidates (candidates.h) and running jobs by declared end, or the plan of conservative backfill
 * (plan.h). Exists only with backfill: otherwise pending.ahead is NULL, and all calls do nothing.
 *
 * Memory for every job is reserved here before it is pending, so only pc_ahead_reserve() can fail.
 */
#ifndef POLICY_PENDING_AHEAD_H
#define POLICY_PENDING_AHEAD_H

#include "pending/candidates.h"
#include "pending/pending.h"
#include "pending/plan.h"

#define PC_SOME_DAY (INT64_MAX / 2) /* later than any declared time */

/* A job that holds devices; there is room for one per job with details. */
struct pc_ahead_holder {
    policy_time started;
    int64_t held_milli; /* devices of its pool set that it holds, as entered in the plan */
    uint32_t job;       /* or the next free entry */
    int32_t tasks;      /* that hold devices; above 0 */
};

/* With frozen backfill: the job at the head of a lane and the start time reserved for it. */
struct pc_frozen {
    policy_job job;
    policy_time at;
};

/* A pool set in the plan. */
struct pc_ahead_set {
    bool known;
    int64_t all_milli;  /* idle and held in total, as entered in the plan */
    int64_t held_milli; /* by jobs */
};

struct pc_ahead {
    uint32_t *holder_of; /* by job: index into holders, or PC_NONE */
    uint32_t job_count, job_capacity;
    struct pc_ahead_holder *holders;
    uint32_t holder_count, holder_capacity, holder_free;
    policy_time *reserved_at; /* conservative, by job: latest start; INT64_MAX: unknown */
    uint32_t reserved_capacity;
    struct pc_candidates candidates; /* EASY */
    struct pc_order_nodes runners;   /* EASY: a tree of holders by declared end, rank and job */
    uint32_t running;
    struct pc_frozen *frozen; /* of each lane */
    uint32_t frozen_count, frozen_capacity;
    struct pc_plan plan;       /* conservative */
    struct pc_ahead_set *sets; /* conservative, by pool set */
    uint32_t set_count, set_capacity;
    bool due; /* something happened since the last backfill pass */
};

extern const struct pc_module pc_ahead_module;                /* is notified of changes of nodes */
extern const struct pc_history_row *const pc_ahead_records[]; /* of its history: ahead_history.c */

bool pc_ahead_create(struct policy *); /* false: out of memory */
void pc_ahead_destroy(struct policy *);

/* Makes room for a new job of the class; false: out of memory. */
bool pc_ahead_reserve(struct policy *, uint32_t job, uint32_t class);

/* Makes room for as many classes as pending/ has room for; false: out of memory. */
bool pc_ahead_reserve_classes(struct policy *);

/* A job has joined its class, or leaves it. */
void pc_ahead_add(struct policy *, uint32_t job);
void pc_ahead_remove(struct policy *, uint32_t job);

/* Called when the right of the class's jobs to start may have changed. */
void pc_ahead_hide(struct policy *, uint32_t class);

/* What the job holds may have changed, in a committed change; or the job is over. */
void pc_ahead_settle(struct policy *, uint32_t job);
void pc_ahead_forget(struct policy *, uint32_t job);

/* The keys of jobs have changed. */
void pc_ahead_rekey(struct policy *);

/* Takes over a start time that another scheduler reserved. */
void pc_ahead_reserve_time(struct policy *, uint32_t job, policy_time start);

/* EASY: the job with the earliest declared end, and the one after a given job; PC_NONE: none. */
uint32_t pc_ahead_first_to_end(const struct policy *);
uint32_t pc_ahead_next_to_end(const struct policy *, uint32_t job);

/* Returns how long the job may run from its start; INT64_MAX: unknown. */
int64_t pc_ahead_limit(const struct pc_job *);

/* Returns the job's declared end if it starts now or is running; INT64_MAX: unknown. */
policy_time pc_ahead_end(const struct policy *, uint32_t job);

/* Before a conservative pass: updates what is free in each pool set. */
void pc_ahead_settle_sets(struct policy *);

/* Returns a description of what is wrong, or NULL. */
const char *pc_ahead_check(const struct policy *);

#endif
