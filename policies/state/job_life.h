/* SPDX-License-Identifier: MIT */
/* Reports job events to modules (rows.h): called after every committed change of its tasks. */
#ifndef POLICY_STATE_JOB_LIFE_H
#define POLICY_STATE_JOB_LIFE_H

#include "state/state.h"

/* The job state last reported to modules. */
enum pc_life { PC_UNREPORTED = 0, PC_WAITS, PC_STARTED, PC_LEAVES };

/* Compares what the job holds with what was last reported and reports the difference. May recompute
 * its key. */
void pc_job_tell_modules(struct policy *, uint32_t job);

static inline void pc_job_tell(struct policy *p, uint32_t job)
{
    if (p->cluster->has_modules)
        pc_job_tell_modules(p, job);
}

/* The job is over: reports outstanding changes first. Called before its places are released. */
void pc_job_tell_over(struct policy *, uint32_t job);

#endif
