/* SPDX-License-Identifier: MIT */
/* What queues have in each group of pools (state/pool_quotas.h), updated task by task. */
#ifndef POLICY_STATE_GROUP_SUMS_H
#define POLICY_STATE_GROUP_SUMS_H

#include "state/state.h"

/* Adds an active task to its queues, in the group of its node; sign -1: removes it. */
void pc_groups_charge(struct pc_cluster *, uint32_t job, uint32_t task, const struct pc_request *,
                      int sign);

#endif
