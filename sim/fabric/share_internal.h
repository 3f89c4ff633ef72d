/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layout of a share. A job has one flow per tier (a flat ring only uses the first); flow = job *
 * tiers + tier. A link records that a flow crosses an uplink, and is a member of two lists: of the
 * flow and of the uplink.
 */
#ifndef SIM_FABRIC_SHARE_INTERNAL_H
#define SIM_FABRIC_SHARE_INTERNAL_H

#include "sim/fabric/share.h"

#define SHARE_NONE UINT32_MAX

struct share_link {
    uint32_t flow, uplink, weight; /* how often the ring crosses it */
    uint32_t sibling;              /* next link of the flow, or of the free ones */
    uint32_t prev, next;           /* on the uplink */
};

/* Rates in kB/s; FABRIC_UNLIMITED without bound. */
struct share_flow {
    int64_t most; /* its own bound */
    int64_t want; /* demand, or less if an uplink could not provide it to this flow alone */
    int64_t rate; /* as settled; -1 not yet */
    int64_t next_rate;
    uint32_t links;
    uint64_t seen, solved; /* round of settling in which it was */
    bool used, dirty;
};

/* Unlimited uplinks are not stored. */
struct share_uplink {
    int64_t capacity;
    int64_t wanted; /* sum of weight * want of its flows; the uplink is slack if it fits the
                       capacity */
    int64_t duty_ppm;
    uint32_t links, flows;
    int32_t health_ppm;
    uint64_t seen;
    bool dirty;
    int64_t left;   /* while rates are computed: capacity not assigned yet, */
    int64_t weight; /* and crossings of flows without a rate so far */
};

struct share_job {
    bool used, changed;
    int32_t duty_ppm;
};

struct share_key {
    int64_t level;
    uint32_t uplink;
};

struct share_wish {
    int64_t want;
    uint32_t flow;
};

struct fabric_share {
    const struct fabric_tree *tree;
    enum fabric_rule rule;
    uint32_t tiers;
    struct fabric_finder finder;
    struct share_uplink *uplinks;
    struct share_link *links;
    size_t link_count, link_room;
    uint32_t free_links;
    struct share_job *jobs;
    size_t job_count, job_room;
    uint32_t *free_jobs;
    size_t free_count, free_room;
    struct share_flow *flows; /* tiers for each job */
    size_t flow_room;
    uint32_t *groups; /* as flows: of the job on the tier */
    size_t group_room;
    /* what has to be settled, and the jobs already marked */
    uint32_t *dirty_uplinks, *dirty_flows, *changed;
    size_t dirty_uplink_count, dirty_uplink_room, dirty_flow_count, dirty_flow_room, changed_count,
        changed_room;
    /* work space of settling */
    uint64_t round;
    uint32_t *some_uplinks, *some_flows;
    size_t some_uplink_count, some_uplink_room, some_flow_count, some_flow_room;
    struct share_key *heap;
    size_t heap_count, heap_room;
    struct share_wish *wishes;
    size_t wish_room;
    struct fabric_effort effort;
};

static inline bool share_is_tight(const struct share_uplink *uplink)
{
    return uplink->wanted > uplink->capacity;
}

/* Rate of a flow on an uplink under FABRIC_DUTY. */
int64_t share_by_duty(const struct fabric_share *, const struct share_link *);

#endif
