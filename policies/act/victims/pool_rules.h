/* SPDX-License-Identifier: MIT */
/*
 * Rules of taking from others where quotas are by pool (state/pool_quotas.h): those of
 * act/reclaim.c for devices, group by group. In each group that some queue has less of after a
 * trial
 *
 *     - whoever has more there, the job's queue or that of a job that was moved, stays within its
 *       quota or its share there;
 *     - each piece is taken from a queue that has more than its quota and its share there, or, for
 *       queues that stay within their quotas, from one that has more than its quota;
 *     - and queues above the job's, when they get above their share, stay behind those next to
 * them.
 *
 * A job that is moved to a group where its queue stays within its quota takes nothing from it.
 */
#ifndef POLICY_ACT_VICTIMS_POOL_RULES_H
#define POLICY_ACT_VICTIMS_POOL_RULES_H

#include "act/victims/victims.h"

/* True if devices are compared group by group for a job that asks for so much. */
static inline bool pc_rules_by_pool(const struct pc_cluster *c, const struct pc_amounts *asks)
{
    return c->group_count > 0 && asks->of[PC_GPU] > 0;
}

/* True if in some group the job's queue would stay within its share, and what may not be preempted
 * within its quota. */
bool pc_pools_may_reclaim(const struct policy *, uint32_t job, const struct pc_amounts *asks);

/* True if the queue may have so much more in the group: within its quota, or within its share. */
bool pc_pools_admit(const struct pc_cluster *, uint32_t leaf, uint32_t group, int64_t milli,
                    bool guaranteed);

/* True if the other leaf may lose something in the group for this one, which has, or will have,
 * `more` there beside what is counted. `held`: so much of the other's is not counted any more. */
bool pc_pools_may_take(const struct pc_cluster *, uint32_t leaf, int64_t more, uint32_t other,
                       int64_t held, uint32_t group);

/* The trial as it stands. */
bool pc_pools_accept(const struct pc_search *);

/* True if no job was moved out of a guarantee. */
bool pc_pools_keep(const struct pc_search *);

/* The two ancestors (or the queues themselves) where the chains part. */
void pc_part(const struct pc_cluster *, uint32_t a, uint32_t b, uint32_t *x, uint32_t *y);

/* True if the queue would be above its share, and at least as far (times the multiplier, in parts
 * per million) as the sibling that gave. */
bool pc_overtakes(int64_t has, int64_t fair, int64_t sibling_has, int64_t sibling_fair,
                  int64_t multiplier);

#endif
