/* SPDX-License-Identifier: MIT */
/* Job classes held back by limits; see limits.h. */
#include "pending/limits.h"

#include "state/gangs.h"
#include "state/queue_limits.h"

bool pc_is_over_limit(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    if (!p->config.queue_limits)
        return false;
    struct pc_amounts more = {{0}};
    if (!c->shapes[c->jobs[job].shape].wants_memory)
        more = pc_next_amounts(p, job);
    else if (pc_next_tasks(p, job,
                           &c->asked)) /* the weight of device memory is only known on a node */
        more = pc_amounts_of(c, job, &c->asked, true);
    return pc_check_limits(p, job, &more).reason != 0;
}

void pc_limits_refresh(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    struct pc_pending *w = c->pending;
    for (uint32_t i = 0; c->limits_eased && w->held_back > 0 && i < w->class_count; i++)
        if (w->classes[i].exists && w->classes[i].over_limit &&
            !pc_is_over_limit(p, pc_first_job(&w->classes[i])))
            pc_pending_hold_back(p, i, false);
    c->limits_eased = false;
}

bool pc_limits_pass(struct policy *p)
{
    const struct pc_pending *w = p->cluster->pending;
    bool any = false;
    for (uint32_t i = 0; p->config.queue_limits && i < w->lane_count; i++) {
        const struct pc_idheap *classes = &w->lanes[i].classes;
        while (classes->count > 0 && w->classes[classes->ids[0]].blocked != 0 &&
               pc_is_over_limit(p, pc_first_job(&w->classes[classes->ids[0]]))) {
            pc_pending_hold_back(p, classes->ids[0], true);
            any = true;
        }
    }
    return any;
}
