/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NVLink rings of a set of devices. An all-reduce runs around rings that visit each device of the
 * job once, and each ring takes one link in one direction from each device to the next. How many
 * such rings a set of devices has at one time, none of them sharing a link in the same direction,
 * says how fast it is; a set without a ring goes through PCIe.
 *
 * DGX-1V (hybrid cube mesh): each of eight V100 has six links of 25 GB/s per direction, one or two
 * to each of four others. Source: nvidia-smi topo -m of such a machine.
 */
#ifndef SIM_PERF_RINGS_H
#define SIM_PERF_RINGS_H

#include <stdint.h>

#define RINGS_DEVICES 8
#define RINGS_SETS    256
#define RINGS_MOST    6 /* of all eight devices of DGX-1V */

/* Links between each two devices; symmetric. */
extern const uint8_t rings_dgx1v_links[RINGS_DEVICES][RINGS_DEVICES];

/*
 * The number of rings of every set of devices, by its bits; 0 for fewer than two devices.
 * Exhaustive: every packing of directed Hamiltonian cycles is looked at. Some milliseconds for
 * DGX-1V.
 */
void rings_count(const uint8_t links[RINGS_DEVICES][RINGS_DEVICES], uint8_t rings[RINGS_SETS]);

#endif
