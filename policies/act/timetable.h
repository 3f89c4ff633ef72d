/* SPDX-License-Identifier: MIT */
/*
 * Projected free capacity over time, as sums, for planned starts with a queue order: a *skyline*
 * (base/skyline.h) of devices for each pool set, and of the room below the GPU limit and the quota
 * of each queue that has one. A job occupies that of its pool set and those of all queues from its
 * own up; it may start when all of them have room.
 *     free in the set   |     ______    running jobs end at their limits, or never if they
 *                       |___|   |____   declare none; planned jobs last from start to end
 *     left of the limit |  ________
 *                       |_|  |____
 *
 * Only whole devices and shares of them are summed; MIG instances count against limits alone. The
 * sums are an estimate where it matters on which nodes devices are free, and of which type. CPU and
 * memory do not count. Devices being released count as free and nominated ones as taken, as for all
 * actions with a queue order. Pool sets that share pools are planned independently: running jobs
 * count in all of them, planned jobs only in that of their queue.
 *
 * Devices are in thousandths, times in ms; INT64_MAX is never. For jobs that request device memory,
 * MIG instances or no devices, sums say nothing: see pc_timetable_counts().
 */
#ifndef POLICY_ACT_TIMETABLE_H
#define POLICY_ACT_TIMETABLE_H

#include "base/skyline.h"
#include "state/state.h"

struct pc_timetable {
    struct pc_skyline
        *lines; /* of the pool sets, then two per queue: below its limit and below its quota */
    uint32_t count, capacity; /* ever created */
};

void pc_timetable_free(struct pc_timetable *, const struct pc_memory *);

/* Starts over from what is running and nominated now. Returns false if out of memory. */
bool pc_timetable_open(struct policy *, struct pc_timetable *);

/* Returns true if sums apply to the job: it requests only whole devices or shares of them. */
bool pc_timetable_counts(const struct pc_cluster *, uint32_t job);

/* How long the job will hold what it gets now; INT64_MAX: unknown. */
int64_t pc_timetable_length(const struct policy *, uint32_t job);

/* The earliest time, `from` or later, at which `need` is free for the job for the given duration;
 * INT64_MAX: never. */
policy_time pc_timetable_earliest(const struct policy *, const struct pc_timetable *, uint32_t job,
                                  int64_t need, int64_t length, policy_time from);

/* The first time after now at which anything changes for the job; INT64_MAX: none. */
policy_time pc_timetable_next(const struct policy *, const struct pc_timetable *, uint32_t job);

/* Plans the job's start: reserves its skylines for that duration. Returns false if out of
 * memory. */
bool pc_timetable_plan(struct policy *, struct pc_timetable *, uint32_t job, int64_t need,
                       policy_time at, int64_t length);

/* Records that the tasks of the job have places now. Returns false if out of memory. */
bool pc_timetable_place(struct policy *, struct pc_timetable *, uint32_t job,
                        const struct pc_tasks *);

#endif
