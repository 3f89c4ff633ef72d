/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The naive kube-default; see pods_twin.h. */
#include "tests/lib/pods_twin.h"

#include <stdlib.h>
#include <string.h>

struct pod {
    int job, task, kept; /* the node promised by the previous decision */
};

/* ---- counting ---- */

/* Sums the amounts on the node: of tasks that hold some of it; `soon`: of tasks that run there or
 * are promised it. */
static struct pods_amounts taken(const struct pods_world *w, int node, bool soon)
{
    struct pods_amounts sum = {{0, 0, 0, 0}};
    for (int j = 0; j < PODS_JOBS; j++)
        for (int t = 0; w->jobs[j].lives && t < w->jobs[j].tasks; t++) {
            const struct pods_task *task = &w->jobs[j].task[t];
            bool holds = task->node == node &&
                         (task->state == PODS_RUNS || (task->state == PODS_LEAVES && !soon));
            if (holds || (soon && task->promised == node))
                for (int r = 0; r < 4; r++)
                    sum.of[r] += task->wants.of[r];
        }
    return sum;
}

static bool fits(const struct pods_world *w, int node, const struct pods_task *task, bool soon)
{
    struct pods_amounts sum = taken(w, node, soon);
    for (int r = 0; r < 4; r++)
        if (w->nodes[node].has.of[r] >= 0 &&
            sum.of[r] + task->wants.of[r] > w->nodes[node].has.of[r])
            return false;
    return true;
}

static bool may_use(const struct pods_world *w, const struct pods_job *job, int node)
{
    uint32_t pools = w->queues[job->queue].pools;
    return w->nodes[node].up && (pools == 0 || (pools >> w->nodes[node].pool & 1) != 0);
}

/* Thousandths of devices of running and nominated tasks at and below the queue. */
static int64_t used_by(const struct pods_world *w, int queue)
{
    int64_t sum = 0;
    for (int j = 0; j < PODS_JOBS; j++)
        for (int t = 0; w->jobs[j].lives && t < w->jobs[j].tasks; t++) {
            const struct pods_task *task = &w->jobs[j].task[t];
            bool counts = w->jobs[j].queue == queue || w->queues[w->jobs[j].queue].parent == queue;
            if (counts && (task->state == PODS_RUNS || task->promised != PODS_NOWHERE))
                sum += task->wants.of[0] * POLICY_WHOLE;
        }
    return sum;
}

static bool within_limits(const struct pods_world *w, const struct pods_job *job,
                          const struct pods_task *task)
{
    for (int q = job->queue; q >= 0; q = w->queues[q].parent)
        if (w->queues[q].limit >= 0 && task->wants.of[0] > 0 &&
            used_by(w, q) + task->wants.of[0] * POLICY_WHOLE > w->queues[q].limit)
            return false;
    return true;
}

static int64_t score(const struct pods_world *w, int node, const struct pods_task *task)
{
    struct pods_amounts sum = taken(w, node, false);
    int64_t points = 0, resources = 0;
    for (int r = 0; r < 3; r++) {
        int64_t has = w->nodes[node].has.of[r], wants = sum.of[r] + task->wants.of[r];
        if (task->wants.of[r] == 0 || has <= 0)
            continue;
        resources++;
        if (w->options.score == POLICY_LEAST_ALLOCATED)
            points += wants > has ? 0 : (has - wants) * 100 / has;
        else
            points += (wants > has ? has : wants) * 100 / has;
    }
    return resources == 0 ? 0 : points / resources;
}

/* ---- one task ---- */

static void put(struct pods_world *w, const struct pod *pod, int node, bool now, int32_t action)
{
    struct pods_job *job = &w->jobs[pod->job];
    struct pods_task *task = &job->task[pod->task];
    bool ran = false;
    for (int t = 0; t < job->tasks; t++)
        ran = ran || job->task[t].state == PODS_RUNS;
    if (now && !ran)
        job->started = w->now;
    task->state = now ? PODS_RUNS : PODS_PENDING;
    task->node = now ? node : PODS_NOWHERE;
    task->promised = now ? PODS_NOWHERE : node;
    w->answer[pod->job][pod->task] =
        (struct pods_answer){now ? POLICY_START : POLICY_NOMINATE, action, node, PODS_NOWHERE};
}

