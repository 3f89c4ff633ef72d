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
        without += r->wants_mig ? 1 : r->devices;
    }
    return without < devices || (soon > 0 ? soon : 0) / devices == without / devices;
}

bool pc_is_barren(const struct pc_cluster *c, struct pc_node *n, uint32_t queue, int32_t devices)
{
    if (queue >= 64)
        return false;
    const uint64_t bit = UINT64_C(1) << queue;
    if (n->barren.devices != devices)
        n->barren.known = 0;
    if ((n->barren.known & bit) == 0) {
        n->barren.devices = devices;
        n->barren.known |= bit;
        n->barren.of &= ~bit;
        n->barren.of |= pc_barren_now(c, n, queue, devices) ? bit : 0;
    }
    return (n->barren.of & bit) != 0;
}
