/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scenario without a log: a fleet of one kind of node, shared by equal teams whose jobs are
 * generated. */
#ifndef SIM_INIT_FRESH_H
#define SIM_INIT_FRESH_H

#include "scenarios/scenario.h"
#include "sim/base/out.h"

#define INIT_FRESH_NODE  "dgx-h100"
#define INIT_FRESH_NODES 16
#define INIT_FRESH_TEAMS 4
#define INIT_FRESH_MOST  1000 /* teams */

void init_fresh_write(struct out *, const struct scen_node *, int64_t nodes, int64_t teams);

#endif
