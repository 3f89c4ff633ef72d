/* SPDX-License-Identifier: MIT */
/*
 * Limits of queues in lines (option `queue_limits`): a job that would take its queue, or one above it, over its limit of
 * devices is held back, and holds back nobody (Slurm's GrpTRES). Groups that are held back stand outside their lanes until
 * something of a limited queue ends.
 */
#ifndef POLICY_CORE_LIMITS_H
#define POLICY_CORE_LIMITS_H

#include "core/state.h"

/* The queue whose limit another job of the group would exceed now, the lowest of them; PC_NONE when there is none. */
uint32_t pc_over_limit(const struct policy *, const struct pc_group *);

/* A job of the group has its devices from now on (sign 1), or has them no more (-1). */
void pc_limits_count(struct policy *, const struct pc_group *, int sign);

/* Lets groups back into their lanes that were held back and need not be any more. */
void pc_limits_refresh(struct policy *);

/* Holds back those that are the first of their lanes and waited for room, but are over a limit by now; whether one was. */
bool pc_limits_pass(struct policy *);

/* What is wrong, or NULL. */
const char *pc_limits_check(const struct policy *);

#endif
