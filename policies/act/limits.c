/* SPDX-License-Identifier: MIT */
/*
 * Limits on what runs: build sessions end after a time (8 to 12 hours is the usual rule, aligned to the end of a working
 * day if asked), and jobs end that hold devices without using them. Both are off by default.
 */
#include "act/act.h"

#include "cluster/tasks.h"
#define DAY_MS INT64_C(86400000)

/* The end of the working day that follows. */
static policy_time align(const struct policy *p, policy_time due)
{
    int64_t end = p->config.quota.workday_end_ms;
    if (end < 0)
        return due;
    int64_t day = due - ((due % DAY_MS + DAY_MS) % DAY_MS) + end;
    return day < due ? day + DAY_MS : day;
}

static policy_time session_ends(const struct policy *p, const struct pq_job *j)
{
    int64_t limit =
        j->interactive_limit_ms != 0 ? j->interactive_limit_ms : p->config.quota.interactive_limit_ms;
    if (j->workload != POLICY_BUILD || limit <= 0 || pq_last_start(j) == POLICY_NEVER)
        return INT64_MAX;
    return align(p, pq_last_start(j) + limit);
}

/* Who runs on CPUs alone keeps devices from nobody. */
static bool holds_devices(const struct cluster *c, const struct pq_job *j)
{
    const struct pq_shape *s = &c->shapes[j->shape];
    for (uint32_t i = 0; i < s->role_count; i++) {
        const struct pq_role *role = &s->roles[i];
        bool asks = role->request.devices > 0 || role->request.wants_mig;
        for (uint32_t k = 0; asks && k < role->tasks; k++)
            if (pq_task_of(j, role->first_task + k)->place.holding == PQ_RUNS)
                return true;
    }
    return false;
}

static policy_time idle_ends(const struct policy *p, const struct pq_job *j)
{
    const struct policy_quota_options *o = &p->config.quota;
    if (o->idle_limit_ms <= 0 || pq_last_start(j) == POLICY_NEVER || j->detail->idle_since == POLICY_NEVER ||
        !holds_devices(p->cluster, j))
        return INT64_MAX;
    policy_time counted =
        pq_last_start(j) + (j->workload == POLICY_BUILD ? o->idle_grace_ms : o->idle_grace_train_ms);
    return (j->detail->idle_since > counted ? j->detail->idle_since : counted) + o->idle_limit_ms;
}

static void note_time(struct cluster *c, policy_time due)
{
    c->next_time = due < c->next_time ? due : c->next_time;
}

void pq_enforce_limits(struct policy *p)
{
    struct cluster *c = p->cluster;
    if (p->config.quota.idle_limit_ms <= 0 && p->config.quota.interactive_limit_ms <= 0 && !c->limited_jobs)
        return;
    for (uint32_t job = 0; job < c->job_count && !c->out_of_memory; job++) {
        const struct pq_job *j = &c->jobs[job];
        if (j->state != PQ_LIVE || j->running == 0)
            continue;
        policy_time session = session_ends(p, j);
        policy_time idle = idle_ends(p, j);
        if (session <= p->now)
            (void)pq_evict_job(p, job, POLICY_REASON_TIME_LIMIT);
        else if (idle <= p->now)
            (void)pq_evict_job(p, job, POLICY_REASON_IDLE);
        else
            note_time(c, session < idle ? session : idle);
    }
}
