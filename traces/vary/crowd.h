/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The users behind the jobs of a trace, for stages that draw other users of the same kind.
 *
 *     users      each with all their jobs; or, in a trace that does not name enough of them, bursts
 *                of a queue and class: jobs with gaps of at most 10 min, within at most an hour
 *     units      jobs that stay together: those of a user with gaps of at most 10 min, and jobs
 *                linked by `after` or an array
 *     turns      shifts of a time by whole periods (weeks; days in a trace below two weeks) that
 *                wrap at the end of the trace:
 *
 *     first submission                                           last submission
 *     |--------- period 0 ---------|--------- period 1 ---------|---- rest ----|
 *       x ......................... x ......................... x             three places of the
 *                                                                             same phase
 *
 * Each phase of the period has as many places as fit into the span. A turn of k moves a job by k
 * places, from the last back to the first. So every job keeps its hour of the week exactly, none
 * leaves the span, and a span that is no whole number of weeks needs no special case.
 *
 * A unit moves as a whole, by the turn of its first job; if its end would leave the span, it moves
 * on to the next place that fits.
 */
#ifndef TRACES_VARY_CROWD_H
#define TRACES_VARY_CROWD_H

#include "traces/vary/picks.h"

#define CROWD_WEEK_MS INT64_C(604800000)

struct crowd_unit {
    size_t first, count; /* in crowd.jobs, in order of time */
    size_t user;
    double gpu_s;
    bool linked;
};

struct crowd_user {
    size_t first, count; /* in crowd.units */
    double gpu_s;
};

struct crowd {
    struct picks jobs;
    struct crowd_unit *units;
    struct crowd_user *users;
    size_t unit_count, user_count, unit_capacity, user_capacity;
    int64_t begin_ms, span_ms; /* first submission; time from there to the last one */
    int64_t period_ms;
    double gpu_s;
    bool bursts; /* users are bursts, since too few were named */
};

/*
 * Finds the users of the stage's picks, which must be sorted and not empty; they are not changed.
 * With fewer than `least` named users, each burst of a queue and class is a user.
 */
void crowd_find(struct crowd *, const struct picked *, size_t least);
void crowd_fini(struct crowd *);

/* The shift of the unit for a number of turns. */
int64_t crowd_shift(const struct crowd *, const struct crowd_unit *, uint64_t turns);

/* The largest number of places of any phase: turns are equal modulo the places of their phase. */
uint64_t crowd_places(const struct crowd *);

#endif
