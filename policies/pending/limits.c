/* SPDX-License-Identifier: MIT */
/* Job classes that limits hold back; see limits.h. */
#include "pending/limits.h"

#include "cluster/chunk.h"
#include "state/queue_limits.h"

bool pq_is_over_limit(struct policy *p, uint32_t job)
{
    struct cluster *c = p->cluster;
    if (!p->config.queue_limits)
        return false;
    struct pq_amounts more = {{0}};
    if (!c->shapes[c->jobs[job].shape].wants_memory)
        more = pq_next_amounts(p, job);
    else if (pq_next_tasks(p, job, &c->asked)) /* what memory of a device weighs is known on its node */
        more = pq_amounts_of(c, job, &c->asked, true);
    return pq_check_gate(p, job, &more).reason != 0;
}

void pq_limits_refresh(struct policy *p)
{
    struct cluster *c = p->cluster;
    struct pq_pending *w = c->pending;
    for (uint32_t i = 0; c->limits_eased && w->held_back > 0 && i < w->class_count; i++)
        if (w->classes[i].exists && w->classes[i].over_limit &&
            !pq_is_over_limit(p, pq_first_job(&w->classes[i])))
            pq_pending_hold_back(p, i, false);
    c->limits_eased = false;
}

bool pq_limits_pass(struct policy *p)
{
    const struct pq_pending *w = p->cluster->pending;
    bool any = false;
    for (uint32_t i = 0; p->config.queue_limits && i < w->lane_count; i++) {
        const struct pc_idheap *classes = &w->lanes[i].classes;
        while (classes->count > 0 && w->classes[classes->ids[0]].blocked != 0 &&
               pq_is_over_limit(p, pq_first_job(&w->classes[classes->ids[0]]))) {
            pq_pending_hold_back(p, classes->ids[0], true);
            any = true;
        }
    }
    return any;
}
