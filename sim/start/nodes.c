/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matching nodes; see nodes.h. */
#include "sim/start/nodes.h"

#include "policies/policy.h"
#include "scenarios/snapshot/snapshot.h"
#include "sim/base/mem.h"
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

static bool nothing(const struct scenario *sc, const struct fleet *fleet,
                    const struct scen_pattern *pattern, struct err *err)
{
    char place[256], hint[128] = "";
    const char *key = pattern->away ? "fleet.lose" : "fleet.drain";
    if (strchr(pattern->text, '=') == NULL && fleet->node_count > 0)
        text_suggest(hint, sizeof hint, pattern->text, &fleet->nodes[0].name, fleet->node_count,
                     sizeof *fleet->nodes);
    return err_set(err, EXIT_INPUT,
                   "%s: '%.64s' is not a node%s (expected names of nodes, such as node[3-4]*, or "
                   "LEVEL=DOMAIN, LABEL=VALUE, pool=NAME)",
                   scenario_where(sc, key, place, sizeof place), pattern->text, hint);
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
