/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small simulation (small.h) whose jobs have speeds. Nodes have eight devices and as many NICs of
 * 1 GB/s; inside them an all-reduce runs at 100 GB/s. A model has W device-seconds of work and S GB
 * of gradients per step; between two nodes NCCL's tree carries 2(n-1)/n of the NICs' rate. Nodes
 * alternate between two leaves.
 */
#ifndef TESTS_SIM_SPEED_WORLD_H
#define TESTS_SIM_SPEED_WORLD_H

#include "report/measure/ledger.h"
#include "sim/fabric/tree.h"
#include "sim/fleet/traits.h"
#include "sim/perf/model.h"
#include "tests/sim/small.h"

static const struct node_traits speed_node = {.links = LINKS_SWITCH,
                                              .busbw_gbps = 100,
                                              .nvlink_nodes = 1,
                                              .network = NETWORK_INFINIBAND,
                                              .nics = 8,
                                              .nic_gbit = 8,
                                              .nic_efficiency = 1,
                                              .nic_of = {0, 1, 2, 3, 4, 5, 6, 7}};

enum { NODES = 16, GPUS = 8 };

struct world {
    struct small s;
    struct sim_node_kind kinds[2];
    uint32_t kind_of[NODES], leaf_of[NODES];
    struct fabric_tree tree;
    struct perf_model model;
    struct perf_device_speed speeds[2];
    struct ledger ledger;
};

static inline const struct perf_model *speed_find(void *self, const char *name, struct err *err)
{
    struct world *w = self;
    if (strcmp(name, "known") == 0)
        return &w->model;
    err_set(err, EXIT_INPUT, "unknown model '%s'", name);
    return NULL;
}

/* Two leaves with alternating nodes, with uplinks of 8 GB/s, oversubscribed 2:1. */
static inline void speed_tree(struct world *w, uint32_t nodes)
{
    double nics[NODES] = {0};
    struct err err;
    for (uint32_t i = 0; i < nodes; i++)
        w->leaf_of[i] = i % 2;
    fabric_tree_init(&w->tree, nodes, nics);
    ck_assert(fabric_tree_add_tier(&w->tree, "leaf", w->leaf_of, 2, 2, &err));
    for (uint32_t i = 0; i < 2; i++) {
        w->tree.capacity_kbps[w->tree.tiers[1].first + i] = 8000000;
        w->tree.ratio[w->tree.tiers[1].first + i] = 2;
    }
}

static inline struct world *speed_begin(const char *preset, const char *options,
                                        enum sim_network_mode mode, int nodes)
{
    struct world *w = calloc(1, sizeof *w);
    small_begin(&w->s, preset, options);
    (void)small_pool(&w->s, "n", nodes, GPUS);
    w->kinds[0] = (struct sim_node_kind){.traits = &speed_node, .gpu_type = "any", .gpus = GPUS};
    w->kinds[1] = (struct sim_node_kind){.traits = &speed_node, .gpu_type = "slow", .gpus = GPUS};
    w->model = perf_model_empty();
    speed_tree(w, (uint32_t)nodes);
    w->s.config.network = (struct sim_network){
        .mode = mode,
        .kinds = w->kinds,
        .kind_count = 2,
        .kind_of = w->kind_of,
        .tree = &w->tree,
        .of_class = {[TRACE_TRAIN] = &w->model, [TRACE_DISTRIBUTED] = &w->model},
        .find = speed_find,
        .self = w};
    small_observe(&w->s, ledger_observer(&w->ledger));
    return w;
}

static inline void speed_end(struct world *w)
{
    ledger_fini(&w->ledger);
    fabric_tree_fini(&w->tree);
    small_end(&w->s);
    free(w);
}

/* Adds a gang of tasks with this many devices each. */
static inline struct trace_job *speed_gang(struct world *w, const char *id, int64_t at_s,
                                           int64_t run_s, int tasks, int gpus)
{
    struct trace_job *job = small_job(&w->s, id, at_s * 1000, run_s * 1000, TRACE_UNKNOWN);
    job->tasks = job->min_tasks = job->max_tasks = tasks;
    job->gpus = gpus;
    return job;
}

static inline ledger_amount speed_losses(const struct ledger *l)
{
    return l->down + l->drained + l->idle_no_demand + l->idle_fragmented + l->idle_blocked +
           l->user_lost + l->preemption + l->failure + l->hung + l->checkpoint + l->restart +
           l->hold + l->slowdown;
}

#endif
