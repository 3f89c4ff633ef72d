/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Telling a policy about jobs: roles as runs of like tasks, what every task is doing; and what decisions change. */
#include "scenarios/snapshot_tell.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- the spec of a job; arrays that it points to are made for the job and freed after it was submitted ---- */

struct draft {
    struct policy_job_spec spec;
    struct policy_role *roles;
    struct policy_group *groups;
    int32_t *instances; /* POLICY_MAX_PROFILES for each role */
    struct policy_term *terms;
    uint32_t *values;
    size_t term_count, value_count;
};

static bool same_counts(const struct snap_request *a, const struct snap_request *b)
{
    bool same = a->mig_count == b->mig_count;
    for (size_t i = 0; same && i < a->mig_count; i++)
        same = a->mig[i].count == b->mig[i].count && strcmp(a->mig[i].profile, b->mig[i].profile) == 0;
    return same;
}

static bool same_term(const struct snap_term *a, const struct snap_term *b)
{
    bool same = a->value_count == b->value_count && strcmp(a->key, b->key) == 0;
    for (size_t i = 0; same && i < a->value_count; i++)
        same = strcmp(a->values[i], b->values[i]) == 0;
    return same;
}

static bool same_request(const struct snap_request *a, const struct snap_request *b)
{
    bool same = a->devices == b->devices && a->device_milli == b->device_milli &&
                a->device_mem_mib == b->device_mem_mib && a->cpu_milli == b->cpu_milli &&
                a->mem_mib == b->mem_mib && a->term_count == b->term_count && same_counts(a, b) &&
                strcmp(a->gpu_types, b->gpu_types) == 0;
    for (size_t i = 0; same && i < a->term_count; i++)
        same = same_term(&a->terms[i], &b->terms[i]);
    return same;
}

static void draft_room(struct draft *draft, const struct snap_job *job)
{
    size_t terms = 0, values = 0, instances = 0;
    for (uint32_t t = 0; t < job->task_count; t++) {
        const struct snap_request *request = &job->tasks[t].request;
        terms += request->term_count;
        instances += request->mig_count > 0;
        for (size_t i = 0; i < request->term_count; i++)
            values += request->terms[i].value_count;
    }
    draft->roles = mem_alloc((size_t)job->task_count + 1, sizeof *draft->roles);
    draft->groups = mem_alloc((size_t)job->group_count + 1, sizeof *draft->groups);
    draft->instances = mem_alloc(instances + 1, POLICY_MAX_PROFILES * sizeof *draft->instances);
    draft->terms = mem_alloc(terms + 1, sizeof *draft->terms);
    draft->values = mem_alloc(values + 1, sizeof *draft->values);
}

static void draft_free(struct draft *draft)
{
    free(draft->roles);
    free(draft->groups);
    free(draft->instances);
    free(draft->terms);
    free(draft->values);
}

static struct policy_request request_of(const struct snap_teller *teller, struct draft *draft,
                                        const struct snap_request *from, int32_t **instances)
{
    const struct snap_names *names = &teller->names;
    struct policy_request request = {
        .devices = from->devices,
        .device_milli = from->device_milli,
        .cpu_milli = from->cpu_milli,
        .mem_mib = from->mem_mib,
        .types = snap_types(names, from->gpu_types),
        .device_mem_mib = from->device_mem_mib,
        .terms = from->term_count > 0 ? draft->terms + draft->term_count : NULL,
        .term_count = (uint32_t)from->term_count,
    };
    if (from->mig_count > 0) {
        request.mig = *instances;
        for (size_t i = 0; i < from->mig_count; i++)
            (*instances)[name_set_find(&names->profiles, from->mig[i].profile)] = from->mig[i].count;
        *instances += POLICY_MAX_PROFILES;
    }
    for (size_t i = 0; i < from->term_count; i++) {
        const struct snap_term *term = &from->terms[i];
        draft->terms[draft->term_count++] =
            (struct policy_term){.key = name_set_find(&names->labels, term->key),
                                 .value_count = (uint32_t)term->value_count,
                                 .values = draft->values + draft->value_count};
        for (size_t k = 0; k < term->value_count; k++)
            draft->values[draft->value_count++] = name_set_find(&names->labels, term->values[k]);
    }
    return request;
}

