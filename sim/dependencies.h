/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs that have arrived but are held by their user before they are submitted to the policy core:
 *
 *     after     The jobs named in the trace's `after` have to end first. As with Slurm's afterok
 * they have to complete: if one fails or is cancelled, the job is cancelled, and so on. "any:ID"
 * accepts any end (afterany). An id that has not appeared in the trace by then counts as ended, as
 * Slurm treats jobs it no longer knows. array     At most `array_limit` jobs of an array are in the
 * core, pending or running. The limit holds in spite of evictions. The others follow in order of
 * arrival. closed    (sim_config.closed) Users react: a user's next job is submitted a think time
 * after the previous one ended. If it arrived while that one ran, it is submitted as long after it
 * as in the trace. The whole trace is read at the start, since users of a fast fleet submit earlier
 * than recorded.
 *
 *     job a  |--- pending ---|=== runs ===|
 *     job b  |----------- held -----------| think |--- pending ---|=== runs ===|
 *            arrival (submit_ms)                  due: submitted to the core; waits count from here
 *                                                 (eligible_ms)
 *
 * Orders by age count a held job's age from its arrival. In a closed run the job counts as
 * submitted when it is due. Nothing is kept for jobs without dependencies, and nothing at all for
 * traces without such columns.
 */
#ifndef SIM_DEPENDENCIES_H
#define SIM_DEPENDENCIES_H

#include <stdbool.h>
#include <stdint.h>

struct sim;

/* Jobs that arrived in the measurement window. */
struct sim_dependencies_figures {
    uint64_t linked;    /* jobs that depend on others by `after` */
    uint64_t unknown;   /* entries of `after` that name no job seen so far */
    uint64_t cancelled; /* jobs cancelled because a job they needed did not complete */
    uint64_t arrays;    /* distinct arrays */
    uint64_t members;   /* jobs of arrays */
    uint64_t capped;    /* members held by the limit of their array */
    uint64_t reactions; /* closed: jobs that follow an earlier job of their user */
    uint64_t open;      /* still held when the run ended */
    uint64_t released;  /* held, then submitted or cancelled */
    int64_t held_ms;    /* total of these, from arrival (closed: from the event they follow)
                           until released */
    int64_t longest_ms; /* longest of a single job */
};

/* Returns NULL if the run has no such jobs. */
const struct sim_dependencies_figures *sim_dependencies_figures(const struct sim *);

/* Number of jobs held now, and when the earliest is due; INT64_MAX: when other jobs have ended. */
uint64_t sim_dependencies_count(const struct sim *);
uint64_t sim_dependencies_to_come(
    const struct sim *); /* jobs of a closed run that their users have not submitted yet */
int64_t sim_dependencies_next(const struct sim *);

/* Finds the held job of that name: its arrival time, and in words what it waits for. Returns false
 * if no such job is held. */
bool sim_dependencies_find(const struct sim *, const char *id, int64_t *since_ms, const char **why);

#endif
