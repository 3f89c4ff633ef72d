/* SPDX-License-Identifier: MIT */
/* What victims take back before the job's turn; see turn_bounds.h. */
#include "act/victims/turn_bounds.h"

#include "act/victims/victim.h"
#include "order/queue_walk.h"
#include "state/compare.h"
#include "state/queue_limits.h"

static const struct pc_amounts nothing = {{0, 0, 0}};

/* ---- jobs ---- */

static const struct pc_shape *shape_of(const struct pc_cluster *c, uint32_t job)
{
    return &c->shapes[c->jobs[job].shape];
}

/* It has all of its tasks and is placed again with all of them, or not at all, whatever the quota;
 * it weighs the same everywhere. */
static bool is_whole(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_shape *shape = shape_of(c, job);
    return shape->set_count == 1 && (uint32_t)shape->sets[0].min_tasks == shape->tasks &&
           (uint32_t)c->jobs[job].active == shape->tasks && c->jobs[job].preemptible &&
           !shape->wants_memory && shape->parts == shape->shares;
}

/* Its tasks are alike, want whole devices, and may go anywhere. */
static bool is_plain(const struct pc_shape *shape)
{
    return !shape->constrained && !shape->mixed && shape->need > 0 && shape->role_count == 1;
}

/* True if a task that asks for `a` fits wherever one does that asks for `b`; both want whole
 * devices. */
static bool fits_where(const struct pc_request *a, const struct pc_request *b)
{
    return a->devices <= b->devices && a->cpu <= b->cpu && a->mem <= b->mem &&
           a->types == b->types && a->selector == b->selector;
}

/* The job's tasks at hand ask for the same whole devices each. */
static const struct pc_request *request_of_all(const struct pc_search *s)
{
    const struct pc_shape *shape = shape_of(s->c, s->job);
    return shape->role_count == 1 && shape->need > 0 ? &shape->roles[0].request : NULL;
}

bool pc_victims_alike(const struct pc_search *s)
{
    const struct pc_cluster *c = s->c;
    const struct pc_request *wants = request_of_all(s);
    bool alike = wants != NULL;
    for (uint32_t i = 0; i < c->evicted.count && alike; i++) {
        const struct pc_victim *v = &c->evicted.of[i];
        const struct pc_request *asks = pc_request_of_victim(c, v);
        alike = is_whole(c, v->job) && is_plain(shape_of(c, v->job)) && fits_where(asks, wants) &&
                fits_where(wants, asks) && pc_node_of_victim(c, v)->state == POLICY_NODE_UP;
    }
    return alike;
}

/* True if the victim, before the job's turn, finds room wherever the job would: a place for each
 * task where one of the job's fits. */
static bool finds_room(const struct pc_search *s, uint32_t victim, bool alike)
{
    const struct pc_request *wants = request_of_all(s);
    const struct pc_shape *shape = shape_of(s->c, victim);
    return alike ||
           (wants != NULL && is_plain(shape) && fits_where(&shape->roles[0].request, wants) &&
            (int64_t)shape->tasks * wants->devices * POLICY_WHOLE <= s->asks.of[PC_GPU]);
}

/* ---- queues ---- */

/*
 * Both stand at the root, where the order is known. Plugins, reservations, what is kept for
 * sessions and limits may refuse a victim what the job would get.
 */
static bool takes_turns(const struct pc_search *s, uint32_t queue)
{
    const struct pc_cluster *c = s->c;
    const struct pc_queue *y = &c->queues[queue];
    uint32_t own = c->jobs[s->job].queue;
    return s->purpose->reach == PC_OTHERS && queue != own && y->leaf && !y->limited &&
           c->queues[own].pool_set == y->pool_set && pc_above(c, own) == POLICY_NO_ID &&
           pc_above(c, queue) == POLICY_NO_ID && s->p->plugin == NULL &&
           s->p->config.backfill == POLICY_NO_BACKFILL && c->fixed_milli == 0 &&
           c->reservation.spares == NULL && pc_order_is_monotone(s->p);
}

/* Victims of one queue, each job once. More are rare; nothing is said then. */
enum { MOST_JOBS = 32 };

struct turns {
    uint32_t jobs[MOST_JOBS], count;
};

/* In the order in which they are placed. False: it is not known, or they are too many. */
static bool list_jobs(const struct pc_search *s, uint32_t queue, struct turns *t)
{
    const struct pc_cluster *c = s->c;
    uint32_t last = PC_NONE;
    t->count = 0;
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        uint32_t job = c->evicted.of[i].job;
        if (c->jobs[job].queue != queue || job == last)
            continue;
        last = job;
        uint32_t at = t->count;
        while (at > 0 && pc_compare_jobs_as(s->p, job, 0, t->jobs[at - 1], 0) < 0)
            at--;
        if (at > 0 && t->jobs[at - 1] == job)
            continue;
        if (t->count == MOST_JOBS || !is_whole(c, job))
            return false;
        for (uint32_t k = t->count++; k > at; k--)
            t->jobs[k] = t->jobs[k - 1];
        t->jobs[at] = job;
    }
    return true;
}

/*
 * Where all victims and the job ask for the same, what the queue's victims leave behind is room for
 * as many tasks, whoever goes where. So many of these are left for sure when the job has its own.
 */
static int64_t tasks_left(const struct pc_search *s, const struct turns *t, bool alike)
{
    const struct pc_cluster *c = s->c;
    int64_t left = 0;
    for (uint32_t i = 0; i < t->count; i++)
        left += shape_of(c, t->jobs[i])->tasks;
    return alike ? left - s->asks.of[PC_GPU] / POLICY_WHOLE / shape_of(c, s->job)->need : 0;
}

static void add_late(struct pc_late *late, int64_t milli)
{
    late->milli += milli;
    late->largest = milli > late->largest ? milli : late->largest;
}

struct pc_late pc_most_late(const struct pc_search *s, uint32_t queue, int32_t least, bool alike)
{
    const struct pc_cluster *c = s->c;
    struct turns t;
    if (!takes_turns(s, queue) || !list_jobs(s, queue, &t))
        return (struct pc_late){INT64_MAX, INT64_MAX};
    const struct pc_standing own =
        pc_stand(s->p, &c->queues[c->jobs[s->job].queue], &s->asks, &nothing);
    struct pc_queue y = c->queues[queue];
    for (uint32_t i = 0; i < t.count; i++)
        pc_add(&y.allocated, &c->jobs[t.jobs[i]].detail->active_amounts, -1);
    struct pc_late late = {0, 0};
    int64_t left = tasks_left(s, &t, alike);
    bool behind = false;
    for (uint32_t i = 0; i < t.count; i++) {
        const struct pc_shape *shape = shape_of(c, t.jobs[i]);
        const struct pc_amounts *asks = &c->jobs[t.jobs[i]].detail->active_amounts;
        const struct pc_standing standing = pc_stand(s->p, &y, asks, &nothing);
        behind = behind || pc_compare_queues(s->p, &own, &standing) < 0;
        bool placed = behind ? (int64_t)shape->tasks <= left : finds_room(s, t.jobs[i], alike);
        if (!placed && (shape->need >= least || shape->mixed))
            add_late(&late, asks->of[PC_GPU]);
        left -= shape->tasks; /* others behind find what this one would leave them */
        pc_add(&y.allocated, asks, 1);
    }
    return late;
}
