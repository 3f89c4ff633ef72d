/* SPDX-License-Identifier: MIT */
/*
 * The most that an accepted trial of the search for victims (victims.h) may take, by the bounds of
 * its purpose. A queue loses pieces: an elastic task, or what is taken of a job. Amounts are
 * thousandths of devices.
 */
#ifndef POLICY_ACT_VICTIMS_LOSS_BOUNDS_H
#define POLICY_ACT_VICTIMS_LOSS_BOUNDS_H

#include "act/victims/victim.h"
#include "act/victims/victims.h"

/* Returns the queue that bears the losses of the leaf in this step, with its bound; computed once
 * per step. */
struct pc_queue *pc_bearer(const struct pc_search *, uint32_t leaf);

/* What such a queue may lose if the largest piece has this size. */
int64_t pc_most_with(const struct pc_queue *, int64_t piece);

/*
 * Sums what is listed in c->evicted per job (gives) and per bearing queue (given), with the largest
 * piece of each (largest), over tasks with at least `least` devices, 0 for all. The caller resets
 * these to 0.
 */
void pc_list_pieces(const struct pc_search *, int32_t least);

/* The most that may be lost (find no place again; what moves takes up what it frees) of all listed
 * tasks with at least that many devices, in units that no queue loses in part. */
int64_t pc_most_lost(const struct pc_search *, int32_t least, int64_t unit);

#endif
