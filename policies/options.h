/* SPDX-License-Identifier: MIT */
/* What presets and options share. */
#ifndef POLICY_OPTIONS_H
#define POLICY_OPTIONS_H

#include "state/engine.h"

/* What the quota policy takes from one job for another it does not take back for so long: see
 * act/reversal.h. */
#define PC_REVERSAL_MS (INT64_C(60) * 1000)

/* Jobs that conservative backfill plans under a queue order; Slurm's bf_max_job_test, with a plan
 * in every cycle. */
#define PC_BACKFILL_DEPTH 100

/* The number of a row of the orders or placements, or -1. */
int32_t pc_find_order(const char *name);

int32_t pc_find_placement(const char *name);

/* The defaults of the quota policy: those of a Run:ai-class scheduler; what goes beyond it is off.
 */
struct policy_quota_options pc_quota_defaults(void);

/* Of these, those of static allocation: no queue has more than its quota, and no job is stopped or
 * moved. */
struct policy_quota_options pc_static_defaults(void);

/* Of these, those of tasks one by one: they are placed, and evict others of lower priority; nothing
 * else is done. */
struct policy_quota_options pc_pod_defaults(void);

/* Those of the order by attained service: two queues, 5 GPU-hours in the first. */
struct policy_ranked_options pc_attained_defaults(void);

/*
 * Those of multifactor priority: the weights of the example in Slurm's documentation of the plugin
 * (without them Slurm weighs nothing), and Slurm's own defaults for times: 7 days, 7 days, 5
 * minutes.
 */
struct policy_multifactor_options pc_multifactor_defaults(void);

/* An order whose own options were not set has its defaults. */
void pc_complete_config(struct policy_config *);

#endif
