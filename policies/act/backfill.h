/* SPDX-License-Identifier: MIT */
/*
 * Backfill for lines (option `backfilling`): jobs behind the first one that cannot start may go ahead if, as declared,
 * they do not delay it. The quota policy has one of its own (reserve.h).
 *
 * EASY (Lifka 1995; Mu'alem and Feitelson 2001). The first job of a line that found no room gets a reservation: the
 * earliest time, its *shadow time*, at which it could start if what runs ended when its owner declared, and places. A
 * job behind it may start now if it ends by the shadow time, or if the reservation's places stay free beside it.
 * Reservations are found anew in each decision. Variant `frozen`: the time is found once, when the job becomes the first,
 * and only who ends by it may go ahead.
 *
 * Conservative: every job in line has a reservation, in order, and none may be delayed. Times are found by how much is
 * free in the pools together; a job whose time has come, and that finds no place because what is free is in pieces,
 * waits for the next end.
 *
 * What has no declared limit, nor an expected run time, ends some day, after everything that has; who runs longer than
 * declared may end at any time. Lines of different queues that share nodes have reservations of their own, found each by itself; who
 * goes ahead respects all of them. The reservation does not hold places for tasks as such (`max_tasks` of a node).
 */
#ifndef POLICY_ACT_BACKFILL_H
#define POLICY_ACT_BACKFILL_H

#include "core/state.h"

#define PC_SOME_DAY (INT64_MAX / 2) /* after all times that are declared */

/* To be called after allocate: starts who may go ahead. False: it stopped for want of memory (error set). */
bool pc_backfill(struct policy *);

/* Starts jobs, all of them with reservations; for pc_backfill(). */
bool pc_backfill_conservatively(struct policy *);

/* ---- running jobs, in the order of their declared ends: with backfill, and where jobs end at their limits ---- */

bool pc_running_is_kept(const struct policy *);

/* Nothing where they are not kept. pc_ahead_reserve() has made room for the job. */
void pc_running_add(struct policy *, uint32_t job, policy_time since);
void pc_running_remove(struct policy *, uint32_t job);

/* With conservative backfill: an active job holds the slot from now on (sign 1), or does so no more. */
void pc_running_holds(struct policy *, uint32_t job, const struct pc_slot *, int sign);

/* The first to end, and the one after; or PC_NONE. */
uint32_t pc_running_first(const struct policy *);
uint32_t pc_running_next(const struct policy *, uint32_t job);

/* When the running job ends, as declared, which may have been; INT64_MAX: nobody knows. */
policy_time pc_declared_end(const struct policy *, uint32_t job);

/* The same, but not before now. */
static inline policy_time pc_running_end(const struct policy *p, uint32_t job)
{
    policy_time end = pc_declared_end(p, job);
    return end > p->now ? end : p->now;
}

/* When the job would end if it started now; INT64_MAX: nobody knows. */
policy_time pc_end_from(const struct pc_job *, policy_time start);

/* ---- pending jobs: as candidates for going ahead, or in the plan of conservative backfill ---- */

/* Room for the job, pending or running; false: no memory. */
bool pc_ahead_reserve(struct policy *, uint32_t job);

/* It waits from now on, or does so no more. */
void pc_ahead_add(struct policy *, uint32_t job);
void pc_ahead_remove(struct policy *, uint32_t job);

void pc_ahead_hide(struct policy *, uint32_t group, bool hide); /* none of its jobs may start, or they may */
void pc_ahead_promise(struct policy *, uint32_t job, policy_time start); /* it was, by another scheduler */
void pc_ahead_rekey(struct policy *);                                    /* the keys of jobs have changed */
const char *pc_ahead_check(const struct policy *);                       /* what is wrong, or NULL */

/* Whether the first job of the line was looked at, and found no room. */
bool pc_line_waits(const struct policy *, uint32_t lane);

#endif
