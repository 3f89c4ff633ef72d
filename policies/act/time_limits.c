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
    const struct pc_group *g = &p->groups[job->group];
    if (!PC_GROW(&p->memory, p->decisions, p->decision_capacity, p->decision_count + job->active))
        return false;
    for (uint32_t s = job->first_slot; s != PC_NONE; s = p->slots[s].next) {
        const struct pc_slot *slot = &p->slots[s];
        const struct pc_request *r = &g->roles[slot->role].request;
        bool counted = slot->node == PC_NONE;
        p->decisions[p->decision_count++] = (struct policy_decision){
            .kind = POLICY_EVICT,
            .action = POLICY_LIMITS,
            .reason = POLICY_REASON_TIME_LIMIT,
            .task = counted ? POLICY_ALL_TASKS : slot->task,
            .job = pc_job_id(p, id),
            .for_job = {POLICY_NO_ID, 0},
            .node = {slot->node           },
            .pool = slot->pool,
            .devices = slot->devices,
            .gpu_milli = counted ? g->gpu_milli : (int64_t)r->devices * r->milli,
        };
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
