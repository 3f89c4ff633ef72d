/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files share that tell a policy about a snapshot. */
#ifndef SCENARIOS_SNAPSHOT_TELL_H
#define SCENARIOS_SNAPSHOT_TELL_H

#include "scenarios/snapshot/facts.h"
#include "scenarios/snapshot/names.h"

struct snap_teller {
    struct snap_facts *facts;
    const struct snapshot *s;
    struct policy *policy;
    struct snap_names names;
    policy_queue strays; /* of what runs without a queue; made when it is needed */
    struct err *err;
};

/* What a policy has no use for (past use, stale gangs) it does without. */
static inline bool snap_is_told(int status)
{
    return status == POLICY_OK || status == POLICY_UNSUPPORTED;
}

/* Sets the error of a fact that the policy refused; `list` and `index` say where it stands. Returns
 * false. */
bool snap_refused(struct snap_teller *, const char *list, size_t index, const char *name);

/* (*map)[id] = value in a map that grows; what was never set is SNAP_NONE. */
void snap_map(size_t **map, size_t *capacity, uint32_t id, size_t value);

bool snap_tell_job(struct snap_teller *, size_t index);
bool snap_tell_history(struct snap_teller *); /* after all jobs */

#endif
