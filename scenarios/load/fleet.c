/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fleet: pools of nodes from the catalogue or given inline, a file of pools, or a list of
 * single nodes.
 */
#include "scenarios/catalog/check_node.h"
#include "scenarios/catalog/node.h"
#include "scenarios/load/fill.h"
#include "scenarios/load/listed_nodes.h"
#include "scenarios/snapshot/mig_names.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FLEET_NODES_MAX 4194304 /* the policy core ranks nodes in 22 bits */
#define NODE_GPUS_MAX   64

/* Reads "mig" of a node or pool; returns false if absent. */
static bool read_mig(const cJSON *object, enum scen_mig *mig)
{
    static const char *const words[] = {"off", "single", "mixed", "dynamic"};
    const char *word = fill_text(object, "mig");
    for (int i = 0; word && i < 4; i++)
        if (strcmp(words[i], word) == 0)
            *mig = (enum scen_mig)i;
    return word != NULL;
}

/* MIG settings of a pool take precedence over those of its kind of node. */
static bool fill_mig(struct build *build, const char *path, const cJSON *pool,
                     const cJSON *node_tree, struct scen_node *node)
{
    const cJSON *from = read_mig(pool, &node->mig)        ? pool
                        : read_mig(node_tree, &node->mig) ? node_tree
                                                          : NULL;
    const cJSON *profiles = json_member(from, "mig_profiles");
    size_t count = (size_t)cJSON_GetArraySize(profiles);
    if ((node->mig == SCEN_MIG_MIXED) != (count > 0))
        return build_fail(build, path,
                          "mig_profiles says how many instances of each kind a node has; it goes "
                          "with mig \"mixed\", and \"mixed\" with it");
    struct scen_instances *instances = build_alloc(build, count, sizeof *instances);
    struct mig_total total = {0, 0, 0};
    for (const cJSON *entry = count > 0 ? profiles->child : NULL; entry; entry = entry->next) {
        instances[node->instance_count++] =
            (struct scen_instances){.profile = entry->string, .count = (int)entry->valuedouble};
        mig_total_add(&total, entry->string, (int64_t)entry->valuedouble);
    }
    node->instances = instances;
    const char *lacks = mig_total_lacks(&total, node->gpus);
    return !lacks ||
           build_fail(
               build, path,
               "the instances of mig_profiles do not fit on a node's GPUs: there are %d, and "
               "each has %s",
               node->gpus, lacks);
}

/* Returns false if the name is already used. */
static bool add_pool(struct build *build, const struct scen_pool *pool)
{
    struct scenario *scenario = &build->scenario;
    size_t length = strlen(pool->name);
    if (symbols_find(build->pools, pool->name, length) != SYMBOL_NONE)
        return false;
    symbols_add(build->pools, pool->name, length);
    scenario->pools[scenario->pool_count++] = *pool;
    return true;
}

/* Copies the catalogue's row of that name. */
static bool catalog_node(struct build *build, const char *path, const char *name,
                         const struct scen_node *nodes, size_t count, struct scen_node *node,
                         struct node_traits *traits)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(nodes[i].name, name) != 0)
            continue;
        *node = nodes[i];
        node->name = build_text(build, node->name);
        node->summary = build_text(build, node->summary);
        node->gpu_type = build_text(build, node->gpu_type);
        *traits = *node->traits;
        node->traits = traits;
        return true;
    }
    char hint[128];
    text_suggest(hint, sizeof hint, name, count ? &nodes[0].name : NULL, count, sizeof *nodes);
    return build_fail(build, path, "unknown kind of node '%.64s'%s (list nodes shows all)", name,
                      hint);
}

static bool inline_node(struct build *build, const char *path, const cJSON *object,
                        struct scen_node *node, struct node_traits *traits)
{
    struct check check = {
        .where = layers_where, .of = &build->layers, .whole = true, .err = build->err};
    (void)snprintf(check.path, sizeof check.path, "%s", path);
    if (!check_node(&check, object))
        return false;
    *node = fill_node(object, "", traits);
    return true;
}

