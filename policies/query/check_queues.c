/* SPDX-License-Identifier: MIT */
/* The queue forest with its allocations and requests; see check.h. */
#include "query/check.h"
#include "state/nodes.h"
#include "state/queue_limits.h"
#include "state/queues.h"
#include "state/tasks.h"

#include <string.h>

struct sums {
    struct pc_amounts allocated, fixed, request, held;
    int64_t build_milli;
    uint64_t jobs;
    uint32_t active;
    uint64_t givers; /* evictable active jobs at and below it */
    uint64_t part_givers;
};

/* ---- sums ---- */

static void add_task(const struct pc_cluster *c, const struct pc_job *j, uint32_t task,
                     struct sums *s)
{
    const struct pc_task *t = pc_task_of(j, task);
    const struct pc_request *r = &pc_role_of(&c->shapes[j->shape], task)->request;
    bool runs = t->place.holding == PC_RUNS;
    bool leaves = !c->traits.nominates && t->place.holding == PC_RELEASING;
    if (runs || leaves || t->place.nominated != PC_NONE || t->end == PC_GONE) {
        struct pc_amounts weight = pc_weigh_at(c, r, pc_stands_on(&t->place));
        pc_add(&s->allocated, &weight, 1);
        pc_add(&s->fixed, &weight, j->preemptible ? 0 : 1);
        s->build_milli += j->workload == POLICY_BUILD ? weight.of[PC_GPU] : 0;
    }
    if (c->usages != NULL && t->place.holding != PC_NOTHING) {
        struct pc_amounts weight = pc_weigh_at(c, r, t->place.node);
        pc_add(&s->held, &weight, 1);
    }
    if (runs || (t->end == PC_ALIVE && t->place.holding == PC_NOTHING && !j->shut)) {
        struct pc_amounts weight = runs ? pc_weigh_at(c, r, t->place.node) : pc_weigh_pending(c, r);
        pc_add(&s->request, &weight, 1);
    }
}

/* Returns true if `queue` is `above` or below it. */
static bool is_below(const struct pc_cluster *c, uint32_t queue, uint32_t above)
{
    while (queue != POLICY_NO_ID && queue != above)
        queue = c->queues[queue].parent;
    return queue == above;
}

static bool holds_parts(const struct pc_shape *s)
{
    bool parts = false;
    for (uint32_t i = 0; i < s->role_count; i++)
        parts = parts || pc_wants_share(&s->roles[i].request);
    return parts;
}

static void sum_up(const struct policy *p, uint32_t id, struct sums *s)
{
    const struct pc_cluster *c = p->cluster;
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < c->job_count; i++) {
        const struct pc_job *j = &c->jobs[i];
        if (j->state == PC_FREE || !is_below(c, j->queue, id))
            continue;
        s->jobs += j->queue == id;
        bool gives = pc_may_give(p, j) && j->active > 0;
        s->active += j->queue == id && gives;
        s->givers += gives;
        s->part_givers += gives && holds_parts(&c->shapes[j->shape]);
        for (uint32_t task = 0; j->state == PC_LIVE && task < c->shapes[j->shape].tasks; task++)
            add_task(c, j, task, s);
    }
}

static bool are_equal(const struct pc_amounts *a, const struct pc_amounts *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static const char *check_sums(const struct policy *p, uint32_t id)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_queue *q = &c->queues[id];
    struct sums s;
    sum_up(p, id, &s);
    if (!are_equal(&s.allocated, &q->allocated))
        return "what is allocated to a queue";
    if (!are_equal(&s.fixed, &q->fixed))
        return "what a queue has that may not be preempted";
    if (!are_equal(&s.request, &q->request))
        return "what a queue asks for";
    if (!are_equal(&s.held, &q->held))
        return "what the tasks of a queue hold";
    if (s.build_milli != q->build_milli)
        return "what the build sessions of a queue have";
    if (s.givers != q->givers || s.part_givers != q->part_givers)
        return "how many jobs at and below a queue may give";
    return s.jobs == q->jobs && s.active == q->active.count ? NULL : "a queue's number of jobs";
}

/* ---- by groups of pools ---- */

