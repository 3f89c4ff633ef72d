/* SPDX-License-Identifier: MIT */
/*
 * A custom placement: the node with the least left over. A share of a device goes to shared devices
 * with room, on the node with the least left, before it splits an entire one; everything else goes
 * to the node with the fewest entirely free devices. This equals the built-in best-fit, decision
 * for decision.
 *
 *     cc -shared -fPIC -I.. -o least_waste.so least_waste.c
 */
#include "plugin.h"

#define SHARED_FIRST 1000000 /* more than any node has */

/* Number of the node's shared devices with room for the share. */
static int shared_with_room(const struct policy_plugin_node *node, int32_t milli)
{
    int count = 0;
    for (int device = 0; device < node->devices; device++)
        count += (node->shared >> device & 1) != 0 && node->room[device] >= milli;
    return count;
}

static int64_t least_waste(void *self, const struct policy_plugin_node *node,
                           const struct policy_plugin_role *task)
{
    (void)self;
    if (task->devices > 0 && task->device_milli < POLICY_WHOLE &&
        shared_with_room(node, task->device_milli) >= task->devices)
        return SHARED_FIRST - node->free_milli;
    return -(int64_t)__builtin_popcountll(node->whole);
}

const struct policy_plugin fauxpolicy_plugin = {
    POLICY_PLUGIN_HEAD("least-waste", "the node with the least left over"),
    .score = least_waste,
};
