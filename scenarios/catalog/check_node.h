/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that the schema cannot express: a node's figures are consistent, affinity is given for
 * every device, devices need no more power than the node has, and a source or mark belongs to an
 * existing figure.
 */
#ifndef SCENARIOS_CATALOG_CHECK_NODE_H
#define SCENARIOS_CATALOG_CHECK_NODE_H

#include "scenarios/schema/check.h"

/* The object has passed the schema; check->path is its location. Returns false with err set. */
bool check_node(struct check *, const cJSON *node);

#endif
