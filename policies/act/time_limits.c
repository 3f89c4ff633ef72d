/* SPDX-License-Identifier: MIT */
/* Jobs end at their declared limits; see time_limits.h. Those that run are listed in the order of their ends. */
#include "act/time_limits.h"
#include "core/jobs.h"

static bool is_limited(const struct pc_job *job)
{
    return job->declared && !job->stopping;
}

static bool end_job(struct policy *p, uint32_t id)
{
    struct pc_job *job = &p->jobs[id];
    if (!PC_GROW(&p->memory, p->decisions, p->decision_capacity, p->decision_count + job->active))
        return false;
    for (uint32_t s = job->first_slot; s != PC_NONE; s = p->slots[s].next) {
        struct policy_decision *d = pc_decide_about(p, id, &p->slots[s]);
        d->kind = POLICY_EVICT;
        d->action = POLICY_LIMITS;
        d->reason = POLICY_REASON_TIME_LIMIT;
    }
    job->stopping = true;
    return true;
}

bool pc_enforce_time_limits(struct policy *p)
{
    for (uint32_t i = 0; p->config.time_limits && i < p->running.count && p->running.of[i].end <= p->now; i++)
        if (is_limited(&p->jobs[p->running.of[i].job]) && !end_job(p, p->running.of[i].job)) {
            pc_refuse(p, POLICY_NO_MEMORY, "tasks", p->jobs[p->running.of[i].job].active,
                      "no memory to end them");
            return false;
        }
    return true;
}

policy_time pc_time_limits_wakeup(const struct policy *p)
{
    for (uint32_t i = 0; p->config.time_limits && i < p->running.count && p->running.of[i].end < INT64_MAX;
         i++)
        if (is_limited(&p->jobs[p->running.of[i].job]))
            return p->running.of[i].end;
    return INT64_MAX;
}
