/* SPDX-License-Identifier: MIT */
/*
 * Evict-outranked: the action of preemptive orders. A decision walks all jobs of a lane in order
 * with a budget of its devices:
 *     lane:   R1  W4  R2  W3 | W1  R3      R running, W pending
 *             -------------- fit | do not
 *
 * A job that fits the remaining budget takes its part; one that does not is skipped. Skipped
 * running jobs (R3) are evicted; pending jobs that fit (W4, W3) are *chosen* and placed one after
 * the other as in any lane. Those that find no place stay pending and block no other job; running
 * jobs are not moved. Only devices are budgeted, not nodes, CPU, memory, MIG slices or topology
 * domains, so a chosen job may find no place. (It keeps its part of the budget: a job that can
 * never be placed holds back those behind it.) An elastic job is chosen by its minimum and evicted
 * as a whole, with all that it holds; tasks above the minimum start last.
 *
 * After an eviction in a lane nothing starts until it is answered, so that the chosen jobs see the
 * released devices.
 */
#ifndef POLICY_ACT_EVICT_OUTRANKED_H
#define POLICY_ACT_EVICT_OUTRANKED_H

#include "order/ranking.h"

/* Decides for all lanes: evicts or starts. If memory runs out, cluster.out_of_memory is set. */
void pc_evict_outranked(struct policy *);

/* Reserves memory for `count` ranks in r->walk. Returns false if out of memory, with
 * cluster.out_of_memory set. */
bool pc_outranked_reserve(struct policy *, struct pc_ranking *, uint32_t count);

/*
 * Sorts the lane's jobs, participating ones first, and returns their number. Stale entries are
 * dropped. r->walk must have room for lane->count ranks.
 */
uint32_t pc_outranked_arrange(struct policy *, struct pc_ranking *, struct pc_rank_lane *);

bool pc_outranked_has_work(const struct policy *);

#endif
