/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs with different kinds of tasks: roles (pod sets) with their own requests and minimums, and
 * groups of roles that must be close to each other. Used for the column `roles` of a trace and the
 * key `roles` of a service:
 *
 *     worker tasks=8 min=6 gpus=1 in=ring; ps tasks=2 cpus=16; [ring] required=rack
 *
 * Entries are separated by ';'. A role is a name and settings (defaults in parentheses):
 *
 *     tasks=N               number of tasks (1)
 *     min=N                 tasks that must run (tasks)
 *     gpus=N                devices per task (0)
 *     gpu_milli=N           share of each device in thousandths (whole devices); gpus defaults to 1
 *     gpu_mem_mib=N         or memory on each device
 *     mig=PROFILE           or one instance
 *     gpu_type=A|B          allowed device types (those of the job)
 *     cpus=N mem_mib=N      per task (0)
 *     required=LEVEL        fabric level within one domain of which all tasks must be placed
 *     preferred=LEVEL       the same if possible
 *     in=GROUP              the group that contains the role
 *
 * [NAME] is a group, with required, preferred, and `in` for the group around it. A group must
 * precede the groups inside it.
 */
#ifndef TRACES_POD_SETS_H
#define TRACES_POD_SETS_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stdint.h>

#define TRACE_ROLES      16 /* per job */
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
    int32_t group;                    /* 1 + the index of its group; 0: none */
    int32_t tasks, min_tasks;         /* 1 <= min_tasks <= tasks */
    int32_t gpus, gpu_milli;          /* per task, as in struct trace_job */
    int64_t gpu_mem_mib, cpu_milli, mem_mib;
};

struct trace_roles {
    struct trace_role roles[TRACE_ROLES];
    struct trace_group groups[TRACE_GROUPS];
    int32_t role_count, group_count;
};

/* Reads roles; "" has none. False with err set (without the place) if the text is not valid. */
bool trace_roles_read(const char *text, struct trace_roles *, struct err *);

int64_t trace_role_milli(const struct trace_role *); /* per task, in thousandths of a GPU */

/* Sums over all tasks, and over the minimums. */
struct trace_role_sums {
    int32_t tasks, min_tasks;
    int64_t milli, min_milli;
};
struct trace_role_sums trace_roles_sum(const struct trace_roles *);

#endif
