/* SPDX-License-Identifier: MIT */
/*
 * Lines of jobs through the tree of queues: at every level the queues are compared, each
 * represented by the best job below it, down to a leaf, whose best job is next. A line of pending
 * jobs puts first who has least; a line of victims is the same order reversed: who would be served
 * last gives first.
 *
 * After a job was taken the queues on its path are compared again when the next one is asked for,
 * with the amounts of that time; the others keep their places.
 *
 * Pending jobs are added one by one. Victims need not be: a leaf keeps its active jobs in the order
 * in which they give (state/evictable.h), of which the line looks at as much as is asked for. So a
 * search that ends soon costs little, however many jobs run.
 */
#ifndef POLICY_ORDER_QUEUE_WALK_H
#define POLICY_ORDER_QUEUE_WALK_H

#include "state/compare.h"
#include "state/queue_limits.h"
#include "state/state.h"

/* Room for all queues there are; false: no memory. Empties the line. */
bool pc_walk_begin(struct policy *, struct pc_queue_walk *);

/* Adds a pending job to its leaf; false: no memory. */
bool pc_walk_add(struct policy *, struct pc_queue_walk *, uint32_t job);

/* Who may be a victim, for lines of victims. */
struct pc_filter {
    bool (*admits)(const void *context, uint32_t job);
    bool (*admits_leaf)(const void *context,
                        uint32_t leaf); /* every job of it; NULL: ask for each */
    const void *context;
};

/* Whose jobs may be victims: those of the leaf that asks, of all others, or of all. */
enum pc_reach { PC_OWN, PC_OTHERS, PC_ALL };

/* A line of the active jobs within the reach of a leaf that the filter admits. False: no memory. */
bool pc_walk_begin_victims(struct policy *, struct pc_queue_walk *, uint32_t leaf, enum pc_reach,
                           struct pc_filter);

/* A victim that was popped and has more to give. False: no memory. */
bool pc_walk_add_rest(struct policy *, struct pc_queue_walk *, uint32_t job);

/* Victims: the tasks that were taken from the job count as gone when its queue is compared. */
void pc_walk_taken(struct policy *, struct pc_queue_walk *, uint32_t job,
                   const struct pc_amounts *);

/* What queues have that no job was taken from has changed: from now on they are compared by that.
 */
void pc_walk_look_again(struct policy *, struct pc_queue_walk *);

/* Takes the next job out; PC_NONE when the line is empty, or there was no memory. */
uint32_t pc_walk_pop(struct policy *, struct pc_queue_walk *);

/*
 * The same of a line of victims, passing over jobs whose `wanted_in` is another: they are taken as
 * a whole, as long as these are no more than *others, which tells then how many they were. Elastic
 * jobs are not passed over.
 */
uint32_t pc_walk_pop_wanted(struct policy *, struct pc_queue_walk *, uint32_t wanted_in,
                            uint32_t *others);

void pc_walk_free(struct policy *, struct pc_queue_walk *);

/* ---- the comparisons ---- */

/* What a queue is compared by, computed once for a job that it is represented by. See
 * queue_order.c. */
struct pc_standing pc_stand(const struct policy *, const struct pc_queue *,
                            const struct pc_amounts *asks, const struct pc_amounts *gives);

/* The dominant share of a queue if it had so much less. */
struct pc_share pc_share_without(const struct policy *, const struct pc_queue *,
                                 const struct pc_amounts *gives);

/* Below 0: a is served before b. Never 0 for two queues. */
int pc_compare_queues(const struct policy *, const struct pc_standing *a,
                      const struct pc_standing *b);

/*
 * True if a queue that gives more comes later in a line of victims, or keeps its place: then the
 * order of jobs of sibling leaves follows from what each leaf has given when their turn comes, and
 * need not be walked.
 */
bool pc_order_is_monotone(const struct policy *);

/* ---- shares: what the comparisons go by ---- */

/* Divides the cluster among the queues for this decision; false: no memory. */
bool pc_divide_shares(struct policy *);

#endif
