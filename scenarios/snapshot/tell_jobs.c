/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports jobs and the state of their tasks to a policy. */
#include "scenarios/snapshot/draft.h"
#include "scenarios/snapshot/tell.h"

#include "sim/asked.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- tasks ---- */

static int tell_task(const struct snap_teller *teller, const struct snap_job *job, policy_job id,
                     uint32_t number, const struct snap_task *task)
{
    struct policy *policy = teller->policy;
    int64_t now = teller->s->now_ms;
    int64_t since = job->last_start_ms < now ? job->last_start_ms : now;
    if (snap_over(task))
        return policy_task_ended(policy, now, id, number,
                                 task->state == SNAP_FAILED ? POLICY_FAILED : POLICY_SUCCEEDED);
    if (task->state == SNAP_GATED)
        return policy_task_gated(policy, now, id, number, true);
    if (!snap_holds(task))
        return POLICY_OK;
    int status = policy_task_running(policy, now, id, number, teller->facts->nodes[task->node],
                                     task->devices, since);
    if (status == POLICY_OK && task->state == SNAP_RELEASING)
        status = policy_task_releasing(policy, now, id, number);
    return status;
}

static bool tell_tasks(struct snap_teller *teller, size_t index, policy_job id)
{
    const struct snap_job *job = &teller->s->jobs[index];
    uint32_t number = 0;
    for (uint32_t t = 0; t < job->task_count; t++) {
        const struct snap_task *task = &job->tasks[t];
        if (job->stray != SNAP_IN_QUEUE && !snap_holds(task))
            continue;
        if (tell_task(teller, job, id, number++, task) != POLICY_OK)
            return snap_refused(teller, "jobs", index, task->id ? task->id : job->id);
    }
    int64_t now = teller->s->now_ms;
    int64_t since = job->stale_since_ms < now ? job->stale_since_ms : now;
    bool stale = job->stale && job->stray == SNAP_IN_QUEUE;
    int status = stale ? policy_set_stale_since(teller->policy, now, id, since) : POLICY_OK;
    return snap_is_told(status) || snap_refused(teller, "jobs", index, job->id);
}

/* ---- jobs ---- */

/* Creates the queue for tasks that run without one: entitled to nothing, below all others. */
static bool strays_queue(struct snap_teller *teller)
{
    const struct policy_share none = {.quota = 0, .limit = POLICY_UNLIMITED, .weight = 0};
    struct policy_queue_spec spec = {
        .size = sizeof spec,
        .parent = {POLICY_NO_ID},
        .priority = INT32_MIN,
        .rank = (uint32_t)teller->s->queue_count,
        .created = teller->s->now_ms,
        .gpu = none,
        .cpu = none,
        .mem = none,
        .preempt_min_runtime_ms = POLICY_INHERIT,
        .reclaim_min_runtime_ms = POLICY_INHERIT,
    };
    if (teller->strays.i == POLICY_NO_ID)
        teller->strays = policy_add_queue(teller->policy, teller->s->now_ms, &spec);
    return teller->strays.i != POLICY_NO_ID;
}

/* Returns true if the policy could start a task of the job, or has to know what it holds. */
static bool matters(const struct snap_job *job)
{
    for (uint32_t t = 0; t < job->task_count; t++) {
        const struct snap_task *task = &job->tasks[t];
        if (snap_holds(task) || (job->stray == SNAP_IN_QUEUE && !snap_over(task)))
            return true;
    }
    return false;
}

bool snap_tell_job(struct snap_teller *teller, size_t index)
{
    const struct snap_job *job = &teller->s->jobs[index];
    struct snap_facts *facts = teller->facts;
    facts->jobs[index] = (policy_job){POLICY_NO_ID, 0};
    if (!matters(job))
        return true;
    if (job->stray != SNAP_IN_QUEUE && !strays_queue(teller))
        return snap_refused(teller, "jobs", index, job->id);
    const struct snap_numbers numbers = {.names = &teller->names};
    struct snap_draft draft;
    snap_draft_init(&draft, &numbers, teller->s, job);
    draft.spec.queue = job->stray != SNAP_IN_QUEUE ? teller->strays : facts->queues[job->queue];
    const struct asked asked = {.at = teller->s->now_ms, .job = job->id};
    asked_begin(&asked);
    policy_job id = policy_submit(teller->policy, teller->s->now_ms, &draft.spec);
    asked_end();
    snap_draft_fini(&draft);
    facts->jobs[index] = id;
    if (id.i == POLICY_NO_ID)
        return snap_refused(teller, "jobs", index, job->id);
    snap_map(&facts->job_of, &facts->job_capacity, id.i, index);
    if (teller->s->jobs[index].suspended &&
        !snap_is_told(policy_suspend_job(teller->policy, teller->s->now_ms, id, true)))
        return snap_refused(teller, "jobs", index, job->id);
    return tell_tasks(teller, index, id);
}
