/* SPDX-License-Identifier: MIT */
/*
 * Places tasks on free devices one by one; see allocate_tasks.h. Of equivalent pending jobs only
 * the first is queued: if none of its tasks fits, none of the others' would, so they get no turn
 * until something is released.
 */
#include "act/allocate_tasks.h"

#include "act/act.h"
#include "act/actions.h"
#include "act/attempt.h"
#include "order/task_queue.h"
#include "pending/queue_classes.h"
#include "place/choose.h"
#include "state/gangs.h"
#include "state/nodes.h"
#include "state/tasks.h"

/* ---- one task ---- */

bool pc_queued_task_settle(struct policy *p, uint32_t job, uint32_t task,
                           const struct pc_place *place)
{
    static const uint8_t reasons[2] = {POLICY_REASON_PREEMPTED, POLICY_REASON_PREEMPTED};
    struct pc_cluster *c = p->cluster;
    bool ran = c->jobs[job].running > 0;
    if (!pc_txn_move(p, job, task, place) || !pc_txn_commit(p, 0, job, reasons)) {
        pc_txn_rollback(c, 0);
        return false;
    }
    if (!ran && c->jobs[job].running > 0)
        c->jobs[job].detail->last_start = p->now;
    return true;
}

/* Returns the reason of the queue limit that the task would exceed, or 0. */
static int32_t bound_of(const struct policy *p, uint32_t job, uint32_t task)
{
    const struct pc_tasks one = {&task, 1, 1};
    const struct pc_amounts more = pc_amounts_of(p->cluster, job, &one, true);
    return pc_check_limits(p, job, &more).reason;
}

/*
 * Returns true if an equal request found no place in this decision on the same nodes, and since
 * then devices were released only for tasks of higher priority. Returns false if the tasks of the
 * job differ, or if their weight depends on the node.
 */
static bool is_hopeless(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_shape *s = &c->shapes[c->jobs[job].shape];
    return !c->exhaustive && s->failed_in == c->action_number &&
           s->failed_pool_set == c->queues[c->jobs[job].queue].pool_set;
}

static void note_hopeless(struct pc_cluster *c, uint32_t job)
{
    struct pc_shape *s = &c->shapes[c->jobs[job].shape];
    if (s->mixed || s->wants_memory)
        return;
    s->failed_in = c->action_number;
    s->failed_pool_set = c->queues[c->jobs[job].queue].pool_set;
}

/* Returns false if no node has enough whole devices for the task, even after release; true if that
 * cannot be decided by counting. */
static bool may_fit(const struct pc_cluster *c, uint32_t job, uint32_t task)
{
    const struct pc_request *r = pc_request_of(c, job, task);
    return c->exhaustive || r->devices == 0 || pc_wants_share(r) ||
           pc_whole_room(c, r->devices) > 0;
}

/* Gives a pending task its turn. Returns 0, or why it does not fit. */
static int32_t place(struct policy *p, uint32_t job, uint32_t task)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_area everywhere = {0};
    struct pc_place there = pc_nowhere();
    int32_t bound = bound_of(p, job, task);
    if (bound != 0)
        return bound;
    if (is_hopeless(c, job))
        return POLICY_REASON_DEVICES_BUSY;
    if (may_fit(c, job, task) && pc_choose(p, job, task, &everywhere, false, &there))
        return pc_queued_task_settle(p, job, task, &there) ? 0 : POLICY_REASON_WAITING;
    if (pc_evict_for_task(p, job, task))
        return 0;
    if (!c->out_of_memory)
        note_hopeless(c, job);
    return POLICY_REASON_DEVICES_BUSY;
}

/* Gives a nominated task its turn: it starts elsewhere if there is room now. */
static void place_elsewhere(struct policy *p, uint32_t job, uint32_t task)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_area everywhere = {0};
    const struct pc_place nowhere = pc_nowhere();
    struct pc_place there = nowhere;
    if (is_hopeless(c, job) || !pc_txn_move(p, job, task, &nowhere))
        return;
    if (pc_choose(p, job, task, &everywhere, false, &there) && there.holding == PC_RUNS)
        (void)pc_queued_task_settle(p, job, task, &there);
    pc_txn_rollback(c, 0);
}

/* ---- the queue ---- */

/* Returns the first task of the job from `task` on that gets a turn, or the task count if there is
 * none. */
static uint32_t next_in_turn(const struct pc_cluster *c, uint32_t job, uint32_t task)
{
    const struct pc_job *j = &c->jobs[job];
    uint32_t tasks = c->shapes[j->shape].tasks;
    while (task < tasks && !pc_is_pending(pc_task_of(j, task)) &&
           (pc_task_of(j, task)->place.nominated == PC_NONE ||
            pc_task_of(j, task)->place.holding != PC_NOTHING))
        task++;
    return task;
}

/* Adds the job to the queue unless it is queued or had its turn; all jobs before `first` (NULL:
 * none) had theirs. */
static void enter(struct policy *p, uint32_t job, const struct pc_queued_task *first)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    struct pc_job_marks *m = &c->marks[job];
    if (m->hope_in == c->action_number || m->tried_in == c->action_number)
        return;
    const struct pc_queued_task pod = {job, next_in_turn(c, job, 0), PC_NONE, PC_POD_WAITS, 0};
    if (pod.task >= c->shapes[j->shape].tasks ||
        (first != NULL && pc_queued_task_before(p, &pod, first)))
        return;
    if (pc_task_queue_push(p, &pod))
        m->hope_in = c->action_number;
}

