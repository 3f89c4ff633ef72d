/* SPDX-License-Identifier: MIT */
/*
 * Tasks take what is free, one by one; see pods.h. Of pending jobs that are alike only the first is in the line: when nothing
 * of it finds a place, nothing of the others would, and they have no turn before something was freed.
 */
#include "act/pods.h"

#include "act/act.h"
#include "act/attempt.h"
#include "cluster/chunk.h"
#include "cluster/classes.h"
#include "cluster/nodes.h"
#include "cluster/tasks.h"
#include "order/pods.h"
#include "place/choose.h"

/* ---- one task ---- */

bool pq_pod_settle(struct policy *p, uint32_t job, uint32_t task, const struct pq_place *place)
{
    static const uint8_t reasons[2] = {POLICY_REASON_PREEMPTED, POLICY_REASON_PREEMPTED};
    struct cluster *c = p->cluster;
    bool ran = c->jobs[job].running > 0;
    if (!pq_txn_move(p, job, task, place) || !pq_txn_commit(p, 0, job, reasons)) {
        pq_txn_rollback(c, 0);
        return false;
    }
    if (!ran && c->jobs[job].running > 0)
        c->jobs[job].detail->last_start = p->now;
    return true;
}

/* The bound of a queue that the task would exceed, or 0. */
static int32_t bound_of(const struct policy *p, uint32_t job, uint32_t task)
{
    const struct pq_tasks one = {&task, 1, 1};
    const struct pq_amounts more = pq_amounts_of(p->cluster, job, &one, true);
    return pq_check_gate(p, job, &more).reason;
}

/*
 * Whether a task that asks for the same found nothing in this decision, on the same nodes: nothing has been freed since but
 * for tasks of higher priority. Not where the tasks of a job differ, nor where the node decides what they weigh.
 */
static bool is_hopeless(const struct cluster *c, uint32_t job)
{
    const struct pq_shape *s = &c->shapes[c->jobs[job].shape];
    return !c->exhaustive && s->failed_in == c->action_number &&
           s->failed_zone == c->queues[c->jobs[job].queue].zone;
}

static void note_hopeless(struct cluster *c, uint32_t job)
{
    struct pq_shape *s = &c->shapes[c->jobs[job].shape];
    if (s->mixed || s->wants_memory)
        return;
    s->failed_in = c->action_number;
    s->failed_zone = c->queues[c->jobs[job].queue].zone;
}

/* Whether some node has as many whole devices as the task wants, soon; true where it is not that simple. */
static bool may_fit(const struct cluster *c, uint32_t job, uint32_t task)
{
    const struct pq_request *r = pq_request_of(c, job, task);
    return c->exhaustive || r->devices == 0 || pq_wants_share(r) || pq_whole_room(c, r->devices) > 0;
}

/* The turn of a pending task: 0, or why it found no place. */
static int32_t place(struct policy *p, uint32_t job, uint32_t task)
{
    struct cluster *c = p->cluster;
    const struct pq_area everywhere = {0};
    struct pq_place there = pq_nowhere();
    int32_t bound = bound_of(p, job, task);
    if (bound != 0)
        return bound;
    if (is_hopeless(c, job))
        return POLICY_REASON_DEVICES_BUSY;
    if (may_fit(c, job, task) && pq_choose(p, job, task, &everywhere, false, &there))
        return pq_pod_settle(p, job, task, &there) ? 0 : POLICY_REASON_WAITING;
    if (pq_pod_evict(p, job, task))
        return 0;
    if (!c->out_of_memory)
        note_hopeless(c, job);
    return POLICY_REASON_DEVICES_BUSY;
}

/* The turn of a task that waits for the place it was promised: it starts elsewhere if there is room now. */
static void place_elsewhere(struct policy *p, uint32_t job, uint32_t task)
{
    struct cluster *c = p->cluster;
    const struct pq_area everywhere = {0};
    const struct pq_place nowhere = pq_nowhere();
    struct pq_place there = nowhere;
    if (is_hopeless(c, job) || !pq_txn_move(p, job, task, &nowhere))
        return;
    if (pq_choose(p, job, task, &everywhere, false, &there) && there.holding == PQ_RUNS)
        (void)pq_pod_settle(p, job, task, &there);
    pq_txn_rollback(c, 0);
}

/* ---- the line ---- */

/* The first task of the job from `task` on that is to have a turn, or how many it has. */
static uint32_t next_in_turn(const struct cluster *c, uint32_t job, uint32_t task)
{
    const struct pq_job *j = &c->jobs[job];
    uint32_t tasks = c->shapes[j->shape].tasks;
    while (
        task < tasks && !pq_is_pending(pq_task_of(j, task)) &&
        (pq_task_of(j, task)->place.promised == PC_NONE || pq_task_of(j, task)->place.holding != PQ_NOTHING))
        task++;
    return task;
}

