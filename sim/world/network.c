/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of nodes, their tree, and the catalogue of models; see network.h. */
#include "sim/world/network.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/fabric/tree.h"
#include "sim/fleet/fleet.h"
#include "sim/perf/bandwidth.h"
#include "sim/program/command.h"
#include "sim/world/network_models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What names of nodes stand for that are not in the fleet. */
struct named_kind {
    char *name; /* owned */
    struct sim_node_kind kind;
};

struct network {
    const struct scenario *scenario;
    struct sim_node_kind recorded_on;
    struct scen_node *catalog; /* opened when a name is looked up */
    size_t catalog_count;
    struct named_kind **named;
    size_t named_count, named_capacity;
    struct network_models *models;
    struct sim_node_kind *kinds;
    const struct scen_node **kind_nodes; /* what each of them is */
    uint32_t kind_count;
    size_t kind_capacity, node_capacity;
    uint32_t *kind_of;
    struct fabric_tree tree;
    bool has_tree;
};

/* ---- models ---- */

/* Models of jobs that name none. Sessions and services have none: they take as long as people use
 * them. */
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

static struct perf_ratio device(void *self, const struct perf_model *model,
                                const struct sim_node_kind *kind)
{
    const struct network *network = self;
    return network_models_ratio(network->models, model, kind);
}

static bool open_models(void *self, struct sim_network *config, struct err *err)
{
    struct network *network = self;
    network->models = network_models_open(network->scenario, config->mode == SIM_NETWORK_OFF, err);
    if (network->models == NULL)
        return false;
    config->find = find;
    config->device = device;
    for (int c = 0; c < TRACE_CLASSES; c++) {
        if (by_class[c] == NULL)
            continue;
        config->of_class[c] = find(network, by_class[c], err);
        if (config->of_class[c] == NULL)
            return false;
    }
    return true;
}

/* ---- kinds of nodes ---- */

static const struct scen_node *node_of(const struct scenario *sc, const struct fleet *fleet,
                                       size_t node)
{
    return sc->node_count > 0 ? &sc->nodes[node].node : &sc->pools[fleet->nodes[node].pool].node;
}

/* To models. */
static const char *type_of(const struct scen_node *node)
{
    return node->known_as != NULL ? node->known_as : node->gpu_type;
}

static struct sim_node_kind kind_of_node(const struct scen_node *node)
{
    return (struct sim_node_kind){.traits = node->traits,
                                  .gpu_type = type_of(node),
                                  .vnic = node->vnic,
                                  .name = node->name[0] != '\0' ? node->name : node->gpu_type,
                                  .in_catalog = node->name[0] != '\0',
                                  .gpus = node->gpus};
}

/* By their figures: one kind under two names is one kind. */
static bool is_same(const struct scen_node *a, const struct scen_node *b)
{
    return a->gpus == b->gpus && a->vnic == b->vnic && strcmp(type_of(a), type_of(b)) == 0 &&
           traits_alike(a->traits, b->traits, a->gpus);
}

static uint32_t find_kind(struct network *network, const struct scen_node *node)
{
    for (uint32_t i = 0; i < network->kind_count; i++)
        if (is_same(network->kind_nodes[i], node))
            return i;
    uint32_t kind = network->kind_count++;
    network->kinds =
        mem_grow(network->kinds, &network->kind_capacity, kind + 1, sizeof *network->kinds);
    network->kind_nodes = mem_grow(network->kind_nodes, &network->node_capacity, kind + 1,
                                   sizeof *network->kind_nodes);
    network->kinds[kind] = kind_of_node(node);
    network->kind_nodes[kind] = node;
    return kind;
}

static void find_kinds(struct network *network, const struct scenario *sc,
                       const struct fleet *fleet)
{
    network->kind_of = mem_alloc(fleet->node_count, sizeof *network->kind_of);
    for (size_t i = 0; i < fleet->node_count; i++) {
        const struct scen_node *node = node_of(sc, fleet, i);
        bool again = i > 0 && is_same(network->kind_nodes[network->kind_of[i - 1]], node);
        network->kind_of[i] = again ? network->kind_of[i - 1] : find_kind(network, node);
    }
}

/* ---- nodes by name ---- */

static const struct scen_node *in_catalog(struct network *network, const char *name,
                                          struct err *err)
{
    if (network->catalog == NULL && !catalog_nodes(&network->catalog, &network->catalog_count, err))
        return NULL;
    const struct scen_node *nodes = network->catalog;
    for (size_t i = 0; i < network->catalog_count; i++)
        if (strcmp(nodes[i].name, name) == 0)
            return &nodes[i];
    char hint[128];
    text_suggest(hint, sizeof hint, name, &nodes[0].name, network->catalog_count, sizeof *nodes);
    err_set(err, EXIT_INPUT, "recorded_on: unknown kind of node '%.64s'%s (list nodes shows all)",
            name, hint);
    return NULL;
}

static const struct scen_node *in_workload(const struct scenario *sc, const char *name)
{
    for (size_t i = 0; i < sc->source_count; i++)
        if (sc->sources[i].recorded_name != NULL && strcmp(sc->sources[i].recorded_name, name) == 0)
            return sc->sources[i].recorded_on;
    return NULL;
}

/* Of a part of the workload, in the catalogue, or by the type of its devices alone; `name` outlives
 * the answer. */
static bool kind_named(struct network *network, const char *name, struct sim_node_kind *kind,
                       struct err *err)
{
    static const char by_type[] = SCEN_RECORDED_BY_TYPE;
    const size_t prefix = sizeof by_type - 1;
    if (strncmp(name, by_type, prefix) == 0) {
        *kind = (struct sim_node_kind){
            .traits = &traits_unknown, .gpus = 1, .name = name + prefix, .gpu_type = name + prefix};
        return true;
    }
    const struct scen_node *node = in_workload(network->scenario, name);
    if (node == NULL)
        node = in_catalog(network, name, err);
    if (node != NULL)
        *kind = kind_of_node(node);
    return node != NULL;
}

