/* SPDX-License-Identifier: MIT */
/* What queues have in each group of pools (state/pool_quotas.h), kept up to date task by task. */
#ifndef POLICY_STATE_GROUP_SUMS_H
#define POLICY_STATE_GROUP_SUMS_H

#include "state/state.h"

/* Counts an active task in its queues, in the group where it stands; sign -1: no longer. */
void pc_groups_charge(struct pc_cluster *, uint32_t job, uint32_t task, const struct pc_request *,
                      int sign);

#endif
