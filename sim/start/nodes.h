/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which nodes of a fleet are set aside when a run begins, by patterns of a scenario. */
#ifndef SIM_START_NODES_H
#define SIM_START_NODES_H

#include "scenarios/scenario.h"
#include "sim/fleet/fleet.h"

/*
 * Sets states[node] (enum policy_node_state) of every node that a pattern names: `name` with the
 * wildcards of a shell, or KEY=VALUE of a level of the fabric, of a label of the snapshot, or
 * pool=NAME. False when a pattern names none.
 */
bool start_set_aside(const struct scenario *, const struct fleet *, int32_t *states,
                     struct err *err);

#endif
