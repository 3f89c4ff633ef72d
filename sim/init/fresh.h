/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scenario without a log: the proposal's fleet and policy, shared by equal teams with generated
 * jobs. */
#ifndef SIM_INIT_FRESH_H
#define SIM_INIT_FRESH_H

#include "sim/base/out.h"
#include "sim/init/proposal.h"

#define INIT_FRESH_NODE  "dgx-h100"
#define INIT_FRESH_NODES 16
#define INIT_FRESH_TEAMS 4
#define INIT_FRESH_MOST  1000 /* teams */

void init_fresh_write(struct out *, const struct init_proposal *, int64_t teams);

#endif
