/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who is behind the jobs of a trace, for stages that draw other people of the same kind.
 *
 *     users      each with all their jobs; or, of a trace that does not name enough of them, bursts
 *                of a queue and class: jobs with gaps of at most 10 min, at most an hour of them
 *     units      what stays together: the jobs of a user with gaps of at most 10 min, and jobs
 *                linked by `after` or an array
 *     turns      a time moves by whole periods (weeks; days in a trace below two weeks), round the
 *                end of the trace:
 *
 *         first submission                                           last submission
 *         |--------- period 0 ---------|--------- period 1 ---------|---- rest ----|
 *              x ......................... x ......................... x             three places
 *                of the same phase
 *
 *     Each phase of the period has as many places as fit into the span. A turn of k moves a job k
 *     places on, from the last
 *     back to the first. So every job keeps its hour of the week exactly, none leaves the span, and
 *     a span that is no
 *     whole number of weeks is no special case.
 *
 * A unit moves as a whole, by the turn of its first job; where its end would leave the span it
 * takes further turns.
 */
#ifndef TRACES_VARY_CROWD_H
#define TRACES_VARY_CROWD_H

#include "traces/vary/picks.h"

#define CROWD_WEEK_MS INT64_C(604800000)

struct crowd_unit {
    size_t first, count; /* of crowd.jobs, in order of time */
    size_t user;
    double gpu_s;
    bool linked;
};

struct crowd_user {
    size_t first, count; /* of crowd.units */
    double gpu_s;
};

struct crowd {
    struct picks jobs;
    struct crowd_unit *units;
    struct crowd_user *users;
    size_t unit_count, user_count, unit_capacity, user_capacity;
    int64_t begin_ms, span_ms; /* first submission; from there to the last one */
    int64_t period_ms;
    double gpu_s;
    bool bursts; /* users are units: too few were named */
};

/*
 * Of the stage's picks, which have to be in order and at least one; they stay. With fewer than
 * `least` named users each unit of a queue and class is a user of its own.
 */
void crowd_find(struct crowd *, const struct picked *, size_t least);
void crowd_fini(struct crowd *);

/* By how much the unit moves when it takes so many turns. */
int64_t crowd_shift(const struct crowd *, const struct crowd_unit *, uint64_t turns);

/* The largest number of places of any phase: turns are the same modulo those of a phase. */
uint64_t crowd_places(const struct crowd *);

#endif
