/* SPDX-License-Identifier: MIT */
/*
 * The tree of domains of a topology, made from the labels of the nodes when it is next needed after
 * nodes came or went.
 *
 *     levels pod, rack          domains        0 (root)
 *     node 0: pod a, rack x               1 (a)        2 (b)
 *     node 1: pod a, rack y            3 (a/x) 4 (a/y)  5 (b/x)
 *     node 2: pod b, rack x     ranks   0       1        2          each domain has a run of them
 *
 * A node without a label of every level stands outside. Domains hold no lists of their own, so that
 * large fleets with many racks need little memory.
 */
#ifndef POLICY_STATE_DOMAINS_H
#define POLICY_STATE_DOMAINS_H

#include "state/state.h"

/* A node as domains see it. */
struct pc_labelled {
    bool exists;
    uint32_t rank;
    const struct policy_label *labels;
    uint32_t label_count;
};

/* All nodes, by id, and scratch that is kept from one time to the next. */
struct pc_labelled_nodes {
    struct pc_labelled (*at)(const struct policy *, uint32_t id);
    uint32_t count;
    uint32_t **paths, *path_capacity;
};

/* Makes the domains of the topology anew. It is stale until its nodes know of them: the caller says
 * so. False: no memory. */
bool pc_domains_make(const struct policy *, struct pc_topology *, const struct pc_labelled_nodes *);

/* Topology number `index` (from 0) with its domains as they are now; NULL: no memory. It has to be
 * known. */
struct pc_topology *pc_domains_current(struct policy *, uint32_t index);

/* The domain of that level or above it that the domain lies in. */
uint32_t pc_domain_above(const struct pc_topology *, uint32_t domain, uint32_t level);

/* The domains of that level (at or below the domain's own) inside the domain: *first up to but not
 * including *end. */
void pc_domains_inside(const struct pc_topology *, uint32_t domain, uint32_t level, uint32_t *first,
                       uint32_t *end);

/* True if the topology and the levels that the constraint names exist. */
bool pc_constraint_known(const struct pc_cluster *, const struct policy_constraint *);

void pc_topology_free(const struct policy *, struct pc_topology *);
void pc_domains_free(struct policy *);

#endif
