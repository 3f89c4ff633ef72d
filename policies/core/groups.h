/* SPDX-License-Identifier: MIT */
/* Groups: jobs of one queue that ask for the same thing, found by hash. */
#ifndef POLICY_CORE_GROUPS_H
#define POLICY_CORE_GROUPS_H

#include "core/state.h"

/*
 * The group of jobs of the queue with these roles, made when there is none yet; PC_NONE when there is no memory.
 * Groups without jobs are kept for the next job of their shape; when there are many, those are swept before the table
 * grows.
 */
uint32_t pc_group_find(struct policy *, uint32_t queue, const struct pc_role *roles, uint32_t role_count);

/*
 * Frees the groups without jobs of one queue, or of all (PC_NONE). A queue that is removed must leave none behind: its
 * id may be given to a queue with other pools.
 */
void pc_groups_sweep(struct policy *, uint32_t queue);

void pc_group_free(struct policy *, struct pc_group *);

/* The request of task number `task` of a job of the group; NULL when there is no such task. */
const struct pc_request *pc_group_request(const struct pc_group *, uint32_t task, uint16_t *role);

#endif
