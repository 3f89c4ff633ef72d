/* SPDX-License-Identifier: MIT */
/* Limits of queues in lines; see limits.h. */
#include "core/limits.h"
#include "core/pending.h"

uint32_t pc_over_limit(const struct policy *p, const struct pc_group *g)
{
    for (uint32_t q = p->config.queue_limits && g->gpu_milli > 0 ? g->queue : PC_NONE; q != PC_NONE;
         q = p->queues[q].parent) {
        const struct pc_queue *queue = &p->queues[q];
        if (queue->gpu.limit != POLICY_UNLIMITED && queue->taken_milli + g->gpu_milli > queue->gpu.limit)
            return q;
    }
    return PC_NONE;
}

void pc_limits_count(struct policy *p, const struct pc_group *g, int sign)
{
    for (uint32_t q = p->config.queue_limits ? g->queue : PC_NONE; q != PC_NONE; q = p->queues[q].parent) {
        p->queues[q].taken_milli += sign * g->gpu_milli;
        p->limits_eased |= sign < 0 && p->queues[q].gpu.limit != POLICY_UNLIMITED && p->held_back > 0;
    }
}

void pc_limits_refresh(struct policy *p)
{
    for (uint32_t g = 0; p->limits_eased && g < p->group_count; g++)
        if (p->groups[g].over_limit && pc_over_limit(p, &p->groups[g]) == PC_NONE)
            pc_pending_hold_back(p, g, false);
    p->limits_eased = false;
}

bool pc_limits_pass(struct policy *p)
{
    bool any = false;
    for (uint32_t i = 0; p->config.queue_limits && i < p->lane_count; i++) {
        const struct pc_idheap *groups = &p->lanes[i].groups;
        while (groups->count > 0 && p->groups[groups->ids[0]].blocked != 0 &&
               pc_over_limit(p, &p->groups[groups->ids[0]]) != PC_NONE) {
            pc_pending_hold_back(p, groups->ids[0], true);
            any = true;
        }
    }
    return any;
}

static int64_t taken_of(const struct policy *p, uint32_t queue)
{
    int64_t taken = 0;
    for (uint32_t i = 0; i < p->job_count; i++) {
        uint32_t q = p->jobs[i].state == PC_ACTIVE ? p->groups[p->jobs[i].group].queue : PC_NONE;
        while (q != PC_NONE && q != queue)
            q = p->queues[q].parent;
        taken += q == queue && q != PC_NONE ? p->groups[p->jobs[i].group].gpu_milli : 0;
    }
    return taken;
}

const char *pc_limits_check(const struct policy *p)
{
    uint32_t held_back = 0;
    for (uint32_t q = 0; q < p->queue_count; q++)
        if (p->queues[q].exists && p->queues[q].taken_milli != (p->config.queue_limits ? taken_of(p, q) : 0))
            return "what a queue has of its limit";
    for (uint32_t g = 0; g < p->group_count; g++) {
        held_back += p->groups[g].over_limit;
        if (p->groups[g].over_limit && !p->limits_eased && pc_over_limit(p, &p->groups[g]) == PC_NONE)
            return "a group that is held back by no limit";
    }
    return held_back == p->held_back ? NULL : "the number of groups that limits hold back";
}
