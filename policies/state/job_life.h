/* SPDX-License-Identifier: MIT */
/* Reports to modules (rows.h) what became of a job: called after every change of its tasks that is
 * not on trial. */
#ifndef POLICY_STATE_JOB_LIFE_H
#define POLICY_STATE_JOB_LIFE_H

#include "state/state.h"

/* What modules know of a job. */
enum pc_life { PC_UNREPORTED = 0, PC_WAITS, PC_STARTED, PC_LEAVES };

/* Compares what the job holds with what was reported last, and reports the difference. May find its
 * key anew. */
void pc_job_tell_modules(struct policy *, uint32_t job);

static inline void pc_job_tell(struct policy *p, uint32_t job)
{
    if (p->cluster->has_modules)
        pc_job_tell_modules(p, job);
}

/* The job is over: what is still open is reported, too. Before its places are given back. */
void pc_job_tell_over(struct policy *, uint32_t job);

#endif