/* A price given by the pool is the user's own and takes precedence over the catalogue. */
static void fill_pool_price(const cJSON *entry, struct node_traits *traits)
{
    const cJSON *elastic = json_member(entry, "elastic");
    bool own = json_member(elastic, "price") != NULL;
    const cJSON *prices = json_member(entry, "prices");
    if (json_member(prices, "usd")) {
        traits->usd = traits->usd_low = traits->usd_high = fill_number(prices, "usd");
        traits->usd_unverified = false;
    }
    if (json_member(prices, "rent_usd_per_hour")) {
        traits->rent_usd_per_hour = fill_number(prices, "rent_usd_per_hour");
        traits->rent_low = traits->rent_high = traits->rent_usd_per_hour;
        traits->rent_unverified = false;
    }
    if (json_member(prices, "reserved_usd_per_hour")) {
        traits->reserved_usd_per_hour = fill_number(prices, "reserved_usd_per_hour");
        traits->reserved_unverified = false;
    }
    if (json_member(prices, "spot_usd_per_hour")) {
        traits->spot_usd_per_hour = fill_number(prices, "spot_usd_per_hour");
        traits->spot_unverified = false;
    }
    if (!own && !json_member(entry, "usd_per_hour"))
        return;
    traits->usd_per_hour = own ? fill_number(elastic, "price") : fill_number(entry, "usd_per_hour");
    traits->given_unverified = false;
}

/* Capacity that can be reclaimed is always billed as spot. */
static bool fill_billing(struct build *build, const char *path, const cJSON *entry,
                         struct scen_pool *pool)
{
    static const char *const names[] = {"on-demand", "reserved", "spot"};
    const char *given = fill_text(entry, "billing");
    for (int i = 0; given && i < 3; i++)
        if (strcmp(names[i], given) == 0)
            pool->billing = (enum price_billing)(i + BILLED_ON_DEMAND);
    if (!given && pool->elastic.reserved)
        pool->billing = BILLED_RESERVED;
    return !given || pool->billing == BILLED_SPOT || !json_member(entry, "spot") ||
           build_fail(build, path, "nodes that `spot` takes away are billed as spot, not as '%s'",
                      given);
}

/* The kind of node of an earlier pool is not looked up again. */
bool build_node(struct build *build, const char *path, const cJSON *value, struct scen_node *node)
{
    if (cJSON_IsObject(value))
        return inline_node(build, path, value, node, build_alloc(build, 1, sizeof *node->traits));
    for (size_t i = 0; i < build->scenario.pool_count; i++) {
        const struct scen_node *known = &build->scenario.pools[i].node;
        if (strcmp(known->name, value->valuestring) == 0) {
            *node = *known;
            node->vnic = NULL;
            return true;
        }
    }
    struct scen_node *nodes = NULL;
    size_t count = 0;
    if (!catalog_nodes(&nodes, &count, build->err))
        return false;
    bool ok = catalog_node(build, path, value->valuestring, nodes, count, node,
                           build_alloc(build, 1, sizeof *node->traits));
    catalog_free(nodes, count);
    return ok;
}

/* ---- pools */

static bool fill_pools(struct build *build, const cJSON *list, const struct scen_node *nodes,
                       size_t node_count)
{
    build->scenario.pools =
        build_alloc(build, (size_t)cJSON_GetArraySize(list), sizeof(struct scen_pool));
    size_t i = 0;
    for (const cJSON *entry = list->child; entry; entry = entry->next, i++) {
        const cJSON *node = json_member(entry, "node");
        struct scen_pool pool = {.name = fill_text(entry, "name")};
        pool.count = json_member(entry, "count") ? fill_integer(entry, "count") : 0;
        char path[64];
        (void)snprintf(path, sizeof path, "fleet.pools[%zu]", i);
        if (!fill_elastic(build, path, entry, &pool))
            return false;
        (void)snprintf(path, sizeof path, "fleet.pools[%zu].node", i);
        struct node_traits *traits = build_alloc(build, 1, sizeof *traits);
        if (!(cJSON_IsObject(node) ? inline_node(build, path, node, &pool.node, traits)
                                   : catalog_node(build, path, node->valuestring, nodes, node_count,
                                                  &pool.node, traits)))
            return false;
        fill_pool_price(entry, traits);
        pool.whole_only = fill_true(entry, "whole_only");
        pool.node.vnic = fill_vnic(entry);
        (void)snprintf(path, sizeof path, "fleet.pools[%zu].mig", i);
        if (!fill_mig(build, path, entry, cJSON_IsObject(node) ? node : NULL, &pool.node))
            return false;
        if (!fill_pool_levels(build, i, entry, &pool))
            return false;
        (void)snprintf(path, sizeof path, "fleet.pools[%zu].spot", i);
        if (!fill_spot(build, path, json_member(entry, "spot"), &pool))
            return false;
        (void)snprintf(path, sizeof path, "fleet.pools[%zu].billing", i);
        if (!fill_billing(build, path, entry, &pool))
            return false;
        (void)snprintf(path, sizeof path, "fleet.pools[%zu].name", i);
        if (!add_pool(build, &pool))
            return build_fail(build, path, "there are two pools of the name '%.64s'", pool.name);
    }
    return true;
}

