/* SPDX-License-Identifier: MIT */
/*
 * From the numbers that a journal has for nodes, queues and jobs to those of the core that takes
 * its facts, and back, with names. Two cores that take the same facts, as in a comparison of
 * policies, each have a map of their own.
 *
 * A job is gone from here when the core gives its number to another one: a core says which of its
 * jobs is over only that way.
 */
#ifndef POLICY_FACTS_MAP_H
#define POLICY_FACTS_MAP_H

#include "policies/facts/fields.h"

struct map_entry;

struct map_side {                /* nodes, queues or jobs */
    struct map_entry *by_theirs; /* hash */
    struct map_entry **by_ours;
    size_t room;
};

struct fact_map {
    struct map_side nodes, queues, jobs;
    char error[256]; /* why the last fact was refused: the core's words, or ours */
};

void fact_map_fini(struct fact_map *); /* a zeroed one is fine */

/*
 * Tells the core a fact with the speaker's numbers and notes what is new. Returns its status:
 * POLICY_UNKNOWN too when the speaker names something that is not known here, POLICY_CONFLICT when
 * it gives a number that is in use.
 */
int fact_map_tell(struct fact_map *, struct policy *, const struct fact *);

/* Ours for theirs; i = POLICY_NO_ID when there is none. */
policy_job fact_map_job(const struct fact_map *, policy_job theirs);
policy_queue fact_map_queue(const struct fact_map *, policy_queue theirs);

/* Theirs for ours; numbers that are POLICY_NO_ID stay so. Names live as long as what they name. */
policy_job fact_map_their_job(const struct fact_map *, policy_job ours, const char **name);
struct fact_decision fact_map_decision(const struct fact_map *, policy_time,
                                       const struct policy_decision *);
void fact_map_history(const struct fact_map *,
                      struct policy_history *); /* a record of what is remembered */
const char *fact_map_queue_name(const struct fact_map *, policy_queue ours); /* NULL: not known */
const char *fact_map_node_name(const struct fact_map *, policy_node ours);

#endif
