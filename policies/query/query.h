/* SPDX-License-Identifier: MIT */
/* Queries on configurations without a queue order: why jobs in lanes are pending. See policy.h. */
#ifndef POLICY_QUERY_QUERY_H
#define POLICY_QUERY_QUERY_H

#include "state/state.h"

int pc_explain_in_lane(struct policy *, uint32_t job, struct policy_explanation *);
/* The same for a job pending under a ranked order; `blocked`: why it does not fit. */
void pc_explain_ranked(struct policy *, uint32_t job, int32_t blocked, struct policy_explanation *);
/* Why a job with pending tasks is in no class; fills in the suspended queue. */
int32_t pc_reason_of_absent(const struct policy *, uint32_t job, struct policy_explanation *);
int pc_backlog_of_lanes(const struct policy *, policy_queue, struct policy_backlog *);

#endif
