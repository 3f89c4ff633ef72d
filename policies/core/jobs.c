/* SPDX-License-Identifier: MIT */
/* Facts about jobs: submitted, cancelled. */
#include "core/jobs.h"
#include "cluster/cluster.h"
#include "core/groups.h"
#include "core/multifactor.h"
#include "core/pending.h"
#include "core/plugins.h"
#include "core/ranked.h"
#include "core/sized.h"

#include <string.h>

static const policy_job no_job = {POLICY_NO_ID, 0};

int pc_check_request(struct policy *p, const struct policy_request *r)
{
    if (r->devices < 0 || r->devices > POLICY_MAX_DEVICES)
        return pc_refuse(p, POLICY_INVALID, "devices of a task", r->devices, "0 to 64");
    if (r->device_milli < 0 || r->device_milli > POLICY_WHOLE)
        return pc_refuse(p, POLICY_INVALID, "share of a device", r->device_milli, "0 to 1000");
    if (r->cpu_milli < 0 || r->cpu_milli > PC_PLENTY)
        return pc_refuse(p, POLICY_INVALID, "CPU of a task", r->cpu_milli, "at least 0");
    if (r->mem_mib < 0 || r->mem_mib > PC_PLENTY)
        return pc_refuse(p, POLICY_INVALID, "memory of a task", r->mem_mib, "at least 0");
    return POLICY_OK;
}

struct pc_request pc_request_of(const struct policy_request *r)
{
    return (struct pc_request){
        .devices = r->devices,
        .milli = r->devices == 0        ? 0
                 : r->device_milli == 0 ? POLICY_WHOLE
                                        : r->device_milli,
        .cpu = r->cpu_milli,
        .mem = r->mem_mib,
        .types = r->types == 0 ? ~UINT64_C(0) : r->types,
    };
}

int pc_check_job_spec(struct policy *p, const struct policy_job_spec *spec)
{
    if (spec->role_count < 1 || spec->role_count > POLICY_MAX_ROLES)
        return pc_refuse(p, POLICY_INVALID, "roles of a job", spec->role_count, "1 to 4096");
    if (spec->group_count > POLICY_MAX_GROUPS || (spec->group_count > 0 && spec->groups == NULL))
        return pc_refuse(p, POLICY_INVALID, "groups of a job", spec->group_count,
                         "at most 256, with their array");
    if (spec->roles == NULL || spec->roles->size % _Alignof(struct policy_role) != 0)
        return pc_refuse(p, POLICY_INVALID, "roles of a job", spec->role_count,
                         "no array of roles beside it");
    return POLICY_OK;
}

const struct policy_role *pc_role_of_spec(const struct policy_job_spec *spec, uint32_t i,
                                          struct policy_role *room)
{
    return pc_sized_in(PC_ROLE, pc_sized_at(spec->roles, i), room);
}

const struct policy_role *pc_check_role_of_spec(struct policy *p, const struct policy_job_spec *spec,
                                                uint32_t i, struct policy_role *room)
{
    return pc_sized_fact(p, PC_ROLE, pc_sized_at(spec->roles, i), room);
}

/* What only the quota policy understands is refused, never ignored. */
static int check_line_role(struct policy *p, const struct policy_role *role)
{
    const struct policy_request *r = &role->request;
    if (role->min_tasks != role->tasks || role->joined)
        return pc_refuse(p, POLICY_UNSUPPORTED, "minimum of a role", role->min_tasks,
                         "has to equal its tasks: this policy has no elastic jobs");
    if (role->group != 0 || role->topology.topology != 0)
        return pc_refuse(p, POLICY_UNSUPPORTED, "topology of a role", role->topology.topology,
                         "this policy knows no topology");
    if (r->device_mem_mib > 0 || r->mig != NULL || r->term_count > 0)
        return pc_refuse(p, POLICY_UNSUPPORTED, "device memory, MIG instances or node labels of a task",
                         r->device_mem_mib, "this policy knows devices and shares of them");
    return POLICY_OK;
}

static int check_line_spec(struct policy *p, const struct policy_job_spec *spec)
{
    int status = pc_check_job_spec(p, spec);
    if (status != POLICY_OK)
        return status;
    if (spec->queue.i >= p->queue_count || !p->queues[spec->queue.i].exists)
        return pc_refuse(p, POLICY_UNKNOWN, "queue", spec->queue.i, "not known");
    if (p->queues[spec->queue.i].children > 0)
        return pc_refuse(p, POLICY_CONFLICT, "queue", spec->queue.i,
                         "has queues below it; only leaves hold jobs");
    if (spec->role_count > PC_ROLES)
        return pc_refuse(p, POLICY_UNSUPPORTED, "roles of a job", spec->role_count,
                         "at most 16 with this policy");
    if (spec->topology.topology != 0)
        return pc_refuse(p, POLICY_UNSUPPORTED, "topology of a job", spec->topology.topology,
                         "this policy knows no topology");
    return POLICY_OK;
}

