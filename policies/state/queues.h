/* SPDX-License-Identifier: MIT */
/* Queues: the forest, and usage history. */
#ifndef POLICY_STATE_QUEUES_H
#define POLICY_STATE_QUEUES_H

#include "state/state.h"

void pc_queue_free(struct policy *, struct pc_queue *);

/* Returns true if `queue` is `above` or below it. */
static inline bool pc_is_below(const struct pc_cluster *c, uint32_t queue, uint32_t above)
{
    while (queue != POLICY_NO_ID && queue != above)
        queue = c->queues[queue].parent;
    return queue == above;
}

/* Usage history kept by the core (option usage_window): called when amounts change. */
void pc_usage_capacity(struct policy *);
void pc_usage_queues(struct policy *, uint32_t leaf);
void pc_usage_reported(struct policy *, uint32_t queue); /* its usage_ppm was set */
void pc_usage_refresh(struct policy *);                  /* before shares are divided */
bool pc_usage_fades(const struct policy *); /* usage changes with time, so pending jobs may soon be
                                               decided on differently */
bool pc_usage_reserve(struct policy *);     /* memory for one more queue; false if out of memory */

/* Clears the nominations of the last decision, so that only facts remain. */
void pc_drop_nominations(struct policy *);

#endif
