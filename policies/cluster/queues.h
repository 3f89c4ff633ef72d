/* SPDX-License-Identifier: MIT */
/* Queues: the forest, and the history of their use. */
#ifndef POLICY_CLUSTER_QUEUES_H
#define POLICY_CLUSTER_QUEUES_H

#include "cluster/state.h"

void pq_queue_free(struct policy *, struct pq_queue *);

/* Whether a queue is `above` or lies below it. */
static inline bool pq_is_below(const struct cluster *c, uint32_t queue, uint32_t above)
{
    while (queue != POLICY_NO_ID && queue != above)
        queue = c->queues[queue].parent;
    return queue == above;
}

/* The time-based share keeps history itself (option usage_window): the amounts change now. */
void pq_usage_capacity(struct policy *);
void pq_usage_queues(struct policy *, uint32_t leaf);
void pq_usage_told(struct policy *, uint32_t queue); /* its usage_ppm was */
void pq_usage_refresh(struct policy *);              /* before shares are divided */
bool pq_usage_fades(const struct policy *); /* so that jobs which wait may be decided on otherwise soon */
bool pq_usage_reserve(struct policy *);     /* room for one more queue; false: no memory */

/* Forgets what the last decision promised, so that nothing but facts is left. */
void pq_drop_promises(struct policy *);

#endif
