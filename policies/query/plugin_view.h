/* SPDX-License-Identifier: MIT */
/* Shared by the parts of a plugin's view: plugin_view.c has nodes and topologies,
 * plugin_view_jobs.c queues and jobs. */
#ifndef POLICY_QUERY_PLUGIN_VIEW_H
#define POLICY_QUERY_PLUGIN_VIEW_H

#include "query/plugins.h"

static inline struct pc_plugin_view *pc_view_of(const struct policy_view *view)
{
    return (struct pc_plugin_view *)(uintptr_t)view;
}

/* Copies an answer as far as the caller's struct has room; both begin with their size. */
void pc_view_answer(void *to, const void *answer, uint32_t size);

bool pc_view_queue(const struct policy_view *, policy_queue, struct policy_view_queue *);
bool pc_view_job_of(const struct policy_view *, uint32_t i, struct policy_view_job *);
bool pc_view_role(const struct policy_view *, policy_job, uint32_t role, struct policy_role *);
bool pc_view_group(const struct policy_view *, policy_job, uint32_t group, struct policy_group *);
bool pc_view_task(const struct policy_view *, policy_job, uint32_t task, struct policy_view_task *);
bool pc_view_fits(const struct policy_view *, policy_job, uint32_t task, policy_node);

#endif
