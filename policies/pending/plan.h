/* SPDX-License-Identifier: MIT */
/*
 * A plan of starts for conservative backfill: each pending job has a reserved start such that, by
 * sums of devices, no job delays another. A skyline for each pool set shows what is free, after
 * subtracting running jobs until their declared ends and pending jobs from their reserved starts.
 *
 * The rule (Mu'alem and Feitelson, IEEE TPDS 2001): in job order, each job gives up its reservation
 * and takes the earliest time at which its need is free for its declared run time. To find the jobs
 * that move without looking at all of them, the plan records what *rose*, the time ranges in which
 * more is free than when jobs were last looked at:
 *
 *     need of some jobs  - - - - - - - -,- - - - - - -.- - - - -
 *                             _______   |  rose       |
 *                          __|       |__|             |______
 *                                       A             B
 *
 * A *gap* for them: enough is free from A to B. It matters to jobs that begin after A and end by B,
 * or begin by B.
 *
 * Where nothing rose, a job does not fit before its reserved start: it would have taken that time.
 * So the search for its new start begins at its first gap.
 *
 * A pass looks at jobs that find a gap and also at new jobs, jobs whose start has come, jobs that
 * could start by the sums but were not placed, and jobs whose reservation cannot be kept because
 * less is free than before.
 *
 *     pc_plan_begin(plan, now);
 *     while ((job = pc_plan_next(plan)) != PC_NONE)
 *         pc_plan_lift(plan, job);
 *         at = pc_plan_earliest(plan, job, false);
 *         if (at == now && it starts) ... pc_plan_remove(), pc_plan_change() ...
 *         else pc_plan_reserve_time(plan, job,
 *                                   at == now ? pc_plan_earliest(plan, job, true) : at, at == now);
 *
 * A pass costs O(log n) for each job that moves and each gap. Job and pool set numbers, amounts and
 * times are in the caller's units. Room is made by pc_plan_reserve(); nothing else fails.
 */
#ifndef POLICY_PENDING_PLAN_H
#define POLICY_PENDING_PLAN_H

#include "base/order_tree.h"
#include "base/skyline.h"

struct pc_planned {
    int64_t reserved_at; /* INT64_MAX: none */
    int64_t need;
    uint32_t set;
    uint32_t due_pos; /* in plan.due, or PC_NONE */
    bool there;       /* pending, and in the plan */
    bool lifted;      /* its reservation is temporarily not in the skyline */
    bool looked_for;  /* in plan.look instead of the tree of its need */
};

/* Jobs of one need. */
struct pc_plan_need {
    int64_t need;
    uint32_t jobs; /* root; value: limit, time: reserved */
};

/* A time range in which more is free than before. */
struct pc_plan_range {
    int64_t from, to;
};

struct pc_plan_set {
    struct pc_skyline free;
    struct pc_plan_need *needs; /* ascending; kept when they have no jobs left */
    uint32_t need_count, need_capacity;
    struct pc_plan_range *rises; /* since the last pass began; bounded by the room reserved */
    uint32_t rise_count, rise_capacity;
};

/*
 * A time range in which jobs of the need find enough, and the first job after the cursor that may
 * use it.
 */
struct pc_plan_gap {
    struct pc_order_place place;
    int64_t need, from, to;
    uint32_t set, job;
};

struct pc_plan {
    struct pc_order_nodes jobs;
    struct pc_planned *of;
    uint32_t count, capacity;
    uint32_t *due; /* a heap: jobs with a reservation, earliest first */
    uint32_t due_count, due_capacity;
    uint32_t look; /* root: jobs that the next pass looks at in any case */
    struct pc_plan_set *sets;
    uint32_t set_count, set_capacity;
    /* state of the pass */
    int64_t now;
    struct pc_order_place cursor, before; /* the current job, and the previous one */
    struct pc_plan_gap *gaps;             /* a heap, by first job; bounded by the room reserved */
    uint32_t gap_count, gap_capacity;
    int64_t earliest; /* no start of the current job is possible before */
    bool passing;
    bool paused;      /* and nothing has happened since */
    bool look_at_all; /* look at all jobs in this pass, and until one is complete */
    bool look_again;  /* look at all jobs in the next pass */
};

void pc_plan_init(struct pc_plan *);
void pc_plan_free(struct pc_plan *, const struct pc_memory *);

/*
 * Makes room for the job, its need and its pool set, and for all smaller numbers; false: out of
 * memory.
 */
bool pc_plan_reserve(struct pc_plan *, const struct pc_memory *, uint32_t job, uint32_t set,
                     int64_t need);

/* Resets the set to this free amount; jobs keep their reservations. */
void pc_plan_reset(struct pc_plan *, uint32_t set, int64_t now, int64_t free);

/* Adds to what is free in the set (negative: subtracts) from now to a time (INT64_MAX: forever). */
void pc_plan_change(struct pc_plan *, uint32_t set, int64_t now, int64_t to, int64_t amount);

/*
 * Adds a pending job with its need, its `limit` (INT64_MAX: unknown) and the start reserved for it
 * earlier, or INT64_MAX. The next pass looks at it.
 */
void pc_plan_add(struct pc_plan *, uint32_t job, uint32_t set, struct pc_order_place, int64_t need,
                 int64_t limit, int64_t promised);

/*
 * Removes a job that is no longer pending. If it was lifted it starts: pc_plan_change() then takes
 * what it holds from now on.
 */
void pc_plan_remove(struct pc_plan *, uint32_t job);

/* ---- a pass ---- */

void pc_plan_begin(struct pc_plan *, int64_t now);

/* Returns the next job to look at; PC_NONE: the pass is over. */
uint32_t pc_plan_next(struct pc_plan *);

/* The job gives up its reservation until it gets another. */
void pc_plan_lift(struct pc_plan *, uint32_t job);

/* Returns the earliest time at which its need is free for its limit: now or later, or strictly
 * later; INT64_MAX: none. */
int64_t pc_plan_earliest(const struct pc_plan *, uint32_t job, bool later);

/* Reserves that time for it. `look`: look at it again in the next pass. */
void pc_plan_reserve_time(struct pc_plan *, uint32_t job, int64_t at, bool look);

/*
 * Replaces pc_plan_reserve_time(): the job keeps its reservation, and the pass is interrupted. If
 * nothing happens until the next one begins at the same time, that continues with the job; else all
 * jobs are looked at.
 */
void pc_plan_pause(struct pc_plan *, uint32_t job);

/* Returns a description of what is wrong, or NULL. */
const char *pc_plan_check(const struct pc_plan *);

#endif
