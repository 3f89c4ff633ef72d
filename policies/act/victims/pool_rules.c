/* SPDX-License-Identifier: MIT */
/* Eviction rules for quotas by pool; see pool_rules.h. */
#include "act/victims/pool_rules.h"

#include "state/nodes.h"
#include "state/pool_quotas.h"
#include "state/queue_limits.h"
#include "state/tasks.h"

/* ---- comparing queues ---- */

void pc_part(const struct pc_cluster *c, uint32_t a, uint32_t b, uint32_t *x, uint32_t *y)
{
    while (!c->flat && c->queues[a].depth > c->queues[b].depth)
        a = c->queues[a].parent;
    while (!c->flat && c->queues[b].depth > c->queues[a].depth)
        b = c->queues[b].parent;
    while (pc_above(c, a) != pc_above(c, b)) {
        a = pc_above(c, a);
        b = pc_above(c, b);
    }
    *x = a;
    *y = b;
}

__extension__ typedef __int128 wide;

bool pc_overtakes(int64_t has, int64_t fair, int64_t sibling_has, int64_t sibling_fair,
                  int64_t multiplier)
{
    if (sibling_fair <= 0 || fair < 0 || has <= fair)
        return false;
    if (fair == 0)
        return true;
    return (wide)has * multiplier * sibling_fair >= (wide)sibling_has * fair * 1000000;
}

bool pc_pools_admit(const struct pc_cluster *c, uint32_t leaf, uint32_t group, int64_t milli,
                    bool guaranteed)
{
    const struct pc_group_share *s = &c->queues[leaf].groups[group];
    return pc_group_guarantees(&c->queues[leaf], group, milli) ||
           (!guaranteed && pc_within_one(s->allocated + milli, s->fair));
}

bool pc_pools_may_reclaim(const struct policy *p, uint32_t job, const struct pc_amounts *asks)
{
    const struct pc_cluster *c = p->cluster;
    for (uint32_t g = 0; g < c->group_count; g++)
        if (pc_group_suits(c, job, g) && pc_group_allows(p, job, g, asks->of[PC_GPU]) &&
            pc_pools_admit(c, c->jobs[job].queue, g, asks->of[PC_GPU], false))
            return true;
    return false;
}

/* `x_then`: what the taker will have; `y_has`: what the other has before it loses the piece. */
static bool may_take(const struct pc_group_share *x, int64_t x_then, const struct pc_group_share *y,
                     int64_t y_has)
{
    return !pc_within_one(y_has, y->allocatable) ||
           (pc_within_one(x_then, x->due) && !pc_within_one(y_has, y->due));
}

bool pc_pools_may_take(const struct pc_cluster *c, uint32_t leaf, int64_t more, uint32_t other,
                       int64_t held, uint32_t group)
{
    uint32_t x, y;
    pc_part(c, leaf, other, &x, &y);
    const struct pc_group_share *taker = &c->queues[x].groups[group];
    const struct pc_group_share *loser = &c->queues[y].groups[group];
    return may_take(taker, taker->allocated + more, loser, loser->allocated + held);
}

/* ---- a trial, in one group ---- */

struct pool_trial {
    const struct pc_search *s;
    const struct pc_cluster *c;
    uint32_t group;
    uint32_t taker; /* a leaf with more than before, the job's if it is one; or POLICY_NO_ID */
    bool fair;      /* so far */
};

/* Checks that every leaf with more than before stays within its quota or share. */
static void look_at_takers(struct pool_trial *t)
{
    const struct pc_cluster *c = t->c;
    uint32_t own = c->jobs[t->s->job].queue;
    t->taker = POLICY_NO_ID;
    for (uint32_t q = 0; q < c->queue_count; q++) {
        if (!c->queues[q].exists || !c->queues[q].leaf ||
            c->queues[q].groups[t->group].allocated <= c->queues[q].groups[t->group].before)
            continue;
        t->fair &= pc_pools_admit(c, q, t->group, 0, false);
        t->taker = t->taker == POLICY_NO_ID || q == own ? q : t->taker;
    }
}

/* The task's current group, or PC_NONE. */
static uint32_t group_now(const struct pc_cluster *c, const struct pc_victim *v)
{
    const struct pc_place *place = &pc_task(c, v->job, v->task)->place;
    return pc_is_active(place) ? pc_group_of_node(c, pc_stands_on(place)) : PC_NONE;
}

static uint32_t group_before(const struct pc_cluster *c, const struct pc_victim *v)
{
    return pc_group_of_node(c, pc_stands_on(&v->before));
}

