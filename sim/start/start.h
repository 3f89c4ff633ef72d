/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run that begins with a snapshot: its jobs, told one by one to the simulation
 * (sim/initial_state.h), and nodes of the fleet that are set aside, with or without a snapshot.
 *
 * Nodes of the snapshot are those of the fleet by name. A node that the fleet does not have, or
 * that is lost, takes what ran on it with it: a gang waits again as a whole, an elastic job only
 * when its minimum is gone. What waits in a queue that nobody knows is left out, as in a dry run;
 * what runs there holds its devices to its end.
 *
 * Names of types, MIG profiles and labels get the numbers of the run. A job's constraint of
 * topology names levels of the fleet.
 */
#ifndef SIM_START_START_H
#define SIM_START_START_H

#include "scenarios/scenario.h"
#include "sim/fleet/fleet.h"
#include "sim/initial_state.h"
#include "traces/trace.h"

struct snap_job;

/* What a start needs of the simulation that it is for. Everything is the caller's and outlives the
 * start. */
struct start_of {
    const struct scenario *scenario;
    struct fleet *fleet; /* its nodes get the labels that tasks ask for */
    const struct trace_names *names;
    uint64_t seed;
    const struct snap_job *instead; /* of the job of that id; NULL none */
};

struct start;

/*
 * After the fleet, before the simulation. False with err set; *start is to be closed in any case,
 * and NULL where the scenario begins with nothing and sets no node aside.
 */
bool start_open(struct start **start, const struct start_of *, struct sim_initial_state *,
                struct err *);
void start_close(struct start *); /* NULL is fine */

/* The state of a node when the run begins: enum policy_node_state. */
int32_t start_node_state(const struct start *, uint32_t node);

/* Jobs of the snapshot that had to give up what they held, because nodes are lost; in the order of
 * submission. */
struct start_displaced {
    const char *id, *queue;
    enum trace_class class;
    int64_t gpu_milli;
};
const struct start_displaced *start_displaced(const struct start *,
                                              size_t *count); /* `start` may be NULL */

#endif
