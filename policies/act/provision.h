/* SPDX-License-Identifier: MIT */
/*
 * Nodes on demand: which of those that have an offer are ordered, and which are given back. It
 * comes last in a decision, so it sees what still waits and what is empty:
 *
 *     least      every offer keeps so many nodes
 *     demand     pending jobs are packed onto what is free, on nodes that are on their way, and on
 *                new ones, which are ordered: provision_plan.c
 *     headroom   so many empty nodes are kept beside that, at some hours of the week or always
 *     forecast   nodes in use at the same hour a week before, where the configuration says so
 *     release    what has been empty for the offer's time is given back, the dearest first
 *
 * Nothing is evicted for it. Topology constraints count only as far as they can be met at all.
 */
#ifndef POLICY_ACT_PROVISION_H
#define POLICY_ACT_PROVISION_H

#include "state/state.h"

#define PC_WEEK_HOURS 168

/* What is left of a node in the plan. */
struct pc_bin {
    uint32_t node, offer; /* offer PC_NONE: the node is there, or on its way */
    int32_t devices;
    int64_t tasks, cpu, mem;
    bool used; /* by a job of the plan */
};

/* Pending jobs that are alike. */
struct pc_demand {
    uint32_t class, job; /* job: the first */
    int32_t need;        /* whole devices of the largest task */
    uint64_t rank;       /* of that job */
};

struct pc_provisioner {
    uint64_t seen;    /* cluster.version at the end of the last run */
    policy_time next; /* when time alone changes the answer */
    policy_time last_order;
    /* the bill of the 30 days at hand, for the budget */
    policy_time counted; /* up to here, or POLICY_NEVER */
    int64_t rate, spent; /* micro-USD: in an hour since then, and before */
    uint64_t rest;       /* of `spent`, in 3600000ths */
    /* nodes wanted, by hour of the week as it was last; and so far in this hour */
    uint32_t wanted[PC_WEEK_HOURS];
    int64_t hour; /* since time 0 */
    uint32_t peak;
    /* scratch of a run */
    struct pc_bin *bins, *undo; /* undo: of the job at hand, as they were before; node: which bin */
    uint32_t bin_count, bin_capacity, undo_count, undo_capacity;
    struct pc_demand *demands;
    uint32_t *order;
    uint32_t demand_count, demand_capacity, order_capacity;
    struct pc_amounts *planned;       /* for each queue: what its jobs in the plan will have, */
    struct pc_amounts *planned_fixed; /* and those that may not be preempted */
    uint32_t planned_capacity, planned_fixed_capacity;
    struct pc_bits taken; /* nodes that are bins, by rank */
    int64_t planned_rate;
};

extern const struct pc_module pc_provision_module;

/* Of this policy; NULL: it does not provision. */
struct pc_provisioner *pc_provisioner_of(const struct policy *);

/* Orders and gives back: adds to the decisions. cluster.out_of_memory: another call goes on. */
void pc_provision(struct policy *, struct pc_provisioner *);

/* True if facts arrived, or a time has come, that may lead to an order or a release. */
bool pc_provision_has_work(const struct policy *);

/* ---- provision_plan.c ---- */

/*
 * Packs what waits; bins with an offer are nodes to be ordered. Lowers `next` to the time at which
 * a job has waited long enough for an offer. False: no memory.
 */
bool pc_provision_plan(struct policy *, struct pc_provisioner *);
void pc_provision_plan_end(struct policy *, struct pc_provisioner *);

/* The plan is to order a node of this offer; false: none is left, or the budget is, or no memory.
 */
bool pc_provision_add(struct policy *, struct pc_provisioner *, uint32_t offer);

#endif
