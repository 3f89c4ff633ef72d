/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of jobs in flight, and how a job of a trace becomes a request; see job.h. */
#include "sim/work/job.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

void work_init(struct work_table *table)
{
    *table = (struct work_table){.free_task = WORK_NONE};
}

void work_fini(struct work_table *table)
{
    for (size_t i = 0; i < table->capacity; i++)
        free(table->jobs[i].long_id);
    free(table->jobs);
    free(table->tasks);
    *table = (struct work_table){.free_task = WORK_NONE};
}

struct work_job *work_add(struct work_table *table, policy_job core, const char *id)
{
    size_t old = table->capacity;
    if (core.i >= old) {
        table->jobs = mem_grow(table->jobs, &table->capacity, (size_t)core.i + 1, sizeof *table->jobs);
        memset(table->jobs + old, 0, (table->capacity - old) * sizeof *table->jobs);
    }
    struct work_job *job = &table->jobs[core.i];
    BUG_ON(job->state != WORK_FREE);
    *job = (struct work_job){.core = core,
                             .first_start_ms = WORK_NEVER,
                             .start_ms = WORK_NEVER,
                             .end_ms = WORK_NEVER,
                             .first_task = WORK_NONE,
                             .state = WORK_PENDING};
    size_t length = strlen(id);
    if (length < WORK_SHORT_ID)
        memcpy(job->short_id, id, length);
    else
        job->long_id = mem_text(id);
    return job;
}

void work_remove(struct work_table *table, struct work_job *job)
{
    work_drop_tasks(table, job);
    free(job->long_id);
    job->long_id = NULL;
    job->state = WORK_FREE;
}

void work_add_task(struct work_table *table, struct work_job *job, const struct work_task *task)
{
    uint32_t id = table->free_task;
    if (id != WORK_NONE) {
        table->free_task = table->tasks[id].next;
    } else {
        table->tasks =
            mem_grow(table->tasks, &table->task_capacity, table->task_count + 1, sizeof *table->tasks);
        id = (uint32_t)table->task_count++;
    }
    table->tasks[id] = *task;
    table->tasks[id].next = WORK_NONE;
    uint32_t *link = &job->first_task;
    if (job->first_task != WORK_NONE)
        link = &table->tasks[job->last_task].next;
    *link = id;
    job->last_task = id;
}

void work_drop_tasks(struct work_table *table, struct work_job *job)
{
    while (job->first_task != WORK_NONE) {
        uint32_t id = job->first_task;
        job->first_task = table->tasks[id].next;
        table->tasks[id].next = table->free_task;
        table->free_task = id;
    }
}

static struct policy_role role(const struct trace_job *from, int32_t tasks, int32_t devices, int32_t milli)
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
        roles[0] = role(job, job->tasks, job->gpus, job->gpu_milli);
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
    return trace_job_gpu_milli(job) > (int64_t)node_gpus * POLICY_WHOLE ? TRACE_DISTRIBUTED : TRACE_TRAIN;
}

int32_t work_priority(const struct trace_job *job, enum trace_class class)
{
    static const int32_t by_class[TRACE_CLASSES] = {
        [TRACE_BUILD] = 100,     [TRACE_TRAIN] = 50, [TRACE_DISTRIBUTED] = 50,
        [TRACE_INFERENCE] = 125, [TRACE_BATCH] = 50,
    };
    return job->priority != INT32_MIN ? job->priority : by_class[class];
}

/* Beyond this sums of thousandths and the core's numbers of tasks would not fit their types. */
static bool check_size(const struct trace_job *job, struct err *err)
{
    if (job->gpus_total > WORK_MOST_GPUS)
        return err_set(err, EXIT_INPUT, "job '%s' (row %llu of its trace) asks for %lld GPUs, at most %lld",
                       job->id, (unsigned long long)job->row + 1, (long long)job->gpus_total,
                       (long long)WORK_MOST_GPUS);
    if (job->gpus > POLICY_MAX_DEVICES)
        return err_set(err, EXIT_INPUT,
                       "job '%s' (row %llu of its trace) asks for %d GPUs on one node, at most %d", job->id,
                       (unsigned long long)job->row + 1, job->gpus, POLICY_MAX_DEVICES);
    return true;
}

bool work_supported(const struct trace_job *job, struct err *err)
{
    const char *what = job->mig[0] != '\0'                 ? "a MIG profile (mig)"
                       : job->gpu_mem_mib > 0              ? "GPU memory (gpu_mem_mib)"
                       : job->topology_required[0] != '\0' ? "a topology level (topology_required)"
                       : job->after[0] != '\0'             ? "jobs to wait for (after)"
                       : job->min_tasks != job->tasks || job->max_tasks != job->tasks
                           ? "an elastic size (min_tasks, max_tasks)"
                           : NULL;
    if (what == NULL)
        return check_size(job, err);
    return err_set(err, EXIT_INPUT,
                   "job '%s' (row %llu of its trace) asks for %s, which this version cannot simulate",
                   job->id, (unsigned long long)job->row + 1, what);
}
