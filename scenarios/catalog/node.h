/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a kind of node from its object. */
#ifndef SCENARIOS_CATALOG_NODE_H
#define SCENARIOS_CATALOG_NODE_H

#include "scenarios/scenario.h"

#include <cjson/cJSON.h>

/*
 * Reads one kind of node from an object that passed check_node(). Its texts belong to the object,
 * its traits, which are filled in, to the caller.
 */
struct scen_node fill_node(const cJSON *object, const char *name, struct node_traits *traits);

#endif
