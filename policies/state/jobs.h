/* SPDX-License-Identifier: MIT */
/* Jobs: submission, waiting for eligibility, cancellation, end. */
#ifndef POLICY_STATE_JOBS_H
#define POLICY_STATE_JOBS_H

#include "state/state.h"

/* Returns the job's index, or PC_NONE with the error set. */
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

/* Returns the earliest start of the job; INT64_MIN: at once. */
static inline policy_time pc_eligible(const struct pc_cluster *c, const struct pc_job *j)
{
    return j->timed ? c->times[j - c->jobs].eligible : INT64_MIN;
}

/* Returns since when the job could have started. */
static inline policy_time pc_waits_since(const struct pc_cluster *c, const struct pc_job *j)
{
    policy_time eligible = pc_eligible(c, j);
    return eligible > j->submitted ? eligible : j->submitted;
}

/* Returns the job's own limit of build sessions in ms; 0: the option applies. */
static inline int64_t pc_interactive_limit(const struct pc_cluster *c, const struct pc_job *j)
{
    return j->timed ? c->times[j - c->jobs].interactive_limit_ms : 0;
}

/* Returns true if some task is running or being released, nominated elsewhere or not. */
bool pc_job_holds(const struct pc_cluster *, uint32_t job);

/* Advances the clock and makes the job's details writable; or refuses. */
int pc_at_with_detail(struct policy *, policy_time at, uint32_t job);

/* Clears everything the job holds, is nominated and waits for; its id becomes stale. */
void pc_job_over(struct policy *, uint32_t job);

/* Makes a job live that was waiting for its eligible time but was found running. */
void pc_job_go_live(struct policy *, uint32_t job);

/* Makes jobs pending whose eligible time has come. */
void pc_release_held(struct policy *, policy_time now);

/* After a queue was suspended or resumed: reserves memory (false if out of memory), then updates
 * the affected jobs. The cost is linear in the number of jobs. */
bool pc_jobs_reserve_shut(struct policy *);
void pc_jobs_settle_shut(struct policy *);

/* Marks all running tasks of the job as being released. */
void pc_job_release(struct policy *, uint32_t job);

#endif
