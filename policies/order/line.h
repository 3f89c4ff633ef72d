/* SPDX-License-Identifier: MIT */
/*
 * Lines of jobs through the tree of queues: at every level the queues are compared, each represented by the best job
 * below it, down to a leaf, whose best job is next. A line of pending jobs puts first who has least; a line of victims
 * is the same order reversed: who would be served last gives first.
 *
 * After a job was taken the queues on its path are compared again when the next one is asked for, with the amounts of
 * that time; the others keep their places.
 */
#ifndef POLICY_ORDER_LINE_H
#define POLICY_ORDER_LINE_H

#include "cluster/state.h"

/* Room for all queues there are; false: no memory. Empties the line. */
bool pq_line_begin(struct policy *, struct pq_line *, bool victims);

/* Adds a job to its leaf; false: no memory. Popped victims whose job has more to give are added again. */
bool pq_line_add(struct policy *, struct pq_line *, uint32_t job);

/* Takes the next job out; PC_NONE when the line is empty. */
uint32_t pq_line_pop(struct policy *, struct pq_line *);

/* Victims: the tasks that were taken from the job count as gone when its queue is compared. */
void pq_line_taken(struct policy *, struct pq_line *, uint32_t job, const struct pq_amounts *);

void pq_line_free(struct policy *, struct pq_line *);

/* ---- the comparisons ---- */

/* A queue as it is compared: what its next job asks for (victims: nothing), and what was taken or would be next. */
struct pq_side {
    const struct pq_queue *queue;
    struct pq_amounts asks, gives;
};

/* Below 0: a is served before b. Never 0 for two queues. */
int pq_compare_queues(const struct policy *, const struct pq_side *a, const struct pq_side *b);
int pq_compare_jobs(const struct policy *, uint32_t a, uint32_t b, bool as_victims);

/* ---- shares: what the comparisons go by ---- */

/* Divides the cluster among the queues for this decision; false: no memory. */
bool pq_divide_shares(struct policy *);

/* The queue above, or POLICY_NO_ID; with the hierarchy switched off nothing is above a leaf. */
static inline uint32_t pq_above(const struct cluster *c, uint32_t queue)
{
    return c->flat ? POLICY_NO_ID : c->queues[queue].parent;
}

#endif
