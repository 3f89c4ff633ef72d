/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a scenario to the simulator's inputs for speeds: models, kinds of nodes, the tree of
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
 * The nodes on which run times count as recorded, if the scenario does not say and its nodes
 * differ; freed by the caller. NULL if there is nothing to report. The other function prints it on
 * stderr, and returns whether it did.
 */
char *network_note_text(const struct scenario *);
bool network_note(const struct scenario *);

#endif
