/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a trace's record to a request; see request.h. */
#include "sim/work/request.h"

#include "sim/goodput/ettr.h"

#include <math.h>

static struct policy_role role(const struct trace_job *from, int32_t tasks, int32_t devices,
                               int32_t milli)
{
    return (struct policy_role){
        .size = sizeof(struct policy_role),
        .tasks = tasks,
        .min_tasks = tasks,
        .request = {.devices = devices,
                    .device_milli = milli,
                    .cpu_milli = from->cpu_milli,
                    .mem_mib = from->mem_mib,
                    .types = from->gpu_types},
    };
}

int work_roles(const struct trace_job *job, int node_gpus, bool counts, struct policy_role roles[2])
{
    if (job->gpus_total == TRACE_UNKNOWN) {
        roles[0] = role(job, job->max_tasks, job->gpus, job->gpu_milli);
        roles[0].min_tasks = job->min_tasks;
        roles[0].request.device_mem_mib = job->gpu_mem_mib;
        return 1;
    }
    int64_t total = job->gpus_total;
    if (total <= node_gpus || node_gpus == 0) {
        /* More than any node can have is said as it is: the core will find that it never fits. */
        int64_t devices = total <= POLICY_MAX_DEVICES ? total : POLICY_MAX_DEVICES;
        int64_t tasks =
            total <= POLICY_MAX_DEVICES ? 1 : (total + POLICY_MAX_DEVICES - 1) / POLICY_MAX_DEVICES;
        roles[0] = role(job, (int32_t)tasks, (int32_t)devices, 0);
        return 1;
    }
    if (counts) {
        /* Never split; a gang of single devices counts the same. */
        roles[0] = role(job, (int32_t)total, 1, 0);
        return 1;
    }
    roles[0] = role(job, (int32_t)(total / node_gpus), node_gpus, 0);
    if (total % node_gpus == 0)
        return 1;
    roles[1] = role(job, 1, (int32_t)(total % node_gpus), 0);
    return 2;
}

enum trace_class work_class(const struct trace_job *job, int node_gpus)
{
    if (job->class != TRACE_CLASS_UNSET)
        return job->class;
    return trace_job_gpu_milli(job) > (int64_t)node_gpus * POLICY_WHOLE ? TRACE_DISTRIBUTED
                                                                        : TRACE_TRAIN;
}

int32_t work_priority(const struct trace_job *job, enum trace_class class)
{
    static const int32_t by_class[TRACE_CLASSES] = {
        [TRACE_BUILD] = 100,     [TRACE_TRAIN] = 50, [TRACE_DISTRIBUTED] = 50,
        [TRACE_INFERENCE] = 125, [TRACE_BATCH] = 50,
    };
    return job->priority != INT32_MIN ? job->priority : by_class[class];
}

bool work_computes(enum trace_class class)
{
    return class != TRACE_BUILD && class != TRACE_INFERENCE;
}

static bool says_nothing(const struct trace_job *from)
{
    return from->checkpoint_ms == TRACE_UNKNOWN && from->checkpoint_write_ms == TRACE_UNKNOWN &&
           from->restart_ms == TRACE_UNKNOWN;
}

static int64_t either(int64_t own, bool defaults, int64_t otherwise)
{
    return own != TRACE_UNKNOWN ? own : defaults ? otherwise : 0;
}

void work_fit_interval(struct work_checkpoints *c, int64_t nodes)
{
    if (c->rule == WORK_INTERVAL_GIVEN)
        return;
    double rate = c->failures_per_ms * (double)nodes;
    c->interval_ms = 0;
    if (rate <= 0)
        return;
    double cost = (double)(c->async && c->stall_ms < c->write_ms ? c->stall_ms : c->write_ms);
    double best = c->rule == WORK_INTERVAL_DALY ? ettr_daly_interval(cost, 1 / rate)
                                                : ettr_young_interval(cost, 1 / rate);
    c->interval_ms = best < 1 ? 1 : best > (double)WORK_LATEST ? 0 : llround(best);
}

bool work_set_progress(struct work_job *job, const struct trace_job *from,
                       const struct work_checkpoints *checkpoints, struct err *err)
{
    job->unit = checkpoints->speeds ? WORK_IDEAL : 1;
    if (job->unit == 1 && !checkpoints->given && !job->elastic &&
        says_nothing(from)) { /* as most */
        job->progress.total = from->duration_ms;
        return true;
    }
    bool defaults = checkpoints->given && work_computes((enum trace_class)job->class);
    int64_t interval = either(from->checkpoint_ms, defaults, checkpoints->interval_ms);
    int64_t parts = job->elastic ? job->recorded_tasks : 1;
    if (from->duration_ms > WORK_LATEST / parts || interval > WORK_LATEST / parts)
        return err_set(err, EXIT_INPUT, "job '%s' would end after more than 100 million years",
                       from->id);
    int64_t longest = from->duration_ms > interval ? from->duration_ms : interval;
    while (job->unit > 1 &&
           longest > WORK_LATEST / parts / job->unit) /* then speeds are less fine */
        job->unit /= 10;
    int64_t scale = parts * job->unit;
    job->loses = defaults || from->checkpoint_ms != TRACE_UNKNOWN;
    job->progress = (struct work_progress){
        .total = from->duration_ms * scale,
        .interval = interval * scale,
        .write_ms = either(from->checkpoint_write_ms, defaults, checkpoints->write_ms),
        .restart_ms = either(from->restart_ms, defaults, checkpoints->restart_ms),
        .async = checkpoints->async,
    };
    struct work_progress *p = &job->progress;
    p->stall_ms = checkpoints->stall_ms < p->write_ms ? checkpoints->stall_ms : p->write_ms;
    return true;
}

void work_set_startup(struct work_job *job, const struct work_startup *startup)
{
    bool has = startup->classes >> job->class & 1;
    job->progress.startup_ms = has ? startup->ms : 0;
    job->progress.engine_ms = has ? startup->engine_ms : 0;
}

/* Beyond this sums of thousandths and the core's numbers of tasks would not fit their types. */
bool work_supported(const struct trace_job *job, struct err *err)
{
    char place[TRACE_PLACE];
    if (job->gpus_total > WORK_MOST_GPUS)
        return err_set(err, EXIT_INPUT, "%s asks for %lld GPUs, at most %lld",
                       trace_job_place(job, place), (long long)job->gpus_total,
                       (long long)WORK_MOST_GPUS);
    if (job->gpus > POLICY_MAX_DEVICES)
        return err_set(err, EXIT_INPUT, "%s asks for %d GPUs on one node, at most %d",
                       trace_job_place(job, place), job->gpus, POLICY_MAX_DEVICES);
    return true;
}
