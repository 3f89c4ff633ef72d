/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run that begins with a snapshot: its jobs, supplied one by one to the simulation
 * (sim/initial_state.h), and nodes of the fleet that are lost or drained, with or without a
 * snapshot.
 *
 * Nodes of the snapshot are matched with the fleet by name. A node that the fleet does not have, or
 * that is lost, takes the tasks on it with it: a gang is pending again as a whole, an elastic job
 * only if its minimum is lost. Jobs pending in unknown queues are left out, as in a dry run; jobs
 * running there hold their devices until they end.
 *
 * Names of types, MIG profiles and labels are translated to ids of the run. A job's topology
 * constraint names levels of the fleet.
 */
#ifndef SIM_START_START_H
#define SIM_START_START_H

#include "scenarios/scenario.h"
#include "sim/fleet/fleet.h"
#include "sim/initial_state.h"
#include "traces/trace.h"

struct snap_job;

/*
 * What a start needs from the simulation. Everything belongs to the caller and outlives the start.
 */
struct start_of {
    const struct scenario *scenario;
    struct fleet *fleet; /* its nodes get the labels that tasks request */
    const struct trace_names *names;
    uint64_t seed;
    const struct snap_job *instead; /* of the job of that id; NULL none */
};

struct start;

/*
 * Called after the fleet exists and before the simulation. Returns false with err set; *start is to
 * be closed in any case, and NULL if the scenario has no initial state and no lost or drained
 * nodes.
 */
bool start_open(struct start **start, const struct start_of *, struct sim_initial_state *,
                struct err *);
void start_close(struct start *); /* NULL is fine */

/* The state of a node when the run begins: enum policy_node_state. */
int32_t start_node_state(const struct start *, uint32_t node);

/* Jobs of the snapshot that lost their devices because nodes are lost; in order of submission. */
struct start_displaced {
    const char *id, *queue;
    enum trace_class class;
    int64_t gpu_milli;
};
const struct start_displaced *start_displaced(const struct start *,
                                              size_t *count); /* `start` may be NULL */

#endif
