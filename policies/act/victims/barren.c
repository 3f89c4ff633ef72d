/* SPDX-License-Identifier: MIT */
/* Nodes on which a queue would find no room without other queues' tasks; see barren.h. */
#include "act/victims/barren.h"

#include "base/bits.h"
#include "state/devices.h"
#include "state/tasks.h"

bool pc_barren_now(const struct pc_cluster *c, const struct pc_node *n, uint32_t queue,
                   int32_t devices)
{
    int32_t soon = pc_soon_whole(n);
    int32_t without = soon;
    for (struct pc_evictable_task g = n->first_evictable; g.job != PC_NONE;
         g = pc_task(c, g.job, g.task)->next) {
        if (c->jobs[g.job].queue == queue)
            continue;
        if (c->shapes[c->jobs[g.job].shape].tasks > 1)
            return false;
        const struct pc_request *r = pc_request_of(c, g.job, g.task);
        without += pc_devices_under(r);
    }
    return without < devices || (soon > 0 ? soon : 0) / devices == without / devices;
}

bool pc_is_barren(const struct pc_cluster *c, struct pc_node *n, uint32_t queue, int32_t devices)
{
    if (queue >= PC_BARREN_QUEUES)
        return false;
    const uint32_t bit = UINT32_C(1) << queue;
    if (n->barren_devices != devices)
        n->barren_known = 0;
    if ((n->barren_known & bit) == 0) {
        n->barren_devices = (uint8_t)devices;
        n->barren_known |= bit;
        n->barren &= ~bit;
        n->barren |= pc_barren_now(c, n, queue, devices) ? bit : 0;
    }
    return (n->barren & bit) != 0;
}
