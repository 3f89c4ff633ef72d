/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a scenario to what the simulator has to know of speeds: models, kinds of nodes, the tree of
 * uplinks. */
#ifndef SIM_WORLD_NETWORK_H
#define SIM_WORLD_NETWORK_H

#include "scenarios/scenario.h"
#include "sim/speed.h"

struct fleet;
struct network;

/*
 * Fills in `config`, which points into the network from then on. The scenario has to outlive it.
 * False with err set when the fabrics of its pools do not go together.
 */
bool network_open(struct network **, const struct scenario *, const struct fleet *,
                  struct sim_network *config, struct err *);
void network_close(struct network *); /* NULL is fine */

/*
 * On which nodes run times count as recorded, where the scenario does not say and its nodes are not
 * all alike; the caller's. NULL when there is nothing to say. The other says it on stderr, and
 * whether it did.
 */
char *network_note_text(const struct scenario *);
bool network_note(const struct scenario *);

#endif
