/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the layout of every public struct of the policy core. tests/abi/policy.abi holds what it printed when the
 * interface was last changed on purpose: structs may grow at their end, nothing else may move.
 */
#include "plugin.h"
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
    STRUCT(policy_quota_options);
    FIELD(policy_quota_options, actions);
    FIELD(policy_quota_options, gpu_placement);
    FIELD(policy_quota_options, cpu_placement);
    FIELD(policy_quota_options, device_placement);
    FIELD(policy_quota_options, fairness);
    FIELD(policy_quota_options, priorities);
    FIELD(policy_quota_options, node_predicates);
    FIELD(policy_quota_options, consolidating_reclaim);
    FIELD(policy_quota_options, full_hierarchy);
    FIELD(policy_quota_options, signatures);
    FIELD(policy_quota_options, backfill);
    FIELD(policy_quota_options, over_quota);
    FIELD(policy_quota_options, consolidation_victims);
    FIELD(policy_quota_options, queue_depth);
    FIELD(policy_quota_options, protection);
    FIELD(policy_quota_options, usage_window);
    FIELD(policy_quota_options, saturation_ppm);
    FIELD(policy_quota_options, usage_k_ppm);
    FIELD(policy_quota_options, usage_window_ms);
    FIELD(policy_quota_options, usage_half_life_ms);
    FIELD(policy_quota_options, staleness_grace_ms);
    FIELD(policy_quota_options, preempt_min_runtime_ms);
    FIELD(policy_quota_options, reclaim_min_runtime_ms);
    FIELD(policy_quota_options, interactive_limit_ms);
    FIELD(policy_quota_options, workday_end_ms);
    FIELD(policy_quota_options, idle_limit_ms);
    FIELD(policy_quota_options, idle_grace_ms);
    FIELD(policy_quota_options, idle_grace_train_ms);
    FIELD(policy_quota_options, idle_below_ppm);
    STRUCT(policy_ranked_options);
    FIELD(policy_ranked_options, threshold);
    FIELD(policy_ranked_options, thresholds);
    FIELD(policy_ranked_options, ties);
    FIELD(policy_ranked_options, demotion);
    FIELD(policy_ranked_options, refill);
    STRUCT(policy_multifactor_options);
    FIELD(policy_multifactor_options, weight_age);
    FIELD(policy_multifactor_options, weight_fairshare);
    FIELD(policy_multifactor_options, weight_job_size);
    FIELD(policy_multifactor_options, weight_partition);
    FIELD(policy_multifactor_options, weight_qos);
    FIELD(policy_multifactor_options, max_age_ms);
    FIELD(policy_multifactor_options, half_life_ms);
    FIELD(policy_multifactor_options, calc_period_ms);
    FIELD(policy_multifactor_options, favor_small);
    STRUCT(policy_pod_options);
    FIELD(policy_pod_options, on);
    FIELD(policy_pod_options, score);
    FIELD(policy_pod_options, order);
    FIELD(policy_pod_options, victims);
    STRUCT(policy_config);
    FIELD(policy_config, size);
    FIELD(policy_config, allocator);
    FIELD(policy_config, preset);
    FIELD(policy_config, order);
    FIELD(policy_config, placement);
    FIELD(policy_config, scope);
    FIELD(policy_config, blocking);
    FIELD(policy_config, seed);
    FIELD(policy_config, quota);
    FIELD(policy_config, backfill);
    FIELD(policy_config, easy_variant);
    FIELD(policy_config, ranked);
    FIELD(policy_config, plugin);
    FIELD(policy_config, multifactor);
    FIELD(policy_config, queue_limits);
    FIELD(policy_config, time_limits);
    FIELD(policy_config, pods);
    FIELD(policy_config, reversal_ms);
    STRUCT(policy_row);
    FIELD(policy_row, name);
    FIELD(policy_row, summary);
}

static void cluster(void)
{
    STRUCT(policy_label);
    FIELD(policy_label, key);
    FIELD(policy_label, value);
    STRUCT(policy_node_spec);
    FIELD(policy_node_spec, size);
    FIELD(policy_node_spec, devices);
    FIELD(policy_node_spec, type);
    FIELD(policy_node_spec, pool);
    FIELD(policy_node_spec, rank);
    FIELD(policy_node_spec, max_tasks);
    FIELD(policy_node_spec, cpu_milli);
    FIELD(policy_node_spec, mem_mib);
    FIELD(policy_node_spec, device_mem_mib);
    FIELD(policy_node_spec, mig);
    FIELD(policy_node_spec, mig_instances);
    FIELD(policy_node_spec, labels);
    FIELD(policy_node_spec, label_count);
    FIELD(policy_node_spec, whole_only);
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
    FIELD(policy_queue_spec, preempt_min_runtime_ms);
    FIELD(policy_queue_spec, reclaim_min_runtime_ms);
    FIELD(policy_queue_spec, fixed_milli);
    STRUCT(policy_amounts);
    FIELD(policy_amounts, gpu);
    FIELD(policy_amounts, cpu);
    FIELD(policy_amounts, mem);
}

