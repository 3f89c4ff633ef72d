/* SPDX-License-Identifier: MIT */
/*
 * Who waits, and who is next: groups in their lanes, blocked groups in their sites, jobs whose time has not come.
 */
#ifndef POLICY_CORE_PENDING_H
#define POLICY_CORE_PENDING_H

#include "core/state.h"

/* Puts a job (not in any list) into its group's heap, or among the held until `eligible`; or POLICY_NO_MEMORY. */
int pc_pending_add(struct policy *, uint32_t job);

/* Takes a pending or held job out; its state is left to the caller. */
void pc_pending_remove(struct policy *, uint32_t job);

/* Moves the held jobs whose time has come; POLICY_NO_MEMORY leaves the rest where they are. */
int pc_pending_release_held(struct policy *, policy_time now);

/* Looks again at what never fits, when the fleet has changed. */
void pc_pending_wake(struct policy *);

/*
 * The group whose first job is next, or PC_NONE when none can be tried. Blocked groups that may use what was freed
 * since the last decision take part.
 */
uint32_t pc_pending_next(struct policy *);

static inline uint32_t pc_group_head(const struct pc_group *g) /* pending > 0 */
{
    return g->heap.entries[0].job;
}

/* The group's first job could not be placed, for this reason; it is not tried again in this decision. */
void pc_pending_block(struct policy *, uint32_t group, int32_t reason);

/* A limit of its queue holds the group back, or does so no more. */
void pc_pending_hold_back(struct policy *, uint32_t group, bool hold);

/* The keys of jobs have changed, each by itself: finds them and puts everything in order again. */
void pc_pending_rekey(struct policy *);

/* Makes room for one more lane's worth of bookkeeping. */
bool pc_lane_add(struct policy *);

#endif
