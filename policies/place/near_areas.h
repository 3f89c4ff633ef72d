/* SPDX-License-Identifier: MIT */
/*
 * Areas for the placement `topology`: a gang without a topology constraint of its own goes into the
 * smallest domain that can take all of it. A node is the smallest, then come the domains of the
 * topology (domain_counts.h) from the lowest level up. On one level the domain with the fewest
 * wholly free devices that may hold the gang is tried first, the lowest when equal. It is a
 * preference: when all areas have failed, the gang goes anywhere.
 *
 *     struct pc_near near = pc_near_begin(p, job, tasks);
 *     for (const struct pc_area *a; (a = pc_near_next(p, &near)) != NULL;)
 *         ... try to place the tasks on a->nodes; pc_near_end(p, &near) and return if that went
 *         well, else roll back ...
 */
#ifndef POLICY_PLACE_NEAR_AREAS_H
#define POLICY_PLACE_NEAR_AREAS_H

#include "place/place.h"

/* What the tasks of a gang take together; sums INT64_MAX: at least that much. */
struct pc_near_demand {
    int64_t cpu, mem, whole, milli; /* milli: without what depends on the node */
};

struct pc_near {
    struct pc_area area;
    uint32_t job, set;
    const struct pc_tasks *tasks;
    struct pc_near_demand demand;
    uint32_t rank;  /* of the node that is being tried, or PC_NONE; */
    int32_t free;   /* of those with so many free devices */
    uint32_t level; /* 0: nodes; else of the domain that is being tried */
    uint32_t domain;
    const struct pc_topology *topology;
};

struct pc_near pc_near_begin(struct policy *, uint32_t job, const struct pc_tasks *);

/* The next area, with nothing placed; NULL: there is no other. */
const struct pc_area *pc_near_next(struct policy *, struct pc_near *);

/* The area will not be used any more, before pc_near_next() said NULL. */
void pc_near_end(struct policy *, struct pc_near *);

#endif
