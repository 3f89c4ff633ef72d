/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Storage that jobs share. What moves are flows: models that are loaded, checkpoints that are read back and written, and
 * the data that training reads all the time.
 *
 *     node --- its own read or write rate ---+
 *     node --- its own read or write rate ---+--- what the storage reads, or writes, for all of them
 *       |
 *     its cache: serves a share of the data that is read again
 *
 * Flows have max-min fair shares (sim/storage/maxmin.h), fair between nodes: what a job moves is spread evenly over the
 * nodes that it is on. A transfer has a size and takes as long as its share lets it; the job stands still for it, or for
 * the stall of an asynchronous checkpoint. Data is read as fast as the job works, and a job whose share is smaller is
 * slower by as much. Shares are worked out anew when a flow joins or leaves; a flow's node rates never change.
 *
 * Not modelled: a checkpoint that is written in the grace of an eviction, or with the notice of a reclaim, goes at the full
 * rate, beside all others; a task that joins an elastic job loads nothing.
 */
#ifndef SIM_STORAGE_H
#define SIM_STORAGE_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum sim_store_kind {
    SIM_STORE_LOAD = 0, /* models */
    SIM_STORE_READ,     /* checkpoints, at a restart */
    SIM_STORE_WRITE,    /* checkpoints */
    SIM_STORE_DATA,     /* for training, caches included */
    SIM_STORE_KINDS
};

/* Bytes a second; 0: no bound. At most MAXMIN_MOST. */
struct sim_storage_rules {
    bool on;
    int64_t read, write;                  /* all nodes together */
    int64_t node_read, node_write, cache; /* each node */
    int64_t cache_ppm;                    /* share of data reads that caches serve */
    int64_t data;                         /* that a GPU at work at ideal speed reads; 0: none */
    int64_t load_bytes, load_rate;        /* of the model of a task, in startups; at most so fast; 0: none */
    int64_t checkpoint_bytes,
        checkpoint_gpu_bytes; /* of a job; and for each of its GPUs; both 0: written as config says */
};

/* Thousandths of bytes in the window. */
__extension__ typedef __int128 sim_store_amount;

struct sim;
struct work_job;

sim_store_amount sim_storage_moved(const struct sim *, enum sim_store_kind);

/* The speed that a job would have if its data came in time, in millionths of its ideal one. */
int64_t sim_storage_fed_ppm(const struct sim *, const struct work_job *);

#endif
