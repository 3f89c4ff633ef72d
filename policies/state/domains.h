/* SPDX-License-Identifier: MIT */
/*
 * The domain tree of a topology, built from node labels on first use after nodes came or went.
 *     levels pod, rack          domains  0 (root)
 *     node 0: pod a, rack x              1 (a)           2 (b)
 *     node 1: pod a, rack y              3 (a/x) 4 (a/y) 5 (b/x)
 *     node 2: pod b, rack x     ranks    0       1       2       each domain has a run of them
 *
 * A node that lacks the label of any level is outside. Domains hold no lists of their own, so large
 * fleets with many racks need little memory.
 */
#ifndef POLICY_STATE_DOMAINS_H
#define POLICY_STATE_DOMAINS_H

#include "state/state.h"

/* The part of a node that domains depend on. */
struct pc_labelled {
    bool exists;
    uint32_t rank;
    const struct policy_label *labels;
    uint32_t label_count;
};

/* All nodes by id, and scratch memory reused between calls. */
struct pc_labelled_nodes {
    struct pc_labelled (*at)(const struct policy *, uint32_t id);
    uint32_t count;
    uint32_t **paths, *path_capacity;
};

/* Rebuilds the domains of the topology. It stays stale until the caller has updated the nodes.
 * Returns false if out of memory. */
bool pc_domains_make(const struct policy *, struct pc_topology *, const struct pc_labelled_nodes *);

/* Returns topology `index` (from 0), which must be known, with up-to-date domains; NULL if out of
 * memory. */
struct pc_topology *pc_domains_current(struct policy *, uint32_t index);

/* Returns the ancestor at that level (or the domain itself). */
uint32_t pc_domain_above(const struct pc_topology *, uint32_t domain, uint32_t level);

/* The domains of that level (at or below the domain's own) inside the domain: [*first, *end). */
void pc_domains_inside(const struct pc_topology *, uint32_t domain, uint32_t level, uint32_t *first,
                       uint32_t *end);

/* Returns true if the constraint's topology and levels exist. */
bool pc_constraint_known(const struct pc_cluster *, const struct policy_constraint *);

void pc_topology_free(const struct policy *, struct pc_topology *);
void pc_domains_free(struct policy *);

#endif
