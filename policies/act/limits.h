/* SPDX-License-Identifier: MIT */
/*
 * The action `limits`: ends jobs whose time is up. It enforces three limits: the one that a job
 * declares (option `time_limits`), the one of build sessions, and the one of jobs that hold devices
 * without using them.
 */
#ifndef POLICY_ACT_LIMITS_H
#define POLICY_ACT_LIMITS_H

#include "state/state.h"

/* Running jobs with a declared limit, by expiry. Only with the option `time_limits`. */
extern const struct pc_module pc_deadlines_module;

void pc_enforce_limits(struct policy *);

/* Returns when the first declared limit expires; INT64_MAX: never. */
policy_time pc_next_deadline(const struct policy *);

#endif
