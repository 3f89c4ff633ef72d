/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pools that grow and shrink, by orders or by the calendar. */
#include "scenarios/load/fill.h"

#include "sim/planned_changes.h"

#include <stdio.h>
#include <string.h>

static bool fail(struct build *build, const char *path, const char *key, const char *what)
{
    char at[96];
    (void)snprintf(at, sizeof at, "%s.%s", path, key);
    return build_fail(build, at, "%s", what);
}

/* Reads a number of seconds, or a range. */
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

/* Events may change the number of nodes; the pool's maximum is known from the start. */
static bool fill_planned(struct build *build, const char *path, const cJSON *entry,
                         struct scen_pool *pool)
{
    const cJSON *events = json_member(build->tree, "events");
    struct sim_elastic_pool *elastic = &pool->elastic;
    if (json_member(entry, "count") == NULL)
        return fail(build, path, "count", "a pool needs `count`, or `elastic`");
    for (const cJSON *event = events != NULL ? events->child : NULL; event; event = event->next) {
        const char *name = fill_text(event, "pool");
        if (name == NULL || strcmp(name, pool->name) != 0 || json_member(event, "nodes") == NULL)
            continue;
        int64_t nodes = fill_integer(event, "nodes");
        elastic->given = elastic->planned = build->scenario.elastic = true;
        elastic->least = (uint32_t)pool->count;
        elastic->most = nodes > elastic->most ? (uint32_t)nodes : elastic->most;
    }
    if (elastic->planned && elastic->most < elastic->least)
        elastic->most = elastic->least;
    pool->count = elastic->planned ? elastic->most : pool->count;
    return true;
}

static bool check_provider(struct build *build, const char *path, const cJSON *entry,
                           struct sim_elastic_pool *elastic)
{
    static const char *const dates[] = {"from", "until", "notice"};
    const cJSON *tree = json_member(entry, "elastic");
    const char *provider = fill_text(tree, "provider");
    elastic->reserved = strcmp(provider, "reserved") == 0;
    if (elastic->least > elastic->most)
        return fail(build, path, "elastic.min", "expected at most `max`");
    if (strcmp(provider, "on-prem") == 0 && elastic->least != elastic->most)
        return fail(build, path, "elastic.provider",
                    "nodes on-prem are always there: expected `min` to be `max`");
    if ((strcmp(provider, "spot") == 0) != (json_member(entry, "spot") != NULL))
        return fail(build, path, "elastic.provider",
                    "`spot` goes with the pool's key `spot`, which says how nodes are reclaimed");
    for (size_t k = 0; k < sizeof dates / sizeof *dates && !elastic->reserved; k++)
        if (json_member(tree, dates[k]) != NULL)
            return fail(build, path, "elastic.provider",
                        "`from`, `until` and `notice` go with \"reserved\"");
    if (!elastic->reserved)
        return true;
    if (elastic->least != 0 && elastic->least != elastic->most)
        return fail(build, path, "elastic.min",
                    "reserved nodes are all there or none: expected `max`");
    return json_member(tree, "from") != NULL || json_member(tree, "until") != NULL ||
           fail(build, path, "elastic.provider", "\"reserved\" needs `from`, `until` or both");
}

bool fill_elastic(struct build *build, const char *path, const cJSON *entry, struct scen_pool *pool)
{
    const cJSON *tree = json_member(entry, "elastic");
    struct sim_elastic_pool *elastic = &pool->elastic;
    if (!tree)
        return fill_planned(build, path, entry, pool);
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
    if (!check_provider(build, path, entry, elastic))
        return false;
    elastic->planned = elastic->reserved;
    if (elastic->reserved) {
        elastic->least = 0;
        elastic->least_paid_ms = 0;
    }
    pool->count = elastic->most;
    build->scenario.elastic = true;
    return fill_delay(build, path, tree, elastic);
}

/* ---- reservations ---- */

static bool fill_date(struct build *build, size_t pool, const cJSON *tree, const char *key,
                      struct sim_moment *moment)
{
    char path[64];
    (void)snprintf(path, sizeof path, "fleet.pools[%zu].elastic.%s", pool, key);
    if (!fill_moment(build, path, json_member(tree, key), moment))
        return false;
    return moment->kind != SIM_WEEKLY ||
           build_fail(build, path, "expected a date or a time of the run, not days of the week");
}

bool fill_reservation(struct build *build, size_t pool, struct sim_change *change)
{
    const struct scen_pool *of = &build->scenario.pools[pool];
    const cJSON *list = json_member(json_member(build->tree, "fleet"), "pools");
    const cJSON *tree = json_member(cJSON_GetArrayItem(list, (int)pool), "elastic");
    char path[64];
    bool from = json_member(tree, "from") != NULL, until = json_member(tree, "until") != NULL;
    *change = (struct sim_change){.pool = of->name,
                                  .at = {.kind = SIM_AFTER_BEGIN},
                                  .nodes = of->elastic.most,
                                  .warmup_ms = of->elastic.warmup_ms,
                                  .grace_ms = fill_ms(tree, "notice", 0),
                                  .ends = until,
                                  .reserved = true};
    (void)snprintf(path, sizeof path, "fleet.pools[%zu].elastic.%s", pool, from ? "from" : "until");
    change->where = build_text(build, path);
    if (json_member(build->tree, "start") != NULL)
        return build_fail(build, path,
                          "does not go with a run that begins with a snapshot (start)");
    if ((from && !fill_date(build, pool, tree, "from", &change->at)) ||
        (until && !fill_date(build, pool, tree, "until", &change->until)))
        return false;
    change->until.ms -= until ? change->grace_ms : 0;
    (void)snprintf(path, sizeof path, "fleet.pools[%zu].elastic.until", pool);
    bool same = !from || change->at.kind == change->until.kind;
    bool later =
        change->until.ms > change->at.ms || !same || (!from && change->until.kind == SIM_ON_DATE);
    return !until || (same && later) ||
           build_fail(build, path,
                      same ? "expected a time after `from`, by more than `notice`"
                           : "expected the same kind of time as `from`: of the run, or a date");
}
