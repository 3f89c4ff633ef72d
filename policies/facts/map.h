/* SPDX-License-Identifier: MIT */
/*
 * Translates the numbers of nodes, queues and jobs in a journal to those of the core that receives
 * its facts, and back, with names. Two cores that receive the same facts, as in a comparison of
 * policies, have a map each.
 *
 * A job is removed when the core reuses its number: the core does not report otherwise which jobs
 * are over.
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
    char error[256]; /* why the last fact was refused, by the core or the map */
};

void fact_map_fini(struct fact_map *); /* also for a zeroed one */

/*
 * Passes a fact with the writer's numbers to the core and records new ones. Returns the core's
 * status; also POLICY_UNKNOWN if the writer names an unknown object, POLICY_CONFLICT if it assigns
 * a number in use.
 */
int fact_map_tell(struct fact_map *, struct policy *, const struct fact *);

/* Ours for theirs; i = POLICY_NO_ID if unknown. */
policy_job fact_map_job(const struct fact_map *, policy_job theirs);
policy_queue fact_map_queue(const struct fact_map *, policy_queue theirs);

/* Theirs for ours; POLICY_NO_ID is kept. Names live as long as the object. */
policy_job fact_map_their_job(const struct fact_map *, policy_job ours, const char **name);
struct fact_decision fact_map_decision(const struct fact_map *, policy_time,
                                       const struct policy_decision *);
void fact_map_history(const struct fact_map *,
                      struct policy_history *); /* translates a history record */
const char *fact_map_queue_name(const struct fact_map *, policy_queue ours); /* NULL: unknown */
const char *fact_map_node_name(const struct fact_map *, policy_node ours);

#endif
