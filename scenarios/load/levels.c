/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Levels of the fleet, and a pool's nodes per domain of each. There are three sources: the pool's
 * nodes_per, its fabric, and its kind of node (trays of an NVLink domain). If two give the same
 * level, they have to agree.
 */
#include "scenarios/catalog/fabrics.h"
#include "scenarios/load/fill.h"
#include "sim/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define USUAL_LEVELS 5 /* of fabric_usual_levels */

bool fill_levels(struct build *build)
{
    const cJSON *list = json_member(json_member(build->tree, "fleet"), "levels");
    struct scenario *scenario = &build->scenario;
    scenario->levels = fabric_usual_levels;
    scenario->level_count = USUAL_LEVELS;
    if (!list)
        return true;
    size_t n = 0;
    const char **levels = build_alloc(build, (size_t)cJSON_GetArraySize(list), sizeof *levels);
    for (const cJSON *entry = list->child; entry; entry = entry->next) {
        char at[48];
        (void)snprintf(at, sizeof at, "fleet.levels[%zu]", n);
        if (strcmp(entry->valuestring, "node") == 0)
            return build_fail(build, at, "'node' is always the lowest level, and is not listed");
        for (size_t i = 0; i < n; i++)
            if (strcmp(levels[i], entry->valuestring) == 0)
                return build_fail(build, at, "the level '%.64s' is named twice", levels[i]);
        levels[n++] = entry->valuestring;
    }
    scenario->levels = levels;
    scenario->level_count = n;
    return true;
}

/* Returns the index of a level; level_count if there is none with that name. */
static size_t find_level(const struct scenario *scenario, const char *name)
{
    size_t level = 0;
    while (level < scenario->level_count && strcmp(scenario->levels[level], name) != 0)
        level++;
    return level;
}

/* ---- from the pool */

static bool fill_nodes_per(struct build *build, const char *path, const cJSON *tree,
                           struct scen_pool *pool)
{
    const struct scenario *scenario = &build->scenario;
    char at[JSON_PATH_MAX], hint[128];
    for (const cJSON *entry = tree ? tree->child : NULL; entry; entry = entry->next) {
        size_t level = find_level(scenario, entry->string);
        (void)snprintf(at, sizeof at, "%s", path);
        json_path_add(at, entry->string);
        if (level == scenario->level_count)
            return build_fail(build, at, "unknown level '%.64s'%s", entry->string,
                              text_suggest(hint, sizeof hint, entry->string, scenario->levels,
                                           scenario->level_count, sizeof *scenario->levels));
        pool->nodes_per[level] = (int64_t)entry->valuedouble;
    }
    return true;
}

/* Domains nest: each contains a whole number of domains of the next level. */
static bool check_nesting(struct build *build, const char *path, const struct scen_pool *pool)
{
    const struct scenario *scenario = &build->scenario;
    int64_t above = 0;
    for (size_t level = 0; level < scenario->level_count; level++) {
        int64_t here = pool->nodes_per[level];
        if (above > 0 && here > 0 && above % here != 0)
            return build_fail(build, path,
                              "%" PRId64
                              " nodes of the level above do not make whole domains of %" PRId64
                              " ('%.64s')",
                              above, here, scenario->levels[level]);
        above = here > 0 ? here : above;
    }
    return true;
}

/* ---- from the fabric */

static bool catalog_fabric(struct build *build, const char *path, const char *name,
                           struct fabric_spec *spec)
{
    struct catalog_fabrics *catalog = NULL;
    if (!catalog_fabrics(&catalog, build->err))
        return false;
    const struct fabric_spec *found = catalog_fabrics_find(catalog, name);
    if (found) {
        *spec = *found;
        spec->name = build_text(build, found->name);
        spec->summary = build_text(build, found->summary);
    }
    char hint[128];
    text_suggest(hint, sizeof hint, name, &catalog->fabrics[0].name, catalog->count,
                 sizeof *catalog->fabrics);
    catalog_fabrics_free(catalog);
    return found ||
           build_fail(build, path, "unknown fabric '%.64s'%s (list fabrics shows all)", name, hint);
}

