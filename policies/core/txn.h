/* SPDX-License-Identifier: MIT */
/*
 * Transactions over what is free: every placement is logged, so that a gang that turns out not to fit leaves no trace.
 *
 *     pc_txn_begin(p);
 *     for each task: choose a node, pc_txn_place(...)
 *     whole ? pc_txn_commit(p) : pc_txn_rollback(p);
 */
#ifndef POLICY_CORE_TXN_H
#define POLICY_CORE_TXN_H

#include "core/state.h"

bool pc_txn_begin(struct policy *, uint32_t tasks); /* room for so many placements; false: no memory */
void pc_txn_place(struct policy *, uint32_t node, const struct pc_request *, uint64_t devices);
void pc_txn_count(struct policy *, uint32_t pool, int64_t gpu_milli);
void pc_txn_rollback(struct policy *);
void pc_txn_commit(struct policy *);

#endif
