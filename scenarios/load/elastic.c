/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pools that grow and shrink. */
#include "scenarios/load/fill.h"

#include <stdio.h>
#include <string.h>

static bool fail(struct build *build, const char *path, const char *key, const char *what)
{
    char at[96];
    (void)snprintf(at, sizeof at, "%s.%s", path, key);
    return build_fail(build, at, "%s", what);
}

/* A number of seconds, or a range. */
static bool fill_delay(struct build *build, const char *path, const cJSON *tree,
                       struct sim_elastic_pool *elastic)
{
    const cJSON *delay = json_member(tree, "delay");
    bool range = cJSON_IsObject(delay);
    elastic->delay_ms[0] = range ? fill_ms(delay, "from", 0) : fill_ms(tree, "delay", 0);
    elastic->delay_ms[1] = range ? fill_ms(delay, "to", 0) : elastic->delay_ms[0];
    return elastic->delay_ms[1] >= elastic->delay_ms[0] ||
           fail(build, path, "delay", "`to` is less than `from`");
}

bool fill_elastic(struct build *build, const char *path, const cJSON *entry, struct scen_pool *pool)
{
    const cJSON *tree = json_member(entry, "elastic");
    struct sim_elastic_pool *elastic = &pool->elastic;
    if (!tree)
        return json_member(entry, "count") != NULL ||
               fail(build, path, "count", "a pool needs `count`, or `elastic`");
    if (json_member(entry, "count"))
        return fail(build, path, "count",
                    "an elastic pool has no `count`: `elastic` says how many nodes, min and max");
    *elastic = (struct sim_elastic_pool){.given = true,
                                         .least = (uint32_t)fill_integer(tree, "min"),
                                         .most = (uint32_t)fill_integer(tree, "max"),
                                         .warmup_ms = fill_ms(tree, "warmup", 0),
                                         .idle_ms = fill_ms(tree, "idle_down", 0),
                                         .wait_ms = fill_ms(tree, "after", 0),
                                         .least_paid_ms = fill_ms(tree, "min_billing", 0)};
    const char *provider = fill_text(tree, "provider");
    if (elastic->least > elastic->most)
        return fail(build, path, "elastic.min", "expected at most `max`");
    if (strcmp(provider, "on-prem") == 0 && elastic->least != elastic->most)
        return fail(build, path, "elastic.provider",
                    "nodes on-prem are always there: expected `min` to be `max`");
    if ((strcmp(provider, "spot") == 0) != (json_member(entry, "spot") != NULL))
        return fail(build, path, "elastic.provider",
                    "`spot` goes with the pool's key `spot`, which says how nodes are reclaimed");
    pool->count = elastic->most;
    build->scenario.elastic = true;
    return fill_delay(build, path, tree, elastic);
}
