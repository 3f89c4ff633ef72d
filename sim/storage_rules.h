/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run is told of storage that its jobs share (storage.h). */
#ifndef SIM_STORAGE_RULES_H
#define SIM_STORAGE_RULES_H

#include <stdbool.h>
#include <stdint.h>

/* Bytes a second; 0: no bound. At most MAXMIN_MOST. */
struct sim_storage_rules {
    bool on;
    int64_t read, write;                  /* all nodes together */
    int64_t node_read, node_write, cache; /* each node */
    int64_t cache_ppm;                    /* share of data reads that caches serve */
    int64_t data;                         /* that a GPU at work at ideal speed reads; 0: none */
    int64_t load_bytes,
        load_rate; /* of the model of a task, in startups; at most so fast; 0: none */
    int64_t checkpoint_bytes, checkpoint_gpu_bytes; /* of a job; and for each of its GPUs; both 0:
                                                       written as config says */
};

#endif
