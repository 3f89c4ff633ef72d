/* SPDX-License-Identifier: MIT */
/* Questions about configurations without a queue order: why jobs of lanes are pending. See policy.h. */
#ifndef POLICY_QUERY_QUERY_H
#define POLICY_QUERY_QUERY_H

#include "cluster/state.h"

int pq_explain_in_lane(struct policy *, uint32_t job, struct policy_explanation *);
int pq_backlog_of_lanes(const struct policy *, policy_queue, struct policy_backlog *);

#endif
