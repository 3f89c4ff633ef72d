/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Configuration of the shared storage (storage.h), and what moves to and from it. */
#ifndef SIM_STORAGE_RULES_H
#define SIM_STORAGE_RULES_H

#include "sim/base/wide.h"

#include <stdbool.h>
#include <stdint.h>

enum sim_store_kind {
    SIM_STORE_LOAD = 0, /* loading models */
    SIM_STORE_READ,     /* reading checkpoints at a restart */
    SIM_STORE_WRITE,    /* writing checkpoints */
    SIM_STORE_DATA,     /* reading training data, including from caches */
    SIM_STORE_KINDS
};

/* Thousandths of bytes, within the window. */
typedef wide sim_store_amount;

/* Bytes per second; 0: unlimited. At most MAXMIN_MOST. */
struct sim_storage_rules {
    bool on;
    int64_t read, write;                  /* of all nodes together */
    int64_t node_read, node_write, cache; /* of each node */
    int64_t cache_ppm;                    /* share of data reads served by caches */
    int64_t data;                         /* data read by a GPU working at ideal speed; 0: none */
    int64_t load_bytes,
        load_rate; /* model loaded at the startup of a task, and the maximum rate; 0: none */
    int64_t checkpoint_bytes, checkpoint_gpu_bytes; /* per job, and per GPU; both 0: as
                                                       configured for checkpoints */
};

#endif
