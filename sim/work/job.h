/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A job in flight: from its submission until it has ended, then its place in the table is used again, so memory grows
 * with the jobs in flight only. The table is indexed by the policy core's own dense job numbers.
 */
#ifndef SIM_WORK_JOB_H
#define SIM_WORK_JOB_H

#include "policies/policy.h"
#include "traces/trace.h"

#include <stdbool.h>
#include <stdint.h>

#define WORK_NONE      UINT32_MAX
#define WORK_NEVER     INT64_MIN           /* a time that has not come; times of a trace may be negative */
#define WORK_MOST_GPUS INT64_C(1024000000) /* of one job */
#define WORK_SHORT_ID  28

enum work_state { WORK_FREE = 0, WORK_PENDING, WORK_RUNNING, WORK_ENDED };

/* One task where it runs. */
struct work_task {
    uint64_t devices;
    uint32_t node; /* WORK_NONE: `milli` thousandths are counted in `pool` */
    uint32_t pool;
    uint32_t next;
    int32_t milli; /* of each device */
    int64_t counted_milli;
    int64_t cpu_milli, mem_mib;
};

struct work_job {
    uint64_t number; /* 0-based, in order of submission in this run: the job's name in journals */
    policy_job core;
    int64_t submit_ms, eligible_ms;
    int64_t duration_ms;                      /* productive run time at ideal speed */
    int64_t first_start_ms, start_ms, end_ms; /* WORK_NEVER: not yet */
    int64_t gpu_milli;                        /* of the whole job */
    int32_t tasks, placed;                    /* of the gang, and how many have a place */
    int32_t first_role_tasks; /* tasks below this number ask for request[0], the others for request[1] */
    struct policy_request request[2];
    uint32_t queue, user;            /* in sim.queues, in names.users */
    int32_t sm_util_ppm, active_ppm; /* -1 unknown */
    uint32_t first_task, last_task;  /* WORK_NONE: none */
    uint8_t state, class, status;
    bool counted; /* submitted in the measurement window */
    char short_id[WORK_SHORT_ID];
    char *long_id; /* instead of short_id when it does not fit */
};

struct work_table {
    struct work_job *jobs;
    size_t capacity;
    struct work_task *tasks;
    size_t task_count, task_capacity;
    uint32_t free_task;
};

void work_init(struct work_table *);
void work_fini(struct work_table *);

/* A fresh job at the place of the core's id. */
struct work_job *work_add(struct work_table *, policy_job core, const char *id);
void work_remove(struct work_table *, struct work_job *);

static inline const char *work_id(const struct work_job *job)
{
    return job->long_id != NULL ? job->long_id : job->short_id;
}

/* Tasks of a job are kept in the order in which they are added. */
void work_add_task(struct work_table *, struct work_job *, const struct work_task *);
void work_drop_tasks(struct work_table *, struct work_job *);

/*
 * How a job of the trace asks the policy core: roles of a gang. A total of GPUs above one node's becomes whole-node
 * tasks and one task for the remainder, unless devices are only counted. Returns the number of roles (1 or 2).
 */
int work_roles(const struct trace_job *, int node_gpus, bool counts, struct policy_role roles[2]);

/* Build, train, distributed, ... : as recorded, else by size. */
enum trace_class work_class(const struct trace_job *, int node_gpus);

/* Larger is more urgent: as recorded, else by class (train 50, build 100, inference 125). */
int32_t work_priority(const struct trace_job *, enum trace_class);

/* False with a message when the job asks for what this version cannot do, so that nothing is silently ignored. */
bool work_supported(const struct trace_job *, struct err *);

#endif