/* Checks the roles and brings them into normal form; a caller's array has elements of the size it says. */
static int normalise(struct policy *p, const struct policy_job_spec *spec, struct pc_role *roles)
{
    int64_t tasks = 0;
    for (uint32_t i = 0; i < spec->role_count; i++) {
        struct policy_role room;
        const struct policy_role *from = pc_check_role_of_spec(p, spec, i, &room);
        if (from == NULL)
            return POLICY_INVALID;
        const struct policy_request *r = &from->request;
        tasks += from->tasks;
        if (from->tasks < 1 || tasks > INT32_MAX / 2)
            return pc_refuse(p, POLICY_INVALID, "tasks of a role", from->tasks, "1 to 1073741823 in a job");
        int status = check_line_role(p, from);
        if (status == POLICY_OK)
            status = pc_check_request(p, r);
        if (status != POLICY_OK)
            return status;
        roles[i] = (struct pc_role){.tasks = from->tasks, .request = pc_request_of(r)};
    }
    return POLICY_OK;
}

static uint32_t new_job(struct policy *p)
{
    if (p->job_free != PC_NONE) {
        uint32_t id = p->job_free;
        p->job_free = p->jobs[id].first_slot;
        return id;
    }
    if (!PC_GROW(&p->memory, p->jobs, p->job_capacity, p->job_count + 1))
        return PC_NONE;
    p->jobs[p->job_count] = (struct pc_job){0};
    return p->job_count++;
}

void pc_job_free(struct policy *p, uint32_t id)
{
    struct pc_job *job = &p->jobs[id];
    struct pc_group *g = &p->groups[job->group];
    pc_ranked_over(p, id);
    pc_multifactor_over(p, id);
    g->jobs--;
    p->queues[g->queue].jobs--;
    job->state = PC_FREE;
    job->gen++;
    job->ticket++;
    job->first_slot = p->job_free;
    p->job_free = id;
}

policy_job policy_submit(struct policy *p, policy_time at, const struct policy_job_spec *given)
{
    struct policy_job_spec room;
    const struct policy_job_spec *spec = pc_sized_fact(p, PC_JOB_SPEC, given, &room);
    if (spec == NULL)
        return no_job;
    if (p->cluster != NULL)
        return pq_submit(p, at, spec);
    struct pc_role roles[PC_ROLES];
    policy_time before = p->now;
    if (check_line_spec(p, spec) != POLICY_OK || normalise(p, spec, roles) != POLICY_OK ||
        pc_at(p, at) != POLICY_OK)
        return no_job;
    uint32_t group = pc_group_find(p, spec->queue.i, roles, spec->role_count);
    uint32_t id = group != PC_NONE ? new_job(p) : PC_NONE;
    if (id == PC_NONE) {
        pc_no_memory(p, before, "job", (int64_t)p->job_count);
        return no_job;
    }
    struct pc_job *job = &p->jobs[id];
    *job = (struct pc_job){
        .key = p->order->key(p, spec).minor,
        .rank = spec->rank,
        .eligible = spec->eligible == 0 ? INT64_MIN : spec->eligible,
        .group = group,
        .gen = job->gen,
        .ticket = job->ticket,
        .first_slot = PC_NONE,
        .priority = spec->priority,
        .preemptible = spec->preemptible,
        .limit = spec->limit_ms >= 0 ? spec->limit_ms : spec->run_ms,
        .declared = spec->limit_ms >= 0,
        .promised = INT64_MAX,
    };
    if (!pc_plugin_admit(p, id, spec) || !pc_ranked_admit(p, id, spec) ||
        !pc_multifactor_admit(p, id, spec)) {
        job->first_slot = p->job_free;
        p->job_free = id;
        pc_no_memory(p, before, "job", (int64_t)p->job_count);
        return no_job;
    }
    p->groups[group].jobs++;
    p->queues[spec->queue.i].jobs++;
    if (pc_pending_add(p, id) != POLICY_OK) {
        pc_job_free(p, id);
        pc_no_memory(p, before, "job", (int64_t)p->job_count);
        return no_job;
    }
    return pc_job_id(p, id);
}

uint32_t pc_job_find(struct policy *p, policy_job job)
{
    if (job.i < p->job_count && p->jobs[job.i].state != PC_FREE && p->jobs[job.i].gen == job.gen)
        return job.i;
    pc_refuse(p, POLICY_UNKNOWN, "job", job.i, "not known, or already over");
    return PC_NONE;
}

int policy_cancel(struct policy *p, policy_time at, policy_job which)
{
    if (p->cluster != NULL)
        return pq_cancel(p, at, which);
    uint32_t id = pc_job_find(p, which);
    if (id == PC_NONE)
        return POLICY_UNKNOWN;
    if (p->jobs[id].state == PC_ACTIVE)
        return pc_refuse(p, POLICY_CONFLICT, "job", id, "it runs; report the end of its tasks");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    pc_pending_remove(p, id);
    pc_job_free(p, id);
    return POLICY_OK;
}

struct policy_decision *pc_decide_about(struct policy *p, uint32_t id, const struct pc_slot *slot)
{
    const struct pc_group *g = &p->groups[p->jobs[id].group];
    const struct pc_request *r = &g->roles[slot->role].request;
    bool counted = slot->node == PC_NONE;
    struct policy_decision *d = &p->decisions[p->decision_count++];
    *d = (struct policy_decision){
        .task = counted ? POLICY_ALL_TASKS : slot->task,
        .job = pc_job_id(p, id),
        .for_job = {POLICY_NO_ID, 0},
        .node = {slot->node           },
        .pool = slot->pool,
        .devices = slot->devices,
        .gpu_milli = counted ? g->gpu_milli : (int64_t)r->devices * r->milli,
    };
    return d;
}
