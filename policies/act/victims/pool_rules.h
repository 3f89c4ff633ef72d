/* SPDX-License-Identifier: MIT */
/*
 * Eviction rules for quotas by pool (state/pool_quotas.h): those of act/reclaim.c for devices,
 * applied group by group. In each group where some queue has less after a trial
 *   - every queue with more there, the job's or that of a moved job, stays within its quota or its
 *     share there;
 *   - each piece is taken from a queue above both its quota and its share there, or, for queues
 *     that stay within their quotas, from one above its quota;
 *   - ancestors of the job's queue that exceed their share stay behind their siblings.
 *
 * A job moved to a group where its queue stays within its quota costs the queue nothing.
 */
#ifndef POLICY_ACT_VICTIMS_POOL_RULES_H
#define POLICY_ACT_VICTIMS_POOL_RULES_H

#include "act/victims/victims.h"

/* Returns true if devices are compared group by group for a job with this request. */
static inline bool pc_rules_by_pool(const struct pc_cluster *c, const struct pc_amounts *asks)
{
    return c->group_count > 0 && asks->of[PC_GPU] > 0;
}

/* Returns true if in some group the job's queue would stay within its share and, for
 * non-preemptible jobs, within its quota. */
bool pc_pools_may_reclaim(const struct policy *, uint32_t job, const struct pc_amounts *asks);

/* Returns true if the queue may have that much more in the group: within its quota (`guaranteed`),
 * or within its share. */
bool pc_pools_admit(const struct pc_cluster *, uint32_t leaf, uint32_t group, int64_t milli,
                    bool guaranteed);

/* Returns true if the other leaf may lose something in the group to this one, which has, or will
 * have, `more` there than counted. `held`: the part of the other's amount that no longer counts. */
bool pc_pools_may_take(const struct pc_cluster *, uint32_t leaf, int64_t more, uint32_t other,
                       int64_t held, uint32_t group);

/* Judges the current trial. */
bool pc_pools_accept(const struct pc_search *);

/* Returns true if no job was moved out of a guarantee. */
bool pc_pools_keep(const struct pc_search *);

/* Finds the two ancestors (or the queues themselves) where the chains diverge. */
void pc_part(const struct pc_cluster *, uint32_t a, uint32_t b, uint32_t *x, uint32_t *y);

/* Returns true if the queue would be above its share, and at least as far (times the multiplier, in
 * parts per million) as the sibling that lost devices. */
bool pc_overtakes(int64_t has, int64_t fair, int64_t sibling_has, int64_t sibling_fair,
                  int64_t multiplier);

#endif
