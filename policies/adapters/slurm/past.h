/* SPDX-License-Identifier: MIT */
/*
 * What the policy core remembers and Slurm does not know (service that jobs attained, use of users, promises: policy_history()),
 * kept in a file over the adapter's lives. A line is a fact 'history' with the names of what its numbers stand for:
 *
 *     {"t_ms": 1760000000000, "fact": "history", "of": "job", "job": 3, ..., "id": {"job": "12_3", "queue": "", "node": ""}}
 *
 * The file is written anew as a whole and renamed; what is in it is the core's business, jobs and queues by Slurm's names.
 */
#ifndef ADAPTERS_SLURM_PAST_H
#define ADAPTERS_SLURM_PAST_H

#include "policies/adapters/slurm/tracker.h"

#include <stddef.h>

/* False with the error set when the file cannot be written: the old one is still there. */
bool past_save(const struct tracker *, const char *path, char *error, size_t size);

/* False with the error set when the file is there and cannot be read, or is none of ours. */
bool past_check(const char *path, char *error, size_t size);

/*
 * Tells the core of a new tracker, that has observed and not decided yet, what is in the file, if it is there. Of who is gone
 * nothing is told, and nothing of which a policy other than then knows nothing. Queues that are not there yet are made.
 */
bool past_restore(struct tracker *, const struct view *, const char *path, char *error, size_t size);

#endif
