/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The details of a fault, given its class, component and time: the device, the effect, the time
 * until detection. Drawn from streams of its own, so that other faults do not influence it.
 */
#ifndef SIM_FAULTS_DRAW_H
#define SIM_FAULTS_DRAW_H

#include "sim/faults/fault.h"
#include "sim/faults/repair.h"

/*
 * Fills the rest of a fault that has its key, class, component and attempt; `root` is the key of
 * its first attempt. `pool` is NULL where the component is no node. Returns the repair.
 */
struct fault_repair fault_draw(struct fault *, const struct fault_plan *,
                               const struct fault_pool *pool, uint64_t seed, uint64_t root);

#endif
