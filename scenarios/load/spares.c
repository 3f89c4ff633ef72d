/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spare nodes of a scenario: converts numbers and shares to nodes of each pool. */
#include "scenarios/load/fill.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SPARES "faults.spares"

/* A node list is one pool. */
static size_t pool_count(const struct build *build)
{
    return build->scenario.pool_count > 0 ? build->scenario.pool_count : 1;
}

static const char *pool_name(const struct build *build, size_t pool)
{
    return build->scenario.pool_count > 0 ? build->scenario.pools[pool].name : "all";
}

static int64_t nodes_of(const struct build *build, size_t pool)
{
    const struct scenario *sc = &build->scenario;
    return sc->pool_count > 0 ? sc->pools[pool].count : (int64_t)sc->node_count;
}

/* Reads a share of a pool, or a number of nodes; at least one node has to remain. */
static bool count_spares(struct build *build, const char *path, double value, size_t pool,
                         uint32_t *count)
{
    int64_t nodes = nodes_of(build, pool);
    if (value > 0 && build->scenario.pool_count > 0 && build->scenario.pools[pool].elastic.given)
        return build_fail(build, path,
                          "pool '%.64s' is elastic: its nodes come and go, and none can be kept "
                          "apart; name the other pools, as in {\"train\": 2}",
                          pool_name(build, pool));
    double spares = value < 1 ? ceil(value * (double)nodes - 1e-9) : value;
    if (spares > floor(spares))
        return build_fail(build, path, "expected a number of nodes, or a share below 1, not %.10g",
                          value);
    if (spares > 0 && spares >= (double)nodes)
        return build_fail(
            build, path,
            "%.10g are %.0f of the %lld nodes of pool '%.64s': no node is left for work", value,
            spares, (long long)nodes, pool_name(build, pool));
    *count = (uint32_t)spares;
    return true;
}

static bool find_pool(struct build *build, const char *path, const char *name, size_t *pool)
{
    for (*pool = 0; *pool < pool_count(build); ++*pool)
        if (strcmp(pool_name(build, *pool), name) == 0)
            return true;
    const char *all = "all";
    bool pools = build->scenario.pool_count > 0;
    char hint[128];
    text_suggest(hint, sizeof hint, name, pools ? &build->scenario.pools[0].name : &all,
                 pool_count(build), pools ? sizeof *build->scenario.pools : sizeof all);
    return build_fail(build, path, "unknown pool '%.64s'%s", name, hint);
}

bool fill_spares(struct build *build, const cJSON *spares)
{
    if (spares == NULL)
        return true;
    uint32_t *of_pool = build_alloc(build, pool_count(build), sizeof *of_pool);
    for (size_t pool = 0; !cJSON_IsObject(spares) && pool < pool_count(build); pool++)
        if (!count_spares(build, SPARES, spares->valuedouble, pool, &of_pool[pool]))
            return false;
    const cJSON *entry;
    for (entry = cJSON_IsObject(spares) ? spares->child : NULL; entry; entry = entry->next) {
        char path[128];
        size_t pool;
        (void)snprintf(path, sizeof path, SPARES ".%.64s", entry->string);
        if (!find_pool(build, path, entry->string, &pool) ||
            !count_spares(build, path, entry->valuedouble, pool, &of_pool[pool]))
            return false;
    }
    build->scenario.faults.spares = of_pool;
    return true;
}
