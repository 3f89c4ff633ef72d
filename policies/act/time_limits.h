/* SPDX-License-Identifier: MIT */
/* Lines whose jobs end at the limit that their owners declared (option `time_limits`), as Slurm ends them. */
#ifndef POLICY_ACT_TIME_LIMITS_H
#define POLICY_ACT_TIME_LIMITS_H

#include "core/state.h"

/* Decides to end jobs whose time is over; they keep their devices until that is answered. False: no memory (error set). */
bool pc_enforce_time_limits(struct policy *);

/* When the next job's time is over; INT64_MAX: none's is. */
policy_time pc_time_limits_wakeup(const struct policy *);

#endif
