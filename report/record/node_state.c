/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a node; see node_state.h. */
#include "report/record/node_state.h"

const char *const node_state_names[NODE_STATES] = {
    "up", "down", "burn-in", "reclaimed", "unschedulable", "ordered", "off"};

enum node_state node_state_of(const struct fleet_node *node)
{
    return node->off               ? NODE_OFF
           : node->ordered         ? NODE_ORDERED
           : node->reclaimed > 0   ? NODE_RECLAIMED
           : fleet_is_tested(node) ? NODE_BURN_IN
           : node->away > 0        ? NODE_DOWN
           : node->draining > 0    ? NODE_UNSCHEDULABLE
                                   : NODE_UP;
}
