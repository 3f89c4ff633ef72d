/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run is told of models, kinds of nodes and links, from which the speed of its jobs follows
 * (speed.h). */
#ifndef SIM_NETWORK_H
#define SIM_NETWORK_H

#include "sim/base/err.h"
#include "sim/perf/generation.h"
#include "sim/perf/share.h"
#include "traces/trace.h"

#include <stdbool.h>
#include <stdint.h>

enum sim_network_mode { SIM_NETWORK_OFF = 0, SIM_NETWORK_PLACEMENT, SIM_NETWORK_CONTENTION };

struct perf_model;
struct node_traits;
struct fabric_tree;

/* Nodes that are equal as far as speed goes: figures decide, not names. */
struct sim_node_kind {
    const struct node_traits *traits;
    const char *gpu_type;
    const struct perf_vnic *vnic; /* between its tasks and its NICs; NULL: nothing */
    const char *name;             /* in reports: that of the catalogue, else its GPU type */
    bool in_catalog;              /* it has that name there */
    int gpus;
};

struct sim_network {
    enum sim_network_mode mode;
    const struct sim_node_kind *kinds;
    uint32_t kind_count;
    const uint32_t *kind_of; /* of each node of the fleet */
    /* On which the run times of jobs were recorded that do not say; NULL: on the nodes that they
     * run on. */
    const struct sim_node_kind *recorded_on;
    /* The kind of node of that name, which lives as long as the run; NULL with err. NULL: jobs
     * never say. */
    const struct sim_node_kind *(*find_node)(void *self, const char *name, struct err *);
    bool (*open_models)(void *self, struct sim_network *,
                        struct err *); /* sets of_class; NULL: it is set */
    struct perf_interference interference;
    const struct fabric_tree *tree; /* of the fleet; its GB/s are those that collectives reach */
    const struct perf_model
        *of_class[TRACE_CLASSES]; /* of jobs that name none; NULL: always at ideal speed */
    const struct perf_model *(*find)(void *self, const char *name,
                                     struct err *); /* NULL with err: unknown */
    /* How fast the devices of a node are for a model; NULL: as the model's own table says. */
    struct perf_ratio (*device)(void *self, const struct perf_model *,
                                const struct sim_node_kind *);
    void *self;
};

#endif
