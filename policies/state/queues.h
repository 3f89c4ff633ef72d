/* SPDX-License-Identifier: MIT */
/* Queues: the forest, and the history of their use. */
#ifndef POLICY_STATE_QUEUES_H
#define POLICY_STATE_QUEUES_H

#include "state/state.h"

void pc_queue_free(struct policy *, struct pc_queue *);

/* True if a queue is `above` or lies below it. */
static inline bool pc_is_below(const struct pc_cluster *c, uint32_t queue, uint32_t above)
{
    while (queue != POLICY_NO_ID && queue != above)
        queue = c->queues[queue].parent;
    return queue == above;
}

/* The time-based share keeps history itself (option usage_window): the amounts change now. */
void pc_usage_capacity(struct policy *);
void pc_usage_queues(struct policy *, uint32_t leaf);
void pc_usage_reported(struct policy *, uint32_t queue); /* its usage_ppm was */
void pc_usage_refresh(struct policy *);                  /* before shares are divided */
bool pc_usage_fades(
    const struct policy *); /* so that jobs which wait may be decided on otherwise soon */
bool pc_usage_reserve(struct policy *); /* room for one more queue; false: no memory */

/* Forgets what the last decision nominated, so that nothing but facts is left. */
void pc_drop_nominations(struct policy *);

#endif
