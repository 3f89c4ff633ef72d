/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bill of elastic pools (sim/elastic_nodes.h), over the whole run:
 *
 *     node_h       integral of the nodes that were ordered and not given back
 *     paid_node_h  the same, with each order at least min_billing long
 *     usd          paid_node_h x price
 */
#ifndef REPORT_RECORD_SUMMARY_ELASTIC_H
#define REPORT_RECORD_SUMMARY_ELASTIC_H

#include "sim/sim.h"

struct json;

/* Writes the object `elastic` of summary.json; nothing if no pool is elastic. */
void elastic_json(const struct sim *, struct json *);

#endif
