/* SPDX-License-Identifier: MIT */
/* Allocate: give pending jobs what is free, in order. */
#ifndef POLICY_ACT_ALLOCATE_H
#define POLICY_ACT_ALLOCATE_H

#include "core/state.h"

/* Starts what can be started; decisions are appended. Stops early (error set) when memory runs out. */
void pc_allocate(struct policy *);

/*
 * Tries to place the tasks of one job of the group in a transaction that is left open. Returns 0 when all were
 * placed (picks[i] tells where), else the policy_reason. `placed`, if not NULL, receives the number of tasks that
 * found a place before the first that did not.
 */
int32_t pc_place_gang(struct policy *, const struct pc_group *, uint64_t draw, uint32_t *placed);

#endif
