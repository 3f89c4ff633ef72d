/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files that report a snapshot to a policy. */
#ifndef SCENARIOS_SNAPSHOT_TELL_H
#define SCENARIOS_SNAPSHOT_TELL_H

#include "scenarios/snapshot/facts.h"
#include "scenarios/snapshot/names.h"

struct snap_teller {
    struct snap_facts *facts;
    const struct snapshot *s;
    struct policy *policy;
    struct snap_names names;
    policy_queue strays; /* for tasks that run without a queue; created when needed */
    struct err *err;
};

/* A policy may ignore facts that it does not use (past use, stale gangs). */
static inline bool snap_is_told(int status)
{
    return status == POLICY_OK || status == POLICY_UNSUPPORTED;
}

/*
 * Sets the error for a fact that the policy refused; `list` and `index` locate it. Returns false.
 */
bool snap_refused(struct snap_teller *, const char *list, size_t index, const char *name);

/* Sets (*map)[id] = value in a growing map; unset entries are SNAP_NONE. */
void snap_map(size_t **map, size_t *capacity, uint32_t id, size_t value);

bool snap_tell_job(struct snap_teller *, size_t index);
bool snap_tell_history(struct snap_teller *); /* after all jobs */

#endif
