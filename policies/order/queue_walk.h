/* SPDX-License-Identifier: MIT */
/*
 * Queue walks hand out jobs in queue order. At every level of the queue tree the queues are
 * compared, each represented by the best job below it, down to a leaf, whose best job is next. A
 * walk of pending jobs serves the queue with the lowest share first; a walk of victims uses the
 * reverse order, so the queue that would be served last loses first.
 *
 * When the next job is requested, the queues on the path of the previous one are compared again
 * with their current amounts; the others keep their places.
 *
 * Pending jobs are added one by one. Victims need not be: a leaf keeps its active jobs in eviction
 * order (state/evictable.h), and the walk reads only as many as are requested. A search that ends
 * early is therefore cheap, however many jobs run.
 */
#ifndef POLICY_ORDER_QUEUE_WALK_H
#define POLICY_ORDER_QUEUE_WALK_H

#include "state/compare.h"
#include "state/queue_limits.h"
#include "state/state.h"

/* Makes room for all existing queues and empties the walk; false: out of memory. */
bool pc_walk_begin(struct policy *, struct pc_queue_walk *);

/* Adds a pending job to its leaf; false: out of memory. */
bool pc_walk_add(struct policy *, struct pc_queue_walk *, uint32_t job);

/* Selects the jobs that may be victims in a victim walk. */
struct pc_filter {
    bool (*admits)(const void *context, uint32_t job);
    bool (*admits_leaf)(const void *context,
                        uint32_t leaf); /* true: every job of the leaf may that does not keep its
                                           place in this decision; NULL: ask for each job */
    bool (*is_past)(const void *context, uint32_t job); /* true: neither this job nor a later one of
                                                           its leaf may; NULL: never */
    const void *context;
};

/* Whose jobs may be victims: those of the requesting leaf, of all others, or of all. */
enum pc_reach { PC_OWN, PC_OTHERS, PC_ALL };

/*
 * Begins a walk of the active jobs within reach of a leaf that the filter admits; false: out of
 * memory.
 */
bool pc_walk_begin_victims(struct policy *, struct pc_queue_walk *, uint32_t leaf, enum pc_reach,
                           struct pc_filter);

/* Adds back a victim that was popped but has more tasks to lose; false: out of memory. */
bool pc_walk_add_rest(struct policy *, struct pc_queue_walk *, uint32_t job);

/* For victims: tasks taken from the job count as gone when its queue is compared. */
void pc_walk_taken(struct policy *, struct pc_queue_walk *, uint32_t job,
                   const struct pc_amounts *);

/* Amounts changed in queues that no job was taken from: compares all queues again from now on. */
void pc_walk_look_again(struct policy *, struct pc_queue_walk *);

/* Removes and returns the next job; PC_NONE if the walk is empty or there was no memory. */
uint32_t pc_walk_pop(struct policy *, struct pc_queue_walk *);

/*
 * The same for a victim walk, but leaves out up to *left_out jobs for which matters() is false; on
 * return *left_out is how many were. They count as taken in full. Elastic jobs are never left out.
 * matters() is told the node of a job with one task (see struct pc_giver), else PC_NONE.
 */
uint32_t pc_walk_pop_if(struct policy *, struct pc_queue_walk *,
                        bool (*matters)(const void *context, uint32_t job, uint32_t node),
                        const void *context, uint32_t *left_out);

void pc_walk_free(struct policy *, struct pc_queue_walk *);

/* ---- the comparisons ---- */

/* What a queue is compared by, computed once for the job that represents it. See queue_order.c. */
struct pc_standing pc_stand(const struct policy *, const struct pc_queue *,
                            const struct pc_amounts *asks, const struct pc_amounts *gives);

/* Returns the dominant share of a queue after subtracting an amount. */
struct pc_share pc_share_without(const struct policy *, const struct pc_queue *,
                                 const struct pc_amounts *gives);

/* Returns less than 0 if a is served before b. Never 0 for two different queues. */
int pc_compare_queues(const struct policy *, const struct pc_standing *a,
                      const struct pc_standing *b);

/*
 * Returns true if a queue that loses more moves back in a victim walk, or keeps its place. The
 * order of jobs of sibling leaves then follows from what each leaf has lost when their turn comes,
 * and the walk can be skipped.
 */
bool pc_order_is_monotone(const struct policy *);

/* ---- shares, which the comparisons use ---- */

/* Divides the cluster among the queues for this decision; false: out of memory. */
bool pc_divide_shares(struct policy *);

#endif
