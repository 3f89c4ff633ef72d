/* SPDX-License-Identifier: MIT */
#include "state/specs.h"

#include "state/sized.h"

/* ---- nodes ---- */

int pc_check_node_spec(struct policy *p, const struct policy_node_spec *spec)
{
    if (spec->devices < 0 || spec->devices > POLICY_MAX_DEVICES)
        return pc_refuse(p, POLICY_INVALID, "devices of a node", spec->devices, "0 to 64");
    if (spec->type >= POLICY_MAX_TYPES)
        return pc_refuse(p, POLICY_INVALID, "device type", spec->type, "below 64");
    if (spec->pool >= POLICY_MAX_POOLS)
        return pc_refuse(p, POLICY_INVALID, "pool", spec->pool, "below 4096");
    if (spec->cpu_milli < -1 || spec->cpu_milli > PC_PLENTY)
        return pc_refuse(p, POLICY_INVALID, "CPU of a node", spec->cpu_milli, "at least 0, or -1");
    if (spec->mem_mib < -1 || spec->mem_mib > PC_PLENTY)
        return pc_refuse(p, POLICY_INVALID, "memory of a node", spec->mem_mib, "at least 0, or -1");
    if (spec->max_tasks < -1)
        return pc_refuse(p, POLICY_INVALID, "tasks of a node", spec->max_tasks,
                         "at least 0, or -1");
    if (spec->label_count > 0 && spec->labels == NULL)
        return pc_refuse(p, POLICY_INVALID, "labels of a node", spec->label_count,
                         "no array beside it");
    if (spec->rank >= PC_BITS_MAX)
        return pc_refuse(p, POLICY_INVALID, "rank of a node", spec->rank, "below 4194304");
    if (spec->rank < p->rank_capacity && p->node_of_rank[spec->rank] != PC_NONE)
        return pc_refuse(p, POLICY_CONFLICT, "rank of a node", spec->rank, "taken by another node");
    return POLICY_OK;
}

/* ---- queues ---- */

#define MOST_BOUND_POOLS 4096

static int check_share(struct policy *p, const struct policy_share *share, const char *what)
{
    if (share->quota < -1)
        return pc_refuse(p, POLICY_INVALID, what, share->quota,
                         "quota has to be at least 0, or -1");
    if (share->limit < -1)
        return pc_refuse(p, POLICY_INVALID, what, share->limit,
                         "limit has to be at least 0, or -1");
    if (share->weight < 0)
        return pc_refuse(p, POLICY_INVALID, what, share->weight, "weight has to be at least 0");
    return POLICY_OK;
}

static bool is_repeated(const struct policy_queue_spec *spec, uint32_t pool)
{
    for (uint32_t i = 0; i < pool && spec->ordered_pools; i++)
        if (spec->pools[i] == spec->pools[pool])
            return true;
    return false;
}

int pc_check_queue_spec(struct policy *p, const struct policy_queue_spec *spec)
{
    if (spec->pool_count > MOST_BOUND_POOLS || (spec->pool_count > 0 && spec->pools == NULL))
        return pc_refuse(p, POLICY_INVALID, "pools of a queue", spec->pool_count,
                         "at most 4096, with their array");
    for (uint32_t i = 0; i < spec->pool_count; i++)
        if (spec->pools[i] >= POLICY_MAX_POOLS ||
            (i > 0 && !spec->ordered_pools && spec->pools[i] <= spec->pools[i - 1]) ||
            is_repeated(spec, i))
            return pc_refuse(p, POLICY_INVALID, "pool of a queue", spec->pools[i],
                             "below 4096, in rising order (or, with ordered_pools, each once)");
    int status = check_share(p, &spec->gpu, "GPU share of a queue");
    if (status == POLICY_OK)
        status = check_share(p, &spec->cpu, "CPU share of a queue");
    return status == POLICY_OK ? check_share(p, &spec->mem, "memory share of a queue") : status;
}

/* ---- jobs ---- */

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

static bool wants_instances(const struct policy_request *r)
{
    for (uint32_t i = 0; r->mig != NULL && i < POLICY_MAX_PROFILES; i++)
        if (r->mig[i] > 0)
            return true;
    return false;
}

struct pc_plain_request pc_plain_request_of(const struct policy_request *r)
{
    bool instances = wants_instances(r);
    int32_t devices = instances ? 1 : r->devices;
    return (struct pc_plain_request){
        .devices = devices,
        .milli = devices == 0           ? 0
                 : r->device_milli == 0 ? POLICY_WHOLE
                                        : r->device_milli,
        .cpu = r->cpu_milli,
        .mem = r->mem_mib,
        .types = r->types == 0 ? ~UINT64_C(0) : r->types,
        .device_mem = devices > 0 ? r->device_mem_mib : 0,
        .instances = instances,
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

const struct policy_role *pc_check_role_of_spec(struct policy *p,
                                                const struct policy_job_spec *spec, uint32_t i,
                                                struct policy_role *room)
{
    return pc_sized_fact(p, PC_ROLE, pc_sized_at(spec->roles, i), room);
}