/* The job joins the line, unless it stands there or had its turn: who stands before `first` (NULL: nobody) had it. */
static void enter(struct policy *p, uint32_t job, const struct pq_pod *first)
{
    struct cluster *c = p->cluster;
    struct pq_job *j = &c->jobs[job];
    if (j->hope_in == c->action_number || j->tried_in == c->action_number)
        return;
    const struct pq_pod pod = {job, next_in_turn(c, job, 0), PC_NONE, PQ_POD_WAITS, 0};
    if (pod.task >= c->shapes[j->shape].tasks || (first != NULL && pq_pod_before(p, &pod, first)))
        return;
    if (pq_pods_push(p, &pod))
        j->hope_in = c->action_number;
}

/* The first job of the class joins the line, unless nothing was freed since all of them were passed over. */
static void enter_class(struct policy *p, uint32_t class, const struct pq_pod *first)
{
    const struct cluster *c = p->cluster;
    const struct pq_class *k = class != PC_NONE ? &c->classes[class] : NULL;
    if (k == NULL || !k->exists || (k->blocked != 0 && k->blocked_in == c->freed && !c->exhaustive))
        return;
    enter(p, pq_class_head(k), first);
}

static void enter_classes(struct policy *p, const struct pq_pod *first)
{
    const struct cluster *c = p->cluster;
    for (uint32_t leaf = 0; leaf < c->queue_count; leaf++)
        for (uint32_t i = 0; i < c->queues[leaf].class_count && !c->out_of_memory; i++)
            enter_class(p, c->queues[leaf].classes[i], first);
}

/* Whether there is still a task that waits for the place. */
static bool is_awaited(const struct cluster *c, const struct pq_promise *promise)
{
    const struct pq_job *j = &c->jobs[promise->job];
    return j->state == PQ_LIVE && j->gen == promise->gen && c->nodes[promise->node].exists &&
           pq_is_pending(pq_task_of(j, promise->task));
}

static void enter_all(struct policy *p)
{
    const struct cluster *c = p->cluster;
    for (uint32_t i = 0; i < c->kept.count && !c->out_of_memory; i++) {
        const struct pq_promise *promise = &c->kept.of[i];
        const struct pq_pod pod = {promise->job, promise->task, i, PQ_POD_KEEPS, 0};
        if (is_awaited(c, promise))
            (void)pq_pods_push(p, &pod);
    }
    enter_classes(p, NULL);
}

/* What the task was promised is its own again, or it starts there. */
static void keep(struct policy *p, const struct pq_pod *pod)
{
    struct cluster *c = p->cluster;
    uint32_t class = c->jobs[pod->job].class;
    struct pq_place there = pq_nowhere();
    if (bound_of(p, pod->job, pod->task) == 0 && pq_choose_promised(p, &c->kept.of[pod->kept], &there))
        (void)pq_pod_settle(p, pod->job, pod->task, &there);
    enter_class(p, class, NULL); /* which it may have left, so that another one is the first */
    enter(p, pod->job, NULL);
}

/* The job's tasks are through: what is left of it, and those like it, wait until something is freed. */
static void leave(struct policy *p, const struct pq_pod *pod)
{
    struct cluster *c = p->cluster;
    struct pq_job *j = &c->jobs[pod->job];
    j->hope_in = 0;
    j->tried_in = c->action_number;
    if (c->out_of_memory || j->class == PC_NONE) /* nothing was found out, or nothing is left */
        return;
    c->classes[j->class].blocked = pod->why != 0 ? pod->why : POLICY_REASON_DEVICES_BUSY;
    c->classes[j->class].blocked_in = c->freed;
}

/* The turn of one task, and of all that ask for the same when there is no place for it. Returns the next number. */
static uint32_t take_one(struct policy *p, struct pq_pod *pod, uint32_t task)
{
    const struct cluster *c = p->cluster;
    const struct pq_job *j = &c->jobs[pod->job];
    if (!pq_is_pending(pq_task_of(j, task))) {
        place_elsewhere(p, pod->job, task);
        return task + 1;
    }
    int32_t why = place(p, pod->job, task);
    if (why == 0)
        return task + 1;
    pod->why = pod->why != 0 ? pod->why : why;
    if (why !=
        POLICY_REASON_DEVICES_BUSY) /* a bound: victims of others may be of the queue that has so much */
        return task + 1;
    const struct pq_role *role = pq_role_of(&c->shapes[j->shape], task);
    while (++task < role->first_task + role->tasks && pq_is_pending(pq_task_of(j, task)))
        continue; /* who was promised a place has a turn */
    return task;
}

static void take(struct policy *p, struct pq_pod pod)
{
    struct cluster *c = p->cluster;
    const struct pq_pod its = pod;
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
        (void)pq_pods_push(p, &pod);
    enter_class(p, class, NULL);
    if (c->freed != freed) /* victims may have left more than they were evicted for */
        enter_classes(p, &its);
}

void pq_take_pods(struct policy *p)
{
    struct cluster *c = p->cluster;
    struct pq_pod pod;
    c->pods.count = 0;
    enter_all(p);
    while (!c->out_of_memory && pq_pods_pop(p, &pod)) {
        if (pod.stage == PQ_POD_KEEPS)
            keep(p, &pod);
        else
            take(p, pod);
    }
    c->kept.count = 0;
}
