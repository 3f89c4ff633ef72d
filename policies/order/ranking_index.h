/* SPDX-License-Identifier: MIT */
/*
 * The jobs of a ranked lane in order, as trees: running jobs, with sums of what they hold, and
 * pending jobs, one tree per amount of devices requested. Running jobs do not change their relative
 * order (remaining times decrease alike; passing a threshold causes a new look), so a decision only
 * examines where pending and running jobs meet: see act/evict_outranked.c.
 *
 * Not used for orders in which running jobs overtake each other, for options that depend on the
 * last decision, or for lanes whose jobs may use different pools: there decisions walk all jobs.
 */
#ifndef POLICY_ORDER_RANKING_INDEX_H
#define POLICY_ORDER_RANKING_INDEX_H

#include "order/ranking.h"

/* Returns true if decisions use the index. */
bool pc_ranking_is_indexed(const struct policy *);

/* Marks the job's position in the index for an update. */
void pc_ranking_dirty(const struct policy *, uint32_t job);

/* Applies all changes of the lane's jobs since the last look, including thresholds passed. */
void pc_ranking_catch_up(struct policy *, struct pc_ranking *, uint32_t lane);

/* Removes the job from its tree. */
void pc_ranking_take_out(struct pc_ranking *, uint32_t job);

/* Cancels the update of the job's position. */
void pc_ranking_clean(struct pc_ranking *, uint32_t job);

/* Thousandths of devices held by running jobs before the rank. */
int64_t pc_ranking_sum_before(const struct policy *, const struct pc_ranking *,
                              const struct pc_rank_lane *, const struct pc_rank *);

/* The first running job at which the prefix sum, itself included, exceeds `sum`; PC_NONE: none. */
uint32_t pc_ranking_first_over(struct pc_ranking *, const struct pc_rank_lane *, int64_t sum);

/* The first pending job of the group after the rank (NULL: of all), or PC_NONE. */
uint32_t pc_ranking_first_behind(const struct pc_ranking *, const struct pc_rank_group *,
                                 const struct pc_rank *);

/* The rank of a pending job in its tree, and the current rank of a running job in a tree. */
struct pc_rank pc_ranking_pending_rank(const struct pc_ranking *, uint32_t job);
struct pc_rank pc_ranking_rank_now(const struct policy *, const struct pc_ranking *, uint32_t job);

/* When time alone changes the order next. */
policy_time pc_ranking_next_crossing(struct pc_ranking *, const struct pc_rank_lane *);

const char *pc_ranking_check_index(const struct policy *, const struct pc_ranking *, uint32_t lane);

#endif
