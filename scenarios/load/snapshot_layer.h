/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a snapshot says of a scenario that begins with it: fleet, queues and policy, in the words of
 * scenarios. They stand below everything that the scenario or the command line says, so that `--set
 * queues.research.gpu.quota=160` finds the queue of the snapshot and changes that one figure.
 */
#ifndef SCENARIOS_LOAD_SNAPSHOT_LAYER_H
#define SCENARIOS_LOAD_SNAPSHOT_LAYER_H

#include "scenarios/load/fill.h"

/* The queue of running jobs without a known one: it has no quota, and takes no submissions. */
#define SNAPSHOT_NO_QUEUE "(no queue)"

/*
 * Where the merged tree has start.snapshot: adds those of `fleet`, `queues` and the policy's name
 * and options that it does not have. True when there is nothing to do.
 */
bool build_layer(struct build *);

/* *is: the file looks like a snapshot, so that it stands for a scenario that begins with it. False
 * when it cannot be read. A pipe is none. */
bool snapshot_is_one(const char *path, bool *is, struct err *err);

/* The text of that scenario; to be freed. */
char *snapshot_scenario(const char *path);

#endif
