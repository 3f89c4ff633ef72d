/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models, kinds of nodes and links of a run, which determine the speed of its jobs (speed.h). */
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

/* Nodes of equal speed: their figures decide, not their names. */
struct sim_node_kind {
    const struct node_traits *traits;
    const char *gpu_type;
    const struct perf_vnic *vnic; /* between tasks and NICs; NULL: no virtual NIC */
    const char *name;             /* in reports: the catalogue name, else the GPU type */
    bool in_catalog;              /* the name is in the catalogue */
    int gpus;
};

struct sim_network {
    enum sim_network_mode mode;
    const struct sim_node_kind *kinds;
    uint32_t kind_count;
    const uint32_t *kind_of; /* kind of each node of the fleet */
    /* Where the run times of jobs were recorded if the job does not say; NULL: on the nodes that
     * the job runs on. */
    const struct sim_node_kind *recorded_on;
    /* Finds a kind of node by name, valid as long as the run. Returns NULL with err set. NULL: no
     * job names one. */
    const struct sim_node_kind *(*find_node)(void *self, const char *name, struct err *);
    bool (*open_models)(void *self, struct sim_network *,
                        struct err *); /* sets of_class; NULL: of_class is set already */
    struct perf_interference interference;
    const struct fabric_tree *tree; /* of the fleet; bandwidths in GB/s as collectives reach them */
    const struct perf_model
        *of_class[TRACE_CLASSES]; /* for jobs that name none; NULL: always ideal speed */
    const struct perf_model *(*find)(void *self, const char *name,
                                     struct err *); /* NULL with err set: unknown */
    /* Speed of a node's devices for a model; NULL: from the model's own table. */
    struct perf_ratio (*device)(void *self, const struct perf_model *,
                                const struct sim_node_kind *);
    void *self;
};

#endif
