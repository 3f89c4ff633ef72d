/* SPDX-License-Identifier: MIT */
/*
 * What an accepted trial of the search for victims (victims.h) may take at most, by the bounds that
 * its purpose has. A queue gives in pieces: an elastic task, or what is taken of a job. Amounts are
 * thousandths of devices.
 */
#ifndef POLICY_ACT_VICTIMS_LOSS_BOUNDS_H
#define POLICY_ACT_VICTIMS_LOSS_BOUNDS_H

#include "act/victims/victim.h"
#include "act/victims/victims.h"

/* The queue that bears what its leaf loses in this step, asked once; and in it how much it bears.
 */
struct pc_queue *pc_bearer(const struct pc_search *, uint32_t leaf);

/* What such a queue may lose, if the largest piece of that is so large. */
int64_t pc_most_with(const struct pc_queue *, int64_t piece);

/*
 * How much is listed in c->evicted of jobs (gives) and of queues that bear it (given), and the
 * largest piece of each (largest): of tasks with at least so many devices, 0 for all. The caller
 * sets these back to 0.
 */
void pc_list_pieces(const struct pc_search *, int32_t least);

/* What may be lost of all that is listed with so many devices, in units of which no queue loses a
 * part. */
int64_t pc_most_lost(const struct pc_search *, int32_t least, int64_t unit);

#endif