static void jobs(void)
{
    STRUCT(policy_term);
    FIELD(policy_term, key);
    FIELD(policy_term, value_count);
    FIELD(policy_term, values);
    STRUCT(policy_request);
    FIELD(policy_request, devices);
    FIELD(policy_request, device_milli);
    FIELD(policy_request, cpu_milli);
    FIELD(policy_request, mem_mib);
    FIELD(policy_request, types);
    FIELD(policy_request, device_mem_mib);
    FIELD(policy_request, mig);
    FIELD(policy_request, terms);
    FIELD(policy_request, term_count);
    STRUCT(policy_constraint);
    FIELD(policy_constraint, topology);
    FIELD(policy_constraint, required);
    FIELD(policy_constraint, preferred);
    STRUCT(policy_role);
    FIELD(policy_role, size);
    FIELD(policy_role, tasks);
    FIELD(policy_role, min_tasks);
    FIELD(policy_role, joined);
    FIELD(policy_role, group);
    FIELD(policy_role, topology);
    FIELD(policy_role, request);
    STRUCT(policy_group);
    FIELD(policy_group, parent);
    FIELD(policy_group, topology);
    STRUCT(policy_typical_task);
    FIELD(policy_typical_task, size);
    FIELD(policy_typical_task, count);
    FIELD(policy_typical_task, request);
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
    FIELD(policy_job_spec, groups);
    FIELD(policy_job_spec, group_count);
    FIELD(policy_job_spec, topology);
    FIELD(policy_job_spec, workload);
    FIELD(policy_job_spec, interactive_limit_ms);
    FIELD(policy_job_spec, estimate_ms);
    FIELD(policy_job_spec, user);
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
    FIELD(policy_explanation, queue);
    FIELD(policy_explanation, resource);
    FIELD(policy_explanation, queue_has);
    FIELD(policy_explanation, queue_may);
    FIELD(policy_explanation, job_wants);
    FIELD(policy_explanation, level);
    FIELD(policy_explanation, tasks_fit_domain);
    STRUCT(policy_backlog);
    FIELD(policy_backlog, jobs);
    FIELD(policy_backlog, gpu_milli);
    STRUCT(policy_queue_info);
    FIELD(policy_queue_info, size);
    FIELD(policy_queue_info, fair_share);
    FIELD(policy_queue_info, allocated);
    FIELD(policy_queue_info, non_preemptible);
    FIELD(policy_queue_info, request);
    FIELD(policy_queue_info, usage_ppm);
    STRUCT(policy_node_info);
    FIELD(policy_node_info, size);
    FIELD(policy_node_info, idle);
    FIELD(policy_node_info, releasing);
    STRUCT(policy_share_row);
    FIELD(policy_share_row, size);
    FIELD(policy_share_row, parent);
    FIELD(policy_share_row, priority);
    FIELD(policy_share_row, created);
    FIELD(policy_share_row, gpu);
    FIELD(policy_share_row, cpu);
    FIELD(policy_share_row, mem);
    FIELD(policy_share_row, request);
    FIELD(policy_share_row, usage_ppm);
    FIELD(policy_share_row, fair_share);
}

