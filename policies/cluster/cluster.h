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
int pq_remove_node(struct policy *, policy_time, policy_node);
int pq_set_node_state(struct policy *, policy_time, policy_node, int32_t state);
int pq_set_device_health(struct policy *, policy_time, policy_node, uint32_t device, bool usable);

policy_queue pq_add_queue(struct policy *, policy_time, const struct policy_queue_spec *);
int pq_remove_queue(struct policy *, policy_time, policy_queue);

policy_job pq_submit(struct policy *, policy_time, const struct policy_job_spec *);
int pq_cancel(struct policy *, policy_time, policy_job);

int pq_task_running(struct policy *, policy_time, policy_job, uint32_t task, policy_node, uint64_t devices,
                    policy_time since);
int pq_task_started(struct policy *, policy_time, policy_job, uint32_t task);
int pq_task_releasing(struct policy *, policy_time, policy_job, uint32_t task);
int pq_start_failed(struct policy *, policy_time, policy_job);
int pq_task_ended(struct policy *, policy_time, policy_job, uint32_t task, int32_t outcome);

const struct policy_decision *pq_decide(struct policy *, policy_time, size_t *count);
policy_time pq_next_wakeup(const struct policy *);
bool pq_has_work(const struct policy *);

int pq_explain(struct policy *, policy_job, struct policy_explanation *);
int pq_backlog(const struct policy *, policy_queue, struct policy_backlog *);
int pq_check(const struct policy *, struct policy_error *);

#endif
