/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From options to changes; see whatif_changes.h. */
#include "sim/study/whatif_changes.h"

#include "scenarios/snapshot/snapshot.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NODES 4194304

static const char *keep(struct whatif_changes *c, char *text)
{
    c->texts = mem_grow(c->texts, &c->text_capacity, c->text_count + 1, sizeof *c->texts);
    c->texts[c->text_count++] = text;
    return text;
}

static void add(struct whatif_changes *c, char *label, char *path, char *value)
{
    c->list = mem_grow(c->list, &c->capacity, c->count + 1, sizeof *c->list);
    c->list[c->count++] = (struct scen_change){
        .label = keep(c, label), .path = keep(c, path), .value = keep(c, value), .folder = ""};
}

/* ---- nodes that are added ---- */

static const char **pool_names(const struct scenario *sc, size_t *count)
{
    const char **names = mem_alloc(sc->pool_count + sc->node_count + 1, sizeof *names);
    *count = 0;
    for (size_t i = 0; i < sc->pool_count; i++)
        names[(*count)++] = sc->pools[i].name;
    for (size_t i = 0; i < sc->node_count; i++) { /* nodes of a pool are adjacent */
        const char *pool = sc->nodes[i].pool != NULL ? sc->nodes[i].pool : "all";
        if (*count == 0 || strcmp(names[*count - 1], pool) != 0)
            names[(*count)++] = pool;
    }
    return names;
}

static bool unknown_pool(const struct scenario *sc, const char *option, const char *name,
                         struct err *err)
{
    size_t count;
    char hint[128];
    const char **names = pool_names(sc, &count);
    err_set(err, EXIT_INPUT, "--add-nodes %s: unknown pool '%.64s'%s", option, name,
            text_suggest(hint, sizeof hint, name, names, count, sizeof *names));
    free(names);
    return false;
}

/* The base's nodes of a pool: the scenario's count, or those added to a snapshot. */
static bool add_to(struct whatif_changes *c, const struct scenario *sc, const char *option,
                   const char *pool, int64_t more, struct err *err)
{
    for (size_t i = 0; i < sc->pool_count; i++)
        if (strcmp(sc->pools[i].name, pool) == 0) {
            add(c, mem_format("--add-nodes %s", option), mem_format("fleet.pools[%zu].count", i),
                mem_format("%lld", (long long)(sc->pools[i].count + more)));
            return true;
        }
    bool known = false;
    int64_t added = 0;
    for (size_t i = 0; i < sc->node_count; i++) {
        bool here = sc->nodes[i].pool != NULL && strcmp(sc->nodes[i].pool, pool) == 0;
        known |= here;
        added += here && sc->nodes[i].added;
    }
    if (!known)
        return unknown_pool(sc, option, pool, err);
    cJSON *value = cJSON_CreateObject();
    cJSON_AddNumberToObject(value, pool, (double)(added + more));
    char *printed = cJSON_PrintUnformatted(value);
    add(c, mem_format("--add-nodes %s", option), mem_text("fleet.add"), mem_text(printed));
    free(printed);
    cJSON_Delete(value);
    return true;
}

static bool add_nodes(struct whatif_changes *c, const struct scenario *sc, const char *option,
                      struct err *err)
{
    const char *colon = strrchr(option, ':');
    int64_t more;
    if (colon == NULL || colon == option || !text_i64(colon + 1, strlen(colon + 1), &more) ||
        more < 1 || more > MOST_NODES)
        return err_set(err, EXIT_INPUT, "--add-nodes %s: expected POOL:N, such as train:8", option);
    char *pool = mem_text_n(option, (size_t)(colon - option));
    bool ok = add_to(c, sc, option, pool, more, err);
    free(pool);
    return ok;
}

/* ---- nodes that are set aside ---- */

static void put_patterns(cJSON *list, const char *option)
{
    for (const char *at = option; *at != '\0';) {
        size_t n = strcspn(at, ",");
        char *pattern = mem_text_n(at, n);
        if (n > 0)
            cJSON_AddItemToArray(list, cJSON_CreateString(pattern));
        free(pattern);
        at += n + (at[n] == ',');
    }
}

/* A list is replaced as a whole: nodes that the base drains or loses stay so. */
static void set_aside(struct whatif_changes *c, const struct cli *cli, enum option_id id,
                      const char *key, bool away, const struct scenario *sc)
{
    size_t count;
    const char *const *options = cli_all(cli, id, &count);
    if (count == 0)
        return;
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < sc->set_aside_count; i++)
        if (sc->set_aside[i].away == away)
            cJSON_AddItemToArray(list, cJSON_CreateString(sc->set_aside[i].text));
    for (size_t i = 0; i < count; i++)
        put_patterns(list, options[i]);
    char *printed = cJSON_PrintUnformatted(list);
    add(c, mem_format("--%s", option_rows[id].name), mem_format("fleet.%s", key),
        mem_text(printed));
    free(printed);
    cJSON_Delete(list);
}

bool whatif_changes_open(struct whatif_changes *c, const struct cli *cli,
                         const struct scenario *base, struct err *err)
{
    size_t count;
    const char *const *options = cli_all(cli, OPT_ADD_NODES, &count);
    for (size_t i = 0; i < count; i++)
        if (!add_nodes(c, base, options[i], err))
            return false;
    set_aside(c, cli, OPT_DRAIN, "drain", false, base);
    set_aside(c, cli, OPT_LOSE, "lose", true, base);
    return true;
}

void whatif_changes_close(struct whatif_changes *c)
{
    for (size_t i = 0; i < c->text_count; i++)
        free(c->texts[i]);
    free(c->texts);
    free(c->list);
    *c = (struct whatif_changes){0};
}
