/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared storage. Flows move data: models are loaded, checkpoints are read and written, and
 * training data is read all the time.
 *
 *     node --- its own read or write rate ---+
 *     node --- its own read or write rate ---+--- read or write rate of the storage, shared by all
 *       |
 *     its cache: serves a share of the data that is read again
 *
 * Flows have max-min fair shares (sim/storage/maxmin.h) between nodes: a job's data is spread
 * evenly over its nodes. A transfer has a size and takes as long as its share requires; the job
 * stands still for it, or for the stall of an asynchronous checkpoint. Training data is read as
 * fast as the job works, and a job with a smaller share slows down in proportion. Shares are
 * recomputed when a flow joins or leaves; a flow's node rates never change.
 *
 * Not modelled: a checkpoint written in the grace period of an eviction or within the notice of a
 * reclaim runs at the full rate beside all other flows; a task that joins an elastic job loads
 * nothing.
 */
#ifndef SIM_STORAGE_H
#define SIM_STORAGE_H

#include "sim/storage_rules.h"

struct sim;
struct work_job;

sim_store_amount sim_storage_moved(const struct sim *, enum sim_store_kind);

/* The job's speed if its data always arrived in time, in millionths of its ideal speed. */
int64_t sim_storage_fed_ppm(const struct sim *, const struct work_job *);

#endif