/* Tasks that ask for the same as the one before them are counted with it; each run of them is a role of the core. */
static void draft_roles(const struct snap_teller *teller, struct draft *draft, const struct snap_job *job)
{
    int32_t *instances = draft->instances;
    bool stray = job->stray != SNAP_IN_QUEUE;
    const struct snap_task *before = NULL;
    for (uint32_t t = 0; t < job->task_count; t++) {
        const struct snap_task *task = &job->tasks[t];
        if (stray && !snap_holds(task))
            continue;
        bool first = !before || (!stray && before->role != task->role);
        if (!first && same_request(&before->request, &task->request)) {
            struct policy_role *role = &draft->roles[draft->spec.role_count - 1];
            role->tasks++;
            role->min_tasks += stray;
            continue;
        }
        const struct snap_role *from = &job->roles[task->role];
        struct policy_role *role = &draft->roles[draft->spec.role_count++];
        *role = (struct policy_role){
            .size = sizeof *role, .tasks = 1, .min_tasks = 1, .joined = !first && !stray};
        role->request = request_of(teller, draft, &task->request, &instances);
        if (first && !stray) {
            role->min_tasks = from->min_tasks < (int32_t)from->tasks ? from->min_tasks : (int32_t)from->tasks;
            role->group = from->group;
            role->topology = from->topology.at;
        }
        before = task;
    }
}

static void draft_job(const struct snap_teller *teller, struct draft *draft, const struct snap_job *job)
{
    const struct snapshot *s = teller->s;
    bool stray = job->stray != SNAP_IN_QUEUE;
    draft_room(draft, job);
    draft->spec = (struct policy_job_spec){
        .size = sizeof draft->spec,
        .queue = stray ? teller->strays : teller->facts->queues[job->queue],
        .priority = job->priority,
        .preemptible = job->preemptible && !stray,
        .rank = job->rank,
        .submitted = job->submit_ms < s->now_ms ? job->submit_ms : s->now_ms,
        .eligible = job->eligible_ms > s->now_ms ? job->eligible_ms : 0,
        .run_ms = job->run_ms,
        .limit_ms = job->limit_ms,
        .roles = draft->roles,
        .groups = draft->groups,
        .group_count = stray ? 0 : job->group_count,
        .workload = job->workload,
        .interactive_limit_ms = stray ? -1 : job->interactive_limit_ms,
    };
    if (!stray)
        draft->spec.topology = job->topology.at;
    for (uint32_t i = 0; i < draft->spec.group_count; i++)
        draft->groups[i] = (struct policy_group){job->groups[i].parent, job->groups[i].topology.at};
    draft_roles(teller, draft, job);
}

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
    int status =
        policy_task_running(policy, now, id, number, teller->facts->nodes[task->node], task->devices, since);
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
    return !job->stale || job->stray != SNAP_IN_QUEUE ||
           policy_set_stale_since(teller->policy, now, id, since) == POLICY_OK ||
           snap_refused(teller, "jobs", index, job->id);
}

/* ---- jobs ---- */

/* A queue for what runs without one: entitled to nothing, below all others. */
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

/* A job has to be told when the policy could start something of it, or has to know what it holds. */
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
    struct draft draft = {.term_count = 0};
    draft_job(teller, &draft, job);
    policy_job id = policy_submit(teller->policy, teller->s->now_ms, &draft.spec);
    draft_free(&draft);
    facts->jobs[index] = id;
    if (id.i == POLICY_NO_ID)
        return snap_refused(teller, "jobs", index, job->id);
    snap_map(&facts->job_of, &facts->job_capacity, id.i, index);
    return tell_tasks(teller, index, id);
}
