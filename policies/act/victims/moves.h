/* SPDX-License-Identifier: MIT */
/*
 * Whether moves alone can make room for a gang of n equal tasks of d whole devices, when nothing
 * may be lost. A search (victims.h) places one task more in each step, and evicts on trial what
 * earlier steps recorded and victims on one more node: in all, those on at most n nodes. Let tasks
 * of other queues that request fewer than s devices leave a node; s divides d. With f devices free
 * after release, of which they leave e more, the node then holds
 *     floor((f + e) / s) - floor(f / s)
 * slots of s devices more. Larger tasks take as many slots elsewhere as they leave. So for each s
 *     n * d / s <= slots free now + slots that tasks leave on n nodes
 *
 * With s = d these are the nodes that can take one of the gang's tasks. With a smaller s, the tasks
 * in between have to find places as well: four of 4 devices cannot leave two nodes if only single
 * devices are free elsewhere.
 */
#ifndef POLICY_ACT_VICTIMS_MOVES_H
#define POLICY_ACT_VICTIMS_MOVES_H

#include "state/state.h"

/*
 * Returns false if no moves of other queues' tasks make room for the job's next tasks, which
 * request these amounts. Returns true if they might, and where this is not known: if requests
 * differ, or gangs have tasks of fewer devices than the job's.
 */
bool pc_moves_may_do(struct policy *, uint32_t job, const struct pc_amounts *asks);

#endif
