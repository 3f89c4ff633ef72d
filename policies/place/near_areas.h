/* SPDX-License-Identifier: MIT */
/*
 * Areas for the placement `topology`: a gang without a topology constraint goes into the smallest
 * domain that can hold all of it. The smallest is a single node, then come the domains of the
 * topology (domain_counts.h) from the lowest level up. Within a level, domains that may hold the
 * gang are tried by ascending number of wholly free devices, ties by lowest number. It is a
 * preference: if all areas fail, the gang goes anywhere.
 *
 *     struct pc_near near = pc_near_begin(p, job, tasks);
 *     for (const struct pc_area *a; (a = pc_near_next(p, &near)) != NULL;)
 *         ... try to place the tasks on a->nodes; on success call pc_near_end(p, &near) and
 *             return, else roll back ...
 */
#ifndef POLICY_PLACE_NEAR_AREAS_H
#define POLICY_PLACE_NEAR_AREAS_H

#include "place/place.h"

/* The combined demand of a gang's tasks; INT64_MAX: at least that much. */
struct pc_near_demand {
    int64_t cpu, mem, whole, milli; /* milli: without requests that depend on the node */
};

struct pc_near {
    struct pc_area area;
    uint32_t job, set;
    const struct pc_tasks *tasks;
    struct pc_near_demand demand;
    uint32_t rank;  /* of the current node, or PC_NONE; */
    int32_t free;   /* which has this many free devices */
    uint32_t level; /* 0: nodes; else that of the current domain */
    uint32_t domain;
    const struct pc_topology *topology;
};

struct pc_near pc_near_begin(struct policy *, uint32_t job, const struct pc_tasks *);

/* Returns the next area, to be called with nothing placed; NULL: there are no more. */
const struct pc_area *pc_near_next(struct policy *, struct pc_near *);

/* Ends the iteration before pc_near_next() has returned NULL. */
void pc_near_end(struct policy *, struct pc_near *);

#endif
