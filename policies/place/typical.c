/* SPDX-License-Identifier: MIT */
/* Facts about the workload: its typical tasks. */
#include "place/fit_index.h"
#include "state/engine.h"
#include "state/sized.h"
#include "state/specs.h"

/* so that counts times thousandths of devices can be summed over all types */
#define MOST_COUNT (INT64_C(1) << 32)

/* Element i of the caller's array, possibly copied to `room`; NULL: its size is invalid. */
static const struct policy_typical_task *task_at(const struct policy_typical_task *tasks,
                                                 uint32_t i, struct policy_typical_task *room)
{
    return pc_sized_in(PC_TYPICAL_TASK, pc_sized_at(tasks, i), room);
}

static int check(struct policy *p, const struct policy_typical_task *tasks, uint32_t count,
                 int64_t all)
{
    int64_t sum = 0;
    if (!policy_wants_typical_tasks(&p->config))
        return pc_refuse(p, POLICY_UNSUPPORTED, "typical tasks", count,
                         "this policy has no use for them");
    if (count > POLICY_MAX_TYPICAL || (count > 0 && tasks == NULL))
        return pc_refuse(p, POLICY_INVALID, "typical tasks", count,
                         "at most 4096, with their array");
    if (count > 0 && (!pc_sized_fits(PC_TYPICAL_TASK, tasks) ||
                      tasks->size % _Alignof(struct policy_typical_task) != 0))
        return pc_refuse(p, POLICY_INVALID, "size of a typical task", tasks->size,
                         "of no version that this one knows");
    for (uint32_t i = 0; i < count; i++) {
        struct policy_typical_task room;
        const struct policy_typical_task *task =
            pc_sized_fact(p, PC_TYPICAL_TASK, pc_sized_at(tasks, i), &room);
        if (task == NULL)
            return POLICY_INVALID;
        if (task->size != tasks->size)
            return pc_refuse(p, POLICY_INVALID, "size of a typical task", task->size,
                             "not that of the first");
        if (task->count < 1 || task->count > MOST_COUNT)
            return pc_refuse(p, POLICY_INVALID, "count of a typical task", task->count,
                             "1 to 4294967296");
        int status = pc_check_request(p, &task->request);
        if (status != POLICY_OK)
            return status;
        sum += task->count;
    }
    if (all < sum)
        return pc_refuse(p, POLICY_INVALID, "tasks of the workload", all,
                         "at least as many as are typical");
    return POLICY_OK;
}

static void fill(struct pc_typical *to, const struct policy_typical_task *tasks, uint32_t count,
                 int64_t all)
{
    int64_t sum = 0;
    struct policy_typical_task room;
    for (uint32_t i = 0; i < count; i++)
        sum += task_at(tasks, i, &room)->count;
    for (uint32_t i = 0; i < count; i++) {
        const struct policy_typical_task *task = task_at(tasks, i, &room);
        to[i].request = pc_plain_request_of(&task->request);
        to[i].request.mem = 0;
        to[i].count = task->count;
        to[i].part = (double)task->count / (double)all / ((double)sum / (double)all);
    }
}

int policy_set_typical_tasks(struct policy *p, policy_time at,
                             const struct policy_typical_task *tasks, uint32_t count, int64_t all)
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
    pc_fits_forget(p);
    return POLICY_OK;
}