/* The node with the best score on which the task fits, now or soon; nodes are numbered by rank. If
 * it fits now, it fits soon. */
static int best_node(const struct pods_world *w, const struct pods_job *job,
                     const struct pods_task *task, bool now)
{
    int best = PODS_NOWHERE;
    for (int n = 0; n < PODS_NODES; n++) {
        if (!may_use(w, job, n) || !fits(w, n, task, true) || (now && !fits(w, n, task, false)))
            continue;
        if (best == PODS_NOWHERE || score(w, n, task) > score(w, best, task))
            best = n;
    }
    return best;
}

/* ---- preemption ---- */

struct victims {
    struct pod of[PODS_JOBS * PODS_TASKS];
    int count;
};

static bool is_more_important(const struct pods_world *w, const struct pod *a, const struct pod *b)
{
    const struct pods_job *x = &w->jobs[a->job], *y = &w->jobs[b->job];
    if (x->priority != y->priority)
        return x->priority > y->priority;
    if (x->started != y->started)
        return x->started < y->started;
    return x->rank != y->rank ? x->rank < y->rank : a->task < b->task;
}

static struct victims lower_on(const struct pods_world *w, int node, int32_t priority)
{
    struct victims v = {.count = 0};
    for (int j = 0; j < PODS_JOBS; j++) {
        const struct pods_job *job = &w->jobs[j];
        bool gives = job->lives && job->priority < priority &&
                     (job->preemptible || w->options.victims == POLICY_VICTIMS_LOWER);
        for (int t = 0; gives && t < job->tasks; t++)
            if (job->task[t].state == PODS_RUNS && job->task[t].node == node)
                v.of[v.count++] = (struct pod){j, t, 0};
    }
    for (int i = 1; i < v.count; i++)
        for (int k = i; k > 0 && is_more_important(w, &v.of[k], &v.of[k - 1]); k--) {
            struct pod other = v.of[k];
            v.of[k] = v.of[k - 1];
            v.of[k - 1] = other;
        }
    return v;
}

/* The tasks to evict from the node so that the task fits soon; count 0: eviction does not help. */
static struct victims victims_on(struct pods_world *w, const struct pods_job *job,
                                 const struct pods_task *task, int node)
{
    struct victims all = lower_on(w, node, job->priority), left = {.count = 0};
    for (int i = 0; i < all.count; i++)
        w->jobs[all.of[i].job].task[all.of[i].task].state = PODS_LEAVES;
    bool helps = fits(w, node, task, true);
    for (int i = 0; i < all.count; i++) {
        struct pods_task *victim = &w->jobs[all.of[i].job].task[all.of[i].task];
        victim->state = PODS_RUNS;
        if (!helps || fits(w, node, task, true))
            continue;
        victim->state = PODS_LEAVES;
        left.of[left.count++] = all.of[i];
    }
    for (int i = 0; i < all.count; i++)
        w->jobs[all.of[i].job].task[all.of[i].task].state = PODS_RUNS;
    return left;
}

/* Returns true if evicting the first is better than evicting the second. */
static bool is_better(const struct pods_world *w, const struct victims *a, const struct victims *b)
{
    const struct victims *both[2] = {a, b};
    int64_t highest[2], sum[2] = {0, 0}, since[2];
    for (int k = 0; k < 2; k++) {
        highest[k] = INT64_MIN;
        since[k] = INT64_MAX;
        for (int i = 0; i < both[k]->count; i++) {
            int64_t priority = w->jobs[both[k]->of[i].job].priority;
            highest[k] = priority > highest[k] ? priority : highest[k];
            sum[k] += priority + INT64_C(2147483648);
        }
        for (int i = 0; i < both[k]->count; i++) {
            const struct pods_job *job = &w->jobs[both[k]->of[i].job];
            if (job->priority == highest[k] && job->started < since[k])
                since[k] = job->started;
        }
    }
    if (highest[0] != highest[1])
        return highest[0] < highest[1];
    if (sum[0] != sum[1])
        return sum[0] < sum[1];
    return a->count != b->count ? a->count < b->count : since[0] > since[1];
}