static const struct sim_node_kind *find_node(void *self, const char *name, struct err *err)
{
    struct network *network = self;
    for (size_t i = 0; i < network->named_count; i++)
        if (strcmp(network->named[i]->name, name) == 0)
            return &network->named[i]->kind;
    network->named = mem_grow(network->named, &network->named_capacity, network->named_count + 1,
                              sizeof(struct named_kind *));
    struct named_kind *named = network->named[network->named_count++] = mem_alloc(1, sizeof *named);
    named->name = mem_text(name);
    return kind_named(network, named->name, &named->kind, err) ? &named->kind : NULL;
}

/* ---- uplinks ---- */

static double nics_gbps(const struct scen_node *node)
{
    double gbps = perf_nic_gbps(node->traits, node->gpus, perf_lowest(node->gpus));
    return isinf(gbps) ? 0 : gbps;
}

/*
 * Jobs on one node compete for NICs only where devices share them. If each device has its own, a
 * job's NICs limit it anyway; in an NVLink domain it may use those of all its nodes.
 */
static bool shares_nics(const struct scen_node *node)
{
    const struct node_traits *traits = node->traits;
    return traits->nvlink_nodes <= 1 &&
           (traits->network == NETWORK_TCP || traits->nics < node->gpus);
}

static int64_t node_capacity(const struct scen_node *node, int64_t kbps)
{
    if (!shares_nics(node))
        return FABRIC_UNLIMITED;
    return node->vnic == NULL || kbps == FABRIC_UNLIMITED
               ? kbps
               : (int64_t)((double)kbps * node->vnic->share);
}

static bool build_tree(struct network *network, const struct scenario *sc,
                       const struct fleet *fleet, struct err *err)
{
    struct fabric_site *sites = mem_alloc(fleet->pool_count + 1, sizeof *sites);
    for (size_t i = 0; i < fleet->pool_count; i++) {
        sites[i].ecmp = 1;
        if (sc->node_count > 0)
            continue; /* the network of single nodes is unknown */
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

/* ---- the note ---- */

static bool differs(const struct scenario *sc, const struct scen_node *node)
{
    const struct scen_node *there = sc->recorded_on;
    bool same = strcmp(type_of(node), type_of(there)) == 0 &&
                traits_same_device(node->traits, there->traits);
    if (sc->network != SCEN_NETWORK_OFF)
        same = same && node->gpus == there->gpus &&
               traits_alike(node->traits, there->traits, node->gpus);
    return node->gpus > 0 && !same;
}

/* The scenario does not say where run times were recorded, and it matters. */
static bool is_assumption(const struct scenario *sc)
{
    bool any = false;
    if (!sc->recorded_assumed || sc->recorded_on == NULL || sc->mode == SCEN_FILL)
        return false;
    for (size_t i = 0; i < sc->pool_count && !any; i++)
        any = differs(sc, &sc->pools[i].node);
    for (size_t i = 0; i < sc->node_count && !any; i++)
        any = differs(sc, &sc->nodes[i].node);
    return any;
}

char *network_note_text(const struct scenario *sc)
{
    if (!is_assumption(sc))
        return NULL;
    const struct scen_node *there = sc->recorded_on;
    bool named = there->name[0] != '\0';
    return mem_format(
        "run times that do not say otherwise count as recorded on %s%s, the %s in the file as "
        "written; if they were recorded elsewhere, say workload.recorded_on",
        named ? "" : "GPUs of type ", named ? there->name : type_of(there),
        sc->node_count > 0 ? "first node" : "node of the first pool");
}

bool network_note(const struct scenario *sc)
{
    char *text = network_note_text(sc);
    if (text == NULL)
        return false;
    cli_note("%s", text);
    free(text);
    return true;
}

/* ---- all of it ---- */

bool network_open(struct network **out, const struct scenario *sc, const struct fleet *fleet,
                  struct sim_network *config, struct err *err)
{
    static const enum sim_network_mode modes[] = {[SCEN_NETWORK_OFF] = SIM_NETWORK_OFF,
                                                  [SCEN_NETWORK_PLACEMENT] = SIM_NETWORK_PLACEMENT,
                                                  [SCEN_NETWORK_CONTENTION] =
                                                      SIM_NETWORK_CONTENTION};
    config->mode = modes[sc->network];
    config->interference = sc->interference;
    struct network *network = *out = mem_alloc(1, sizeof *network);
    network->scenario = sc;
    find_kinds(network, sc, fleet);
    config->self = network;
    config->open_models = open_models;
    config->find_node = find_node;
    config->kinds = network->kinds;
    config->kind_count = network->kind_count;
    config->kind_of = network->kind_of;
    if (sc->recorded_on != NULL && sc->mode != SCEN_FILL) { /* a packing study has no time */
        network->recorded_on = kind_of_node(sc->recorded_on);
        config->recorded_on = &network->recorded_on;
    }
    if (config->mode == SIM_NETWORK_OFF)
        return true;
    config->tree = &network->tree;
    return build_tree(network, sc, fleet, err);
}

void network_close(struct network *network)
{
    if (network == NULL)
        return;
    network_models_close(network->models);
    if (network->has_tree)
        fabric_tree_fini(&network->tree);
    for (size_t i = 0; i < network->named_count; i++) {
        free(network->named[i]->name);
        free(network->named[i]);
    }
    free(network->named);
    catalog_free(network->catalog, network->catalog_count);
    free(network->kinds);
    free(network->kind_nodes);
    free(network->kind_of);
    free(network);
}
