/* SPDX-License-Identifier: MIT */
/*
 * An index of the nodes that fit a request, for placements that would otherwise examine every node.
 * Each distinct request in use has a table: for every node, by rank, whether the request fits now
 * (2), after release (1) or not (0), and its score there if the placement keeps scores. Above the
 * table is a tree:
 *     table  [2 31][2 12][0 ..][1 40][2 31] ...
 *     best      0     -     3    ...           scores: the better of two, ties the first;
 *                                              the root is the answer
 *     counts   2 0   0 1   ...                 random: how many fit now and after release;
 *                                              answers "the k-th that fits"
 *
 * On a query, a table catches up with the log of changed nodes (state/changes.h): the cost is the
 * changes since the last query times log n. As many tables are kept as MOST_ENTRIES allows; beyond
 * that they are replaced in turn. What depends on the job (limits, session reserves, reservations)
 * is not part of a table.
 */
#ifndef POLICY_PLACE_FIT_INDEX_H
#define POLICY_PLACE_FIT_INDEX_H

#include "place/place.h"

enum { PC_FITS_NOT, PC_FITS_SOON, PC_FITS_NOW };

/*
 * The rank of the best node for a placement that keeps scores; the `search` of such rows.
 * PC_NOT_COVERED: no memory for a table.
 */
uint32_t pc_highest_score(const struct pc_ask *);

/*
 * Among the nodes of the area and pool set with the best fit: their number, and the k-th (from 0)
 * by rank. Only valid while no reserve binds (pc_may_bind()). PC_NOT_COVERED: no memory for a
 * table.
 */
uint32_t pc_count_fitting(const struct pc_ask *);
uint32_t pc_nth_fitting(const struct pc_ask *, uint32_t k);

/* Used by placements with the index. */
extern const struct pc_module pc_fits_module;

/* Drops all tables after a change of anything but nodes that fits or scores depend on. */
void pc_fits_forget(struct policy *);

#endif
