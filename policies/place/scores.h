/* SPDX-License-Identifier: MIT */
/*
 * Placements that give every node that fits a score and take the highest, lowest rank when equal: those of packing
 * studies. A score is a function of the node's state and the request alone, and from one task to the next only the
 * node that took it changes, so scores are kept:
 *
 *                       node 0         node 1         node 2
 *     1 x 500, 4 cores  31 at state 7  12 at state 2  ...         a score counts while the node is in that state
 *     8 x 1000, 64      ...
 *
 * Rows are kept for as many kinds of requests as MOST_SCORES allow; beyond that the row in turn is given to another.
 */
#ifndef POLICY_PLACE_SCORES_H
#define POLICY_PLACE_SCORES_H

#include "core/state.h"

struct pc_score {
    uint64_t state; /* pc_node.version that it was found in; 0: none yet */
    int64_t score;
};

/* Memory and types decide whether a node fits, never how well: but for the scores of plugins, else they are 0. */
struct pc_score_row {
    int64_t cpu, mem;
    uint64_t types;
    int32_t devices, milli;
    struct pc_score *of_node;
};

struct pc_scores {
    struct pc_score_row *rows;
    uint32_t row_count, row_capacity;
    uint32_t node_count; /* that each row has room for */
    uint32_t next;       /* row to be given away */
};

typedef int64_t pc_score_of(const struct policy *, const struct pc_node *, const struct pc_request *);

/* The rank with the highest score of those that fit, or PC_NONE; with ask->any just one that fits. */
uint32_t pc_highest(const struct policy *, const struct pc_site *, const struct pc_ask *, pc_score_of *);

/* The same, with scores that are kept; for one kind of score in one policy. */
uint32_t pc_highest_kept(const struct policy *, const struct pc_site *, const struct pc_ask *, pc_score_of *);

/* For placements that keep scores; NULL: no memory. */
struct pc_scores *pc_scores_create(const struct pc_memory *);
void pc_scores_destroy(struct pc_scores *, const struct pc_memory *); /* NULL is fine */

/* What scores depend on beside nodes has changed: all begin anew. */
void pc_scores_forget(struct pc_scores *, const struct pc_memory *);

#endif