static void digest_text(struct build *build, const char *text)
{
    digest_add(&build->digest, text, strlen(text) + 1);
}

static void digest_number(struct build *build, int64_t value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    digest_text(build, text);
}

static bool check_listed(struct build *build, const char *path, const char *file,
                         const struct trace_origin *origin, const char *name, int64_t gpus)
{
    if (gpus < 0 || gpus > NODE_GPUS_MAX)
        return build_fail_row(build, path, file, origin, origin->gpus,
                              "'%.64s' has %" PRId64 " GPUs a node, expected 0 to %d", name, gpus,
                              NODE_GPUS_MAX);
    return true;
}

static bool read_pools(struct build *build, const char *name)
{
    static const char path[] = "fleet.pools_file";
    struct trace_pool *rows = NULL;
    size_t count = 0;
    const char *file = build_file(build, path, name);
    if (!trace_read_pools(file, &rows, &count, build->err))
        return build_blame(build, path);
    build_keep(build, rows);
    build->scenario.pools = build_alloc(build, count, sizeof(struct scen_pool));
    for (size_t i = 0; i < count; i++) {
        if (!check_listed(build, path, file, &rows[i].origin, rows[i].name, rows[i].gpus_per_node))
            return false;
        if (rows[i].nodes < 1)
            return build_fail_row(build, path, file, &rows[i].origin, rows[i].origin.other,
                                  "pool '%.64s' has %" PRId64 " nodes, expected 1 or more",
                                  rows[i].name, rows[i].nodes);
        struct scen_pool pool = {
            .name = rows[i].name,
            .count = rows[i].nodes,
            .node = {.name = "",
                     .summary = "",
                     .gpus = (int)rows[i].gpus_per_node,
                     .gpu_type = *rows[i].gpu_type ? rows[i].gpu_type : "any",
                     .cpu_milli = -1,
                     .mem_mib = -1,
                     .max_tasks = -1,
                     .traits = &traits_unknown},
        };
        if (!add_pool(build, &pool))
            return build_fail_row(build, path, file, &rows[i].origin, rows[i].origin.name,
                                  "there are two pools of the name '%.64s'", pool.name);
        digest_text(build, pool.name);
        digest_number(build, pool.count);
        digest_number(build, pool.node.gpus);
        digest_text(build, pool.node.gpu_type);
    }
    return true;
}

/* Returns the traits of an equal earlier node, or new ones. */
static const struct node_traits *traits_of(struct build *build, const struct trace_node *row,
                                           const struct listed_gpu *gpu)
{
    const struct scenario *scenario = &build->scenario;
    for (size_t i = scenario->node_count; i-- > 0;) {
        const struct scen_node *node = &scenario->nodes[i].node;
        if (node->gpus == row->gpus && node->cpu_milli == row->cpu_milli &&
            strcmp(node->gpu_type, row->gpu_type) == 0)
            return node->traits;
    }
    struct node_traits *traits = build_alloc(build, 1, sizeof *traits);
    *traits = listed_traits(gpu, (int)row->gpus, row->cpu_milli);
    return traits;
}

static struct scen_node listed_node(struct build *build, const struct trace_node *row)
{
    const struct listed_gpu *gpu = listed_gpu_find(row->gpu_type);
    return (struct scen_node){.name = "",
                              .summary = "",
                              .gpus = (int)row->gpus,
                              .gpu_type = *row->gpu_type ? row->gpu_type : "any",
                              .known_as = gpu ? gpu->known_as : NULL,
                              .cpu_milli = row->cpu_milli,
                              .mem_mib = row->mem_mib,
                              .max_tasks = -1,
                              .traits = gpu ? traits_of(build, row, gpu) : &traits_unknown};
}

/*
 * Changes the number of nodes with the same mixture: as many whole copies of the list as fit, and
 * the rest sampled evenly from it. Nodes of further copies are called "name#2", "name#3", ...
 */
