/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of a scenario given by the snapshot that it begins with: fleet, queues and policy, in
 * scenario keys. They are below all layers of the scenario and the command line, so that `--set
 * queues.research.gpu.quota=160` finds the queue of the snapshot and changes that one figure.
 */
#ifndef SCENARIOS_LOAD_SNAPSHOT_LAYER_H
#define SCENARIOS_LOAD_SNAPSHOT_LAYER_H

#include "scenarios/load/fill.h"

/* The queue of running jobs without a known one: it has no quota, and accepts no submissions. */
#define SNAPSHOT_NO_QUEUE "(no queue)"

/*
 * If the merged tree has start.snapshot: adds the missing parts of `fleet`, `queues` and the
 * policy's name and options. Also returns true if there is nothing to do.
 */
bool build_layer(struct build *);

/* *is: the file looks like a snapshot, so it stands for a scenario that begins with it. Returns
 * false if it cannot be read. False for a pipe. */
bool snapshot_is_one(const char *path, bool *is, struct err *err);

/* The text of that scenario; to be freed. */
char *snapshot_scenario(const char *path);

#endif
