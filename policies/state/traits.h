/* SPDX-License-Identifier: MIT */
/*
 * What the chosen rows want of the state, found out once when a policy is created. An index that
 * nobody wants is not kept: a preset that never evicts does not pay for what eviction needs.
 */
#ifndef POLICY_STATE_TRAITS_H
#define POLICY_STATE_TRAITS_H

#include "policy.h"

/* True if pending jobs stand in lanes (pending/): there is no queue order, and a gang starts as
 * one. */
static inline bool pc_in_lanes(const struct policy_config *config)
{
    return config->queue_order == POLICY_NO_QUEUE_ORDER && !config->pods.on;
}

struct pc_traits {
    bool by_free;   /* pool sets index their nodes by free devices, and keep sums of what is idle */
    bool nominates; /* some action nominates tasks to places that are not idle yet: "free" means
                       after release */
    /*
     * Shares of devices are counted in thousandths, also where the memory of a device is known:
     * what is asked for in memory is rounded up to thousandths of the device there. Else in MiB,
     * where it is known.
     */
    bool thousandths;
    bool lists_soon;   /* all nodes are listed by the devices that are free after release, with sums
                          of these */
    bool evicts;       /* what could be gained by evicting is kept: evictable tasks by node, see
                          state/room.h */
    bool counts_only;  /* devices of pools are only counted: tasks have no node */
    bool logs_changes; /* the log of changed nodes is kept, for indexes of nodes */
    bool counts_kinds; /* tasks of each kind on each node are counted */
    bool anyone_gives; /* also jobs that are not preemptible may be evicted for others */
    /* Each shared device takes one of the places for tasks of its node: the pod that reserves it.
     */
    bool shared_takes_place;
};

/* Of a whole configuration; in presets.c. */
struct pc_traits pc_traits_of(const struct policy_config *);

#endif
