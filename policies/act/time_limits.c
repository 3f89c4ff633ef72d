/* SPDX-License-Identifier: MIT */
/* Jobs end at their declared limits; see time_limits.h. Those that run are listed in the order of their ends. */
#include "act/time_limits.h"
#include "act/backfill.h"
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
    uint32_t id = p->config.time_limits ? pc_running_first(p) : PC_NONE;
    for (; id != PC_NONE && pc_declared_end(p, id) <= p->now; id = pc_running_next(p, id))
        if (is_limited(&p->jobs[id]) && !end_job(p, id)) {
            pc_refuse(p, POLICY_NO_MEMORY, "tasks", p->jobs[id].active, "no memory to end them");
            return false;
        }
    return true;
}

policy_time pc_time_limits_wakeup(const struct policy *p)
{
    uint32_t id = p->config.time_limits ? pc_running_first(p) : PC_NONE;
    for (; id != PC_NONE && pc_declared_end(p, id) < INT64_MAX; id = pc_running_next(p, id))
        if (is_limited(&p->jobs[id]))
            return pc_declared_end(p, id);
    return INT64_MAX;
}
