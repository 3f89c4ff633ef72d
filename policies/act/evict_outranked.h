/* SPDX-License-Identifier: MIT */
/*
 * Evict-outranked: the action of preemptive orders. A decision walks all jobs of a lane in their
 * order with a budget of its devices:
 *
 *     lane:   R1  W4  R2  W3 | W1  R3        R runs, W waits
 *             ------------- fit |  do not
 *
 * A job that fits what is left takes it, one that does not is passed over. Of these the running
 * ones (R3) are evicted; the pending ones that fit (W4, W3) are *chosen*, and are placed one after
 * the other as in any lane. Those that find no place stay pending and hold back no other; nothing
 * that runs is moved. Only devices are budgeted, not nodes, CPU or memory, and neither MIG slices
 * nor domains: a chosen job that asks for these may find no place. (A chosen job keeps its part of
 * the budget although it finds no place: one that never will holds back those behind it.) An
 * elastic job is chosen by its minimum, and evicted as a whole, by all that it holds; tasks above
 * the minimum start last.
 *
 * Where a job is evicted nothing starts before that is answered, so that the chosen see what it
 * frees.
 */
#ifndef POLICY_ACT_EVICT_OUTRANKED_H
#define POLICY_ACT_EVICT_OUTRANKED_H

#include "order/ranking.h"

/* Decides for all lanes: evicts, or starts. With no memory cluster.out_of_memory is set. */
void pc_evict_outranked(struct policy *);

/* Room for so many ranks in r->walk; false: no memory, cluster.out_of_memory is set. */
bool pc_outranked_reserve(struct policy *, struct pc_ranking *, uint32_t count);

/*
 * Puts the lane's jobs in order: those that take part first; how many these are. Stale entries are
 * dropped. There has to be room for lane->count ranks.
 */
uint32_t pc_outranked_arrange(struct policy *, struct pc_ranking *, struct pc_rank_lane *);

bool pc_outranked_has_work(const struct policy *);

#endif
