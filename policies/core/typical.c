/* SPDX-License-Identifier: MIT */
/* Facts about the workload: its typical tasks. */
#include "core/jobs.h"
#include "core/state.h"
#include "place/scores.h"

#define MOST_COUNT                                                                                           \
    (INT64_C(1) << 32) /* so that counts times thousandths of devices fit, summed over all kinds */

/* Element i of the caller's array, whose elements have the size that the first one says. */
static const struct policy_typical_task *task_at(const struct policy_typical_task *tasks, uint32_t i)
{
    return (const struct policy_typical_task *)(const void *)((const char *)tasks + (size_t)i * tasks->size);
}

static int check(struct policy *p, const struct policy_typical_task *tasks, uint32_t count, int64_t all)
{
    int64_t sum = 0;
    if (!p->placement->wants_typical || p->cluster != NULL)
        return pc_refuse(p, POLICY_UNSUPPORTED, "typical tasks", count, "this policy has no use for them");
    if (count > POLICY_MAX_TYPICAL || (count > 0 && tasks == NULL))
        return pc_refuse(p, POLICY_INVALID, "typical tasks", count, "at most 4096, with their array");
    if (count > 0 && (tasks->size < sizeof *tasks || tasks->size % _Alignof(struct policy_typical_task) != 0))
        return pc_refuse(p, POLICY_INVALID, "size of a typical task", tasks->size,
                         "shorter than this version knows");
    for (uint32_t i = 0; i < count; i++) {
        const struct policy_typical_task *task = task_at(tasks, i);
        if (task->size != tasks->size)
            return pc_refuse(p, POLICY_INVALID, "size of a typical task", task->size,
                             "not that of the first");
        if (task->count < 1 || task->count > MOST_COUNT)
            return pc_refuse(p, POLICY_INVALID, "count of a typical task", task->count, "1 to 4294967296");
        int status = pc_check_request(p, &task->request);
        if (status != POLICY_OK)
            return status;
        sum += task->count;
    }
    if (all < sum)
        return pc_refuse(p, POLICY_INVALID, "tasks of the workload", all, "at least as many as are typical");
    return POLICY_OK;
}

static void fill(struct pc_typical *to, const struct policy_typical_task *tasks, uint32_t count, int64_t all)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += task_at(tasks, i)->count;
    for (uint32_t i = 0; i < count; i++) {
        const struct policy_typical_task *task = task_at(tasks, i);
        to[i].request = pc_request_of(&task->request);
        to[i].request.mem = 0;
        to[i].count = task->count;
        to[i].part = (double)task->count / (double)all / ((double)sum / (double)all);
    }
}

int policy_set_typical_tasks(struct policy *p, policy_time at, const struct policy_typical_task *tasks,
                             uint32_t count, int64_t all)
{
    policy_time before = p->now;
    int status = check(p, tasks, count, all);
    if (status == POLICY_OK)
        status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    struct pc_typical *told = count > 0 ? pc_alloc(&p->memory, count, sizeof *told) : NULL;
    if (count > 0 && told == NULL)
        return pc_no_memory(p, before, "typical tasks", count);
    fill(told, tasks, count, all);
    pc_release(&p->memory, p->typical, p->typical_count, sizeof *p->typical);
    p->typical = told;
    p->typical_count = count;
    pc_scores_forget(p->scores, &p->memory);
    return POLICY_OK;
}
