/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of elastic pools; sim/elastic_nodes.h defines them. */
#ifndef SCENARIOS_SCHEMA_ELASTIC_H
#define SCENARIOS_SCHEMA_ELASTIC_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_elastic[]; /* of fleet.pools[].elastic */

#endif
