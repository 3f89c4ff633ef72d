/* SPDX-License-Identifier: MIT */
/*
 * A plan of starts for conservative backfill: each pending job gets a reserved time, and by sums no
 * job delays another. There is a skyline of what is free for each pool set, below which running
 * jobs stand until their declared ends, and pending jobs from their reserved starts on.
 *
 * The rule (Mu'alem and Feitelson, IEEE TPDS 2001): in the order of jobs, each in its turn gives up
 * its reservation and takes the earliest time at which what it needs is free for as long as it
 * declares. To find those that this moves, without a look at all, the plan remembers what *rose*,
 * that is where in time more is free than when jobs were looked at last:
 *
 *     need of some jobs  - - - - - - - -,- - - - - - -.- - - - -
 *                             _______   |  rose       |
 *                          __|       |__|             |______
 *                                       A             B
 *
 * A *gap* for them: enough is free from A to B. It matters to jobs that begin after A and end by
 * B, or begin by B.
 *
 * Looked at are, besides those that find a gap: new jobs, those whose time has come, those that
 * could start by the sums but found no place, and those whose reservation cannot be kept because
 * less is free than was.
 *
 *     pc_plan_begin(plan, now);
 *     while ((job = pc_plan_next(plan)) != PC_NONE)
 *         pc_plan_lift(plan, job);
 *         at = pc_plan_earliest(plan, job, false);
 *         if (at == now && it starts) ... pc_plan_remove(), pc_plan_change() ...
 *         else pc_plan_reserve_time(plan, job,
 *                                   at == now ? pc_plan_earliest(plan, job, true) : at, at == now);
 *
 * A pass costs O(log n) for each job that moves and each gap. Jobs and pool sets are the caller's
 * numbers; amounts are in its units, times too. Room is made by pc_plan_reserve(); nothing else
 * fails.
 */
#ifndef POLICY_PENDING_PLAN_H
#define POLICY_PENDING_PLAN_H

#include "base/order_tree.h"
#include "base/skyline.h"

struct pc_planned {
    int64_t reserved_at; /* INT64_MAX: nothing */
    int64_t need;
    uint32_t set;
    uint32_t due_pos; /* in plan.due, or PC_NONE */
    bool there;       /* pending, and in the plan */
    bool lifted;      /* just now its reservation is not in the skyline */
    bool looked_for;  /* stands in plan.look, not with its need */
};

/* Jobs of one need. */
struct pc_plan_need {
    int64_t need;
    uint32_t jobs; /* root; value: limit, time: reserved */
};

/* Time in which more is free than was. */
struct pc_plan_range {
    int64_t from, to;
};

struct pc_plan_set {
    struct pc_skyline free;
    struct pc_plan_need *needs; /* in rising order; they stay when they have no jobs any more */
    uint32_t need_count, need_capacity;
    struct pc_plan_range *rises; /* since the last pass began; not more than there is room for */
    uint32_t rise_count, rise_capacity;
};

/* Time in which jobs of that need find enough, and the first job behind the cursor that may use it.
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
    uint32_t *due; /* a heap: jobs with a reservation, first the one whose time comes first */
    uint32_t due_count, due_capacity;
    uint32_t look; /* root: jobs to be looked at in the next pass, whatever happens */
    struct pc_plan_set *sets;
    uint32_t set_count, set_capacity;
    /* the pass */
    int64_t now;
    struct pc_order_place cursor, before; /* the job that is looked at, and the one before */
    struct pc_plan_gap
        *gaps; /* a heap: first the one whose job is first; not more than there is room for */
    uint32_t gap_count, gap_capacity;
    bool passing;
    bool paused;      /* and nothing has happened since */
    bool look_at_all; /* in this pass, and until one is complete */
    bool look_again;  /* at all, in the next pass */
};

void pc_plan_init(struct pc_plan *);
void pc_plan_free(struct pc_plan *, const struct pc_memory *);

/* Room for that job, of that need, and that pool set; and for all with smaller numbers. False: no
 * memory. */
bool pc_plan_reserve(struct pc_plan *, const struct pc_memory *, uint32_t job, uint32_t set,
                     int64_t need);

/* Nothing is known but that so much is free in the set; jobs keep their reservations. */
void pc_plan_reset(struct pc_plan *, uint32_t set, int64_t now, int64_t free);

/* So much more (less when negative) is free in the set from now to a time (INT64_MAX: for ever). */
void pc_plan_change(struct pc_plan *, uint32_t set, int64_t now, int64_t to, int64_t amount);

/*
 * A job is pending, needs so much for up to `limit` (INT64_MAX: not known), and had a time reserved
 * before, or INT64_MAX. It is looked at in the next pass.
 */
void pc_plan_add(struct pc_plan *, uint32_t job, uint32_t set, struct pc_order_place, int64_t need,
                 int64_t limit, int64_t promised);

/* It is pending no more. One that was lifted starts: then pc_plan_change() takes what it holds from
 * now on. */
void pc_plan_remove(struct pc_plan *, uint32_t job);

/* ---- a pass ---- */

void pc_plan_begin(struct pc_plan *, int64_t now);

/* The next job to be looked at, or PC_NONE: then the pass is over. */
uint32_t pc_plan_next(struct pc_plan *);

/* The job gives up its reservation, until it is given another. */
void pc_plan_lift(struct pc_plan *, uint32_t job);

/* The earliest time at which what it needs is free for long enough: now or later, or later only;
 * INT64_MAX: none. */
int64_t pc_plan_earliest(const struct pc_plan *, uint32_t job, bool later);

/* That time is reserved for it. `look`: it is to be looked at in the next pass again. */
void pc_plan_reserve_time(struct pc_plan *, uint32_t job, int64_t at, bool look);

/*
 * Instead of pc_plan_reserve_time(): the job keeps its reservation, and the pass is cut short. If
 * nothing happens until the next one begins at the same time, that goes on with the job; else all
 * are looked at.
 */
void pc_plan_pause(struct pc_plan *, uint32_t job);

/* What is wrong, or NULL. */
const char *pc_plan_check(const struct pc_plan *);

#endif
