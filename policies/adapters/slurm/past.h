/* SPDX-License-Identifier: MIT */
/*
 * The policy core's history that Slurm does not know (attained service, usage of users,
 * reservations: policy_history()), handed from one run of the adapter to the next: facts 'history'
 * with the names behind their numbers.
 *     {"t_ms": 1760000000000, "fact": "history", "of": "job", "job": 3, ...,
 *      "id": {"job": "12_3", "queue": "", "node": ""}}
 *
 * The core defines their contents; jobs, queues and nodes are identified by Slurm's names.
 */
#ifndef ADAPTERS_SLURM_PAST_H
#define ADAPTERS_SLURM_PAST_H

#include "policies/adapters/slurm/tracker.h"
#include "policies/facts/text.h"

#include <stddef.h>

struct past {          /* all zero: empty */
    struct text lines; /* JSON lines with line feeds */
};

/* Names of a core's objects; NULL: it no longer exists. */
struct past_names {
    const char *(*job)(const void *of, policy_job);
    const char *(*queue)(const void *of, policy_queue);
    const char *(*node)(const void *of, policy_node);
    const void *of;
};

/* Replaces the contents with the core's current history. */
void past_take(struct past *, const struct policy *, policy_time now, const struct past_names *);
void past_of(struct past *, const struct tracker *);

/*
 * Restores the history in the core of a new tracker that has observed but not decided. Skips
 * records of objects that are gone, and records that the current policy does not know. Creates
 * missing queues.
 */
void past_tell(const struct past *, struct tracker *, const struct view *);

void past_fini(struct past *);

#endif
