/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The scenario of a plan, with any number of nodes of any alternative (report/plan/variant.h). All
 * have the same demand: the scenario's, grown where requested; a generated load relative to the
 * fleet refers to the given fleet. All are measured in the same window.
 *
 * Pools of the file and of `pools_file` may be mixed with new ones. A node list (`nodes_file`) is
 * one pool, "all": with more or fewer nodes it keeps its mixture (fleet.count); with another node
 * ("all=dgx-b200") it is replaced by a pool of those.
 */
#ifndef SIM_PLAN_WORLD_H
#define SIM_PLAN_WORLD_H

#include "sim/plan/fleet.h"
#include "sim/plan/given.h"

/* False with err set; to be closed in any case. */
bool plan_world_open(struct plan_world *, const struct cli *, const struct growth *, struct err *);
void plan_world_close(struct plan_world *);

/* Says once on which nodes run times count as recorded: where nodes of today's fleet or of an
 * alternative are others. */
void plan_world_note(struct plan_world *, const struct cli *, const struct scenario *);

/* With that many nodes spread over the growing pools; `single`: with one replica, as in `run`. */
bool plan_world_load(const struct plan_world *, const struct variant *, int64_t nodes, bool single,
                     struct scenario **, struct err *);

#endif
