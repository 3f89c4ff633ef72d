/* SPDX-License-Identifier: MIT */
/* Sums by group of pools; see group_sums.h. */
#include "state/group_sums.h"

#include "state/nodes.h"
#include "state/places.h"

void pc_groups_charge(struct pc_cluster *c, uint32_t job, uint32_t task, const struct pc_request *r,
                      int sign)
{
    const struct pc_job *j = &c->jobs[job];
    const struct pc_place *place = &j->detail->tasks[task].place;
    if (!pc_is_active(place))
        return;
    uint32_t node = pc_stands_on(place);
    uint32_t pool = place->counted != 0 ? place->counted - 1 : c->nodes[node].pool;
    int64_t milli =
        sign * (place->counted != 0 ? pc_weigh_pending(c, r) : pc_weigh_at(c, r, node)).of[PC_GPU];
    for (uint32_t q = j->queue; q != POLICY_NO_ID && milli != 0; q = c->queues[q].parent) {
        struct pc_group_share *s = &c->queues[q].groups[c->pools[pool].group];
        s->allocated += milli;
        s->fixed += j->preemptible ? 0 : milli;
    }
}
