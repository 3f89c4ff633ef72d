/* SPDX-License-Identifier: MIT */
/* Decisions that are written at once, where nothing is on trial. */
#ifndef POLICY_ACT_DECISIONS_H
#define POLICY_ACT_DECISIONS_H

#include "state/state.h"

/*
 * One more decision, about a task where it is, or about the whole job where devices are only
 * counted: there one decision is enough for all tasks. The caller fills in kind, action and reason,
 * and has made room for it. Valid until the next one.
 */
struct policy_decision *pc_decision_about(struct policy *, uint32_t job, uint32_t task);

/*
 * Evicts every running task of the job in favour of another job (PC_NONE: of none). Its devices
 * stay held until the embedder reports the release. Returns false without memory:
 * cluster.out_of_memory is set and nothing has changed.
 */
bool pc_evict_now(struct policy *, uint32_t job, int32_t action, int32_t reason, uint32_t for_job);

#endif
