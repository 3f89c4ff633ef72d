/* SPDX-License-Identifier: MIT */
/*
 * Searches in a job's own leaf that cannot succeed, remembered from decision to decision: all
 * victims behind the job together left room for fewer tasks than it has.
 *
 * Victims of such searches have lower priority and are behind the job in the order of the leaf. So
 * a job that is not before another one, has no higher priority and requests no fewer devices per
 * task has no more victims and no more room. That stays so until one of these victims is added, is
 * placed on another node, or is on a node where more whole devices become free; then the leaf
 * forgets what it concerns. Room on other nodes is what is free there now.
 */
#ifndef POLICY_STATE_SCARCITY_H
#define POLICY_STATE_SCARCITY_H

#include "state/state.h"

/* Returns true if it is known that the victims of a pending job leave no room for that many tasks
 * of at least `devices` whole devices. pc_room_settle() must precede. */
bool pc_scarcity_is_known(const struct pc_cluster *, uint32_t job, int32_t devices,
                          int64_t lacking);

/* Remembers that all victims behind the job, and what is free now, leave room for only this many
 * tasks. */
void pc_scarcity_remember(struct pc_cluster *, uint32_t job, int32_t devices, int64_t room);

/* The evictable job may leave more room than before. */
void pc_scarcity_note(struct pc_cluster *, uint32_t job);

/* Returns true if the evictable job is a victim behind the one that this was remembered for. */
bool pc_scarcity_concerns(const struct pc_cluster *, const struct pc_scarcity *, uint32_t job);

#endif
