/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drafts a job for the policy core, with roles as runs of equal tasks; see draft.h. */
#include "scenarios/snapshot/draft.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

static bool same_counts(const struct snap_request *a, const struct snap_request *b)
{
    bool same = a->mig_count == b->mig_count;
    for (size_t i = 0; same && i < a->mig_count; i++)
        same =
            a->mig[i].count == b->mig[i].count && strcmp(a->mig[i].profile, b->mig[i].profile) == 0;
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

static void draft_room(struct snap_draft *draft, const struct snap_job *job)
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

void snap_draft_fini(struct snap_draft *draft)
{
    free(draft->roles);
    free(draft->groups);
    free(draft->instances);
    free(draft->terms);
    free(draft->values);
    *draft = (struct snap_draft){.term_count = 0};
}

static uint32_t profile_of(const struct snap_numbers *numbers, const char *name)
{
    uint32_t number = name_set_find(&numbers->names->profiles, name);
    return numbers->profile_ids ? numbers->profile_ids[number] : number;
}

static uint64_t types_of(const struct snap_numbers *numbers, const char *listed)
{
    uint64_t set = snap_types(numbers->names, listed), ids = 0;
    if (!numbers->type_ids)
        return set;
    for (; set != 0; set &= set - 1)
        ids |= UINT64_C(1) << numbers->type_ids[__builtin_ctzll(set)];
    return ids;
}

static struct policy_request request_of(const struct snap_numbers *numbers,
                                        struct snap_draft *draft, const struct snap_request *from,
                                        int32_t **instances)
{
    const struct snap_names *names = numbers->names;
    struct policy_request request = {
        .devices = from->devices,
        .device_milli = from->device_milli,
        .cpu_milli = from->cpu_milli,
        .mem_mib = from->mem_mib,
        .types = types_of(numbers, from->gpu_types),
        .device_mem_mib = from->device_mem_mib,
        .terms = from->term_count > 0 ? draft->terms + draft->term_count : NULL,
        .term_count = (uint32_t)from->term_count,
    };
    if (from->mig_count > 0) {
        request.mig = *instances;
        for (size_t i = 0; i < from->mig_count; i++)
            (*instances)[profile_of(numbers, from->mig[i].profile)] = from->mig[i].count;
        *instances += POLICY_MAX_PROFILES;
    }
    for (size_t i = 0; i < from->term_count; i++) {
        const struct snap_term *term = &from->terms[i];
        draft->terms[draft->term_count++] = (struct policy_term){
            .key = numbers->first_label + name_set_find(&names->labels, term->key),
            .value_count = (uint32_t)term->value_count,
            .values = draft->values + draft->value_count};
        for (size_t k = 0; k < term->value_count; k++)
            draft->values[draft->value_count++] =
                numbers->first_label + name_set_find(&names->labels, term->values[k]);
    }
    return request;
}

/*
 * Returns true if all tasks of the role are required anywhere: then the pod set of a task does not
 * matter.
 */
static bool is_whole(const struct snap_role *role)
{
    return role->min_tasks >= (int32_t)role->tasks && role->topology.at.topology == 0 &&
           role->group == 0;
}

/*
 * A task with the same request as the previous one is counted with it. Each run of such tasks is a
 * role, and a separate pod set if all of them are required, as for jobs of traces: some policies
 * support no other pod sets.
 */
static void draft_roles(const struct snap_numbers *numbers, struct snap_draft *draft,
                        const struct snap_job *job)
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
            role->min_tasks += stray || is_whole(&job->roles[task->role]);
            continue;
        }
        const struct snap_role *from = &job->roles[task->role];
        struct policy_role *role = &draft->roles[draft->spec.role_count++];
        *role = (struct policy_role){.size = sizeof *role,
                                     .tasks = 1,
                                     .min_tasks = 1,
                                     .joined = !first && !stray && !is_whole(from)};
        role->request = request_of(numbers, draft, &task->request, &instances);
        if (first && !stray && !is_whole(from)) {
            role->min_tasks =
                from->min_tasks < (int32_t)from->tasks ? from->min_tasks : (int32_t)from->tasks;
            role->group = from->group;
            role->topology = from->topology.at;
        }
        before = task;
    }
}

void snap_draft_init(struct snap_draft *draft, const struct snap_numbers *numbers,
                     const struct snapshot *s, const struct snap_job *job)
{
    bool stray = job->stray != SNAP_IN_QUEUE;
    *draft = (struct snap_draft){.term_count = 0};
    draft_room(draft, job);
    draft->spec = (struct policy_job_spec){
        .size = sizeof draft->spec,
        .queue = {POLICY_NO_ID},
        .priority = job->priority,
        .preemptible = job->preemptible && !stray,
        .rank = job->rank,
        .submitted = job->submit_ms < s->now_ms ? job->submit_ms : s->now_ms,
        .eligible = job->eligible_ms > job->submit_ms ? job->eligible_ms : 0,
        .run_ms = job->run_ms,
        .deadline = job->deadline_ms == POLICY_NEVER ? 0 : job->deadline_ms,
        .limit_ms = job->limit_ms,
        .roles = draft->roles,
        .groups = draft->groups,
        .group_count = stray ? 0 : job->group_count,
        .workload = job->workload,
        .user = snap_user(numbers->names, job->life.user),
        .interactive_limit_ms = stray ? -1 : job->interactive_limit_ms,
    };
    if (!stray)
        draft->spec.topology = job->topology.at;
    for (uint32_t i = 0; i < draft->spec.group_count; i++)
        draft->groups[i] = (struct policy_group){job->groups[i].parent, job->groups[i].topology.at};
    draft_roles(numbers, draft, job);
}
