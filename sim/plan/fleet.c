/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fleets of variants; see fleet.h and world.h. */
#include "sim/plan/fleet.h"
#include "sim/plan/given.h"

#include "scenarios/json/source.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LIST_POOL "all" /* pool name of a node list */

static bool is_list(const struct plan_world *world)
{
    return world->given->node_count > 0;
}

static size_t find_pool(const struct scenario *sc, const char *name)
{
    size_t i = 0;
    while (i < sc->pool_count && strcmp(sc->pools[i].name, name) != 0)
        i++;
    return i;
}

/* ---- JSON ---- */

/* The pools of the scenario; those of a file as in the file. */
static cJSON *pools_of(const struct plan_world *world)
{
    const struct scenario *sc = world->given;
    const cJSON *pools = json_member(json_member(world->resolved, "fleet"), "pools");
    if (pools != NULL)
        return cJSON_Duplicate(pools, true);
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < sc->pool_count; i++) {
        cJSON *pool = cJSON_CreateObject(), *node = cJSON_CreateObject();
        cJSON_AddNumberToObject(node, "gpus", sc->pools[i].node.gpus);
        cJSON_AddStringToObject(node, "gpu_type", sc->pools[i].node.gpu_type);
        cJSON_AddStringToObject(pool, "name", sc->pools[i].name);
        cJSON_AddItemToObject(pool, "node", node);
        cJSON_AddNumberToObject(pool, "count", (double)sc->pools[i].count);
        cJSON_AddItemToArray(list, pool);
    }
    return list;
}

static int pool_named(const cJSON *list, const char *name)
{
    int i = 0;
    for (const cJSON *pool = list->child; pool != NULL; pool = pool->next, i++)
        if (strcmp(json_member(pool, "name")->valuestring, name) == 0)
            return i;
    return -1;
}

/* Replaces in place, so that equal scenarios have equal digests. */
static void put_item(cJSON *object, const char *key, cJSON *item)
{
    if (!cJSON_ReplaceItemInObjectCaseSensitive(object, key, item))
        cJSON_AddItemToObject(object, key, item);
}

static void set_number(cJSON *object, const char *key, int64_t value)
{
    put_item(object, key, cJSON_CreateNumber((double)value));
}

/* A pool without nodes is left out. */
static void put_entry(cJSON *list, const struct variant_entry *entry, int64_t nodes)
{
    int at = pool_named(list, entry->pool);
    if (nodes == 0) {
        cJSON_DeleteItemFromArray(list, at);
        return;
    }
    if (at < 0) {
        cJSON *pool = cJSON_CreateObject();
        cJSON_AddStringToObject(pool, "name", entry->pool);
        cJSON_AddItemToArray(list, pool);
        at = cJSON_GetArraySize(list) - 1;
    }
    cJSON *pool = cJSON_GetArrayItem(list, at);
    if (entry->node != NULL) {
        put_item(pool, "node", cJSON_CreateString(entry->node));
        cJSON_DeleteItemFromObjectCaseSensitive(pool,
                                                "usd_per_hour"); /* price of the previous nodes */
    }
    set_number(pool, "count", nodes);
}

static void put_shares(const struct plan_world *world, cJSON *list, int64_t nodes)
{
    const struct scenario *sc = world->given;
    int64_t before = 0, all = plan_nodes_of(sc);
    for (size_t i = 0; i < sc->pool_count; before += sc->pools[i++].count) {
        const struct variant_entry entry = {.pool = (char *)(uintptr_t)sc->pools[i].name};
        put_entry(list, &entry, variant_share(before, sc->pools[i].count, all, nodes));
    }
}

/* ---- the change ---- */

void plan_fleet_init(struct plan_fleet *fleet, const struct plan_world *world,
                     const struct variant *variant, int64_t nodes)
{
    bool list = is_list(world);
    if (list && (variant->all || variant->entries[0].node == NULL)) {
        *fleet = (struct plan_fleet){"fleet.count", mem_format("%" PRId64, nodes)};
        return;
    }
    cJSON *object =
        list ? cJSON_CreateObject() : cJSON_Duplicate(json_member(world->resolved, "fleet"), true);
    cJSON *pools = list ? cJSON_CreateArray() : pools_of(world);
    cJSON_DeleteItemFromObjectCaseSensitive(object, "pools_file");
    if (variant->all)
        put_shares(world, pools, nodes);
    for (size_t i = 0; i < variant->count; i++)
        put_entry(pools, &variant->entries[i], variant_nodes(variant, i, nodes));
    put_item(object, "pools", pools);
    *fleet = (struct plan_fleet){"fleet", cJSON_PrintUnformatted(object)};
    cJSON_Delete(object);
}

void plan_fleet_fini(struct plan_fleet *fleet)
{
    free(fleet->value);
    *fleet = (struct plan_fleet){0};
}

/* ---- what variants are possible ---- */

/* Jobs of queues that are bound to pools never use a new one. */
static bool is_open_to_queues(const struct scenario *sc, const char *pool)
{
    bool open = sc->queue_count == 0;
    for (size_t i = 0; i < sc->queue_count; i++) {
        open |= sc->queues[i].pool_count == 0;
        for (size_t k = 0; k < sc->queues[i].pool_count; k++)
            open |= strcmp(sc->queues[i].pools[k], pool) == 0;
    }
    return open;
}

