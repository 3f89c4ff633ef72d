/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue of nodes as its authors wrote it, for people and programs that want to know where a figure comes from:
 * each node is a list of figures with their sources, and marks on those that nobody verified.
 */
#ifndef SCENARIOS_NODE_FIGURES_H
#define SCENARIOS_NODE_FIGURES_H

#include "scenarios/schema.h"
#include "sim/base/err.h"
#include "sim/base/json.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* An object with a node object for each name, released with cJSON_Delete(). */
bool catalog_node_tree(cJSON **all, struct err *err);

#define NODE_FIGURES 64 /* on one node, at most */

/* Everything points into the node's object or the schema. */
struct node_figure {
    const struct schema_row *row; /* key, and what it means */
    const cJSON *value;
    const char *source; /* NULL when it is not said */
    bool unverified;
};

/* The figures that the node has, in the order of the schema; returns how many. */
size_t node_figures(const cJSON *node, struct node_figure figures[NODE_FIGURES]);

/* The value as a word or words: "0 0 1 1", "4:370 8:480". The caller frees it. */
char *node_figure_text(const struct node_figure *);

/*
 * The node as an object that can stand in a scenario (fleet.pools[].node), its figures in the order of the schema and the
 * source of each written out.
 */
void node_figures_write(const cJSON *node, struct json *, const char *key);

#endif
