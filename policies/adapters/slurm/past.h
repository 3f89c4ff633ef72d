/* SPDX-License-Identifier: MIT */
/*
 * What the policy core remembers and Slurm does not know (service that jobs attained, use of users,
 * promises: policy_history()), as one life of the adapter hands it to the next: facts 'history'
 * with the names of what their numbers stand for.
 *
 *     {"t_ms": 1760000000000, "fact": "history", "of": "job", "job": 3, ..., "id": {"job": "12_3",
 *     "queue": "", "node": ""}}
 *
 * What is in them is the core's business; jobs, queues and nodes go by Slurm's names.
 */
#ifndef ADAPTERS_SLURM_PAST_H
#define ADAPTERS_SLURM_PAST_H

#include "policies/adapters/slurm/tracker.h"
#include "policies/facts/text.h"

#include <stddef.h>

struct past {          /* all zero: nothing */
    struct text lines; /* of JSON, each with its line feed */
};

/* Names of what a core has; NULL: it has it no more. */
struct past_names {
    const char *(*job)(const void *of, policy_job);
    const char *(*queue)(const void *of, policy_queue);
    const char *(*node)(const void *of, policy_node);
    const void *of;
};

/* What the core remembers by now, in the place of what was there. */
void past_take(struct past *, const struct policy *, policy_time now, const struct past_names *);
void past_of(struct past *, const struct tracker *);

/*
 * Tells the core of a new tracker, that has observed and not decided yet. Of who is gone nothing is
 * told, and nothing of which a policy other than then knows nothing. Queues that are not there yet
 * are made.
 */
void past_tell(const struct past *, struct tracker *, const struct view *);

void past_fini(struct past *);

#endif