/* What plugins see, and what they are. */
static void plugins(void)
{
    STRUCT(policy_plugin_node);
    FIELD(policy_plugin_node, id);
    FIELD(policy_plugin_node, rank);
    FIELD(policy_plugin_node, pool);
    FIELD(policy_plugin_node, type);
    FIELD(policy_plugin_node, state);
    FIELD(policy_plugin_node, devices);
    FIELD(policy_plugin_node, tasks);
    FIELD(policy_plugin_node, max_tasks);
    FIELD(policy_plugin_node, free_milli);
    FIELD(policy_plugin_node, usable);
    FIELD(policy_plugin_node, whole);
    FIELD(policy_plugin_node, shared);
    FIELD(policy_plugin_node, room);
    FIELD(policy_plugin_node, cpu_free_milli);
    FIELD(policy_plugin_node, mem_free_mib);
    FIELD(policy_plugin_node, cpu_total_milli);
    FIELD(policy_plugin_node, mem_total_mib);
    FIELD(policy_plugin_node, reserved);
    STRUCT(policy_plugin_role);
    FIELD(policy_plugin_role, tasks);
    FIELD(policy_plugin_role, devices);
    FIELD(policy_plugin_role, device_milli);
    FIELD(policy_plugin_role, cpu_milli);
    FIELD(policy_plugin_role, mem_mib);
    FIELD(policy_plugin_role, types);
    FIELD(policy_plugin_role, reserved);
    STRUCT(policy_plugin_seat);
    FIELD(policy_plugin_seat, node);
    FIELD(policy_plugin_seat, devices);
    STRUCT(policy_plugin_job);
    FIELD(policy_plugin_job, id);
    FIELD(policy_plugin_job, queue);
    FIELD(policy_plugin_job, state);
    FIELD(policy_plugin_job, priority);
    FIELD(policy_plugin_job, preemptible);
    FIELD(policy_plugin_job, rank);
    FIELD(policy_plugin_job, submitted);
    FIELD(policy_plugin_job, since);
    FIELD(policy_plugin_job, turn);
    FIELD(policy_plugin_job, key);
    FIELD(policy_plugin_job, run_ms);
    FIELD(policy_plugin_job, limit_ms);
    FIELD(policy_plugin_job, estimate_ms);
    FIELD(policy_plugin_job, remaining_ms);
    FIELD(policy_plugin_job, attained);
    FIELD(policy_plugin_job, gpu_milli);
    FIELD(policy_plugin_job, tasks);
    FIELD(policy_plugin_job, role_count);
    FIELD(policy_plugin_job, seat_count);
    FIELD(policy_plugin_job, roles);
    FIELD(policy_plugin_job, seats);
    FIELD(policy_plugin_job, reserved);
    STRUCT(policy_plan);
    FIELD(policy_plan, size);
    FIELD(policy_plan, now);
    FIELD(policy_plan, nodes);
    FIELD(policy_plan, jobs);
    FIELD(policy_plan, node_count);
    FIELD(policy_plan, job_count);
    FIELD(policy_plan, wake_at);
    FIELD(policy_plan, node);
    FIELD(policy_plan, fits);
    FIELD(policy_plan, place);
    FIELD(policy_plan, start);
    FIELD(policy_plan, evict);
    FIELD(policy_plan, give_up);
    FIELD(policy_plan, reserved);
    STRUCT(policy_plugin);
    FIELD(policy_plugin, size);
    FIELD(policy_plugin, version);
    FIELD(policy_plugin, name);
    FIELD(policy_plugin, summary);
    FIELD(policy_plugin, base);
    FIELD(policy_plugin, create);
    FIELD(policy_plugin, destroy);
    FIELD(policy_plugin, key);
    FIELD(policy_plugin, rank);
    FIELD(policy_plugin, changes);
    FIELD(policy_plugin, score);
    FIELD(policy_plugin, decide);
}

static void history(void)
{
    STRUCT(policy_history);
    FIELD(policy_history, size);
    FIELD(policy_history, kind);
    FIELD(policy_history, job);
    FIELD(policy_history, queue);
    FIELD(policy_history, node);
    FIELD(policy_history, task);
    FIELD(policy_history, user);
    FIELD(policy_history, devices);
    FIELD(policy_history, at);
    FIELD(policy_history, from);
    FIELD(policy_history, until);
    FIELD(policy_history, entered);
    FIELD(policy_history, attained);
    FIELD(policy_history, remaining);
    FIELD(policy_history, started);
    FIELD(policy_history, evicted);
    FIELD(policy_history, count);
    FIELD(policy_history, used);
    FIELD(policy_history, used_since);
    FIELD(policy_history, used_gpu);
    FIELD(policy_history, used_cpu);
    FIELD(policy_history, used_mem);
    FIELD(policy_history, capacity);
    FIELD(policy_history, place);
    FIELD(policy_history, level);
    FIELD(policy_history, due);
    FIELD(policy_history, chosen);
    FIELD(policy_history, leaving);
    FIELD(policy_history, settled);
    FIELD(policy_history, timed);
    FIELD(policy_history, reserved);
    FIELD(policy_history, other);
}

int main(void)
{
    configuration();
    cluster();
    jobs();
    history();
    answers();
    plugins();
    return 0;
}
