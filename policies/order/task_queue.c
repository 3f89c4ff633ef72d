/* SPDX-License-Identifier: MIT */
/* Queue of tasks; see task_queue.h. */
#include "order/task_queue.h"

bool pc_queued_task_before(const struct policy *p, const struct pc_queued_task *a,
                           const struct pc_queued_task *b)
{
    const struct pc_job *x = &p->cluster->jobs[a->job];
    const struct pc_job *y = &p->cluster->jobs[b->job];
    if (x->key.major != y->key.major)
        return x->key.major < y->key.major;
    if (a->stage != b->stage)
        return a->stage < b->stage;
    if (x->key.minor != y->key.minor)
        return x->key.minor < y->key.minor;
    if (p->config.pods.order == POLICY_PODS_IN_TURNS && a->task != b->task)
        return a->task < b->task;
    return x->rank != y->rank ? x->rank < y->rank : a->task < b->task;
}

bool pc_task_queue_push(struct policy *p, const struct pc_queued_task *pod)
{
    struct pc_task_queue *line = &p->cluster->pods;
    if (!PC_GROW(&p->memory, line->of, line->capacity, line->count + 1)) {
        p->cluster->out_of_memory = true;
        return false;
    }
    uint32_t at = line->count++;
    for (; at > 0 && pc_queued_task_before(p, pod, &line->of[(at - 1) / 2]); at = (at - 1) / 2)
        line->of[at] = line->of[(at - 1) / 2];
    line->of[at] = *pod;
    return true;
}

bool pc_task_queue_pop(struct policy *p, struct pc_queued_task *first)
{
    struct pc_task_queue *line = &p->cluster->pods;
    if (line->count == 0)
        return false;
    *first = line->of[0];
    const struct pc_queued_task last = line->of[--line->count];
    uint32_t at = 0;
    for (uint32_t child = 1; child < line->count; child = 2 * at + 1) {
        if (child + 1 < line->count &&
            pc_queued_task_before(p, &line->of[child + 1], &line->of[child]))
            child++;
        if (!pc_queued_task_before(p, &line->of[child], &last))
            break;
        line->of[at] = line->of[child];
        at = child;
    }
    if (line->count > 0)
        line->of[at] = last;
    return true;
}
