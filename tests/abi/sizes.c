/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the layout of every public struct of the policy core. tests/abi/policy.abi holds what it printed when the
 * interface was last changed on purpose: structs may grow at their end, nothing else may move.
 */
#include "policy.h"

#include <stdio.h>

#define STRUCT(s)   printf("struct %s %zu\n", #s, sizeof(struct s))
#define FIELD(s, f) printf("  %s.%s %zu %zu\n", #s, #f, offsetof(struct s, f), sizeof(((struct s *)0)->f))

static void configuration(void)
{
    STRUCT(policy_error);
    FIELD(policy_error, status);
    FIELD(policy_error, message);
    STRUCT(policy_allocator);
    FIELD(policy_allocator, resize);
    FIELD(policy_allocator, user);
    STRUCT(policy_config);
    FIELD(policy_config, size);
    FIELD(policy_config, allocator);
    FIELD(policy_config, preset);
    FIELD(policy_config, order);
    FIELD(policy_config, placement);
    FIELD(policy_config, scope);
    FIELD(policy_config, blocking);
    FIELD(policy_config, seed);
    STRUCT(policy_row);
    FIELD(policy_row, name);
    FIELD(policy_row, summary);
}

static void cluster(void)
{
    STRUCT(policy_node_spec);
    FIELD(policy_node_spec, size);
    FIELD(policy_node_spec, devices);
    FIELD(policy_node_spec, type);
    FIELD(policy_node_spec, pool);
    FIELD(policy_node_spec, rank);
    FIELD(policy_node_spec, max_tasks);
    FIELD(policy_node_spec, cpu_milli);
    FIELD(policy_node_spec, mem_mib);
    STRUCT(policy_share);
    FIELD(policy_share, quota);
    FIELD(policy_share, limit);
    FIELD(policy_share, weight);
    STRUCT(policy_queue_spec);
    FIELD(policy_queue_spec, size);
    FIELD(policy_queue_spec, parent);
    FIELD(policy_queue_spec, priority);
    FIELD(policy_queue_spec, rank);
    FIELD(policy_queue_spec, created);
    FIELD(policy_queue_spec, gpu);
    FIELD(policy_queue_spec, cpu);
    FIELD(policy_queue_spec, mem);
    FIELD(policy_queue_spec, pools);
    FIELD(policy_queue_spec, pool_count);
}

static void jobs(void)
{
    STRUCT(policy_request);
    FIELD(policy_request, devices);
    FIELD(policy_request, device_milli);
    FIELD(policy_request, cpu_milli);
    FIELD(policy_request, mem_mib);
    FIELD(policy_request, types);
    STRUCT(policy_role);
    FIELD(policy_role, size);
    FIELD(policy_role, tasks);
    FIELD(policy_role, min_tasks);
    FIELD(policy_role, request);
    STRUCT(policy_job_spec);
    FIELD(policy_job_spec, size);
    FIELD(policy_job_spec, queue);
    FIELD(policy_job_spec, priority);
    FIELD(policy_job_spec, preemptible);
    FIELD(policy_job_spec, rank);
    FIELD(policy_job_spec, submitted);
    FIELD(policy_job_spec, eligible);
    FIELD(policy_job_spec, run_ms);
    FIELD(policy_job_spec, limit_ms);
    FIELD(policy_job_spec, roles);
    FIELD(policy_job_spec, role_count);
}

static void answers(void)
{
    STRUCT(policy_decision);
    FIELD(policy_decision, kind);
    FIELD(policy_decision, action);
    FIELD(policy_decision, reason);
    FIELD(policy_decision, task);
    FIELD(policy_decision, job);
    FIELD(policy_decision, for_job);
    FIELD(policy_decision, node);
    FIELD(policy_decision, pool);
    FIELD(policy_decision, devices);
    FIELD(policy_decision, gpu_milli);
    STRUCT(policy_explanation);
    FIELD(policy_explanation, size);
    FIELD(policy_explanation, reason);
    FIELD(policy_explanation, behind);
    FIELD(policy_explanation, behind_reason);
    FIELD(policy_explanation, wanted_milli);
    FIELD(policy_explanation, free_milli);
    FIELD(policy_explanation, free_whole);
    FIELD(policy_explanation, tasks);
    FIELD(policy_explanation, tasks_fit_now);
    FIELD(policy_explanation, largest_request);
    FIELD(policy_explanation, most_free);
    FIELD(policy_explanation, jobs_before);
    STRUCT(policy_backlog);
    FIELD(policy_backlog, jobs);
    FIELD(policy_backlog, gpu_milli);
}

int main(void)
{
    configuration();
    cluster();
    jobs();
    answers();
    return 0;
}
