/* SPDX-License-Identifier: MIT */
/*
 * The jobs of a ranked lane in their order, as trees: those that run, with sums of what they hold,
 * and those that wait, a tree for each amount of devices that they ask for. While a job runs its
 * place among those that run does not change (what remains falls for all alike; a threshold that is
 * passed is a time to look), so a decision has to look only where pending and running jobs meet:
 * see act/evict_outranked.c.
 *
 * Not for orders in which running jobs change places by themselves, options that go by the last
 * decision, or lanes whose jobs may use different pools: there decisions walk all jobs.
 */
#ifndef POLICY_ORDER_RANKING_INDEX_H
#define POLICY_ORDER_RANKING_INDEX_H

#include "order/ranking.h"

/* True if decisions go by the index. */
bool pc_ranking_is_indexed(const struct policy *);

/* The job's place in the index is to be found anew. */
void pc_ranking_dirty(const struct policy *, uint32_t job);

/* Takes over what happened to the lane's jobs since the last look, and the thresholds that were
 * passed. */
void pc_ranking_catch_up(struct policy *, struct pc_ranking *, uint32_t lane);

/* The job is in no tree any more. */
void pc_ranking_take_out(struct pc_ranking *, uint32_t job);

/* The job's place in the index is not to be found anew any more. */
void pc_ranking_clean(struct pc_ranking *, uint32_t job);

/* What the jobs that run hold, of those before the rank. Thousandths of devices. */
int64_t pc_ranking_sum_before(const struct policy *, const struct pc_ranking *,
                              const struct pc_rank_lane *, const struct pc_rank *);

/* The first job that runs at which the sum, itself included, is more than that; PC_NONE: none. */
uint32_t pc_ranking_first_over(struct pc_ranking *, const struct pc_rank_lane *, int64_t sum);

/* The first pending job of the group behind the rank (NULL: of all), or PC_NONE. */
uint32_t pc_ranking_first_behind(const struct pc_ranking *, const struct pc_rank_group *,
                                 const struct pc_rank *);

/* The rank that a pending job has in its tree, and the one that the running job of a tree has now.
 */
struct pc_rank pc_ranking_pending_rank(const struct pc_ranking *, uint32_t job);
struct pc_rank pc_ranking_rank_now(const struct policy *, const struct pc_ranking *, uint32_t job);

/* When time alone changes the order next. */
policy_time pc_ranking_next_crossing(struct pc_ranking *, const struct pc_rank_lane *);

const char *pc_ranking_check_index(const struct policy *, const struct pc_ranking *, uint32_t lane);

#endif
