/* SPDX-License-Identifier: MIT */
/* Jobs and the tasks that hold resources for them. */
#ifndef POLICY_CORE_JOBS_H
#define POLICY_CORE_JOBS_H

#include "core/state.h"

/* The job's index, or PC_NONE with the error set when the id is stale or was never given. */
uint32_t pc_job_find(struct policy *, policy_job);

static inline policy_job pc_job_id(const struct policy *p, uint32_t job)
{
    return job == PC_NONE ? (policy_job){POLICY_NO_ID, 0} : (policy_job){job, p->jobs[job].gen};
}

/* The job is over: its id goes stale. It must be in no list and hold nothing. */
void pc_job_free(struct policy *, uint32_t job);

/* Makes sure that so many more slots are there. */
bool pc_slots_reserve(struct policy *, uint32_t more);

/* Records that a task holds devices; a job's slots are pushed from the last task to the first. */
void pc_slot_push(struct policy *, struct pc_job *, struct pc_slot);

#endif
