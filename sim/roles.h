/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs with roles of their own (traces/pod_sets.h): what they ask of the core, and the parts that
 * the simulator keeps of them. */
#ifndef SIM_ROLES_H
#define SIM_ROLES_H

#include "sim/sim.h"
#include "traces/pod_sets.h"

struct sim_newcomer; /* sim/internal.h */

struct sim_roles {
    struct trace_roles read;
    struct policy_role roles[TRACE_ROLES];
    struct policy_group groups[TRACE_GROUPS];
    int32_t mig[TRACE_ROLES][POLICY_MAX_PROFILES];
    int32_t profiles[TRACE_ROLES]; /* 1 + index of the MIG profile; 0 none */
};

/* Fills in the request of a job that has roles; topologies and profiles are told to the core. */
bool sim_roles_ask(struct sim *, const struct trace_job *, struct sim_roles *, struct err *);

/* The parts and groups of such a job, which owns them from then on. */
void sim_roles_parts(const struct sim *, const struct sim_roles *, struct sim_newcomer *);

/* The same of a job that the core is told otherwise: which parts are a pod set, and its minimum. */
void sim_parts_from_spec(const struct policy_job_spec *, struct work_part *);
struct work_group *sim_groups_from_spec(const struct policy_job_spec *);

#endif
