/* SPDX-License-Identifier: MIT */
/* What victims take back before the job's turn; see turn_bounds.h. */
#include "act/victims/turn_bounds.h"

#include "act/victims/victim.h"
#include "base/bits.h"
#include "order/queue_walk.h"
#include "state/compare.h"
#include "state/devices.h"
#include "state/nodes.h"
#include "state/pool_sets.h"
#include "state/queue_limits.h"
#include "state/queues.h"

static const struct pc_amounts nothing = {{0, 0, 0}};

/* ---- jobs ---- */

static const struct pc_shape *shape_of(const struct pc_cluster *c, uint32_t job)
{
    return &c->shapes[c->jobs[job].shape];
}

bool pc_returns_whole(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_shape *shape = shape_of(c, job);
    return shape->set_count == 1 && (uint32_t)shape->sets[0].min_tasks == shape->tasks &&
           (uint32_t)c->jobs[job].active == shape->tasks && c->jobs[job].preemptible &&
           !shape->wants_memory && shape->parts == shape->shares;
}

bool pc_is_plain(const struct pc_shape *shape)
{
    return !shape->constrained && shape->need > 0 && shape->role_count == 1;
}

/* Returns true if a task with request `a` fits wherever one with `b` does; both request whole
 * devices. */
static bool fits_where(const struct pc_request *a, const struct pc_request *b)
{
    return a->devices <= b->devices && a->cpu <= b->cpu && a->mem <= b->mem &&
           a->types == b->types && a->selector == b->selector;
}

/* The common request of the job's current tasks if all request the same whole devices, else
 * NULL. */
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
        alike = pc_returns_whole(c, v->job) && pc_is_plain(shape_of(c, v->job)) &&
                fits_where(asks, wants) && fits_where(wants, asks) &&
                pc_node_of_victim(c, v)->state == POLICY_NODE_UP;
    }
    return alike;
}

/* Returns true if the victim, before the job's turn, fits wherever the job would: each of its tasks
 * where one of the job's fits. */
static bool fits_in_job(const struct pc_search *s, uint32_t victim)
{
    const struct pc_request *wants = request_of_all(s);
    const struct pc_shape *shape = shape_of(s->c, victim);
    return wants != NULL && pc_is_plain(shape) && fits_where(&shape->roles[0].request, wants) &&
           (int64_t)shape->tasks * wants->devices * POLICY_WHOLE <= s->asks.of[PC_GPU];
}

/* Returns true if the task still fits its old place: node and devices are usable. */
static bool may_return(const struct pc_search *s, const struct pc_victim *v)
{
    const struct pc_cluster *c = s->c;
    const struct pc_node *n = pc_node_of_victim(c, v);
    const struct pc_pool_set *pools = &c->pool_sets[c->queues[c->jobs[v->job].queue].pool_set];
    return n->state == POLICY_NODE_UP && pc_bits_has(&pools->nodes, n->rank) &&
           pc_node_suits(c, n, pc_request_of_victim(c, v)) &&
           (v->before.devices & ~n->usable) == 0 && n->cpu_soon >= 0 && n->mem_soon >= 0 &&
           n->tasks_soon >= pc_popcount(n->groups) && pc_soon_whole(n) >= 0;
}

/* Returns true if the victim gets its own places back when it is placed first: its tasks are equal,
 * so it does not matter which goes where. */
static bool returns_first(const struct pc_search *s, uint32_t victim)
{
    const struct pc_cluster *c = s->c;
    bool returns = pc_is_plain(shape_of(c, victim));
    for (uint32_t i = 0; i < c->evicted.count && returns; i++)
        returns = c->evicted.of[i].job != victim || may_return(s, &c->evicted.of[i]);
    return returns;
}

/* ---- queues ---- */

/* The sibling of the bearer at or above the job's queue, or POLICY_NO_ID. */
static uint32_t side_of_job(const struct pc_search *s, uint32_t bearer)
{
    const struct pc_cluster *c = s->c;
    uint32_t x = c->jobs[s->job].queue;
    while (x != POLICY_NO_ID && pc_above(c, x) != pc_above(c, bearer))
        x = pc_above(c, x);
    return x != bearer ? x : POLICY_NO_ID;
}