static bool read_fabric(struct build *build, const char *path, const cJSON *given,
                        struct fabric_spec *spec)
{
    if (!cJSON_IsObject(given))
        return catalog_fabric(build, path, given->valuestring, spec);
    struct check check = {
        .where = layers_where, .of = &build->layers, .whole = true, .err = build->err};
    (void)snprintf(check.path, sizeof check.path, "%s", path);
    return catalog_fabrics_read(&check, given, "", spec);
}

/*
 * Copies a level of the fabric to the pool. Levels that the scenario does not list may be left out
 * if they have no switches.
 */
static bool take_level(struct build *build, const char *path, const struct fabric_level *from,
                       struct scen_pool *pool)
{
    const struct scenario *scenario = &build->scenario;
    size_t level = find_level(scenario, from->name);
    if (level == scenario->level_count) {
        bool usual = false;
        for (size_t i = 0; i < USUAL_LEVELS; i++)
            usual |= strcmp(fabric_usual_levels[i], from->name) == 0;
        return (usual && from->oversubscription <= 0) ||
               build_fail(build, path,
                          "the fabric has a level '%s', and fleet.levels does not list it",
                          from->name);
    }
    int64_t said = pool->nodes_per[level];
    if (said > 0 && said != from->nodes)
        return build_fail(build, path,
                          "the fabric has %" PRId64
                          " nodes in one '%s', and nodes_per says %" PRId64,
                          from->nodes, from->name, said);
    pool->nodes_per[level] = from->nodes;
    return true;
}

static bool fill_fabric(struct build *build, const char *path, const cJSON *given,
                        struct scen_pool *pool)
{
    struct fabric_spec *spec = build_alloc(build, 1, sizeof *spec);
    struct fabric_plan *plan = build_alloc(build, 1, sizeof *plan);
    struct err err;
    if (!read_fabric(build, path, given, spec))
        return false;
    if (!fabric_plan(plan, spec, pool->count, &err))
        return build_fail(build, path, "%s", err.msg);
    for (int i = 0; i < plan->level_count; i++)
        if (!take_level(build, path, &plan->levels[i], pool))
            return false;
    pool->fabric = spec;
    pool->plan = plan;
    return true;
}

/* ---- from the kind of node */

static bool fill_nvlink(struct build *build, const char *path, struct scen_pool *pool)
{
    int64_t trays = pool->node.traits ? pool->node.traits->nvlink_nodes : 0;
    size_t level = find_level(&build->scenario, "nvlink");
    if (trays <= 1 || level == build->scenario.level_count)
        return true;
    int64_t *said = &pool->nodes_per[level];
    if (*said > 0 && *said != trays)
        return build_fail(build, path,
                          "%" PRId64
                          " nodes of this kind are one NVLink domain, and the pool has %" PRId64
                          " in one 'nvlink'",
                          trays, *said);
    *said = trays;
    return true;
}

bool fill_pool_levels(struct build *build, size_t index, const cJSON *entry, struct scen_pool *pool)
{
    const cJSON *fabric = json_member(entry, "fabric");
    char per[64], path[64];
    (void)snprintf(per, sizeof per, "fleet.pools[%zu].nodes_per", index);
    pool->nodes_per = build_alloc(build, build->scenario.level_count, sizeof *pool->nodes_per);
    if (!fill_nodes_per(build, per, json_member(entry, "nodes_per"), pool))
        return false;
    (void)snprintf(path, sizeof path, "fleet.pools[%zu].fabric", index);
    if (fabric && !fill_fabric(build, path, fabric, pool))
        return false;
    (void)snprintf(path, sizeof path, "fleet.pools[%zu].node", index);
    return fill_nvlink(build, path, pool) && check_nesting(build, per, pool);
}
