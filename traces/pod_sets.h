/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs whose tasks are not all alike: roles (pod sets) with requests and minimums of their own, and
 * groups of roles that have to be near each other. The column `roles` of a trace, and the key
 * `roles` of a service:
 *
 *     worker tasks=8 min=6 gpus=1 in=ring; ps tasks=2 cpus=16; [ring] required=rack
 *
 * Entries are separated by ';'. A role is a name and settings:
 *
 *     tasks=N               how many there are (1)
 *     min=N                 so many have to run (tasks)
 *     gpus=N                devices of each task (0)
 *     gpu_milli=N           of each device, thousandths (whole devices); gpus is 1 then
 *     gpu_mem_mib=N         or so much memory of each
 *     mig=PROFILE           or one instance
 *     gpu_type=A|B          types of device that it may have (those of the job)
 *     cpus=N mem_mib=N      of each task (0)
 *     required=LEVEL        of the fabric, within one domain of which all its tasks have to be
 *     preferred=LEVEL       the same where it is possible
 *     in=GROUP              the group that it stands in
 *
 * [NAME] is a group, with required, preferred, and `in` for the group around it. A group comes
 * before the groups inside it.
 */
#ifndef TRACES_POD_SETS_H
#define TRACES_POD_SETS_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stdint.h>

#define TRACE_ROLES      16 /* of one job */
#define TRACE_GROUPS     16
#define TRACE_ROLE_NAME  32
#define TRACE_ROLE_TYPES 128

struct trace_group {
    char name[TRACE_ROLE_NAME], required[TRACE_ROLE_NAME], preferred[TRACE_ROLE_NAME];
    int32_t parent; /* 1 + the index of the group around it; 0: none */
};

struct trace_role {
    char name[TRACE_ROLE_NAME], required[TRACE_ROLE_NAME], preferred[TRACE_ROLE_NAME];
    char mig[TRACE_ROLE_NAME];
    char gpu_types[TRACE_ROLE_TYPES]; /* separated by '|'; "": those of the job */
    int32_t group;                    /* 1 + its index; 0: none */
    int32_t tasks, min_tasks;         /* of each role 1 <= min_tasks <= tasks */
    int32_t gpus, gpu_milli;          /* of each task, as in struct trace_job */
    int64_t gpu_mem_mib, cpu_milli, mem_mib;
};

struct trace_roles {
    struct trace_role roles[TRACE_ROLES];
    struct trace_group groups[TRACE_GROUPS];
    int32_t role_count, group_count;
};

/* False with a message, without its place, that says what is wrong and what was expected. "" has no
 * roles. */
bool trace_roles_read(const char *text, struct trace_roles *, struct err *);

int64_t trace_role_milli(const struct trace_role *); /* of one task, in thousandths of a GPU */

/* All tasks, and the least that the job runs with. */
struct trace_role_sums {
    int32_t tasks, min_tasks;
    int64_t milli, min_milli;
};
struct trace_role_sums trace_roles_sum(const struct trace_roles *);

#endif
