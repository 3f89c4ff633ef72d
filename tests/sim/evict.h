/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evictions by hand: the quota policy starts jobs, and a test evicts them at times of its own. */
#ifndef TESTS_SIM_EVICT_H
#define TESTS_SIM_EVICT_H

#include "sim/internal.h"
#include "tests/sim/small.h"

/* Returns the job in flight with this name; fails the test if there is none. */
static inline struct work_job *evict_find(struct small *s, const char *id)
{
    for (size_t i = 0; i < s->sim->work.capacity; i++)
        if (s->sim->work.jobs[i].state != WORK_FREE &&
            strcmp(work_id(&s->sim->work.jobs[i]), id) == 0)
            return &s->sim->work.jobs[i];
    ck_abort_msg("no job %s", id);
    return NULL;
}

static inline struct policy_decision evict_decision(const struct work_job *job, uint32_t task,
                                                    int32_t action, int32_t reason)
{
    return (struct policy_decision){
        .kind = POLICY_EVICT,
        .action = action,
        .reason = reason,
        .task = task,
        .job = job->core,
        .for_job = {POLICY_NO_ID, 0},
    };
}

/* Evicts the last `count` running tasks of a job (INT32_MAX: all), now. */
static inline bool evict_try(struct small *s, struct work_job *job, int32_t count, int32_t action,
                             int32_t reason)
{
    struct policy_decision decisions[64];
    size_t n = 0;
    for (uint32_t task = job->next_number; task-- > 0 && count > 0;) {
        if (work_find_running(&s->sim->work, job, task) == NULL)
            continue;
        count--;
        decisions[n++] = evict_decision(job, task, action, reason);
        if (reason != POLICY_REASON_MOVED)
            continue;
        decisions[n] = decisions[n - 1];
        decisions[n++].kind = POLICY_NOMINATE;
    }
    return sim_enact(s->sim, decisions, n, &s->err);
}

static inline void evict_now(struct small *s, const char *id, int32_t count)
{
    ck_assert_msg(
        evict_try(s, evict_find(s, id), count, POLICY_RECLAIM, POLICY_REASON_RECLAIM_OVER_QUOTA),
        "%s", s->err.msg);
}

/* Runs all events up to and including `until_ms`. */
static inline void evict_run(struct small *s, int64_t until_ms)
{
    ck_assert_msg(sim_run(s->sim, until_ms, &s->err), "%s", s->err.msg);
}

static inline void evict_finish(struct small *s)
{
    evict_run(s, INT64_MAX);
    ck_assert_msg(sim_finish(s->sim, &s->err), "%s", s->err.msg);
}

#endif
