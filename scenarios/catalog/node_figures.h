/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue of nodes as written; figures_of(node, &schema_node, ...) lists the figures of one.
 */
#ifndef SCENARIOS_CATALOG_NODE_FIGURES_H
#define SCENARIOS_CATALOG_NODE_FIGURES_H

#include "scenarios/schema/figures.h"
#include "sim/base/err.h"
#include "sim/base/json.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* Makes an object with a node object for each name; release it with cJSON_Delete(). */
bool catalog_node_tree(cJSON **all, struct err *err);

/* Returns the value as one or more words: "0 0 1 1", "4:370 8:480". The caller frees it. */
char *node_figure_text(const struct figure *);

/*
 * Writes the node as an object for a scenario (fleet.pools[].node), its figures in the order of the
 * schema, each with its source.
 */
void node_figures_write(const cJSON *node, struct json *, const char *key);

#endif
