/* SPDX-License-Identifier: MIT */
/*
 * Transactions over what is free: every placement is logged, so that a gang that turns out not to fit leaves no trace.
 *
 *     pc_txn_begin(p);
 *     for each task: choose a node, pc_txn_place(...) or give up
 *     whole ? pc_txn_commit(p) : pc_txn_rollback(p);
 *
 * Whatever else is taken or given back in between, outside of the log, is put right before the rollback or after it, not
 * across it: a node that was rolled back counts as being in the very state it was in (pc_node.version).
 */
#ifndef POLICY_CORE_TXN_H
#define POLICY_CORE_TXN_H

#include "core/state.h"

void pc_txn_begin(struct policy *);

/* False: no memory for the log, nothing was placed. */
bool pc_txn_place(struct policy *, uint32_t node, const struct pc_request *, uint64_t devices);
bool pc_txn_count(struct policy *, uint32_t pool, int64_t gpu_milli);

void pc_txn_rollback(struct policy *);
void pc_txn_commit(struct policy *);

#endif
