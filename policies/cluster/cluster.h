/* SPDX-License-Identifier: MIT */
/*
 * The contract of policy.h, as the quota policy fulfils it: each function here stands behind the one of the same name
 * there.
 */
#ifndef POLICY_CLUSTER_CLUSTER_H
#define POLICY_CLUSTER_CLUSTER_H

#include "cluster/state.h"

bool pq_create(struct policy *); /* false: no memory */
void pq_destroy(struct policy *);

policy_node pq_add_node(struct policy *, policy_time, const struct policy_node_spec *);

policy_queue pq_add_queue(struct policy *, policy_time, const struct policy_queue_spec *);

policy_job pq_submit(struct policy *, policy_time, const struct policy_job_spec *);

const struct policy_decision *pq_decide(struct policy *, policy_time, size_t *count);

#endif