/* What active tasks at and below the queue have in the group. */
static int64_t active_in(const struct policy *p, uint32_t id, uint32_t group, bool fixed_only)
{
    const struct pc_cluster *c = p->cluster;
    int64_t sum = 0;
    for (uint32_t i = 0; i < c->job_count; i++) {
        const struct pc_job *j = &c->jobs[i];
        if (j->state != PC_LIVE || !is_below(c, j->queue, id) || (fixed_only && j->preemptible))
            continue;
        for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++) {
            const struct pc_place *place = &pc_task_of(j, task)->place;
            uint32_t pool = !pc_is_active(place)  ? PC_NONE
                            : place->counted != 0 ? place->counted - 1
                                                  : c->nodes[pc_stands_on(place)].pool;
            if (pool != PC_NONE && c->pools[pool].group == group)
                sum += pc_weigh_task(c, i, task).of[PC_GPU];
        }
    }
    return sum;
}

static const char *check_groups(const struct policy *p, uint32_t id)
{
    const struct pc_queue *q = &p->cluster->queues[id];
    for (uint32_t g = 0; g < p->cluster->group_count; g++)
        if (q->groups[g].allocated != active_in(p, id, g, false) ||
            q->groups[g].fixed != active_in(p, id, g, true))
            return "what a queue has in pools that share quotas";
    return NULL;
}

/* ---- the forest ---- */

static uint32_t times_in(const uint32_t *list, uint32_t count, uint32_t id)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += list[i] == id;
    return found;
}

/* Suspended jobs and queues. */
static const char *check_shut(const struct pc_cluster *c, uint32_t id)
{
    const struct pc_queue *q = &c->queues[id];
    bool above = q->parent != POLICY_NO_ID && c->queues[q->parent].shut;
    if (q->shut != (q->suspended || above))
        return "whether a queue is suspended";
    for (uint32_t i = 0; i < c->job_count; i++)
        if (c->jobs[i].state != PC_FREE && c->jobs[i].queue == id &&
            c->jobs[i].shut != (c->jobs[i].suspended || q->shut))
            return "whether a job is suspended";
    return NULL;
}

static uint32_t count_shut(const struct pc_cluster *c)
{
    uint32_t shut = 0;
    for (uint32_t i = 0; i < c->job_count; i++)
        shut += c->jobs[i].state != PC_FREE && c->jobs[i].shut;
    return shut;
}

static const char *check_tree(const struct pc_cluster *c, uint32_t id)
{
    const struct pc_queue *q = &c->queues[id];
    bool root = q->parent == POLICY_NO_ID;
    if (!root && (q->parent >= c->queue_count || !c->queues[q->parent].exists))
        return "the queue above a queue";
    if (q->depth != (root ? 0 : c->queues[q->parent].depth + 1))
        return "the depth of a queue";
    const uint32_t *siblings = root ? c->roots : c->queues[q->parent].children;
    if (times_in(siblings, root ? c->root_count : c->queues[q->parent].child_count, id) != 1)
        return "a queue among its siblings";
    uint32_t children = 0;
    for (uint32_t i = 0; i < c->queue_count; i++)
        children += c->queues[i].exists && c->queues[i].parent == id;
    if (children != q->child_count || q->leaf != (children == 0))
        return "the queues below a queue";
    return q->pool_set < c->pool_set_count ? NULL : "the pools of a queue";
}

const char *pc_check_queues(const struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    const char *wrong = NULL;
    uint32_t roots = 0;
    int64_t fixed = 0;
    for (uint32_t i = 0; i < c->queue_count && wrong == NULL; i++) {
        if (!c->queues[i].exists)
            continue;
        roots += c->queues[i].parent == POLICY_NO_ID;
        fixed += c->queues[i].fixed_milli;
        wrong = check_tree(c, i);
        struct pc_amounts limit = pc_limit_of(p, &c->queues[i]);
        if (wrong == NULL && !are_equal(&limit, &c->queues[i].limit))
            wrong = "the limit of a queue";
        if (wrong == NULL)
            wrong = check_sums(p, i);
        if (wrong == NULL)
            wrong = check_groups(p, i);
        if (wrong == NULL)
            wrong = check_shut(c, i);
    }
    if (wrong == NULL && roots != c->root_count)
        wrong = "the number of roots";
    if (wrong == NULL && count_shut(c) != c->shut_count)
        wrong = "the number of suspended jobs";
    if (wrong == NULL && fixed != c->fixed_milli)
        wrong = "what is kept for build sessions";
    return wrong;
}