/* Plugins, reservations and session reserves may refuse a victim what the job would get. */
bool pc_turns_are_known(const struct pc_search *s)
{
    return s->purpose->reach == PC_OTHERS && s->p->plugin == NULL &&
           s->p->config.backfill == POLICY_NO_BACKFILL && s->c->fixed_milli == 0 &&
           s->c->reservation.spares == NULL && pc_order_is_monotone(s->p);
}

/* Returns true if no limit blocks jobs of the leaf and they may use the job's pools. */
static bool may_go_along(const struct pc_search *s, uint32_t leaf)
{
    const struct pc_cluster *c = s->c;
    uint32_t q = leaf;
    while (q != POLICY_NO_ID && !c->queues[q].limited)
        q = c->queues[q].parent;
    return q == POLICY_NO_ID &&
           c->queues[leaf].pool_set == c->queues[c->jobs[s->job].queue].pool_set;
}

/* ---- victims of one bearer ---- */

/* Each job once, leaf by leaf, in placement order within a leaf. More jobs are rare; then there is
 * no bound. */
enum { MOST_JOBS = 32 };

struct turns {
    uint32_t jobs[MOST_JOBS], count;
    uint32_t leaves; /* number of leaves they are in */
    bool all;        /* there are no other victims */
};

static bool stands_before(const struct pc_search *s, uint32_t a, uint32_t b)
{
    const struct pc_job *jobs = s->c->jobs;
    return jobs[a].queue != jobs[b].queue ? jobs[a].queue < jobs[b].queue
                                          : pc_compare_jobs_as(s->p, a, 0, b, 0) < 0;
}

/* Inserts the job. Returns false if its turn is unknown, or if there are too many jobs. */
static bool list_job(const struct pc_search *s, uint32_t job, struct turns *t)
{
    uint32_t at = t->count;
    while (at > 0 && stands_before(s, job, t->jobs[at - 1]))
        at--;
    if (at > 0 && t->jobs[at - 1] == job)
        return true;
    if (t->count == MOST_JOBS || !pc_returns_whole(s->c, job) ||
        !may_go_along(s, s->c->jobs[job].queue))
        return false;
    for (uint32_t k = t->count++; k > at; k--)
        t->jobs[k] = t->jobs[k - 1];
    t->jobs[at] = job;
    return true;
}

static bool list_jobs(const struct pc_search *s, uint32_t bearer, struct turns *t)
{
    const struct pc_cluster *c = s->c;
    uint32_t last = PC_NONE;
    *t = (struct turns){.all = true};
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        uint32_t job = c->evicted.of[i].job;
        if (job == last)
            continue;
        last = job;
        if (!pc_is_below(c, c->jobs[job].queue, bearer))
            t->all = false;
        else if (!list_job(s, job, t))
            return false;
    }
    for (uint32_t i = 0; i < t->count; i++)
        t->leaves += i == 0 || c->jobs[t->jobs[i]].queue != c->jobs[t->jobs[i - 1]].queue;
    return true;
}

/* ---- turns ---- */

/* Subtracts the job's amounts from the queues from its leaf up to the bearer, or adds them back
 * (sign 1). */
static void shift(const struct pc_cluster *c, uint32_t job, uint32_t bearer, int sign)
{
    uint32_t stop = pc_above(c, bearer);
    for (uint32_t q = c->jobs[job].queue; q != stop; q = pc_above(c, q))
        pc_add(&c->queues[q].allocated, &c->jobs[job].detail->active_amounts, sign);
}

/* A queue represented by one of the jobs. */
struct head {
    uint32_t queue, turn;
};

/* Lists the first job of each leaf that had no turn yet. `had`: one bit per job. */
static uint32_t list_heads(const struct pc_cluster *c, const struct turns *t, uint32_t had,
                           struct head *heads)
{
    uint32_t count = 0;
    uint32_t last = POLICY_NO_ID;
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t leaf = c->jobs[t->jobs[i]].queue;
        if ((had >> i & 1) != 0 || leaf == last)
            continue;
        last = leaf;
        heads[count++] = (struct head){leaf, i};
    }
    return count;
}

static struct pc_standing stand_as(const struct pc_search *s, const struct turns *t,
                                   const struct head *head)
{
    const struct pc_cluster *c = s->c;
    return pc_stand(s->p, &c->queues[head->queue],
                    &c->jobs[t->jobs[head->turn]].detail->active_amounts, &nothing);
}

