/* SPDX-License-Identifier: MIT */
/*
 * What the chosen rows need from the state, determined once when a policy is created. Unneeded
 * indexes are not maintained: a preset that never evicts does not pay for eviction.
 */
#ifndef POLICY_STATE_TRAITS_H
#define POLICY_STATE_TRAITS_H

#include "policy.h"

/* Returns true if pending jobs are in lanes (pending/): there is no queue order, and a gang starts
 * as one. */
static inline bool pc_in_lanes(const struct policy_config *config)
{
    return config->queue_order == POLICY_NO_QUEUE_ORDER && !config->pods.on;
}

struct pc_traits {
    bool by_free;   /* pool sets index their nodes by free devices and sum what is idle */
    bool nominates; /* some action nominates places that are not idle yet: "free" means after
                       release */
    /*
     * Shares of devices are counted in thousandths even if device memory is known: memory requests
     * are rounded up to thousandths. Otherwise in MiB where it is known.
     */
    bool thousandths;
    bool lists_soon; /* nodes are listed by devices free after release, with sums */
    /* The placement looks for nodes where a task of whole devices fits now first, and then for the
     * fewest free devices. */
    bool fills_fullest;
    bool evicts;       /* evictable tasks are tracked by node: see state/room.h */
    bool counts_only;  /* devices of pools are only counted: tasks have no node */
    bool logs_changes; /* changed nodes are logged for indexes of nodes */
    bool counts_kinds; /* tasks of each kind are counted per node */
    bool anyone_gives; /* non-preemptible jobs may be evicted, too */
    /* Each shared device takes a task slot of its node: the pod that reserves it. */
    bool shared_takes_place;
};

/* Derived from a whole configuration; in presets.c. */
struct pc_traits pc_traits_of(const struct policy_config *);

#endif
