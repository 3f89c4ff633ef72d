/* SPDX-License-Identifier: MIT */
/*
 * Whether any trial of a step could be accepted. Trials do not depend on each other; each evicts what earlier steps
 * settled on (the recorded victims), and of the jobs on one node as much as was taken by then. Where each of the job's
 * tasks wants d devices and nothing else, and evictable tasks that want more want multiples of d, room for one more of them
 * than there is after an outcome comes from two sources only, whoever moves where (cluster/room.h):
 *
 *     tasks that want fewer than d devices leave a node which they keep from having room
 *     tasks that want d or more are lost
 *
 * So when recorded victims alone leave too little room, and what may be lost with pieces up to a size is not enough for
 * the rest, then a trial that could be accepted has victims on a node of the first kind, or takes a larger piece. These
 * are few, and are looked at one by one, with all the victims that a trial there could have.
 */
#include "act/losses.h"
#include "act/worth.h"
#include "cluster/room.h"
#include "cluster/shapes.h"
#include "cluster/tasks.h"

/*
 * Nodes that are marked at most. A search that may succeed on more of them soon meets one, so it is not narrowed: looking on
 * costs more than it spares.
 */
enum { MOST_MARKED = 64 };

struct step {
    struct pq_search *s;
    const struct pq_tasks *tasks;
    int32_t devices;  /* that each of the tasks wants */
    int64_t lacking;  /* tasks for which recorded victims with fewer devices leave no room */
    uint32_t *marked; /* nodes so far */
    uint32_t bearers; /* queues of which something may be lost, or PC_NONE */
};

static bool is_in_reach(const struct pq_search *s, uint32_t leaf)
{
    bool own = leaf == s->c->jobs[s->job].queue;
    return s->purpose->reach == PQ_ALL || own == (s->purpose->reach == PQ_OWN);
}

static bool has_victims(const struct pq_search *s, uint32_t leaf)
{
    return s->c->queues[leaf].active.count > 0 && is_in_reach(s, leaf);
}

/* ---- what may be lost with pieces up to a size ---- */

static void find_bearers(struct step *t)
{
    struct cluster *c = t->s->c;
    t->bearers = PC_NONE;
    for (uint32_t leaf = 0; leaf < c->queue_count; leaf++) {
        if (!has_victims(t->s, leaf))
            continue;
        struct pq_queue *q = pq_bearer(t->s, leaf);
        if (q->bears <= 0 || q->given > 0) /* it is listed already */
            continue;
        q->given = 1;
        q->next_bearer = t->bearers;
        t->bearers = c->queues[leaf].bearer;
    }
    for (uint32_t q = t->bearers; q != PC_NONE; q = c->queues[q].next_bearer)
        c->queues[q].given = 0;
}

/* The largest piece of each queue among the listed victims; it stays noted until forget_pieces(). */
static void note_pieces(const struct step *t)
{
    const struct cluster *c = t->s->c;
    pq_list_pieces(t->s, t->devices);
    for (uint32_t i = 0; i < c->evicted.count; i++)
        c->jobs[c->evicted.of[i].job].detail->gives =
            pq_bearer(t->s, c->jobs[c->evicted.of[i].job].queue)->given = 0;
}

static void forget_pieces(const struct step *t)
{
    const struct cluster *c = t->s->c;
    for (uint32_t i = 0; i < c->evicted.count; i++)
        pq_bearer(t->s, c->jobs[c->evicted.of[i].job].queue)->largest = 0;
}

/* Whether as many tasks with `devices` or more may be lost as are lacking, by pieces up to a size and those noted. */
static bool may_lose_enough(const struct step *t, int64_t piece)
{
    int64_t lost = 0; /* in tasks */
    for (uint32_t i = t->bearers; i != PC_NONE && lost < t->lacking; i = t->s->c->queues[i].next_bearer) {
        const struct pq_queue *q = &t->s->c->queues[i];
        lost += pq_most_with(q, piece > q->largest ? piece : q->largest) / POLICY_WHOLE / t->devices;
    }
    return lost >= t->lacking;
}

/* The first size of pieces with which enough may be lost: 0 for any, PQ_SIZES for none. */
static uint32_t needed_size(const struct step *t)
{
    uint32_t size = 0;
    while (size < PQ_SIZES && !may_lose_enough(t, pq_most_of_size(size)))
        size = t->bearers != PC_NONE ? size + 1 : PQ_SIZES;
    return size;
}

/* ---- node by node ---- */

/*
 * Lists the job's active tasks but those that are recorded. False: it has tasks that want fewer devices on this node and
 * others elsewhere, where there would be more victims; or no memory.
 */