static bool check_entry(const struct plan_world *world, const struct variant *v, size_t i,
                        struct err *err)
{
    const struct scenario *sc = world->given;
    const struct variant_entry *entry = &v->entries[i];
    size_t pool = find_pool(sc, entry->pool);
    char hint[160];
    if (pool == sc->pool_count && entry->node == NULL)
        return err_set(
            err, EXIT_INPUT,
            "--fleet '%s': no pool is named '%s' (of a new one say its nodes: %s=NODE)%s", v->text,
            entry->pool, entry->pool,
            sc->pool_count == 0 ? ""
                                : text_suggest(hint, sizeof hint, entry->pool, &sc->pools[0].name,
                                               sc->pool_count, sizeof *sc->pools));
    if (pool == sc->pool_count && entry->count == 0)
        return err_set(err, EXIT_INPUT, "--fleet '%s': a new pool '%s' without nodes", v->text,
                       entry->pool);
    if (pool == sc->pool_count && !is_open_to_queues(sc, entry->pool))
        return err_set(err, EXIT_INPUT,
                       "--fleet '%s': every queue is bound to other pools, so none could use '%s': "
                       "name it in the `pools` of the queues that may",
                       v->text, entry->pool);
    if (pool < sc->pool_count && entry->node == NULL && entry->count < 0 &&
        sc->pools[pool].node.gpus == 0)
        return err_set(err, EXIT_INPUT,
                       "pool '%s' has no GPUs: choose another with --pool or --fleet", entry->pool);
    return true;
}

static bool check_list(const struct variant *v, struct err *err)
{
    if (v->all || (v->count == 1 && strcmp(v->entries[0].pool, LIST_POOL) == 0))
        return true;
    return err_set(err, EXIT_INPUT,
                   "--fleet '%s': the fleet is a list of nodes, which stands alone: expected '%s' "
                   "for more or fewer "
                   "of its nodes in the same mixture, or '%s=NODE' for others in their place",
                   v->text, LIST_POOL, LIST_POOL);
}

bool plan_world_check(const struct plan_world *world, const struct variant *v, struct err *err)
{
    if (is_list(world))
        return check_list(v, err);
    for (size_t i = 0; i < v->count; i++)
        if (!check_entry(world, v, i, err))
            return false;
    return true;
}

bool plan_world_default(const struct plan_world *world, const char *name, struct variant *v,
                        struct err *err)
{
    const struct scenario *sc = world->given;
    const char *const list[] = {LIST_POOL};
    const char *const *names = is_list(world) ? list : &sc->pools[0].name;
    size_t stride = is_list(world) ? sizeof *list : sizeof *sc->pools;
    size_t count = is_list(world) ? 1 : sc->pool_count, chosen = count;
    for (size_t i = 0; i < count; i++) {
        const struct scen_pool *pool = &sc->pools[i],
                               *best = chosen < i ? &sc->pools[chosen] : NULL;
        const char *own = is_list(world) ? LIST_POOL : pool->name;
        bool larger = best == NULL || pool->count * pool->node.gpus > best->count * best->node.gpus;
        if (name != NULL ? strcmp(own, name) == 0 : larger)
            chosen = i;
    }
    char hint[160];
    if (chosen == count)
        return err_set(err, EXIT_INPUT, "--pool: no pool is named '%s'%s", name,
                       text_suggest(hint, sizeof hint, name, names, count, stride));
    const char *pool = is_list(world) ? LIST_POOL : sc->pools[chosen].name;
    *v = (struct variant){.text = mem_text(pool), .count = 1, .growing = 1};
    v->entries[0] = (struct variant_entry){.pool = mem_text(pool), .count = -1};
    return plan_world_check(world, v, err);
}

/* ---- numbers of nodes ---- */

int64_t plan_world_given(const struct plan_world *world, const struct variant *v)
{
    const struct scenario *sc = world->given;
    int64_t nodes = 0;
    if (is_list(world) || v->all)
        return plan_nodes_of(sc);
    for (size_t i = 0; i < v->count; i++) {
        size_t pool = find_pool(sc, v->entries[i].pool);
        nodes += v->entries[i].count < 0 && pool < sc->pool_count ? sc->pools[pool].count : 0;
    }
    return nodes;
}

/* As many as bring every pool beyond its spares. */
static int64_t least_of_all(const struct scenario *sc)
{
    int64_t all = plan_nodes_of(sc), nodes = (int64_t)sc->pool_count;
    for (bool enough = false; !enough && nodes < all; nodes += !enough) {
        int64_t before = 0;
        enough = true;
        for (size_t i = 0; i < sc->pool_count; before += sc->pools[i++].count)
            enough &= variant_share(before, sc->pools[i].count, all, nodes) > plan_spares(sc, i);
    }
    return nodes;
}

/* Spares of an entry of a variant; new pools have none. */
static int64_t spares_of(const struct plan_world *world, const struct variant_entry *entry)
{
    const struct scenario *sc = world->given;
    size_t pool = is_list(world) ? 0 : find_pool(sc, entry->pool);
    return entry->count < 0 && (is_list(world) || pool < sc->pool_count) ? plan_spares(sc, pool)
                                                                         : 0;
}

int64_t plan_world_spares(const struct plan_world *world, const struct variant *v)
{
    int64_t spares = v->all && is_list(world) ? plan_spares(world->given, 0) : 0;
    for (size_t i = 0; v->all && i < world->given->pool_count; i++)
        spares += plan_spares(world->given, i);
    for (size_t i = 0; i < v->count; i++)
        spares += spares_of(world, &v->entries[i]);
    return spares;
}

int64_t plan_world_least(const struct plan_world *world, const struct variant *v)
{
    int64_t spares = 0;
    if (v->all && !is_list(world))
        return least_of_all(world->given);
    if (v->all)
        return plan_world_spares(world, v) + 1;
    for (size_t i = 0; i < v->count; i++) {
        int64_t here = spares_of(world, &v->entries[i]);
        spares = here > spares ? here : spares;
    }
    /* Nodes are added in turn, so each pool gets more than its spares. */
    return (int64_t)v->growing * (spares + 1);
}
