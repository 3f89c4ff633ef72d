/* SPDX-License-Identifier: MIT */
/*
 * An index of the nodes that fit a request, for placements that would else look at every node. For
 * each kind of request in use there is a table: of every node, by rank, whether the request fits
 * now (2), after release (1) or not (0), and for placements that keep scores how good it is there.
 * Above the table stands a tree:
 *
 *     table    [2 31][2 12][0 ..][1 40][2 31] ...
 *     best        0     -     3  ...               scores: the better of two, the first of equals;
 *                 the root is the answer
 *     counts    2 0   0 1   ...                    random: how many fit now and after release;
 *                                                  answers "the k-th that fits"
 *
 * When it is asked, a table catches up with the log of changed nodes (state/changes.h): a query
 * costs the changes since the last one times log n. Tables are kept for as many kinds of requests
 * as MOST_ENTRIES allow; beyond that the one in turn is given to another. What depends on the job
 * (limits, session reserves, reservations) is no part of a table.
 */
#ifndef POLICY_PLACE_FIT_INDEX_H
#define POLICY_PLACE_FIT_INDEX_H

#include "place/place.h"

enum { PC_FITS_NOT, PC_FITS_SOON, PC_FITS_NOW };

/*
 * The rank of the best node for a placement that keeps scores; a `search` of such rows.
 * PC_NOT_COVERED: no memory for a table.
 */
uint32_t pc_highest_score(const struct pc_ask *);

/*
 * Of the nodes of the area and pool set that fit, as well as any does: how many there are; and the
 * k-th (from 0) by rank. Only while no node has to spare anything (pc_may_bind()). PC_NOT_COVERED:
 * no memory for a table.
 */
uint32_t pc_count_fitting(const struct pc_ask *);
uint32_t pc_nth_fitting(const struct pc_ask *, uint32_t k);

/* Of placements that use it. */
extern const struct pc_module pc_fits_module;

/* What fits or scores depend on, beside nodes, has changed: all begin anew. */
void pc_fits_forget(struct policy *);

#endif