static bool list_job(struct pq_search *s, uint32_t job, uint32_t node, int32_t fewer_than)
{
    const struct cluster *c = s->c;
    const struct pq_job *j = &c->jobs[job];
    bool small = false;
    bool alone = true;
    for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++) {
        if (!pq_is_active(&pq_task_of(j, task)->place))
            continue;
        small = small || pq_is_small(pq_request_of(c, job, task), fewer_than);
        alone = alone && pq_stands_on(&pq_task_of(j, task)->place) == node;
        if (!pq_task_of(j, task)->recorded && !pq_list_victim(s, &s->c->evicted, job, task))
            return false;
    }
    return alone || !small;
}

/* Victims on the node that are not recorded: all are listed. False: a trial elsewhere may have more of them; no memory. */
static bool list_node(const struct step *t, uint32_t node, uint32_t *victims)
{
    struct cluster *c = t->s->c;
    bool known = pq_list_recorded(t->s);
    for (struct pq_giver g = c->nodes[node].first_giver; g.job != PC_NONE && known;
         g = pq_task(c, g.job, g.task)->next) {
        if (!is_in_reach(t->s, c->jobs[g.job].queue) || !pq_may_be_victim(t->s, g.job))
            continue;
        *victims += !pq_task(c, g.job, g.task)->recorded;
        if (!c->jobs[g.job].marked)
            known = list_job(t->s, g.job, node, t->devices);
        c->jobs[g.job].marked = true;
    }
    for (struct pq_giver g = c->nodes[node].first_giver; g.job != PC_NONE;
         g = pq_task(c, g.job, g.task)->next)
        c->jobs[g.job].marked = false;
    return known;
}

/* Marks the node if a trial there might be accepted, going by all victims that stand there together. False: not known, or too many. */
static bool look_at_node(const struct step *t, uint32_t node)
{
    struct pq_node *n = &t->s->c->nodes[node];
    uint32_t victims = 0;
    if (n->worth_in == t->s->c->step_number)
        return true;
    if (!list_node(t, node, &victims))
        return false;
    if (!pq_is_worth_trying(t->s, t->tasks))
        return true;
    n->worth_in = t->s->c->step_number;
    for (struct pq_giver g = n->first_giver; g.job != PC_NONE; g = pq_task(t->s->c, g.job, g.task)->next)
        t->s->c->jobs[g.job].wanted_in = t->s->c->step_number;
    t->s->ahead += victims;
    return ++*t->marked <= MOST_MARKED;
}

static bool look_at_roomy_nodes(const struct step *t)
{
    const struct policy *p = t->s->p;
    uint32_t rank = pq_next_roomy(t->s->c, t->devices, 0);
    for (; rank != PC_NONE; rank = pq_next_roomy(t->s->c, t->devices, rank + 1))
        if (!look_at_node(t, p->node_of_rank[rank]))
            return false;
    return true;
}

/* The nodes on which the job stands. */
static bool look_at_job(const struct step *t, uint32_t job)
{
    const struct cluster *c = t->s->c;
    const struct pq_job *j = &c->jobs[job];
    for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++)
        if (pq_is_active(&pq_task_of(j, task)->place) &&
            !look_at_node(t, pq_stands_on(&pq_task_of(j, task)->place)))
            return false;
    return true;
}

/* Those of all jobs that may be larger pieces, of queues that may lose them. */
static bool look_at_large_jobs(const struct step *t, uint32_t size)
{
    const struct cluster *c = t->s->c;
    for (uint32_t leaf = 0; leaf < c->queue_count; leaf++) {
        if (!has_victims(t->s, leaf) || pq_bearer(t->s, leaf)->bears <= 0)
            continue;
        for (uint32_t n = size; n < PQ_SIZES; n++)
            for (uint32_t job = c->queues[leaf].of_size[n]; job != PC_NONE;
                 job = c->jobs[job].detail->next_of_size)
                if (pq_may_be_victim(t->s, job) && !look_at_job(t, job))
                    return false;
    }
    return true;
}

bool pq_some_trial_may_do(struct pq_search *s, const struct pq_tasks *tasks)
{
    struct cluster *c = s->c;
    uint32_t marked = 0;
    struct step t = {.s = s, .tasks = tasks, .devices = pq_wanted_alike(s, tasks), .marked = &marked};
    s->narrowed = false;
    s->ahead = 0;
    if (t.devices == 0 || (int64_t)tasks->count <= pq_whole_room(c, t.devices) ||
        pq_most_room(s->p, t.devices) == INT64_MAX || !pq_list_recorded(s))
        return true; /* pq_next_roomy() goes by the count of that call */
    t.lacking = (int64_t)tasks->count - pq_room_without(c, t.devices, t.devices);
    if (t.lacking <= 0)
        return true;
    find_bearers(&t);
    note_pieces(&t);
    uint32_t size = needed_size(&t);
    forget_pieces(&t);
    if (size == 0 || !look_at_roomy_nodes(&t) || !look_at_large_jobs(&t, size))
        return true;
    s->narrowed = true;
    return s->ahead > 0;
}
