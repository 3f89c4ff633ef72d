/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a node as shown in pictures of a run. */
#ifndef REPORT_RECORD_NODE_STATE_H
#define REPORT_RECORD_NODE_STATE_H

#include "sim/fleet/fleet.h"

enum node_state {
    NODE_UP,
    NODE_DOWN,
    NODE_BURN_IN,
    NODE_RECLAIMED,
    NODE_UNSCHEDULABLE,
    NODE_ORDERED,
    NODE_OFF,
    NODE_STATES
};

/* "up", "down", ... */
extern const char *const node_state_names[NODE_STATES];

enum node_state node_state_of(const struct fleet_node *);

#endif
