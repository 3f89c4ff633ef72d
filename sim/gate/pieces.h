/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pieces of work of a gate, done in child processes, and their answers put where they belong.
 */
#ifndef SIM_GATE_PIECES_H
#define SIM_GATE_PIECES_H

#include "sim/gate/state.h"

/*
 * Each returns false with err set if a child reported an error. A problem of the child itself is a
 * finding of the gate; a signal sets run->interrupted, and results are discarded then.
 */

/* The policy of a side can be used, and where "auto" warm-ups end is known. */
bool gate_prepare(struct gate_run *, int side, struct err *);

/*
 * So many replicas of all scenarios in which something is open, those that there are excepted; at
 * the first look replica 1 of each side is simulated once more in another environment, and
 * compared.
 */
bool gate_simulate(struct gate_run *, int replicas, struct err *);

/* The decisions of all replicas of the base, packed, for a baseline: each is simulated once more.
 */
bool gate_keep_decisions(struct gate_run *, struct err *);

/* The first different decision of the replica that gate.difference names; not known when a child
 * fails over it. */
bool gate_difference(struct gate_run *, struct err *);

#endif
