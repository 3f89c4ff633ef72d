/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The step between two cycles of a dry run: decisions are carried out at once, and devices being
 * released become free.
 */
#include "scenarios/snapshot/facts.h"

#include "sim/base/mem.h"

#include <stdlib.h>

struct named {
    policy_job job;
    uint32_t task;
    int32_t kind, action;
    size_t order;
};

static int by_task(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    if (x->job.i != y->job.i)
        return x->job.i < y->job.i ? -1 : 1;
    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static bool done(const struct snap_facts *facts, int status, struct err *err)
{
    return status == POLICY_OK ||
           err_set(err, EXIT_INTERNAL, "the policy does not know its own decision: %s",
                   policy_last_error(facts->policy)->message);
}

/* Of all decisions about a task in one cycle, the last counts. */
static bool apply_last(const struct snap_facts *facts, const struct named *last, bool evicted,
                       struct err *err)
{
    int64_t now = facts->snapshot->now_ms;
    if (last->kind == POLICY_START)
        return done(facts, policy_task_started(facts->policy, now, last->job, last->task), err);
    return !evicted ||
           done(facts, policy_task_ended(facts->policy, now, last->job, last->task, POLICY_EVICTED),
                err);
}

/* A session at its time limit, or idle for too long, does not return: its work is done. */
static bool end_job(const struct snap_facts *facts, policy_job job, struct err *err)
{
    bool session = snap_facts_job(facts, job)->workload == POLICY_BUILD;
    facts->jobs[facts->job_of[job.i]] = (policy_job){POLICY_NO_ID, 0};
    return done(facts,
                policy_task_ended(facts->policy, facts->snapshot->now_ms, job, POLICY_ALL_TASKS,
                                  session ? POLICY_SUCCEEDED : POLICY_FAILED),
                err);
}

static bool is_ended(const struct named *of_job, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (of_job[i].kind == POLICY_EVICT && of_job[i].action == POLICY_LIMITS)
            return true;
    return false;
}

/* Applies the decisions about one job, task by task. */
static bool apply_job(const struct snap_facts *facts, const struct named *of_job, size_t count,
                      struct err *err)
{
    if (is_ended(of_job, count))
        return end_job(facts, of_job->job, err);
    bool ok = true, evicted = false;
    for (size_t i = 0; i < count && ok; i++) {
        evicted |= of_job[i].kind == POLICY_EVICT;
        if (i + 1 < count && of_job[i + 1].task == of_job[i].task)
            continue;
        ok = apply_last(facts, &of_job[i], evicted, err);
        evicted = false;
    }
    return ok;
}

/* Frees tasks that were being released when the snapshot was taken. A task without a queue ends. */
static bool free_released(struct snap_facts *facts, struct err *err)
{
    const struct snapshot *s = facts->snapshot;
    bool ok = true;
    for (size_t j = 0; j < s->job_count && ok; j++) {
        const struct snap_job *job = &s->jobs[j];
        bool stray = job->stray != SNAP_IN_QUEUE;
        uint32_t number = 0;
        if (facts->jobs[j].i == POLICY_NO_ID)
            continue;
        for (uint32_t t = 0; t < job->task_count && ok; t++) {
            if (stray && !snap_holds(&job->tasks[t]))
                continue;
            if (job->tasks[t].state == SNAP_RELEASING)
                ok = done(facts,
                          policy_task_ended(facts->policy, s->now_ms, facts->jobs[j], number,
                                            stray ? POLICY_FAILED : POLICY_EVICTED),
                          err);
            number++;
        }
    }
    facts->released = true;
    return ok;
}

bool snapshot_apply(struct snap_facts *facts, const struct policy_decision *decisions, size_t count,
                    struct err *err)
{
    struct named *named = mem_alloc(count + 1, sizeof *named);
    for (size_t i = 0; i < count; i++)
        named[i] = (struct named){decisions[i].job, decisions[i].task, decisions[i].kind,
                                  decisions[i].action, i};
    if (count > 0)
        qsort(named, count, sizeof *named, by_task);
    bool ok = true;
    for (size_t i = 0, behind; i < count && ok; i = behind) {
        for (behind = i + 1; behind < count && named[behind].job.i == named[i].job.i;)
            behind++;
        ok = apply_job(facts, &named[i], behind - i, err);
    }
    free(named);
    return ok && (facts->released || free_released(facts, err));
}
