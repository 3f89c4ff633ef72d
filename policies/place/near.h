/* SPDX-License-Identifier: MIT */
/*
 * Placement `topology` of lines: a gang goes into the smallest domain that can take all of it now. A node is the
 * smallest, then come the domains of the topology (place/domains.h) from the lowest level up, at last the fleet. On
 * one level the domain with the fewest wholly free devices that holds the gang is taken, the lowest when equal; inside
 * it best-fit says where each task goes. It is a preference: nobody waits for a domain.
 *
 * Each site counts what is free in each domain, kept with every change of a node:
 *
 *     cells of domain d   [whole devices][thousandths][nodes with 0 free][with 1 free] ... [with most_devices free]
 *
 * They tell without a look at nodes which domains cannot hold a gang. Whether another does is found by trial, since CPU,
 * memory and types count too. The lowest of the topologies that were told of is used. Domains are made anew when a gang
 * is next placed after nodes or sites came or went. Without the placement p->near is NULL and all this costs nothing.
 */
#ifndef POLICY_PLACE_NEAR_H
#define POLICY_PLACE_NEAR_H

#include "core/state.h"

bool pc_near_create(struct policy *); /* false: no memory */
void pc_near_destroy(struct policy *);

/* Takes the topology, unless one with a lower number is known. */
void pc_near_topology(struct policy *, uint32_t number, const uint32_t *levels, uint32_t count);

/* A node of this id comes with its labels (false: no memory, and nothing has changed), or goes. */
bool pc_near_node_comes(struct policy *, uint32_t id, const struct policy_node_spec *);
void pc_near_node_goes(struct policy *, uint32_t id);

void pc_near_forget_domains(struct policy *); /* to be made anew */

/* Counts a node that takes new tasks in the site's domains, or takes it out again: sign 1 or -1. */
void pc_near_count(struct pc_domain_counts *, const struct pc_node *, int sign);

/*
 * Places a gang of the group in one domain, in the open and empty transaction. Returns 0 when all tasks were placed,
 * POLICY_REASON_WAITING without memory, POLICY_REASON_FRAGMENTED when no domain below the fleet holds it; then nothing
 * is placed.
 */
int32_t pc_place_near(struct policy *, const struct pc_group *, uint32_t *placed);

/* For policy_check(): NULL, or what is wrong. */
const char *pc_near_check(const struct policy *);

#endif
