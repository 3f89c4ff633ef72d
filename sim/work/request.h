/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a job of a trace asks the policy core: its roles, class, priority, and what it does about
 * checkpoints. */
#ifndef SIM_WORK_REQUEST_H
#define SIM_WORK_REQUEST_H

#include "sim/work/job.h"

#define WORK_MOST_GPUS INT64_C(1024000000) /* of one job */

/* How often; YOUNG and DALY: by what the job's nodes fail and a write costs it
 * (sim/goodput/ettr.h). */
enum work_interval { WORK_INTERVAL_GIVEN = 0, WORK_INTERVAL_YOUNG, WORK_INTERVAL_DALY };

/* What jobs do about checkpoints that do not say it themselves. */
struct work_checkpoints {
    bool given; /* else checkpoints cost nothing, and nothing is ever lost */
    enum work_interval rule;
    double failures_per_ms; /* YOUNG, DALY: of a node, those that stop the job on it */
    int64_t interval_ms;    /* of a rule, after work_fit_interval() */
    int64_t write_ms, restart_ms;
    bool async;       /* the job stands still for `stall_ms` of a write only */
    int64_t stall_ms; /* or for all of it where that is shorter */
    bool on_evict;    /* one is written when the job is evicted, if there is time */
    bool speeds;      /* jobs may go slower than ideal: work is counted in finer units */
};

/* Time that each run of a job takes before it works: its image, its model, its engine. */
struct work_startup {
    uint32_t classes; /* that have it: a bit for each enum trace_class */
    int64_t ms;
    int64_t engine_ms; /* after what is loaded from storage that jobs share */
};

/*
 * Roles of a gang. A total of GPUs above one node's becomes whole-node tasks and one task for the
 * remainder, unless devices are only counted; an elastic job is one role of max_tasks with a
 * smaller minimum. Returns the number of roles (1 or 2).
 */
int work_roles(const struct trace_job *, int node_gpus, bool counts, struct policy_role roles[2]);

/* Build, train, distributed, ... : as recorded, else by size. */
enum trace_class work_class(const struct trace_job *, int node_gpus);

/* Larger is more urgent: as recorded, else by class (train 50, build 100, inference 125). */
int32_t work_priority(const struct trace_job *, enum trace_class);

/* True for classes whose work can be lost; interactive (build) sessions and services have none. */
bool work_computes(enum trace_class);

/*
 * Sets the job's progress, from the trace and the scenario's defaults, which are for jobs that
 * compute. Wants class, elastic and recorded_tasks. False with a message when the numbers are too
 * large.
 */
bool work_set_progress(struct work_job *, const struct trace_job *, const struct work_checkpoints *,
                       struct err *);

/*
 * Where a rule says how often: the interval for a job on so many nodes, 1 ms at least. Without
 * failures 0: nothing is ever written. What a write costs is the time for which the job stands
 * still.
 */
void work_fit_interval(struct work_checkpoints *, int64_t nodes);

/* Wants class. */
void work_set_startup(struct work_job *, const struct work_startup *);

/* False with a message when the job asks for what this version cannot do, so that nothing is
 * silently ignored. */
bool work_supported(const struct trace_job *, struct err *);

#endif
