/* SPDX-License-Identifier: MIT */
/*
 * Where tasks with a topology constraint may go. A topology is a tree of domains: the nodes of a
 * pod, of its racks, ... For a constraint and the current tasks this yields the areas to try one
 * after another: sets of nodes with, for a preferred level, a score per node. Without a constraint
 * there is one area: what was offered.
 *
 *     struct pc_areas areas;
 *     pc_areas_begin(p, &areas, depth, job, constraint, tasks, count, offered);
 *     for (const struct pc_area *a; (a = pc_areas_next(p, &areas)) != NULL;)
 *         ... try to place the tasks on a->nodes, return on success, else roll back ...
 *
 * Areas are the domains that can hold the tasks, from the preferred level (or the required one if
 * none is preferred) up to the required one (or the whole topology): the deepest level first,
 * within a level the tightest first. If an area is above the preferred level, the emptiest of its
 * preferred-level domains scores highest, so that the tasks end up in few of them.
 *
 * Nested constraints (job, group, pod set) use separate scratch memory per depth: 0, 1, 2, ...
 */
#ifndef POLICY_PLACE_TOPOLOGY_H
#define POLICY_PLACE_TOPOLOGY_H

#include "state/state.h"

struct pc_area {
    const struct pc_bits *nodes; /* by rank; NULL: every node */
    const uint8_t *scores;       /* by rank, 0 to 10, higher first; NULL: all equal */
};

struct pc_areas {
    struct pc_area current;
    struct pc_area offered;
    uint32_t depth, next, count;
    uint32_t topology; /* index, or PC_NONE: no constraint */
    uint32_t scored;   /* the level whose domains are scored in higher areas; 0: none */
    uint32_t pool_set; /* of the job's queue */
};

/*
 * offered: the area of the parent. `constraint` must be the one in the job's shape (of the job, a
 * group or a pod set), which determines the tasks it covers: if some of them are already active and
 * a level is required, only domains of that level that hold some of these are tried. If out of
 * memory (cluster.out_of_memory), or if no domain holds the tasks, there are no areas.
 */
void pc_areas_begin(struct policy *, struct pc_areas *, uint32_t depth, uint32_t job,
                    const struct policy_constraint *, const uint32_t *tasks, uint32_t count,
                    const struct pc_area *offered);

/* The next area, valid until the next call for the same depth; NULL: there are no more. */
const struct pc_area *pc_areas_next(struct policy *, struct pc_areas *);

/*
 * For explanations: the most tasks (of `count` like the largest) that one domain of the required
 * level holds now. Must not be called between pc_areas_begin() and the last pc_areas_next().
 */
uint32_t pc_most_in_domain(struct policy *, uint32_t job, const struct policy_constraint *,
                           const uint32_t *tasks, uint32_t count);

void pc_topologies_free(struct policy *);

#endif
