/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the schema cannot express about a node: its figures are consistent. Affinity is given for
 * every device, devices need no more power than the node has, a source and a mark belong to an
 * existing figure.
 */
#ifndef SCENARIOS_CATALOG_CHECK_NODE_H
#define SCENARIOS_CATALOG_CHECK_NODE_H

#include "scenarios/schema/check.h"

/* An object that passed the schema; check->path is its place. False with the error set. */
bool check_node(struct check *, const cJSON *node);

#endif
