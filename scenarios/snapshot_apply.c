/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens between two cycles of a dry run: decisions are carried out at once, what was released is free. */
#include "scenarios/snapshot_facts.h"

#include "sim/base/mem.h"

#include <stdlib.h>

struct named {
    policy_job job;
    uint32_t task;
    int32_t kind;
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
    return status == POLICY_OK || err_set(err, EXIT_INTERNAL, "the policy does not know its own decision: %s",
                                          policy_last_error(facts->policy)->message);
}

/* Of all that a cycle decided about a task the last word counts. */
static bool apply_last(const struct snap_facts *facts, const struct named *last, bool evicted,
                       struct err *err)
{
    int64_t now = facts->snapshot->now_ms;
    if (last->kind == POLICY_START)
        return done(facts, policy_task_started(facts->policy, now, last->job, last->task), err);
    return !evicted ||
           done(facts, policy_task_ended(facts->policy, now, last->job, last->task, POLICY_EVICTED), err);
}

/* What was being released when the snapshot was taken. A task without a queue to go back to is over with that. */
static bool free_released(struct snap_facts *facts, struct err *err)
{
    const struct snapshot *s = facts->snapshot;
    bool ok = true;
    for (size_t j = 0; j < s->job_count && ok; j++) {
        const struct snap_job *job = &s->jobs[j];
        bool stray = job->stray != SNAP_IN_QUEUE;
        uint32_t number = 0;
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
        named[i] = (struct named){decisions[i].job, decisions[i].task, decisions[i].kind, i};
    if (count > 0)
        qsort(named, count, sizeof *named, by_task);
    bool ok = true, evicted = false;
    for (size_t i = 0; i < count && ok; i++) {
        evicted |= named[i].kind == POLICY_EVICT;
        if (i + 1 < count && named[i + 1].job.i == named[i].job.i && named[i + 1].task == named[i].task)
            continue;
        ok = apply_last(facts, &named[i], evicted, err);
        evicted = false;
    }
    free(named);
    return ok && (facts->released || free_released(facts, err));
}
