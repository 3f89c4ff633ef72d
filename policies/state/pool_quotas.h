/* SPDX-License-Identifier: MIT */
/*
 * Quotas by pool. Pools that share a quota, for example those of one GPU type, form a group; pools
 * without quotas form group 0. So the groups partition the fleet, and allocation, demand and
 * guarantee of each queue are counted per group:
 *     a {h100: 16, l40s: 8}    group 1: pools h100-a and h100-b, one type
 *     b {h100: 8}              group 2: pool l40s
 *     c 4, anywhere            group 0: all other pools
 *
 * Without such quotas there are no groups (group_count 0), and nothing is counted.
 */
#ifndef POLICY_STATE_POOL_QUOTAS_H
#define POLICY_STATE_POOL_QUOTAS_H

#include "state/state.h"

/* Checks the quotas of a spec, also against existing groups. */
int pc_groups_check(struct policy *, const struct policy_queue_spec *);

/* Creates the groups named by the spec's quotas and reserves memory for them in all queues. Returns
 * false if out of memory. */
bool pc_groups_make(struct policy *, const struct policy_queue_spec *);

/* Sets the queue's quotas by pool; its array has room for all groups. */
void pc_groups_set(const struct pc_cluster *, struct pc_queue *, const struct policy_queue_spec *);

/* Returns true if the spec has the same quotas as the queue. */
bool pc_groups_same(const struct policy *, const struct pc_queue *,
                    const struct policy_queue_spec *);

/* Updates the capacities of the groups, and the parts of each pool set, for the current fleet.
 * Called once per decision. Returns false if out of memory. */
bool pc_groups_refresh(struct policy *);

/* The queue's pools in the group, as a pool set; PC_NONE: none. */
static inline uint32_t pc_group_set(const struct pc_cluster *c, uint32_t queue, uint32_t group)
{
    const struct pc_pool_set *s = &c->pool_sets[c->queues[queue].pool_set];
    return group < s->part_count ? s->parts[group] : PC_NONE;
}

/* Returns true if the queue may use the group and all the job's tasks may find their GPU type
 * there. */
bool pc_group_suits(const struct pc_cluster *, uint32_t job, uint32_t group);

static inline uint32_t pc_group_of_node(const struct pc_cluster *c, uint32_t node)
{
    return c->pools[c->nodes[node].pool].group;
}

/* The group of the job's active tasks, or PC_NONE. */
uint32_t pc_group_of_job(const struct pc_cluster *, uint32_t job);

/*
 * Returns true if the job may have that many thousandths more in the group: jobs bound by quotas
 * (non-preemptible ones; all, if the quota is the limit) must stay within those of every queue from
 * its leaf up that has quotas by pool.
 */
bool pc_group_allows(const struct policy *, uint32_t job, uint32_t group, int64_t milli);

/* Returns true if the queue, with that much more, is within its guarantee in the group. */
static inline bool pc_group_guarantees(const struct pc_queue *q, uint32_t group, int64_t milli)
{
    const struct pc_group_share *s = &q->groups[group];
    return s->due == POLICY_UNLIMITED || s->allocated + milli <= s->due;
}

/* The queue that does not allow it, from the leaf up; POLICY_NO_ID: all do. */
uint32_t pc_group_refuses(const struct policy *, uint32_t job, uint32_t group, int64_t milli);

/* Saves the queues' amounts before a search for victims. */
void pc_groups_save(struct pc_cluster *);

void pc_groups_free(struct policy *);

#endif
