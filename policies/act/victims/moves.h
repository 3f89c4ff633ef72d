/* SPDX-License-Identifier: MIT */
/*
 * Tells whether moves alone can make room for a gang while nobody may lose anything. The gang has n
 * equal tasks of d whole devices. A search (victims.h) places one task more in each step, and
 * evicts on trial what earlier steps recorded and victims on one more node: in all, those on at
 * most n nodes. (Chains through pools may use more: pool_chain.h.)
 *
 * Let s divide d, let larger tasks request multiples of s, and let each smaller one be the only
 * task of its job. If f devices of a node are free after release, and smaller tasks of other queues
 * leave e more, the node gains this many slots of s devices:
 *     floor((f + e) / s) - floor(f / s)
 *
 * Larger tasks take as many slots elsewhere as they leave. So for each s:
 *     n * d / s <= slots free after release + slots gained on n nodes
 *
 * With s = d these are the nodes that can take one more of the gang's tasks. With a smaller s, the
 * tasks in between have to find places as well: four of 4 devices cannot leave two nodes if only
 * single devices are free elsewhere.
 */
#ifndef POLICY_ACT_VICTIMS_MOVES_H
#define POLICY_ACT_VICTIMS_MOVES_H

#include "state/state.h"

/*
 * Returns false if no moves of other queues' tasks make room for the job's next tasks, which
 * request these amounts. Returns true if they might, and where this is not known: if requests
 * differ, or gangs have tasks of fewer devices than the job's. Not for jobs that may chain.
 */
bool pc_moves_may_do(struct policy *, uint32_t job, const struct pc_amounts *asks);

#endif
