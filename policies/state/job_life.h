/* SPDX-License-Identifier: MIT */
/* Tells modules (rows.h) what became of a job: called after every change of its tasks that is not on trial. */
#ifndef POLICY_STATE_JOB_LIFE_H
#define POLICY_STATE_JOB_LIFE_H

#include "cluster/state.h"

/* What modules know of a job. */
enum pq_life { PQ_UNTOLD = 0, PQ_WAITS, PQ_STARTED, PQ_LEAVES };

/* Compares what the job holds with what was told last, and tells the difference. May find its key anew. */
void pq_job_tell(struct policy *, uint32_t job);

/* The job is over: what is still open is told, too. Before its places are given back. */
void pq_job_tell_over(struct policy *, uint32_t job);

#endif
