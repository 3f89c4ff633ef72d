/* SPDX-License-Identifier: MIT */
/*
 * Projected free capacity over time, as sums, for planned starts under queue orders: a *skyline*
 * (base/skyline.h) of devices for each pool set, and of the room below the GPU limit and the quota
 * of each queue that has one. A job stands in that of its pool set, and in those of all queues from
 * its own up; it may have its time where all of them have room.
 *
 *     free in the set   |    ______          what runs ends as it was declared to, or never if
 *                                            nothing was declared;
 *                       |___|      |____     what is planned stands from its start to its end
 *     left of the limit |  ________
 *                       |_|        |____
 *
 * Only whole devices and shares of them are summed; MIG instances count below limits alone. Sums
 * are an estimate where it matters on which nodes devices are free, and of which type. CPU and
 * memory do not count. What is being released counts as free, and what is nominated as taken, as
 * for all actions under queue orders. Pool sets that share pools are planned each by itself: what
 * runs counts in all of them, what is planned in that of its queue alone.
 *
 * Devices are in thousandths, times in ms; INT64_MAX is never. Whoever asks for memory of devices,
 * for MIG instances or for no device at all has no sum that tells anything: see
 * pc_timetable_counts().
 */
#ifndef POLICY_ACT_TIMETABLE_H
#define POLICY_ACT_TIMETABLE_H

#include "base/skyline.h"
#include "state/state.h"

struct pc_timetable {
    struct pc_skyline
        *lines; /* of the pool sets, then two of each queue: below its limit, and below its quota */
    uint32_t count, capacity; /* those that were ever made */
};

void pc_timetable_free(struct pc_timetable *, const struct pc_memory *);

/* Begins anew, from what runs and what is nominated now. False: no memory. */
bool pc_timetable_open(struct policy *, struct pc_timetable *);

/* True if sums say anything about the job: whole devices, or shares of them, and nothing else. */
bool pc_timetable_counts(const struct pc_cluster *, uint32_t job);

/* How long the job will hold what it gets now; INT64_MAX: nobody knows. */
int64_t pc_timetable_length(const struct policy *, uint32_t job);

/* The earliest time, `from` or later, at which `need` is free for the job for the given duration;
 * INT64_MAX: never. */
policy_time pc_timetable_earliest(const struct policy *, const struct pc_timetable *, uint32_t job,
                                  int64_t need, int64_t length, policy_time from);

/* The first time after now at which anything changes for the job; INT64_MAX: none. */
policy_time pc_timetable_next(const struct policy *, const struct pc_timetable *, uint32_t job);

/* The job will start then: it stands in its lines for so long. False: no memory. */
bool pc_timetable_plan(struct policy *, struct pc_timetable *, uint32_t job, int64_t need,
                       policy_time at, int64_t length);

/* The tasks of the job have got places now. False: no memory. */
bool pc_timetable_place(struct policy *, struct pc_timetable *, uint32_t job,
                        const struct pc_tasks *);

#endif
