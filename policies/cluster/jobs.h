/* SPDX-License-Identifier: MIT */
/* Jobs: submitted, held until they are eligible, cancelled, over. */
#ifndef POLICY_CLUSTER_JOBS_H
#define POLICY_CLUSTER_JOBS_H

#include "cluster/state.h"

/* The job's index, or PC_NONE with the error set. */
uint32_t pq_job_find(struct policy *, policy_job);

static inline policy_job pq_job_id(const struct cluster *c, uint32_t job)
{
    return job == PC_NONE ? (policy_job){POLICY_NO_ID, 0} : (policy_job){job, c->jobs[job].gen};
}

/* Whether some task runs or is being released, promised another place or not. */
bool pq_job_holds(const struct cluster *, uint32_t job);

/* Advances the clock, with details of the job to write to; or refuses. */
int pq_at_with_detail(struct policy *, policy_time at, uint32_t job);

/* Takes all that the job holds, is promised and waits for away; its id goes stale. */
void pq_job_over(struct policy *, uint32_t job);

/* A job that waits for its time is one of those that ask for resources from now on: it was found running. */
void pq_job_go_live(struct policy *, uint32_t job);

/* Jobs whose time has come wait with the others from now on. */
void pq_release_held(struct policy *, policy_time now);

/* All tasks of the job that run are being released from now on. */
void pq_job_release(struct policy *, uint32_t job);

#endif
