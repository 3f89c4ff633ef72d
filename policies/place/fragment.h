/* SPDX-License-Identifier: MIT */
/*
 * Fragmentation as defined by "Beware of Fragmentation" (FGD, USENIX ATC 2023): capacity left on a
 * node that typical tasks cannot use. With r_i thousandths left on device i, R their sum, and c
 * thousandths of a core left, the fragment of the node for a typical task m is given by the first
 * line that applies:
 *     m requests no device                     R    (xl if c is enough for m, else xr)
 *     m cannot use devices of this type        R    (no access)
 *     too few devices with r_i >= m's share    R    (q1 if CPU is short, too, else q2)
 *     CPU is short                             R    (q4)
 *     else                      sum of r_i < share  (part of q2)
 *
 * Device memory is a share of the node's devices. A typical task with MIG instances requests a
 * whole device of a node that creates instances, and cannot use others. CPU memory is ignored.
 *
 * The fragmentation of the node, F, is the sum over all m of the fraction p_m of m in the workload
 * times its fragment. F is summed class by class (q1, q2, q4, xl, xr, no access), within a class in
 * the order of the typical tasks, like the published results: differences of F are truncated to
 * integers, and another order of summation may fall on the other side. The variant with counts for
 * p_m is exact, in tasks times thousandths.
 */
#ifndef POLICY_PLACE_FRAGMENT_H
#define POLICY_PLACE_FRAGMENT_H

#include "place/left.h"

double pc_fragment(const struct policy *, const struct pc_left *); /* F, thousandths of devices */
int64_t pc_fragment_counted(const struct policy *, const struct pc_left *);

/* The score, 0 to 100, for a decrease of F by `gradient`: trunc(100 / (1 + e^(-gradient / 1000))).
 * In fgd.c. */
int64_t pc_gradient_score(double gradient);

#endif
