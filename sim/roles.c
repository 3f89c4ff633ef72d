/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs with roles of their own; see roles.h. */
#include "sim/roles.h"

#include "sim/base/mem.h"
#include "sim/internal.h"

#include <string.h>

/* ---- the request ---- */

static uint64_t types_of(const struct sim *sim, const char *types, uint64_t otherwise)
{
    uint64_t set = 0;
    while (*types != '\0') {
        size_t n = strcspn(types, "|");
        uint32_t id = symbols_find(sim->config.names.gpu_types, types, n);
        set |= id < 64 ? UINT64_C(1) << id : 0; /* the reader of the trace has numbered it */
        types += n + (types[n] != '\0');
    }
    return set != 0 ? set : otherwise;
}

static bool ask_instance(struct sim *sim, const struct trace_role *from, struct sim_roles *to,
                         int32_t role, struct err *err)
{
    int index, known = sim->fleet->profile_count;
    if (from->mig[0] == '\0')
        return true;
    if (!fleet_profile(sim->fleet, from->mig, &index, err) ||
        (index == known && !sim_tell_profile(sim, index, err)))
        return err_prefix(err, "role '%s'", from->name);
    to->profiles[role] = index + 1;
    to->mig[role][index] = 1;
    to->roles[role].request.devices = 0;
    to->roles[role].request.mig = to->mig[role];
    return true;
}

static bool ask_role(struct sim *sim, const struct trace_job *job, struct sim_roles *to,
                     int32_t role, struct err *err)
{
    const struct trace_role *from = &to->read.roles[role];
    to->profiles[role] = 0;
    memset(to->mig[role], 0, sizeof to->mig[role]);
    to->roles[role] =
        (struct policy_role){.size = sizeof(struct policy_role),
                             .tasks = from->tasks,
                             .min_tasks = from->min_tasks,
                             .group = from->group,
                             .request = {.devices = from->gpus,
                                         .device_milli = from->gpu_milli,
                                         .device_mem_mib = from->gpu_mem_mib,
                                         .cpu_milli = from->cpu_milli,
                                         .mem_mib = from->mem_mib,
                                         .types = types_of(sim, from->gpu_types, job->gpu_types)}};
    if (from->gpus == 0 && from->mig[0] == '\0')
        to->roles[role].request.types = 0;
    if (sim->memory != NULL && (from->gpu_milli > 0 || from->gpu_mem_mib > 0))
        return err_set(err, EXIT_INPUT,
                       "role '%s' shares devices, which 'gpu_memory' does not model for roles",
                       from->name);
    if (from->gpus > POLICY_MAX_DEVICES)
        return err_set(err, EXIT_INPUT, "role '%s' asks for %d GPUs on one node, at most %d",
                       from->name, from->gpus, POLICY_MAX_DEVICES);
    return sim_ask_near(sim, from->required, from->preferred, &to->roles[role].topology, err) &&
           ask_instance(sim, from, to, role, err);
}

bool sim_roles_ask(struct sim *sim, const struct trace_job *job, struct sim_roles *to,
                   struct err *err)
{
    if (!trace_roles_read(job->roles, &to->read, err))
        return false;
    for (int32_t i = 0; i < to->read.role_count; i++)
        if (!ask_role(sim, job, to, i, err))
            return false;
    for (int32_t i = 0; i < to->read.group_count; i++) {
        const struct trace_group *from = &to->read.groups[i];
        to->groups[i] = (struct policy_group){.parent = from->parent};
        if (!sim_ask_near(sim, from->required, from->preferred, &to->groups[i].topology, err))
            return false;
    }
    return true;
}

/* ---- parts ---- */

void sim_parts_from_spec(const struct policy_job_spec *spec, struct work_part *parts)
{
    for (uint32_t i = 0; i < spec->role_count; i++) {
        const struct policy_role *role = &spec->roles[i];
        parts[i].joined = role->joined;
        parts[i].min_tasks = role->joined ? 0 : role->min_tasks;
        parts[i].required = (int8_t)role->topology.required;
        parts[i].preferred = (int8_t)role->topology.preferred;
        parts[i].group = role->group;
        (void)snprintf(parts[i].name, sizeof parts[i].name, "r%04u", i);
    }
}

struct work_group *sim_groups_from_spec(const struct policy_job_spec *spec)
{
    if (spec->group_count == 0)
        return NULL;
    struct work_group *groups = mem_alloc(spec->group_count, sizeof *groups);
    for (uint32_t i = 0; i < spec->group_count; i++) {
        const struct policy_group *from = &spec->groups[i];
        groups[i] = (struct work_group){.parent = from->parent,
                                        .required = (int8_t)from->topology.required,
                                        .preferred = (int8_t)from->topology.preferred};
        (void)snprintf(groups[i].name, sizeof groups[i].name, "g%03u", i);
    }
    return groups;
}

void sim_roles_parts(const struct sim *sim, const struct sim_roles *from, struct sim_newcomer *to)
{
    const struct policy_job_spec spec = {.roles = from->roles,
                                         .role_count = (uint32_t)from->read.role_count,
                                         .groups = from->groups,
                                         .group_count = (uint32_t)from->read.group_count};
    uint32_t first = 0;
    to->part_count = spec.role_count;
    to->group_count = spec.group_count;
    to->parts = mem_alloc(spec.role_count, sizeof *to->parts);
    to->groups = sim_groups_from_spec(&spec);
    sim_parts_from_spec(&spec, to->parts);
    for (uint32_t i = 0; i < spec.role_count; i++) {
        struct work_part *part = &to->parts[i];
        part->first = first;
        part->request = sim_request_from(sim, &spec.roles[i].request, from->profiles[i]);
        (void)snprintf(part->name, sizeof part->name, "%s", from->read.roles[i].name);
        first += (uint32_t)spec.roles[i].tasks;
    }
    for (uint32_t i = 0; i < spec.group_count; i++)
        (void)snprintf(to->groups[i].name, sizeof to->groups[i].name, "%s",
                       from->read.groups[i].name);
    to->request = to->parts[0].request;
}
