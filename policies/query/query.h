/* SPDX-License-Identifier: MIT */
/* Questions about configurations without a queue order: why jobs of lanes are pending. See
 * policy.h. */
#ifndef POLICY_QUERY_QUERY_H
#define POLICY_QUERY_QUERY_H

#include "state/state.h"

int pc_explain_in_lane(struct policy *, uint32_t job, struct policy_explanation *);
/* The same of a job that is pending under an order that goes by how far jobs are; `blocked`: why it
 * found no place. */
void pc_explain_ranked(struct policy *, uint32_t job, int32_t blocked, struct policy_explanation *);
/* Why a job with pending tasks stands in no class; tells the queue that is suspended. */
int32_t pc_reason_of_absent(const struct policy *, uint32_t job, struct policy_explanation *);
int pc_backlog_of_lanes(const struct policy *, policy_queue, struct policy_backlog *);

#endif