/* Returns true if the task is in another group, within its queue's guarantee there. */
static bool is_served_elsewhere(const struct pc_cluster *c, const struct pc_victim *v)
{
    uint32_t now = group_now(c, v);
    return now != PC_NONE && pc_group_guarantees(&c->queues[c->jobs[v->job].queue], now, 0);
}

static int64_t weigh(const struct pc_cluster *c, const struct pc_victim *v)
{
    return pc_weigh_on(&c->nodes[pc_stands_on(&v->before)], pc_request_of(c, v->job, v->task))
        .of[PC_GPU];
}

/* Takes a piece; `excused`: the queue does not lose anything by it. */
static void take(struct pool_trial *t, uint32_t leaf, int64_t piece, bool excused)
{
    const struct pc_cluster *c = t->c;
    uint32_t x, y;
    if (!excused && t->taker == POLICY_NO_ID)
        t->fair = false;
    if (!excused && t->fair) {
        pc_part(c, t->taker, leaf, &x, &y);
        t->fair = may_take(&c->queues[x].groups[t->group], c->queues[x].groups[t->group].allocated,
                           &c->queues[y].groups[t->group], c->queues[y].groups[t->group].remaining);
    }
    for (uint32_t q = leaf; q != POLICY_NO_ID; q = pc_above(c, q))
        c->queues[q].groups[t->group].remaining -= piece;
}

/* Takes what the victim's job loses in the group: task by task if part of it continues, else as one
 * piece. */
static void take_job(struct pool_trial *t, uint32_t first)
{
    const struct pc_cluster *c = t->c;
    uint32_t job = c->evicted.of[first].job;
    bool by_task = c->jobs[job].active > 0, excused = true;
    int64_t sum = 0;
    for (uint32_t i = first; i < c->evicted.count; i++) {
        const struct pc_victim *v = &c->evicted.of[i];
        if (v->job != job || group_before(c, v) != t->group || group_now(c, v) == t->group)
            continue;
        if (by_task)
            take(t, c->jobs[job].queue, weigh(c, v), is_served_elsewhere(c, v));
        else
            sum += weigh(c, v);
        excused &= is_served_elsewhere(c, v);
    }
    if (sum > 0)
        take(t, c->jobs[job].queue, sum, excused);
    c->jobs[job].marked = true;
}

static void take_all(struct pool_trial *t)
{
    const struct pc_cluster *c = t->c;
    for (uint32_t q = 0; q < c->queue_count; q++)
        if (c->queues[q].exists)
            c->queues[q].groups[t->group].remaining = c->queues[q].groups[t->group].before;
    for (uint32_t i = 0; i < c->evicted.count; i++)
        if (!c->jobs[c->evicted.of[i].job].marked)
            take_job(t, i);
    for (uint32_t i = 0; i < c->evicted.count; i++)
        c->jobs[c->evicted.of[i].job].marked = false;
}

static bool level_is_fair(const struct pool_trial *t, uint32_t queue)
{
    const struct pc_cluster *c = t->c;
    const struct pc_group_share *own = &c->queues[queue].groups[t->group];
    for (uint32_t i = 0; i < c->queue_count && own->allocated > own->before; i++) {
        if (i == queue || !c->queues[i].exists || pc_above(c, i) != pc_above(c, queue))
            continue;
        const struct pc_group_share *sibling = &c->queues[i].groups[t->group];
        if (sibling->remaining < sibling->before && sibling->allocated < sibling->before &&
            pc_overtakes(own->allocated, own->fair, sibling->remaining, sibling->fair,
                         t->s->p->config.quota.saturation_ppm))
            return false;
    }
    return true;
}

bool pc_pools_accept(const struct pc_search *s)
{
    const struct pc_cluster *c = s->c;
    struct pool_trial t = {.s = s, .c = c, .fair = true};
    for (t.group = 0; t.group < c->group_count && t.fair; t.group++) {
        look_at_takers(&t);
        take_all(&t);
        for (uint32_t q = c->jobs[s->job].queue; q != POLICY_NO_ID && t.fair; q = pc_above(c, q))
            t.fair = level_is_fair(&t, q);
    }
    return t.fair;
}

bool pc_pools_keep(const struct pc_search *s)
{
    const struct pc_cluster *c = s->c;
    for (uint32_t i = 0; c->group_count > 0 && i < c->evicted.count; i++) {
        const struct pc_victim *v = &c->evicted.of[i];
        uint32_t before = group_before(c, v);
        const struct pc_group_share *had = &c->queues[c->jobs[v->job].queue].groups[before];
        if (group_now(c, v) != before && !is_served_elsewhere(c, v) &&
            pc_within_one(had->before, had->due))
            return false;
    }
    return true;
}
