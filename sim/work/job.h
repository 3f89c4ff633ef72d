/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A job in flight: from its submission until it has ended, then its place in the table is used
 * again, so memory grows with the jobs in flight only. The table is indexed by the policy core's
 * own dense job numbers.
 *
 *     PENDING ---- all of its minimum starts ----> RUNNING ---- work done ----> ENDED
 *        ^                                          |   |
 *        |---- the last running task is evicted ----|   |---- ended by a limit: its tasks are
 *                                                       released, then ENDED
 *
 * A task that is evicted is releasing: it keeps its devices until its grace is over, also while its
 * job is pending again. Tasks that hold nothing are not listed.
 */
#ifndef SIM_WORK_JOB_H
#define SIM_WORK_JOB_H

#include "policies/policy.h"
#include "sim/work/progress.h"
#include "traces/trace.h"

#include <stdbool.h>
#include <stdint.h>

#define WORK_NONE     UINT32_MAX
#define WORK_NEVER    INT64_MIN /* a time that has not come; times of a trace may be negative */
#define WORK_SHORT_ID 28
#define WORK_NAME     32               /* of a role or group */
#define WORK_IDEAL    INT64_C(1000000) /* the recorded speed, in millionths of itself */

enum work_state { WORK_FREE = 0, WORK_PENDING, WORK_RUNNING, WORK_ENDED };

/* One task where it holds devices. */
struct work_task {
    uint64_t devices;
    int64_t release_ms; /* when its devices are free again; WORK_NEVER: it runs */
    int64_t write_ms;   /* of its grace: a checkpoint is written */
    int64_t held_milli; /* thousandths of devices in all */
    uint32_t node;      /* WORK_NONE: they are only counted, in `pool` */
    uint32_t pool;
    uint32_t next;
    uint32_t number; /* of the task in its job */
    int32_t milli;   /* of each device */
    bool told;       /* the policy core knows that it started, or that it is being released */
    /* part of the initial state: it has run since the run began, without a decision; or since a
     * planned change of its queue, which may allow less than it has */
    bool found;
};

/* What one task asks for. */
struct work_request {
    int32_t devices, milli; /* thousandths of each; 0 where no device or memory is asked for */
    int64_t cpu_milli, mem_mib, device_mem_mib;
    uint64_t types;  /* 0: any */
    int32_t profile; /* 1 + a MIG profile of the fleet; 0 none */
    int32_t
        nominal_milli; /* of one device, or of the instance, while it is not known where it runs */
};

/*
 * Tasks of a job from number `first` on, up to those of the next part, and what each of them asks
 * for. A pod set is a part and those that are joined to it.
 */
struct work_part {
    uint32_t first;
    struct work_request request;
    bool joined;       /* to the part before; the rest then counts for the first part of the set */
    bool works;        /* the job is elastic and does as much as it has such tasks */
    int32_t min_tasks; /* of the set, that have to run */
    int32_t running;   /* of this part */
    int8_t required, preferred; /* levels of the fabric as in struct policy_constraint */
    int32_t group;              /* 1 + its index; 0 none */
    char name[WORK_NAME];
};

/* Pod sets that have to be near each other. */
struct work_group {
    int32_t parent; /* 1 + the index of the group around it; 0 none */
    int8_t required, preferred;
    char name[WORK_NAME];
};

/* What is looked at when it starts and ends stands together, what only jobs with evictions have is
 * at the end. */
