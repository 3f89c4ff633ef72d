/* SPDX-License-Identifier: MIT */
/* Defaults of configurations, and limits and look-ups that presets and options share. */
#ifndef POLICY_CONFIG_DEFAULTS_H
#define POLICY_CONFIG_DEFAULTS_H

#include "state/engine.h"

/*
 * Minimum time before devices that the quota policy took from one job for another may be taken
 * back: see act/reversal.h.
 */
#define PC_REVERSAL_MS (INT64_C(60) * 1000)

/*
 * Number of jobs that conservative backfill plans with a queue order; Slurm's bf_max_job_test, with
 * a plan in every cycle.
 */
#define PC_BACKFILL_DEPTH 100

/* Upper limit of durations in options, in ms: 100 years. */
#define PC_LONG_MS (INT64_C(1000) * 86400 * 36525)

/* A GPU-second in the unit of service: thousandths of devices times ms. */
#define PC_GPU_SECOND INT64_C(1000000)

/* Returns the row number of the order or placement with this name, or -1. */
int32_t pc_find_order(const char *name);

int32_t pc_find_placement(const char *name);

/*
 * Defaults of the quota policy: those of a Run:ai-class scheduler; everything beyond that is off.
 */
struct policy_quota_options pc_quota_defaults(void);

/*
 * Quota defaults for static allocation: no queue exceeds its quota, and no job is stopped or moved.
 */
struct policy_quota_options pc_static_defaults(void);

/*
 * Quota defaults for task-by-task scheduling: tasks are placed and evict tasks of lower priority;
 * nothing else happens.
 */
struct policy_quota_options pc_pod_defaults(void);

/* Defaults of the order by attained service: two queues, 5 GPU-hours in the first. */
struct policy_ranked_options pc_attained_defaults(void);

/*
 * Defaults of multifactor priority: the weights of the example in the documentation of Slurm's
 * plugin (without weights Slurm ignores every factor), and Slurm's default times: 7 days, 7 days, 5
 * minutes.
 */
struct policy_multifactor_options pc_multifactor_defaults(void);

/* Returns true if any option of multifactor priority is set. */
bool pc_has_multifactor_options(const struct policy_multifactor_options *);

/* Fills in the defaults of an order whose own options were not set. */
void pc_complete_config(struct policy_config *);

#endif
