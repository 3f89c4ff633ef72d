/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a job whose tasks are not all alike: which of them run, and whether that suffices; see
 * job.h. */
#include "sim/work/job.h"

static uint32_t part_of(const struct work_job *job, uint32_t task)
{
    uint32_t part = 0;
    while (part + 1 < job->part_count && job->parts[part + 1].first <= task)
        part++;
    return part;
}

static int32_t size_of(const struct work_job *job, uint32_t part)
{
    uint32_t end =
        part + 1 < job->part_count ? job->parts[part + 1].first : (uint32_t)job->most_tasks;
    return (int32_t)(end - job->parts[part].first);
}

const struct work_request *work_part_request(const struct work_job *job, uint32_t task)
{
    return &job->parts[part_of(job, task)].request;
}

bool work_parts_run(const struct work_job *job)
{
    for (uint32_t i = 0; i < job->part_count;) {
        int32_t least = job->parts[i].min_tasks, running = 0;
        do
            running += job->parts[i++].running;
        while (i < job->part_count && job->parts[i].joined);
        if (running < least)
            return false;
    }
    return true;
}

int32_t work_working_tasks(const struct work_job *job)
{
    if (job->parts == NULL)
        return job->running;
    int32_t working = 0;
    for (uint32_t i = 0; i < job->part_count; i++)
        working += job->parts[i].works ? job->parts[i].running : 0;
    return working;
}

int32_t work_able_tasks(const struct work_job *job)
{
    if (job->parts == NULL)
        return job->most_tasks;
    int32_t able = 0;
    for (uint32_t i = 0; i < job->part_count; i++)
        able += job->parts[i].works ? size_of(job, i) : 0;
    return able;
}

/* Tasks of a pod set start in the order of their numbers. */
int64_t work_least_milli(const struct work_job *job)
{
    if (job->parts == NULL)
        return job->min_tasks * work_nominal_milli(job, 0);
    int64_t milli = 0;
    int32_t left = 0;
    for (uint32_t i = 0; i < job->part_count; i++) {
        left = job->parts[i].joined ? left : job->parts[i].min_tasks;
        int32_t here = size_of(job, i) < left ? size_of(job, i) : left;
        milli += here * work_nominal_milli(job, job->parts[i].first);
        left -= here;
    }
    return milli;
}

void work_count_task(struct work_job *job, uint32_t number, int sign)
{
    job->running += sign;
    if (job->parts != NULL)
        job->parts[part_of(job, number)].running += sign;
}

void work_count_all(struct work_job *job, bool run)
{
    job->running = run ? job->most_tasks : 0;
    for (uint32_t i = 0; i < job->part_count; i++)
        job->parts[i].running = run ? size_of(job, i) : 0;
}
