/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The power that a node draws at the plug, by how busy its devices are:
 *
 *     P = idle + u * (0.80 * nameplate - idle)
 *
 * u is the mean utilization of the node's devices, 0 to 1: two of eight at full load are u = 0.25.
 * Nameplate is what the vendor states and circuits are sized for; nodes at full load stay below it.
 * Measured on DGX H100 (nameplate 10.2 kW): at most 8.4 kW, 82 % (arXiv 2412.08602); 76 % when
 * computing intensively (arXiv 2506.14551). Node traits and the catalogue hold the nameplate; the
 * 0.80 is applied here and nowhere else.
 *
 * Functions of their arguments alone.
 */
#ifndef SIM_POWER_POWER_H
#define SIM_POWER_POWER_H

#include "sim/fleet/traits.h"

#include <stdint.h>

#define POWER_PEAK_SHARE 0.80 /* of the nameplate, drawn at full load */

/*
 * Watts of a node at utilization u; u below 0 counts as 0, above 1 as 1. 0 when the nameplate is
 * not known. An unknown idle power counts as 0, which makes the result a lower bound. An idle power
 * above the peak is drawn at every u.
 */
double power_node_w(const struct node_traits *, double u);

/* Energy of so many watts for so long. */
double power_kwh(double watts, int64_t ms);

#endif