static bool preempt(struct pods_world *w, const struct pod *pod)
{
    const struct pods_job *job = &w->jobs[pod->job];
    struct victims best = {.count = 0};
    int node = PODS_NOWHERE;
    for (int n = 0; n < PODS_NODES; n++) {
        if (!may_use(w, job, n))
            continue;
        struct victims v = victims_on(w, job, &job->task[pod->task], n);
        if (v.count > 0 && (node == PODS_NOWHERE || is_better(w, &v, &best))) {
            best = v;
            node = n;
        }
    }
    if (node == PODS_NOWHERE)
        return false;
    for (int i = 0; i < best.count; i++) {
        w->jobs[best.of[i].job].task[best.of[i].task].state = PODS_LEAVES;
        w->answer[best.of[i].job][best.of[i].task] =
            (struct pods_answer){POLICY_EVICT, POLICY_PREEMPT, node, pod->job};
    }
    put(w, pod, node, false, POLICY_PREEMPT);
    return true;
}

/* ---- all tasks ---- */

static void keep(struct pods_world *w, const struct pod *pod)
{
    const struct pods_job *job = &w->jobs[pod->job];
    const struct pods_task *task = &job->task[pod->task];
    if (within_limits(w, job, task) && may_use(w, job, pod->kept) && fits(w, pod->kept, task, true))
        put(w, pod, pod->kept, fits(w, pod->kept, task, false), POLICY_ALLOCATE);
}

static void take(struct pods_world *w, const struct pod *pod)
{
    struct pods_job *job = &w->jobs[pod->job];
    struct pods_task *task = &job->task[pod->task];
    int promised = task->promised;
    if (task->state != PODS_PENDING)
        return;
    task->promised = PODS_NOWHERE;
    if (!within_limits(w, job, task))
        return;
    int now = best_node(w, job, task, true);
    int soon = promised != PODS_NOWHERE ? promised : best_node(w, job, task, false);
    if (now != PODS_NOWHERE)
        put(w, pod, now, true, POLICY_ALLOCATE);
    else if (soon != PODS_NOWHERE)
        put(w, pod, soon, false, POLICY_ALLOCATE);
    else if (w->preempts)
        (void)preempt(w, pod);
}

static bool comes_before(const struct pods_world *w, const struct pod *a, const struct pod *b)
{
    const struct pods_job *x = &w->jobs[a->job], *y = &w->jobs[b->job];
    if (x->priority != y->priority)
        return x->priority > y->priority;
    if (x->submitted != y->submitted)
        return x->submitted < y->submitted;
    if (w->options.order == POLICY_PODS_IN_TURNS && a->task != b->task)
        return a->task < b->task;
    return x->rank != y->rank ? x->rank < y->rank : a->task < b->task;
}

void pods_decide(struct pods_world *w)
{
    struct pod line[PODS_JOBS * PODS_TASKS];
    int count = 0;
    memset(w->answer, 0, sizeof w->answer);
    for (int j = 0; j < PODS_JOBS; j++)
        for (int t = 0; w->jobs[j].lives && t < w->jobs[j].tasks; t++) {
            if (w->jobs[j].task[t].state != PODS_PENDING)
                continue;
            line[count++] = (struct pod){j, t, w->jobs[j].task[t].promised};
            w->jobs[j].task[t].promised = PODS_NOWHERE;
        }
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && comes_before(w, &line[k], &line[k - 1]); k--) {
            struct pod other = line[k];
            line[k] = line[k - 1];
            line[k - 1] = other;
        }
    for (int first = 0, behind; first < count; first = behind) {
        int32_t priority = w->jobs[line[first].job].priority;
        for (behind = first; behind < count && w->jobs[line[behind].job].priority == priority;
             behind++)
            if (line[behind].kept != PODS_NOWHERE)
                keep(w, &line[behind]);
        for (int i = first; i < behind; i++)
            take(w, &line[i]);
    }
}
