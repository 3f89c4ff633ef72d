/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet replay JOURNAL --simulate`: the same jobs in the simulator, and how far its starts lie
 * from the recorded ones. */
#ifndef SIM_REPLAY_SIMULATE_H
#define SIM_REPLAY_SIMULATE_H

#include "sim/program/command.h"

/* Returns the exit code. */
int replay_simulate(struct cli *);

#endif
