/* SPDX-License-Identifier: MIT */
/* Decisions written at once, outside of a transaction. */
#ifndef POLICY_ACT_DECISIONS_H
#define POLICY_ACT_DECISIONS_H

#include "state/state.h"

/*
 * Appends a decision about a task at its current place, or about the whole job if devices are only
 * counted (one decision then covers all tasks). The caller sets kind, action and reason, and has
 * reserved the memory. Valid until the next call.
 */
struct policy_decision *pc_decision_about(struct policy *, uint32_t job, uint32_t task);

/*
 * Evicts every running task of the job in favour of `for_job` (PC_NONE: none). The devices stay
 * held until the embedder reports the release. Returns false if out of memory:
 * cluster.out_of_memory is set and nothing has changed.
 */
bool pc_evict_now(struct policy *, uint32_t job, int32_t action, int32_t reason, uint32_t for_job);

#endif
