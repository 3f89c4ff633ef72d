/* SPDX-License-Identifier: MIT */
/*
 * Quotas by pool. Pools that share a quota, as those of one GPU type do, form a group; pools that
 * no quota names form group 0. So the groups divide the fleet, and what a queue has, wants and is
 * due is counted in each:
 *
 *     a {h100: 16, l40s: 8}     group 1: pools h100-a and h100-b, one type
 *     b {h100: 8}               group 2: pool l40s
 *     c 4, anywhere             group 0: all other pools
 *
 * As long as no queue has such quotas there are no groups (group_count 0), and nothing is counted.
 */
#ifndef POLICY_STATE_POOL_QUOTAS_H
#define POLICY_STATE_POOL_QUOTAS_H

#include "state/state.h"

/* Checks the quotas of a spec by themselves and against the groups that exist. */
int pc_groups_check(struct policy *, const struct policy_queue_spec *);

/* Makes the groups that the spec's quotas name, and room for them in all queues; false: no memory.
 */
bool pc_groups_make(struct policy *, const struct policy_queue_spec *);

/* Sets the queue's quotas by pool; its array has room for all groups. */
void pc_groups_set(const struct pc_cluster *, struct pc_queue *, const struct policy_queue_spec *);

/* True if the spec has the quotas that the queue has. */
bool pc_groups_same(const struct policy *, const struct pc_queue *,
                    const struct policy_queue_spec *);

/* Capacities of the groups, and for each set of pools what it has of each group, as of the fleet
 * now; false: no memory. Called once a decision. */
bool pc_groups_refresh(struct policy *);

/* The part of the queue's pools that lies in the group, as a pool set; PC_NONE: none. */
static inline uint32_t pc_group_set(const struct pc_cluster *c, uint32_t queue, uint32_t group)
{
    const struct pc_pool_set *s = &c->pool_sets[c->queues[queue].pool_set];
    return group < s->part_count ? s->parts[group] : PC_NONE;
}

/* True if all the job's tasks may find their GPU type in the group, and its queue may use it. */
bool pc_group_suits(const struct pc_cluster *, uint32_t job, uint32_t group);

static inline uint32_t pc_group_of_node(const struct pc_cluster *c, uint32_t node)
{
    return c->pools[c->nodes[node].pool].group;
}

/* The group in which the job has active tasks, or PC_NONE. */
uint32_t pc_group_of_job(const struct pc_cluster *, uint32_t job);

/*
 * True if the job may have so many thousandths more in the group: what is bound by quotas (jobs
 * that may not be preempted; all, where the quota is the limit) stays within those of every queue
 * from its leaf up that has quotas by pool.
 */
bool pc_group_allows(const struct policy *, uint32_t job, uint32_t group, int64_t milli);

/* True if with so much more the queue is within what is guaranteed to it in the group. */
static inline bool pc_group_guarantees(const struct pc_queue *q, uint32_t group, int64_t milli)
{
    const struct pc_group_share *s = &q->groups[group];
    return s->due == POLICY_UNLIMITED || s->allocated + milli <= s->due;
}

/* Remembers what queues have, before victims are looked for. */
void pc_groups_save(struct pc_cluster *);

void pc_groups_free(struct policy *);

#endif
