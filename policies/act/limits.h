/* SPDX-License-Identifier: MIT */
/*
 * The action `limits`: jobs that have had their time end. Three limits are one thing: the one that
 * a job declared (option `time_limits`), the one of build sessions, and the one of jobs that hold
 * devices without using them.
 */
#ifndef POLICY_ACT_LIMITS_H
#define POLICY_ACT_LIMITS_H

#include "state/state.h"

/* Jobs that run and have declared a limit, by their ends. Only with the option `time_limits`. */
extern const struct pc_module pc_deadlines_module;

void pc_enforce_limits(struct policy *);

/* When the first job reaches the limit that it declared; INT64_MAX: none will. */
policy_time pc_next_deadline(const struct policy *);

#endif