/* Compares the deepest queue with a sibling, or else moves it up to its parent. */
static uint32_t reduce(const struct pc_search *s, const struct turns *t, struct head *heads,
                       uint32_t count)
{
    const struct pc_cluster *c = s->c;
    uint32_t deepest = 0;
    for (uint32_t i = 1; i < count; i++)
        if (c->queues[heads[i].queue].depth > c->queues[heads[deepest].queue].depth)
            deepest = i;
    uint32_t above = pc_above(c, heads[deepest].queue);
    uint32_t other = 0;
    while (other < count && (other == deepest || pc_above(c, heads[other].queue) != above))
        other++;
    if (other == count) {
        heads[deepest].queue = above;
        return count;
    }
    const struct pc_standing a = stand_as(s, t, &heads[deepest]);
    const struct pc_standing b = stand_as(s, t, &heads[other]);
    heads[pc_compare_queues(s->p, &a, &b) < 0 ? other : deepest] = heads[count - 1];
    return count - 1;
}

static uint32_t next_turn(const struct pc_search *s, const struct turns *t, uint32_t had)
{
    struct head heads[MOST_JOBS];
    uint32_t count = list_heads(s->c, t, had, heads);
    while (count > 1)
        count = reduce(s, t, heads, count);
    return heads[0].turn;
}

/* The job's side at the earliest turn of the job: without its own victims that come after the job
 * or find no room. */
static struct pc_standing stand_earliest(const struct pc_search *s, uint32_t side, bool gives)
{
    const struct pc_cluster *c = s->c;
    struct pc_queue *x = &c->queues[side];
    const struct pc_amounts has = x->allocated;
    for (uint32_t i = 0; i < c->evicted.count && gives; i++) {
        const struct pc_victim *v = &c->evicted.of[i];
        const struct pc_amounts weight =
            pc_weigh_on(pc_node_of_victim(c, v), pc_request_of_victim(c, v));
        if (pc_is_below(c, c->jobs[v->job].queue, side))
            pc_add(&x->allocated, &weight, -1);
    }
    const struct pc_standing standing = pc_stand(s->p, x, &s->asks, &nothing);
    x->allocated = has;
    return standing;
}

/*
 * If all victims and the job request the same, the queue's victims leave room for as many tasks,
 * whatever goes where. Returns how many of these places certainly remain after the job took its
 * own.
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

struct pc_late pc_most_late(const struct pc_search *s, uint32_t bearer, int32_t least, bool alike)
{
    const struct pc_cluster *c = s->c;
    uint32_t side = side_of_job(s, bearer);
    struct turns t;
    if (side == POLICY_NO_ID || !pc_turns_are_known(s) || !list_jobs(s, bearer, &t) ||
        (s->superset && t.leaves > 1))
        return (struct pc_late){INT64_MAX, INT64_MAX};
    const struct pc_standing own = stand_earliest(s, side, !t.all);
    for (uint32_t i = 0; i < t.count; i++)
        shift(c, t.jobs[i], bearer, -1);
    struct pc_late late = {0, 0};
    int64_t left = tasks_left(s, &t, alike && t.leaves == 1);
    bool behind = false;
    for (uint32_t had = 0, turn = 0; turn < t.count; turn++) {
        uint32_t next = next_turn(s, &t, had);
        uint32_t job = t.jobs[next];
        const struct pc_shape *shape = shape_of(c, job);
        const struct pc_standing standing = stand_as(s, &t, &(struct head){bearer, next});
        behind = behind || pc_compare_queues(s->p, &own, &standing) < 0;
        bool placed =
            behind ? (int64_t)shape->tasks <= left
                   : alike || fits_in_job(s, job) || (turn == 0 && t.all && returns_first(s, job));
        if (!placed && (shape->need >= least || shape->mixed))
            add_late(&late, c->jobs[job].detail->active_amounts.of[PC_GPU]);
        left -= shape->tasks;                         /* later ones fit into what it would leave */
        behind = behind || (!placed && t.leaves > 1); /* then the order of leaves is unknown */
        shift(c, job, bearer, 1);
        had |= UINT32_C(1) << next;
    }
    return late;
}
