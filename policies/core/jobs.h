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

/* Parts of a job's spec that all policies check alike; a status, with the error set unless it is POLICY_OK. */
int pc_check_job_spec(struct policy *, const struct policy_job_spec *);
int pc_check_request(struct policy *, const struct policy_request *);

/* A checked request in normal form. */
struct pc_request pc_request_of(const struct policy_request *);

/*
 * Role number i of a spec, as this version knows it; maybe in `room`. The second refuses one of a size that cannot be (NULL):
 * of a job that was taken in there is none.
 */
const struct policy_role *pc_role_of_spec(const struct policy_job_spec *, uint32_t i,
                                          struct policy_role *room);
const struct policy_role *pc_check_role_of_spec(struct policy *, const struct policy_job_spec *, uint32_t i,
                                                struct policy_role *room);

/*
 * Adds a decision about what the job holds in the slot, for nobody; kind, action and reason are left to the caller, who
 * has made room for it. Valid until the next one is added.
 */
struct policy_decision *pc_decide_about(struct policy *, uint32_t job, const struct pc_slot *);

/* Records that a task holds devices; a job's slots are pushed from the last task to the first. */
void pc_slot_push(struct policy *, struct pc_job *, struct pc_slot);

#endif
