/* SPDX-License-Identifier: MIT */
/*
 * Fragments as "Beware of Fragmentation" (FGD, USENIX ATC 2023) defines them: what is left on a
 * node and of no use to typical tasks. With r_i thousandths left on device i, R their sum, and c
 * thousandths of a core left, the fragment of the node for a typical task m is, by the first line
 * that holds,
 *
 *     m wants no device                                      R   (xl when c is enough for m, else
 *                                                            xr)
 *     m may not use devices of this type                     R   (no access)
 *     too few devices with r_i >= m's share                  R   (q1 when CPU is short as well,
 *                                                            else q2)
 *     CPU is short                                           R   (q4)
 *     else                                 sum of r_i < share    (part of q2)
 *
 * Memory of devices is a share of what a device of the node has. A typical task of MIG instances
 * wants a whole device of a node that makes instances, and may not use others. CPU memory plays no
 * part.
 *
 * The fragment of the node, F, is the sum over all m of the part p_m that m has in the workload
 * times its fragment. F is summed up class by class (q1, q2, q4, xl, xr, no access), within one in
 * the order of the typical tasks, as the published results were: differences of F are cut to
 * integers, and a sum in another order may lie on the other side of a cut. The same with p_m as
 * counts is exact, and counts tasks times thousandths.
 */
#ifndef POLICY_PLACE_FRAGMENT_H
#define POLICY_PLACE_FRAGMENT_H

#include "place/left.h"

double pc_fragment(const struct policy *, const struct pc_left *); /* F, thousandths of devices */
int64_t pc_fragment_counted(const struct policy *, const struct pc_left *);

/* The score, 0 to 100, of an F that falls by so much: trunc(100 / (1 + e^(-gradient / 1000))). In
 * fgd.c. */
int64_t pc_gradient_score(double gradient);

#endif
