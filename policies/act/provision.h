/* SPDX-License-Identifier: MIT */
/*
 * Nodes on demand: decides which nodes with an offer are ordered and which are released. Runs last
 * in a decision, so it sees what is still pending and what is empty:
 *     least     each offer keeps a minimum of nodes
 *     demand    pending jobs are packed onto free nodes, nodes on order, and new nodes, which are
 *               ordered: provision_plan.c
 *     headroom  a number of empty nodes is kept on top, at some hours of the week or always
 *     forecast  nodes in use at the same hour of the previous week, if configured
 *     release   nodes idle for the offer's idle time are released, the most expensive first
 *
 * Nothing is evicted for it. Topology constraints count only as far as they can be met at all.
 */
#ifndef POLICY_ACT_PROVISION_H
#define POLICY_ACT_PROVISION_H

#include "state/state.h"

#define PC_WEEK_HOURS 168

/* What the plan leaves of a node. */
struct pc_bin {
    uint32_t node, offer; /* offer PC_NONE: the node is up or on order */
    int32_t devices;
    int64_t tasks, cpu, mem;
    bool used; /* by a job of the plan */
};

/* Equivalent pending jobs. */
struct pc_demand {
    uint32_t class, job; /* job: the first one */
    int32_t need;        /* whole devices of the largest task */
    uint64_t rank;       /* of the first job */
};

struct pc_provisioner {
    uint64_t seen;    /* cluster.version at the end of the last run */
    policy_time next; /* when the answer may change by time alone */
    policy_time last_order;
    /* bill of the current 30 days, for the budget */
    policy_time counted; /* the bill is complete up to here; or POLICY_NEVER */
    int64_t rate, spent; /* micro-USD: per hour since `counted`, and in total before */
    uint64_t rest;       /* of `spent`, in 3600000ths */
    /* nodes wanted by hour of the week, as last observed; peak: so far in this hour */
    uint32_t wanted[PC_WEEK_HOURS];
    int64_t hour; /* since time 0 */
    uint32_t peak;
    /* scratch memory of a run */
    struct pc_bin *bins, *undo; /* undo: bins before the current job; node: index of the bin */
    uint32_t bin_count, bin_capacity, undo_count, undo_capacity;
    struct pc_demand *demands;
    uint32_t *order;
    uint32_t demand_count, demand_capacity, order_capacity;
    struct pc_amounts *planned;       /* per queue: what its jobs will have with the plan, */
    struct pc_amounts *planned_fixed; /* and its non-preemptible jobs */
    uint32_t planned_capacity, planned_fixed_capacity;
    struct pc_bits taken; /* nodes that have a bin, by rank */
    int64_t planned_rate;
};

extern const struct pc_module pc_provision_module;

/* The provisioner of this policy; NULL: it does not provision. */
struct pc_provisioner *pc_provisioner_of(const struct policy *);

/* Orders and releases nodes: appends decisions. With cluster.out_of_memory set, another call
 * continues. */
void pc_provision(struct policy *, struct pc_provisioner *);

/* Returns true if new facts or the time may lead to an order or a release. */
bool pc_provision_has_work(const struct policy *);

/* ---- provision_plan.c ---- */

/*
 * Packs pending jobs; bins with an offer are nodes to order. Lowers `next` to the time at which a
 * job has been pending long enough for an offer. Returns false if out of memory.
 */
bool pc_provision_plan(struct policy *, struct pc_provisioner *);
void pc_provision_plan_end(struct policy *, struct pc_provisioner *);

/* Adds a node of this offer to the order. Returns false if no node or budget is left, or if out of
 * memory. */
bool pc_provision_add(struct policy *, struct pc_provisioner *, uint32_t offer);

#endif
