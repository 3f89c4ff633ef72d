/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of jobs in flight and their tasks; see job.h. */
#include "sim/work/job.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

void work_init(struct work_table *table)
{
    *table = (struct work_table){.free_task = WORK_NONE};
}

static void free_own(struct work_job *job)
{
    free(job->long_id);
    free(job->parts);
    free(job->groups);
    job->long_id = NULL;
    job->parts = NULL;
    job->groups = NULL;
}

void work_fini(struct work_table *table)
{
    for (size_t i = 0; i < table->capacity; i++)
        free_own(&table->jobs[i]);
    free(table->jobs);
    free(table->tasks);
    *table = (struct work_table){.free_task = WORK_NONE};
}

struct work_job *work_add(struct work_table *table, policy_job core, const char *id)
{
    size_t old = table->capacity;
    if (core.i >= old) {
        table->jobs =
            mem_grow(table->jobs, &table->capacity, (size_t)core.i + 1, sizeof *table->jobs);
        memset(table->jobs + old, 0, (table->capacity - old) * sizeof *table->jobs);
    }
    struct work_job *job = &table->jobs[core.i];
    BUG_ON(job->state != WORK_FREE);
    *job = (struct work_job){.core = core,
                             .first_start_ms = WORK_NEVER,
                             .start_ms = WORK_NEVER,
                             .end_ms = WORK_NEVER,
                             .due_ms = WORK_NO_END,
                             .first_task = WORK_NONE,
                             .unit = 1,
                             .speed_ppm = WORK_IDEAL,
                             .hardware_ppm = WORK_IDEAL,
                             .scaling_ppm = WORK_IDEAL,
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
    free_own(job);
    job->state = WORK_FREE;
}

void work_add_task(struct work_table *table, struct work_job *job, const struct work_task *task)
{
    uint32_t id = table->free_task;
    if (id != WORK_NONE) {
        table->free_task = table->tasks[id].next;
    } else {
        table->tasks = mem_grow(table->tasks, &table->task_capacity, table->task_count + 1,
                                sizeof *table->tasks);
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

struct work_task *work_find_running(struct work_table *table, const struct work_job *job,
                                    uint32_t number)
{
    for (uint32_t id = job->first_task; id != WORK_NONE; id = table->tasks[id].next)
        if (table->tasks[id].number == number && table->tasks[id].release_ms == WORK_NEVER)
            return &table->tasks[id];
    return NULL;
}

void work_drop_task(struct work_table *table, struct work_job *job, uint32_t *link, uint32_t before)
{
    uint32_t id = *link;
    *link = table->tasks[id].next;
    if (job->last_task == id)
        job->last_task = before;
    table->tasks[id].next = table->free_task;
    table->free_task = id;
}

int64_t work_scale(const struct work_job *job)
{
    const struct work_progress *p = &job->progress;
    return job->duration_ms > 0 ? (p->total + p->rest) / job->duration_ms : job->unit;
}

int64_t work_ms_of(const struct work_job *job, int64_t units)
{
    return units / work_scale(job);
}

void work_end_here(struct work_job *job)
{
    int64_t scale = work_scale(job);
    job->duration_ms = job->progress.done / scale;
    job->progress.total = job->duration_ms * scale;
    job->progress.rest = 0;
}

const struct work_job *work_find(const struct work_table *table, const char *id)
{
    for (size_t i = 0; i < table->capacity; i++) {
        const struct work_job *job = &table->jobs[i];
        if ((job->state == WORK_PENDING || job->state == WORK_RUNNING) &&
            strcmp(work_id(job), id) == 0)
            return job;
    }
    return NULL;
}
