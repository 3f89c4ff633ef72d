/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Storage that jobs share. What moves are flows: models that are loaded, checkpoints that are read
 * back and written, and the data that training reads all the time.
 *
 *     node --- its own read or write rate ---+
 *     node --- its own read or write rate ---+--- what the storage reads, or writes, for all of
 *     them
 *       |
 *     its cache: serves a share of the data that is read again
 *
 * Flows have max-min fair shares (sim/storage/maxmin.h), fair between nodes: what a job moves is
 * spread evenly over the nodes that it is on. A transfer has a size and takes as long as its share
 * lets it; the job stands still for it, or for the stall of an asynchronous checkpoint. Data is
 * read as fast as the job works, and a job whose share is smaller is slower by as much. Shares are
 * worked out anew when a flow joins or leaves; a flow's node rates never change.
 *
 * Not modelled: a checkpoint that is written in the grace of an eviction, or with the notice of a
 * reclaim, goes at the full rate, beside all others; a task that joins an elastic job loads
 * nothing.
 */
#ifndef SIM_STORAGE_H
#define SIM_STORAGE_H

#include "sim/base/wide.h"
#include "sim/storage_rules.h"

enum sim_store_kind {
    SIM_STORE_LOAD = 0, /* models */
    SIM_STORE_READ,     /* checkpoints, at a restart */
    SIM_STORE_WRITE,    /* checkpoints */
    SIM_STORE_DATA,     /* for training, caches included */
    SIM_STORE_KINDS
};

/* Thousandths of bytes in the window. */
typedef wide sim_store_amount;

struct sim;
struct work_job;

sim_store_amount sim_storage_moved(const struct sim *, enum sim_store_kind);

/* The speed that a job would have if its data came in time, in millionths of its ideal one. */
int64_t sim_storage_fed_ppm(const struct sim *, const struct work_job *);

#endif