static void resize_list(struct build *build, int64_t count)
{
    struct scenario *scenario = &build->scenario;
    size_t all = scenario->node_count, wanted = (size_t)count, rest = wanted % all;
    struct scen_listed_node *nodes = build_alloc(build, wanted, sizeof *nodes);
    for (size_t i = 0; i < wanted; i++) {
        size_t round = i / all;
        nodes[i] = scenario->nodes[round < wanted / all ? i % all : i % all * all / rest];
        if (round == 0)
            continue;
        char *text = mem_format("%s#%zu", nodes[i].name, round + 1);
        build_keep(build, text);
        nodes[i].name = text;
    }
    scenario->nodes = nodes;
    scenario->node_count = wanted;
}

static bool read_nodes(struct build *build, const char *name, int64_t wanted)
{
    static const char path[] = "fleet.nodes_file";
    struct scenario *scenario = &build->scenario;
    struct trace_node *rows = NULL;
    size_t count = 0;
    const char *file = build_file(build, path, name);
    if (!trace_read_nodes(file, &rows, &count, build->err))
        return build_blame(build, path);
    build_keep(build, rows);
    scenario->nodes = build_alloc(build, count, sizeof *scenario->nodes);
    symbols_add(build->pools, "all", 3);
    for (size_t i = 0; i < count; i++) {
        if (!check_listed(build, path, file, &rows[i].origin, rows[i].name, rows[i].gpus))
            return false;
        scenario->nodes[scenario->node_count] = (struct scen_listed_node){
            .name = rows[i].name, .node = listed_node(build, &rows[i]), .rank = -1};
        scenario->node_count++;
        digest_text(build, rows[i].name);
        digest_number(build, rows[i].gpus);
        digest_text(build, rows[i].gpu_type);
        digest_number(build, rows[i].cpu_milli);
        digest_number(build, rows[i].mem_mib);
    }
    if (wanted > 0 && scenario->node_count > 0)
        resize_list(build, wanted);
    return true;
}

static bool all_inline(const cJSON *list)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, list) if (!cJSON_IsObject(json_member(entry, "node"))) return false;
    return true;
}

/* The catalogue takes longer to read than most scenarios, so it is read only if a pool names it. */
static bool fill_catalog_pools(struct build *build, const cJSON *list)
{
    struct scen_node *nodes = NULL;
    size_t count = 0;
    if (!all_inline(list) && !catalog_nodes(&nodes, &count, build->err))
        return false;
    bool ok = fill_pools(build, list, nodes, count);
    catalog_free(nodes, count);
    return ok;
}

bool fill_fleet(struct build *build)
{
    const cJSON *fleet = json_member(build->tree, "fleet"), *pools = json_member(fleet, "pools");
    const char *pools_file = fill_text(fleet, "pools_file"),
               *nodes_file = fill_text(fleet, "nodes_file");
    if (!pools && !pools_file && !nodes_file)
        return build_fail(build, "fleet",
                          "no nodes: give fleet.pools, fleet.pools_file or fleet.nodes_file");
    if (pools && (!fill_levels(build) || !fill_catalog_pools(build, pools)))
        return false;
    if (pools_file && build->files && !read_pools(build, pools_file))
        return false;
    const char *format = fill_text(fleet, "format");
    bool shown = format && strcmp(format, "snapshot") == 0;
    int64_t count = json_member(fleet, "count") ? fill_integer(fleet, "count") : 0;
    if (nodes_file && build->files &&
        !(shown ? fill_snapshot_nodes(build, nodes_file, json_member(fleet, "add"))
                : read_nodes(build, nodes_file, count)))
        return false;
    if (count > 0 && shown)
        return build_fail(build, "fleet.count",
                          "is for openb's lists; nodes of a snapshot are added with fleet.add");
    if (json_member(fleet, "add") && !shown)
        return build_fail(build, "fleet.add",
                          "adds nodes to the fleet of a snapshot; here change the count of a pool");
    if (!fill_set_aside(build))
        return false;
    int64_t total = 0;
    for (size_t i = 0; i < build->scenario.pool_count && total <= FLEET_NODES_MAX; i++)
        total += build->scenario.pools[i].count < FLEET_NODES_MAX ? build->scenario.pools[i].count
                                                                  : FLEET_NODES_MAX + 1;
    if (total > FLEET_NODES_MAX || build->scenario.node_count > FLEET_NODES_MAX)
        return build_fail(build, "fleet", "more than %d nodes", FLEET_NODES_MAX);
    return true;
}
