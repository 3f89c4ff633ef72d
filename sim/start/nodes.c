/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matching nodes; see nodes.h. */
#include "sim/start/nodes.h"

#include "policies/policy.h"
#include "scenarios/snapshot/snapshot.h"
#include "sim/base/mem.h"
#include "sim/base/out.h"
#include "sim/base/symbols.h"
#include "sim/base/text.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_label(const struct snap_node *node, const char *key, size_t n, const char *value)
{
    for (size_t i = 0; node != NULL && i < node->label_count; i++)
        if (strlen(node->labels[i].key) == n && memcmp(node->labels[i].key, key, n) == 0 &&
            fnmatch(value, node->labels[i].value, 0) == 0)
            return true;
    return false;
}

/* "rack=r1", where `key` has n bytes. */
static bool is_in(const struct scenario *sc, const struct fleet *fleet, uint32_t node,
                  const char *key, size_t n, const char *value)
{
    for (uint32_t level = 0; level < fleet->level_count; level++)
        if (strlen(fleet->levels[level].name) == n &&
            memcmp(fleet->levels[level].name, key, n) == 0 &&
            fnmatch(value, fleet_domain_name(fleet, level, node), 0) == 0)
            return true;
    if (n == 4 && memcmp(key, "pool", 4) == 0 &&
        fnmatch(value, fleet->pools[fleet->nodes[node].pool].name, 0) == 0)
        return true;
    bool own = node < sc->node_count && !sc->nodes[node].added;
    return own && has_label(sc->nodes[node].own, key, n, value);
}

static bool matches(const struct scenario *sc, const struct fleet *fleet, uint32_t node,
                    const char *pattern)
{
    const char *equals = strchr(pattern, '=');
    return equals != NULL ? is_in(sc, fleet, node, pattern, (size_t)(equals - pattern), equals + 1)
                          : fnmatch(pattern, fleet->nodes[node].name, 0) == 0;
}

/* ---- what a pattern without nodes could have been ---- */

#define NAMES_SHOWN 8

/* Names of the domains of a level, or of the pools; not copied. *count is 0 for another key. */
static const char **names_behind(const struct fleet *fleet, const char *key, size_t *count)
{
    uint32_t level = fleet_find_level(fleet, key);
    bool pool = level == fleet->level_count && strcmp(key, "pool") == 0;
    const struct symbols *domains =
        level < fleet->level_count ? fleet->levels[level].domains : NULL;
    *count = pool                          ? fleet->pool_count
             : level == fleet->level_count ? 0
             : domains != NULL             ? symbols_count(domains)
                                           : fleet->node_count;
    const char **names = mem_alloc(*count + 1, sizeof *names);
    for (size_t i = 0; i < *count; i++)
        names[i] = pool              ? fleet->pools[i].name
                   : domains != NULL ? symbols_name(domains, (uint32_t)i)
                                     : fleet->nodes[i].name;
    return names;
}

static void put_names(struct out *out, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count && i < NAMES_SHOWN; i++)
        out_format(out, "%s%.64s", i > 0 ? ", " : "", names[i]);
    if (count > NAMES_SHOWN)
        out_format(out, " and %zu more", count - NAMES_SHOWN);
}

/* For "rack=r1": lists the domains of the level, or the levels if there is none of that name. */
static void put_choices(struct out *out, const struct fleet *fleet, const char *text)
{
    char hint[128], *key = mem_text_n(text, strcspn(text, "="));
    const char *value = text + strlen(key) + 1;
    size_t count;
    const char **names = names_behind(fleet, key, &count);
    if (count > 0) {
        out_format(out, "%s (%.64s is one of ",
                   text_suggest(hint, sizeof hint, value, names, count, sizeof *names), key);
        put_names(out, names, count);
        out_char(out, ')');
    } else {
        const char *keys[FLEET_LEVELS + 1];
        size_t n = 0;
        for (uint32_t level = 0; level < fleet->level_count; level++)
            keys[n++] = fleet->levels[level].name;
        keys[n++] = "pool";
        out_format(out, "%s (no label '%.64s' has that value; levels: ",
                   text_suggest(hint, sizeof hint, key, keys, n, sizeof *keys), key);
        put_names(out, keys, n);
        out_char(out, ')');
    }
    free(names);
    free(key);
}

static bool nothing(const struct scenario *sc, const struct fleet *fleet,
                    const struct scen_pattern *pattern, struct err *err)
{
    char place[256], hint[128] = "";
    struct out *out = out_memory();
    if (strchr(pattern->text, '=') != NULL) {
        put_choices(out, fleet, pattern->text);
    } else {
        if (fleet->node_count > 0)
            text_suggest(hint, sizeof hint, pattern->text, &fleet->nodes[0].name, fleet->node_count,
                         sizeof *fleet->nodes);
        out_format(out,
                   "%s (expected names of nodes, such as node[3-4]*, or LEVEL=DOMAIN, "
                   "LABEL=VALUE, pool=NAME)",
                   hint);
    }
    char *choices = out_memory_take(out);
    err_set(err, EXIT_INPUT, "%s: '%.64s' matches no node%s",
            scenario_where(sc, pattern->away ? "fleet.lose" : "fleet.drain", place, sizeof place),
            pattern->text, choices);
    free(choices);
    return false;
}

bool start_set_aside(const struct scenario *sc, const struct fleet *fleet, int32_t *states,
                     struct err *err)
{
    for (size_t i = 0; i < sc->set_aside_count; i++) {
        const struct scen_pattern *pattern = &sc->set_aside[i];
        bool any = false;
        for (uint32_t node = 0; node < fleet->node_count; node++) {
            if (!matches(sc, fleet, node, pattern->text))
                continue;
            any = true;
            if (states[node] != POLICY_NODE_DOWN)
                states[node] = pattern->away ? POLICY_NODE_DOWN : POLICY_NODE_DRAINING;
        }
        if (!any)
            return nothing(sc, fleet, pattern, err);
    }
    return true;
}
