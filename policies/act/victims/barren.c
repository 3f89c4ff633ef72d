/* SPDX-License-Identifier: MIT */
/* Nodes on which a queue would find no room without other queues' tasks; see barren.h. */
#include "act/victims/barren.h"

#include "state/devices.h"
#include "state/tasks.h"

/* Returns true if `left` more devices make no room for another task of this size. */
static bool gains_nothing(int32_t soon, int32_t left, int32_t devices)
{
    return soon + left < devices || (soon > 0 ? soon : 0) / devices == (soon + left) / devices;
}

/* ---- one queue ---- */

bool pc_barren_now(const struct pc_cluster *c, uint32_t node, uint32_t queue, int32_t devices)
{
    const struct pc_node *n = &c->nodes[node];
    int32_t left = 0;
    for (struct pc_evictable_task g = n->first_evictable; g.job != PC_NONE;
         g = pc_task(c, g.job, g.task)->next) {
        if (c->jobs[g.job].queue == queue)
            continue;
        if (c->shapes[c->jobs[g.job].shape].tasks > 1)
            return false;
        left += pc_devices_under(pc_request_of(c, g.job, g.task));
    }
    return gains_nothing(pc_soon_whole(n), left, devices);
}

/* ---- all queues ---- */

/* What evictable tasks on a node hold. */
struct held {
    int32_t devices, gangs; /* number of tasks of gangs */
};

static void hold(struct held *held, int32_t devices, bool gang)
{
    held->devices += devices;
    held->gangs += gang;
}

static void count(const struct pc_cluster *c, const struct pc_node *n, struct pc_leavings *left)
{
    struct held all = {0, 0};
    struct held of[PC_LEAVINGS_QUEUES] = {{0, 0}};
    for (struct pc_evictable_task g = n->first_evictable; g.job != PC_NONE;
         g = pc_task(c, g.job, g.task)->next) {
        const struct pc_job *j = &c->jobs[g.job];
        int32_t devices = pc_devices_under(pc_request_of(c, g.job, g.task));
        bool gang = c->shapes[j->shape].tasks > 1;
        hold(&all, devices, gang);
        if (j->queue < PC_LEAVINGS_QUEUES)
            hold(&of[j->queue], devices, gang);
    }
    for (uint32_t q = 0; q < PC_LEAVINGS_QUEUES; q++) {
        int32_t others = all.devices - of[q].devices;
        left->others[q] = all.gangs > of[q].gangs     ? PC_LEAVINGS_GANG
                          : others < PC_LEAVINGS_MOST ? (uint8_t)others
                                                      : PC_LEAVINGS_MOST;
    }
    left->gangs = all.gangs > 0;
    left->soon = (int8_t)pc_soon_whole(n);
    left->known = true;
}

/* What is remembered about the node, counted if need be. */
static const struct pc_leavings *leavings_of(const struct pc_cluster *c, uint32_t node)
{
    struct pc_leavings *left = &c->leavings[node];
    if (!left->known)
        count(c, &c->nodes[node], left);
    return left;
}

bool pc_all_are_single(const struct pc_cluster *c, uint32_t node)
{
    return !leavings_of(c, node)->gangs;
}

bool pc_others_are_single(const struct pc_cluster *c, uint32_t node, uint32_t queue)
{
    return queue < PC_LEAVINGS_QUEUES && leavings_of(c, node)->others[queue] != PC_LEAVINGS_GANG;
}

bool pc_is_barren(const struct pc_cluster *c, uint32_t node, uint32_t queue, int32_t devices)
{
    if (!pc_others_are_single(c, node, queue))
        return false;
    const struct pc_leavings *left = &c->leavings[node];
    return gains_nothing(left->soon, left->others[queue], devices);
}