struct work_job {
    int64_t due_ms; /* when its valid end event comes; WORK_NO_END: none */
    uint8_t state, class, status;
    bool counted; /* submitted in the measurement window */
    bool client;  /* submitted by a client, beside the trace; never counted */
    bool preemptible;
    bool elastic;       /* does as much as it has tasks that run; else all or nothing */
    uint8_t on_failure; /* elastic: enum trace_on_failure, TRACE_RESTART unless it goes on with the
                           tasks that a failure leaves it, if they suffice */
    bool loses; /* what it did since its last checkpoint, when it is stopped without time to write
                   one */
    bool suspended; /* found so: nothing of it starts */
    bool stopping;  /* ended by a limit: it has ended when its tasks are released */
    bool halted;    /* some run, but fewer than its minimum: the others are being moved, or still
                       waited for */
    bool worked;    /* all of its minimum ran at some time */
    bool hung;      /* it hangs, unnoticed */
    bool launches;  /* it starts up; the end has not been reported */
    bool starved;   /* it stands still for want of device memory */
    bool corrupt;   /* what it does is worth nothing; `sound` units of it were safe before that */
    bool fails;     /* by its own doing, when all its work is done; the trace does not say so */
    bool stopped;   /* early, at a rung of its array: what it did counts as completed */
    struct work_progress progress;
    int64_t running_milli; /* held by tasks that run */
    int64_t wanted_milli;  /* nominal, of tasks that hold nothing */
    policy_job core;
    uint32_t first_task, last_task; /* WORK_NONE: none */
    int32_t running, releasing;     /* tasks that hold devices */
    uint32_t queue, user;           /* in sim.queues, in names.users */
    uint64_t number; /* 0-based, in order of submission in this run: the job's name in journals */
    uint64_t
        key; /* of what it does by chance: its row in the trace, so that no other job moves it */
    int64_t submit_ms, eligible_ms;
    int64_t duration_ms;           /* productive run time, at the speed at which it was recorded */
    int64_t limit_ms, estimate_ms; /* declared, and a predictor's word; TRACE_UNKNOWN */
    uint32_t model;                /* in names.models, or SYMBOL_NONE */
    int64_t first_start_ms, start_ms,
        end_ms;        /* WORK_NEVER: not yet; start_ms of the present or last run */
    int64_t gpu_milli; /* of the recorded shape */
    struct work_request request;
    int32_t min_tasks, most_tasks;
    int32_t rest_devices;            /* wanted by the last task; the others want request.devices */
    uint32_t next_number;            /* above those of all listed tasks */
    int32_t sm_util_ppm, active_ppm; /* -1 unknown */
    int32_t priority;
    int8_t required, preferred; /* levels of the fabric as in struct policy_constraint */
    char short_id[WORK_SHORT_ID];
    bool changed; /* listed in sim.changed: */
    uint8_t cut_action, cut_reason;
    bool ran_whole;         /* all of its minimum ran before the decisions that are carried out */
    int32_t ran;            /* tasks that ran before them */
    int32_t cut;            /* of these, evicted by them */
    int32_t promised;       /* tasks that they promise a place */
    char *long_id;          /* instead of short_id when it does not fit */
    int64_t waits_since_ms; /* for its next start */
    int64_t queue_ms;       /* pending up to its last start, all told */
    int64_t run_ms;         /* former runs */
    int64_t lost_units;     /* work that had to be done again */
    int64_t deadline_ms;    /* by which it should end, or TRACE_UNKNOWN */
    bool aside;             /* it could never start, and is not pending for anybody (sim/fits.h) */
    int64_t idle_milli;     /* held but not running, as counted in sim.idle_milli */
    int64_t hung_milli;     /* running, but hung, as counted in sim.hung_milli */
    uint32_t preemptions, moves, failures;
    uint32_t corrupt_by; /* the trouble that did it */
    int64_t sound;
    int64_t unit;      /* units of work that one part of it does in a millisecond at ideal speed */
    int32_t speed_ppm; /* of that at which its run time was recorded; above 1,000,000 on faster
                          hardware */
    int32_t hardware_ppm; /* what speed_ppm would be on the best placement on the kind of node that
                             it has */
    int32_t recorded_tasks;
    int64_t scaling_ppm; /* elastic: of what so many tasks would do if each did as much as each
                            recorded one */
    int64_t hung_since_ms;
    struct work_part *parts; /* of one whose tasks differ in more than devices; else NULL. Owned */
    uint32_t part_count;
    uint32_t group_count;
    struct work_group *groups; /* of its pod sets; NULL: none. Owned */
    bool richer; /* found: the core was told more of it than can be said here (labels) */
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

/* The job of this id that waits or runs, or NULL. Looks at all of them: for questions, not for the
 * loop of a run. */
const struct work_job *work_find(const struct work_table *, const char *id);

static inline const char *work_id(const struct work_job *job)
{
    return job->long_id != NULL ? job->long_id : job->short_id;
}

/* True if every pod set has its minimum running. */
bool work_parts_run(const struct work_job *);
static inline bool work_is_whole(const struct work_job *job)
{
    return job->running >= job->min_tasks && (job->parts == NULL || work_parts_run(job));
}

/* Running tasks that its speed goes by, where it is elastic; and how many of all do. */
int32_t work_working_tasks(const struct work_job *);
int32_t work_able_tasks(const struct work_job *);

/* Thousandths of devices, nominal, with which it starts. */
int64_t work_least_milli(const struct work_job *);

/* A task begins to run (1) or stops (-1); the same of all of them. */
void work_count_task(struct work_job *, uint32_t number, int sign);
void work_count_all(struct work_job *, bool run);

/* True if a running job stands still because tasks of its gang are missing; the others hold their
 * devices. */
static inline bool work_waits_for_rest(const struct work_job *job)
{
    return job->halted || !work_is_whole(job);
}

/* What the task of that number asks for; of the last one see work_devices(). */
const struct work_request *work_part_request(const struct work_job *, uint32_t task);

static inline const struct work_request *work_request_of(const struct work_job *job, uint32_t task)
{
    return job->parts == NULL ? &job->request : work_part_request(job, task);
}

static inline int32_t work_devices(const struct work_job *job, uint32_t task)
{
    if (job->parts != NULL)
        return work_part_request(job, task)->devices;
    return task + 1 == (uint32_t)job->most_tasks ? job->rest_devices : job->request.devices;
}

/*
 * How much a job uses its devices while it works, in the mean and in parts of WORK_USED: `sm_util`
 * times `active_frac` of its trace. What the trace does not say counts as fully and as always;
 * `utilization.sm` leaves out jobs whose `sm_util` it does not say (work_tells_use()), since there
 * it would be an invention.
 */
#define WORK_USED (WORK_IDEAL * WORK_IDEAL)

static inline bool work_tells_use(const struct work_job *job)
{
    return job->sm_util_ppm >= 0;
}

static inline int64_t work_use(const struct work_job *job)
{
    int64_t used = job->sm_util_ppm < 0 ? WORK_IDEAL : job->sm_util_ppm;
    int64_t active = job->active_ppm < 0 ? WORK_IDEAL : job->active_ppm;
    return used * active;
}

/* What a task counts while it is not known where it runs. */
static inline int64_t work_nominal_milli(const struct work_job *job, uint32_t task)
{
    const struct work_request *r = work_request_of(job, task);
    int32_t each = r->nominal_milli;
    return r->profile > 0 ? each : (int64_t)work_devices(job, task) * each;
}

/* Units of its work as milliseconds of the recorded shape at ideal speed. */
int64_t work_ms_of(const struct work_job *, int64_t units);
int64_t work_scale(const struct work_job *); /* units in such a millisecond */

/* What it would have done more was never asked for: its duration is what it has done. */
void work_end_here(struct work_job *);

/* Tasks of a job are kept in the order in which they are added. */
void work_add_task(struct work_table *, struct work_job *, const struct work_task *);
void work_drop_tasks(struct work_table *, struct work_job *);

/* The running task of that number; NULL when there is none. */
struct work_task *work_find_running(struct work_table *, const struct work_job *, uint32_t number);

/*
 * Takes the task that *link leads to out of the list, whose last task before it was `before`
 * (WORK_NONE: it is the first); *link then leads to the one behind it.
 */
void work_drop_task(struct work_table *, struct work_job *, uint32_t *link, uint32_t before);

#endif
