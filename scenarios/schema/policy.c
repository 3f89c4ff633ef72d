/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of policies; see policy.h. All others belong to the policy core, which checks them. */
#include "scenarios/schema/policy.h"

static const struct schema_row threshold = {.type = SCHEMA_NUMBER, .max = 1e12};
static const struct schema_row thresholds = {
    .type = SCHEMA_LIST, .min = 1, .max = 4, .child = &threshold};
static const struct schema_row overhead = {.type = SCHEMA_DURATION};
static const struct schema_row overheads = {
    .type = SCHEMA_OBJECT, .open = &overhead, .whole = true};

const struct schema_row schema_policy_option_rows[] = {
    {.key = "tick_s",
     .type = SCHEMA_DURATION,
     .summary = "decide at multiples of this interval on the trace's clock [policy.cycle_s]"},
    {.key = "launch_s",
     .type = SCHEMA_DURATION,
     .summary = "launch time of each job before it works [0]"},
    {.key = "preempt_overhead_s",
     .type = SCHEMA_DURATION,
     .other = &overheads,
     .summary = "each preemption adds this much work to the job; also by GPUs: {\"1\": 7, \"2-8\": "
                "30, \"9+\": 60} [0]"},
    {.key = "threshold_gpu_s",
     .type = SCHEMA_NUMBER,
     .max = 1e12,
     .other = &thresholds,
     .summary = "attained GPU-seconds after which a job moves to the next queue: one number, or "
                "rising ones [18000]"},
    {0},
};

const struct schema_row schema_policy_option = {.type = SCHEMA_OPTION};
const struct schema_row schema_policy_options = {
    .type = SCHEMA_OBJECT, .child = schema_policy_option_rows, .open = &schema_policy_option};
