/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs that have arrived but are held back by their user before submission to the policy core:
 *
 *     after     jobs named in the trace's `after` have to end first. As with Slurm's afterok they
 *               have to complete: when one fails or is cancelled, the job is cancelled too, and so
 *               on; "any:ID" lets any end do (afterany). A job that has not appeared in the trace
 *               by then counts as ended, as in Slurm for jobs it no longer knows.
 *     array     of the jobs of one array at most `array_limit` are in the core's hands at a time,
 *               pending or running; a limit on how many run that no eviction can break. The others
 *               follow in the order in which they came.
 *     closed    (sim_config.closed) users react: the next job of a user is submitted a think time
 *               after the former one ended, or, if it came while that one ran, so long after that
 *               was submitted as in the trace. The trace is read to its end at the start, since
 *               users of a fast fleet submit earlier than recorded.
 *
 *     job a  |--- waits ---|=== runs ===|
 *     job b  |---------- held -----------| think |--- waits ---|=== runs ===|
 *            arrival (submit_ms)                  due: submitted to the core; waits count from here
 *                                                 (eligible_ms)
 *
 * A job that was held is as old as its arrival for orders by age. In a closed run it is submitted
 * when it is due, in every respect. Jobs that need none of this never come here, and where a trace
 * has no columns for it there is no book.
 */
#ifndef SIM_DEPENDENCIES_H
#define SIM_DEPENDENCIES_H

#include <stdbool.h>
#include <stdint.h>

struct sim;

/* Of jobs that arrived in the measurement window. */
struct sim_dependencies_figures {
    uint64_t linked;    /* wait for others, by `after` */
    uint64_t unknown;   /* entries of `after` that name no job up to then */
    uint64_t cancelled; /* because one that they needed did not complete */
    uint64_t arrays;    /* different arrays */
    uint64_t members;   /* jobs of arrays */
    uint64_t capped;    /* of these: held back by the limit of their array */
    uint64_t reactions; /* closed: jobs that follow another of their user */
    uint64_t open;      /* still held when the run ended */
    uint64_t released;  /* held, and then submitted or cancelled */
    int64_t held_ms;    /* sum over these, from arrival (closed: from what they follow) to then */
    int64_t longest_ms; /* and the most of one */
};

/* NULL where the run has no such jobs. */
const struct sim_dependencies_figures *sim_dependencies_figures(const struct sim *);

/* Jobs held now, and when the earliest of them is due; INT64_MAX: when others have ended. */
uint64_t sim_dependencies_count(const struct sim *);
uint64_t sim_dependencies_to_come(
    const struct sim *); /* of these, not yet submitted by their users: of a closed run */
int64_t sim_dependencies_next(const struct sim *);

/* The arrival time of the held job of that name, and what it waits for in words; false when none is
 * held. */
bool sim_dependencies_find(const struct sim *, const char *id, int64_t *since_ms, const char **why);

#endif
