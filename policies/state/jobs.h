/* SPDX-License-Identifier: MIT */
/* Jobs: submitted, held until they are eligible, cancelled, over. */
#ifndef POLICY_STATE_JOBS_H
#define POLICY_STATE_JOBS_H

#include "state/state.h"

/* The job's index, or PC_NONE with the error set. */
static inline uint32_t pc_job_find(struct policy *p, policy_job job)
{
    const struct pc_cluster *c = p->cluster;
    if (job.i < c->job_count && c->jobs[job.i].state != PC_FREE && c->jobs[job.i].gen == job.gen)
        return job.i;
    pc_refuse(p, POLICY_UNKNOWN, "job", job.i, "not known, or already over");
    return PC_NONE;
}

static inline policy_job pc_job_id(const struct pc_cluster *c, uint32_t job)
{
    return job == PC_NONE ? (policy_job){POLICY_NO_ID, 0} : (policy_job){job, c->jobs[job].gen};
}

/* True if some task runs or is being released, nominated to another place or not. */
bool pc_job_holds(const struct pc_cluster *, uint32_t job);

/* Advances the clock, with details of the job to write to; or refuses. */
int pc_at_with_detail(struct policy *, policy_time at, uint32_t job);

/* Takes all that the job holds, is nominated and waits for away; its id goes stale. */
void pc_job_over(struct policy *, uint32_t job);

/* A job that waits for its time is one of those that ask for resources from now on: it was found
 * running. */
void pc_job_go_live(struct policy *, uint32_t job);

/* Jobs whose time has come wait with the others from now on. */
void pc_release_held(struct policy *, policy_time now);

/* Jobs that stand in a suspended queue, or in one no more: room for what follows (false: no
 * memory), and what follows. Costs as much as there are jobs. */
bool pc_jobs_reserve_shut(struct policy *);
void pc_jobs_settle_shut(struct policy *);

/* All tasks of the job that run are being released from now on. */
void pc_job_release(struct policy *, uint32_t job);

#endif
