/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of a scenario that come from the snapshot it starts from: fleet, queues and policy, as
 * scenario keys. They lie below all layers of the scenario and the command line, so `--set
 * queues.research.gpu.quota=160` changes that one value of the snapshot's queue.
 */
#ifndef SCENARIOS_LOAD_SNAPSHOT_LAYER_H
#define SCENARIOS_LOAD_SNAPSHOT_LAYER_H

#include "scenarios/load/fill.h"

/* The queue of running jobs whose queue is unknown: it has no quota, and accepts no submissions. */
#define SNAPSHOT_NO_QUEUE "(no queue)"

/*
 * If the merged tree has start.snapshot: adds the missing parts of `fleet`, `queues` and the
 * policy's name and options. Also returns true if there is nothing to do.
 */
bool build_layer(struct build *);

/*
 * Sets *is if the file looks like a snapshot, so it stands for a scenario that starts from it;
 * false for a pipe. Returns false if it cannot be read.
 */
bool snapshot_is_one(const char *path, bool *is, struct err *err);

/* Returns the text of that scenario. The caller frees it. */
char *snapshot_scenario(const char *path);

#endif