/* Queues the first job of the class unless nothing was released since the class was found
 * blocked. */
static void enter_class(struct policy *p, uint32_t class, const struct pc_queued_task *first)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_class *k = class != PC_NONE ? &c->classes[class] : NULL;
    if (k == NULL || !k->exists || (k->blocked != 0 && k->blocked_in == c->freed && !c->exhaustive))
        return;
    enter(p, pc_class_head(k), first);
}

static void enter_classes(struct policy *p, const struct pc_queued_task *first)
{
    const struct pc_cluster *c = p->cluster;
    for (uint32_t leaf = 0; leaf < c->queue_count; leaf++)
        for (uint32_t i = 0; i < c->queues[leaf].class_count && !c->out_of_memory; i++)
            enter_class(p, c->queues[leaf].classes[i], first);
}

/* Returns true if a task still waits for the nominated place. */
static bool is_awaited(const struct pc_cluster *c, const struct pc_nomination *nomination)
{
    const struct pc_job *j = &c->jobs[nomination->job];
    return j->state == PC_LIVE && !j->shut && j->gen == nomination->gen &&
           c->nodes[nomination->node].exists && pc_is_pending(pc_task_of(j, nomination->task));
}

static void enter_all(struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; i < c->kept.count && !c->out_of_memory; i++) {
        const struct pc_nomination *nomination = &c->kept.of[i];
        const struct pc_queued_task pod = {nomination->job, nomination->task, i, PC_POD_KEEPS, 0};
        if (is_awaited(c, nomination))
            (void)pc_task_queue_push(p, &pod);
    }
    enter_classes(p, NULL);
}

/* Renews the task's nomination or starts it there. */
static void keep(struct policy *p, const struct pc_queued_task *pod)
{
    struct pc_cluster *c = p->cluster;
    uint32_t class = c->jobs[pod->job].class;
    struct pc_place there = pc_nowhere();
    if (bound_of(p, pod->job, pod->task) == 0 &&
        pc_choose_nominated(p, &c->kept.of[pod->kept], &there))
        (void)pc_queued_task_settle(p, pod->job, pod->task, &there);
    enter_class(p, class, NULL); /* the job may have left it, so another job may be first */
    enter(p, pod->job, NULL);
}

/* The job's tasks are done: its remaining tasks and equal jobs wait until something is released. */
static void leave(struct policy *p, const struct pc_queued_task *pod)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[pod->job];
    c->marks[pod->job].hope_in = 0;
    c->marks[pod->job].tried_in = c->action_number;
    if (c->out_of_memory || j->class == PC_NONE) /* nothing was learned, or nothing is left */
        return;
    c->classes[j->class].blocked = pod->why != 0 ? pod->why : POLICY_REASON_DEVICES_BUSY;
    c->classes[j->class].blocked_in = c->freed;
}

/* Gives one task its turn; if it does not fit, all tasks with the same request are skipped. Returns
 * the next task. */
static uint32_t take_one(struct policy *p, struct pc_queued_task *pod, uint32_t task)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[pod->job];
    if (!pc_is_pending(pc_task_of(j, task))) {
        place_elsewhere(p, pod->job, task);
        return task + 1;
    }
    int32_t why = place(p, pod->job, task);
    if (why == 0)
        return task + 1;
    pod->why = pod->why != 0 ? pod->why : why;
    if (why != POLICY_REASON_DEVICES_BUSY) /* a queue limit: evictions for other jobs may lift it */
        return task + 1;
    const struct pc_role *role = pc_role_of(&c->shapes[j->shape], task);
    while (++task < role->first_task + role->tasks && pc_is_pending(pc_task_of(j, task)))
        continue; /* nominated tasks still get their turn */
    return task;
}

static void take(struct policy *p, struct pc_queued_task pod)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_queued_task its = pod;
    uint32_t class = c->jobs[pod.job].class;
    uint32_t tasks = c->shapes[c->jobs[pod.job].shape].tasks;
    bool in_turns = p->config.pods.order == POLICY_PODS_IN_TURNS;
    uint32_t task = next_in_turn(c, pod.job, pod.task);
    uint64_t freed = c->freed;
    bool its_turn = !in_turns || task == pod.task;
    while (task < tasks && its_turn && !c->out_of_memory) {
        task = next_in_turn(c, pod.job, take_one(p, &pod, task));
        its_turn = !in_turns;
    }
    pod.task = task;
    if (task >= tasks || c->out_of_memory)
        leave(p, &pod);
    else
        (void)pc_task_queue_push(p, &pod);
    enter_class(p, class, NULL);
    if (c->freed != freed) /* evictions may have released more than was needed */
        enter_classes(p, &its);
}

static void run(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    struct pc_queued_task pod;
    c->pods.count = 0;
    enter_all(p);
    while (!c->out_of_memory && pc_task_queue_pop(p, &pod)) {
        if (pod.stage == PC_POD_KEEPS)
            keep(p, &pod);
        else
            take(p, pod);
    }
    c->kept.count = 0;
}

const struct pc_action pc_action_allocate_tasks = {
    .row = {"allocate", "pending tasks get free devices, one by one"},
    .action = POLICY_ALLOCATE,
    .run = run,
};
