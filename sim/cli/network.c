/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of nodes, their tree, and the catalogue of models; see network.h. */
#include "sim/cli/network.h"

#include "sim/base/mem.h"
#include "sim/cli/network_models.h"
#include "sim/fabric/tree.h"
#include "sim/fleet/fleet.h"
#include "sim/perf/bandwidth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct network {
    struct network_models *models;
    struct sim_node_kind *kinds;
    char **types; /* of each of them: texts of its own, so that equal pointers mean the same kind */
    const struct scen_node **kind_nodes; /* what each of them is */
    uint32_t kind_count;
    size_t kind_capacity, node_capacity, type_capacity;
    uint32_t *kind_of;
    struct fabric_tree tree;
    bool has_tree;
};

/* ---- models ---- */

/* Of jobs that name no model. Sessions and services have none: they take as long as people want them. */
static const char *const by_class[TRACE_CLASSES] = {
    [TRACE_TRAIN] = "generic-medium",
    [TRACE_DISTRIBUTED] = "generic-medium",
    [TRACE_BATCH] = "generic-low",
};

static const struct perf_model *find(void *self, const char *name, struct err *err)
{
    struct network *network = self;
    return network_models_find(network->models, name, err);
}

/* The kinds of nodes are known. */
static bool open_models(struct network *network, const struct scenario *sc, struct sim_network *config,
                        struct err *err)
{
    network->models =
        network_models_open(sc, network->kinds, network->kind_count, config->mode == SIM_NETWORK_OFF, err);
    if (network->models == NULL)
        return false;
    config->self = network;
    config->find = find;
    for (int class = 0; class < TRACE_CLASSES; class ++) {
        if (by_class[class] == NULL)
            continue;
        config->of_class[class] = find(network, by_class[class], err);
        if (config->of_class[class] == NULL)
            return false;
    }
    return true;
}

/* ---- kinds of nodes ---- */

static const struct scen_node *node_of(const struct scenario *sc, const struct fleet *fleet, size_t node)
{
    return sc->node_count > 0 ? &sc->nodes[node].node : &sc->pools[fleet->nodes[node].pool].node;
}

static bool is_same(const struct scen_node *a, const struct scen_node *b)
{
    return a->traits == b->traits && a->gpus == b->gpus && a->vnic == b->vnic &&
           strcmp(a->gpu_type, b->gpu_type) == 0;
}

static uint32_t find_kind(struct network *network, const struct scen_node *node)
{
    for (uint32_t i = 0; i < network->kind_count; i++)
        if (is_same(network->kind_nodes[i], node))
            return i;
    uint32_t kind = network->kind_count++;
    network->kinds = mem_grow(network->kinds, &network->kind_capacity, kind + 1, sizeof *network->kinds);
    network->kind_nodes =
        mem_grow(network->kind_nodes, &network->node_capacity, kind + 1, sizeof *network->kind_nodes);
    network->types = mem_grow(network->types, &network->type_capacity, kind + 1, sizeof *network->types);
    network->types[kind] = mem_text(node->known_as != NULL ? node->known_as : node->gpu_type);
    network->kinds[kind] = (struct sim_node_kind){node->traits, network->types[kind], node->vnic};
    network->kind_nodes[kind] = node;
    return kind;
}

static void find_kinds(struct network *network, const struct scenario *sc, const struct fleet *fleet)
{
    network->kind_of = mem_alloc(fleet->node_count, sizeof *network->kind_of);
    for (size_t i = 0; i < fleet->node_count; i++) {
        const struct scen_node *node = node_of(sc, fleet, i);
        bool again = i > 0 && is_same(network->kind_nodes[network->kind_of[i - 1]], node);
        network->kind_of[i] = again ? network->kind_of[i - 1] : find_kind(network, node);
    }
}

/* ---- uplinks ---- */

static double nics_gbps(const struct scen_node *node)
{
    double gbps = perf_nic_gbps(node->traits, node->gpus, perf_lowest(node->gpus));
    return isinf(gbps) ? 0 : gbps;
}

/*
 * Jobs on one node are in each other's way at its NICs only where devices share these. Where each has its own the NICs
 * of a job bound it anyway; in an NVLink domain it may use those of all its nodes.
 */
static bool shares_nics(const struct scen_node *node)
{
    const struct node_traits *traits = node->traits;
    return traits->nvlink_nodes <= 1 && (traits->network == NETWORK_TCP || traits->nics < node->gpus);
}

static int64_t node_capacity(const struct scen_node *node, int64_t kbps)
{
    if (!shares_nics(node))
        return FABRIC_UNLIMITED;
    return node->vnic == NULL || kbps == FABRIC_UNLIMITED ? kbps
                                                          : (int64_t)((double)kbps * node->vnic->share);
}

static bool build_tree(struct network *network, const struct scenario *sc, const struct fleet *fleet,
                       struct err *err)
{
    struct fabric_site *sites = mem_alloc(fleet->pool_count + 1, sizeof *sites);
    for (size_t i = 0; i < fleet->pool_count; i++) {
        sites[i].ecmp = 1;
        if (sc->node_count > 0)
            continue; /* nothing is known of the network of single nodes */
        sites[i].nic_gbps = nics_gbps(&sc->pools[i].node);
        sites[i].plan = sc->pools[i].plan;
        if (sc->pools[i].fabric != NULL)
            sites[i].ecmp = sc->pools[i].fabric->ecmp;
    }
    network->has_tree = fabric_tree_of_fleet(&network->tree, fleet, sites, err);
    for (size_t i = 0; network->has_tree && i < fleet->node_count; i++)
        network->tree.capacity_kbps[i] =
            node_capacity(network->kind_nodes[network->kind_of[i]], network->tree.capacity_kbps[i]);
    free(sites);
    return network->has_tree;
}

/* ---- all of it ---- */

bool network_open(struct network **out, const struct scenario *sc, const struct fleet *fleet,
                  struct sim_network *config, struct err *err)
{
    static const enum sim_network_mode modes[] = {[SCEN_NETWORK_OFF] = SIM_NETWORK_OFF,
                                                  [SCEN_NETWORK_PLACEMENT] = SIM_NETWORK_PLACEMENT,
                                                  [SCEN_NETWORK_CONTENTION] = SIM_NETWORK_CONTENTION};
    config->mode = modes[sc->network];
    config->interference = sc->interference;
    if (config->mode == SIM_NETWORK_OFF)
        return true;
    struct network *network = *out = mem_alloc(1, sizeof *network);
    find_kinds(network, sc, fleet);
    if (!open_models(network, sc, config, err))
        return false;
    if (!build_tree(network, sc, fleet, err))
        return false;
    config->kinds = network->kinds;
    config->kind_count = network->kind_count;
    config->kind_of = network->kind_of;
    config->tree = &network->tree;
    return true;
}

void network_close(struct network *network)
{
    if (network == NULL)
        return;
    network_models_close(network->models);
    if (network->has_tree)
        fabric_tree_fini(&network->tree);
    for (uint32_t i = 0; i < network->kind_count; i++)
        free(network->types[i]);
    free(network->types);
    free(network->kinds);
    free(network->kind_nodes);
    free(network->kind_of);
    free(network);
}
