/* SPDX-License-Identifier: MIT */
/* Whether a trial is worth while; see worth.h. Amounts are thousandths of devices. */
#include "act/worth.h"

#include "cluster/nodes.h"
#include "cluster/room.h"
#include "cluster/tasks.h"
#include "order/wide.h"

static const struct pq_request *request_of_victim(const struct cluster *c, const struct pq_victim *v)
{
    return pq_request_of(c, v->job, v->task);
}

static struct pq_node *node_of_victim(const struct cluster *c, const struct pq_victim *v)
{
    return &c->nodes[pq_stands_on(&v->before)];
}

/* ---- all trials at once ---- */

static int64_t whole_soon(const struct cluster *c)
{
    int64_t sum = 0;
    for (int32_t devices = 1; devices <= c->most_devices; devices++)
        sum += (int64_t)c->listed[devices] * devices;
    return sum * POLICY_WHOLE;
}

bool pq_has_prospect(struct policy *p, uint32_t job, const struct pq_amounts *asks, int64_t lost)
{
    const struct cluster *c = p->cluster;
    const struct pq_shape *shape = &c->shapes[c->jobs[job].shape];
    int64_t wanted = asks->of[PQ_GPU];
    if (shape->wants_memory) /* what share that is depends on the node */
        wanted = wanted > 0;
    if (wanted <= lost || wanted - lost > c->soon_milli)
        return wanted <= lost;
    wanted -= lost;
    if (shape->need == 0)
        return true;
    if (c->giving_parts == 0 && wanted > whole_soon(c))
        return false;
    if (shape->mixed)
        return true;
    int64_t room = pq_most_room(p, shape->need);
    return room > wanted / POLICY_WHOLE || room * shape->need * POLICY_WHOLE >= wanted;
}

/* ---- whole devices on single nodes ---- */

static int32_t copies(int32_t devices, int32_t wanted)
{
    return devices > 0 ? devices / wanted : 0;
}

bool pq_frees_enough(const struct pq_search *s, const struct pq_tasks *tasks)
{
    struct cluster *c = s->c;
    int32_t least = INT32_MAX; /* that a task wants on one node; 0 when it is not that simple */
    for (uint32_t i = 0; i < tasks->count; i++) {
        const struct pq_request *r = pq_request_of(c, s->job, tasks->ids[i]);
        int32_t wanted = pq_shares_devices(r) ? 0 : r->devices;
        least = wanted < least ? wanted : least;
    }
    if (least <= 0)
        return true;
    int64_t room = pq_whole_room(c, least);
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        const struct pq_victim *v = &c->evicted.of[i];
        const struct pq_request *r = request_of_victim(c, v);
        struct pq_node *n = node_of_victim(c, v);
        int32_t soon = pq_soon_whole(n) + n->trial_freed;
        n->trial_freed += r->wants_mig ? 1 : r->devices;
        if (n->state == POLICY_NODE_UP)
            room += copies(pq_soon_whole(n) + n->trial_freed, least) - copies(soon, least);
    }
    for (uint32_t i = 0; i < c->evicted.count; i++)
        node_of_victim(c, &c->evicted.of[i])->trial_freed = 0;
    return room >= (int64_t)tasks->count;
}

/* ---- what may be lost ---- */

/* The queue that bears what its leaf loses in this step, asked once; and in it how much it bears. */
static struct pq_queue *bearer(const struct pq_search *s, uint32_t leaf)
{
    struct pq_queue *q = &s->c->queues[leaf];
    if (q->judged_in != s->c->step_number) {
        struct pq_bound most = {leaf, INT64_MAX};
        if (s->purpose->most_lost != NULL)
            most = s->purpose->most_lost(s, leaf);
        q->judged_in = s->c->step_number;
        q->bearer = most.queue;
        s->c->queues[most.queue].bears = most.milli;
    }
    return &s->c->queues[q->bearer];
}

/* Of the listed victims, up to as much as is wanted. */
static int64_t most_lost(const struct pq_search *s, int64_t wanted)
{
    const struct cluster *c = s->c;
    int64_t lost = 0;
    for (uint32_t i = 0; i < c->evicted.count && lost < wanted; i++) {
        const struct pq_victim *v = &c->evicted.of[i];
        struct pq_queue *q = bearer(s, c->jobs[v->job].queue);
        int64_t gives = pq_weigh_on(node_of_victim(c, v), request_of_victim(c, v)).of[PQ_GPU];
        int64_t left = q->bears - q->given;
        if (gives > q->bears) /* no task is lost in part */
            continue;
        q->given += gives;
        lost += gives < left ? gives : left > 0 ? left : 0;
    }
    for (uint32_t i = 0; i < c->evicted.count; i++)
        bearer(s, c->jobs[c->evicted.of[i].job].queue)->given = 0;
    return lost;
}

/* ---- what of the free devices is of use ---- */

/* What the tasks at hand want, by whole devices of a task: [0] parts of devices. And what they find. */
struct means {
    int64_t wanted[POLICY_MAX_DEVICES + 1];
    int64_t nodes[POLICY_MAX_DEVICES + 1]; /* without victims, by whole devices that are free soon on them */
    int64_t parts;                         /* of devices, on these */
    int64_t emptied;                       /* free soon on nodes of victims */
    int32_t common;                        /* divisor of all devices wanted */
    bool known; /* nobody wants memory or instances, which weigh differently elsewhere */
};

static void want(struct means *m, const struct pq_request *r)
{
    m->known = m->known && r->memory == 0 && !r->wants_mig;
    if (r->share > 0)
        m->wanted[0] += (int64_t)r->devices * r->share;
    else
        m->wanted[r->devices] += (int64_t)r->devices * POLICY_WHOLE;
    m->common = r->share > 0 ? 1 : (int32_t)pc_common_divisor((uint64_t)m->common, (uint64_t)r->devices);
}

/* Whole devices that are of use to tasks that want multiples of a number of them. */
static int64_t in_multiples(int32_t devices, int32_t of)
{
    return devices > 0 && of > 0 ? (int64_t)(devices - devices % of) * POLICY_WHOLE : 0;
}

/* The nodes of the victims, each once: all that is free there may be of use together with what they leave. */
static void count_emptied(const struct cluster *c, struct means *m)
{
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        struct pq_node *n = node_of_victim(c, &c->evicted.of[i]);
        if (n->trial_seen || n->listed < 0)
            continue;
        n->trial_seen = true;
        m->nodes[n->listed]--;
        m->parts -= n->soon_milli - (int64_t)n->listed * POLICY_WHOLE;
        m->emptied += m->wanted[0] > 0 ? n->soon_milli : in_multiples(n->listed, m->common);
    }
    for (uint32_t i = 0; i < c->evicted.count; i++)
        node_of_victim(c, &c->evicted.of[i])->trial_seen = false;
}

/*
 * Fills the nodes from those with the fewest free devices up with the tasks that find room there: as much as is there,
 * or as those want that are not too large and have no place yet.
 */
static int64_t fill(const struct cluster *c, const struct means *m)
{
    int64_t used = m->parts < m->wanted[0] ? m->parts : m->wanted[0];
    int64_t wanted = m->wanted[0];
    for (int32_t devices = 1; devices <= c->most_devices; devices++) {
        wanted += m->wanted[devices];
        int64_t room = m->nodes[devices] * in_multiples(devices, m->common);
        used += room < wanted - used ? room : wanted - used;
    }
    return used;
}

/* How much of what is free soon the job and its victims could use; all of it where that is not known. */
static int64_t useful(const struct pq_search *s, const struct pq_tasks *tasks)
{
    const struct cluster *c = s->c;
    struct means m = {.parts = c->soon_milli, .known = true};
    for (uint32_t i = 0; i < tasks->count; i++)
        want(&m, pq_request_of(c, s->job, tasks->ids[i]));
    for (uint32_t i = 0; i < c->evicted.count && m.known; i++)
        want(&m, request_of_victim(c, &c->evicted.of[i]));
    if (!m.known)
        return c->soon_milli;
    for (int32_t devices = 1; devices <= c->most_devices; devices++) {
        m.nodes[devices] = c->listed[devices];
        m.parts -= (int64_t)c->listed[devices] * devices * POLICY_WHOLE;
    }
    count_emptied(c, &m);
    return m.emptied + fill(c, &m);
}

bool pq_gives_enough(const struct pq_search *s, const struct pq_tasks *tasks)
{
    const struct cluster *c = s->c;
    int64_t wanted = s->asks.of[PQ_GPU];
    if (c->shapes[c->jobs[s->job].shape].wants_memory) /* what share that is depends on the node */
        wanted = wanted > 0;
    int64_t lost = most_lost(s, wanted);
    if (lost >= wanted || c->soon_milli + lost < wanted)
        return lost >= wanted;
    return useful(s, tasks) + lost >= wanted;
}

/* ---- node by node ---- */

/* Devices of a node that each task wants, when all want the same and nothing else; else 0. */
static int32_t wanted_alike(const struct pq_search *s, const struct pq_tasks *tasks)
{
    const struct pq_shape *shape = &s->c->shapes[s->c->jobs[s->job].shape];
    return tasks->count > 0 && !shape->mixed ? shape->need : 0;
}

static bool is_in_reach(const struct pq_search *s, uint32_t leaf)
{
    bool own = leaf == s->c->jobs[s->job].queue;
    return s->purpose->reach == PQ_ALL || own == (s->purpose->reach == PQ_OWN);
}

static bool something_may_be_lost(const struct pq_search *s)
{
    const struct cluster *c = s->c;
    for (uint32_t leaf = 0; leaf < c->queue_count; leaf++)
        if (c->queues[leaf].active.count > 0 && is_in_reach(s, leaf) && bearer(s, leaf)->bears > 0)
            return true;
    return false;
}

/* Lists the job's active tasks. False: one of those that want fewer devices stands on another node; or no memory. */
static bool list_job(struct pq_search *s, uint32_t job, uint32_t node, int32_t fewer_than)
{
    const struct cluster *c = s->c;
    const struct pq_job *j = &c->jobs[job];
    bool alone = true;
    for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++) {
        if (!pq_is_active(&j->tasks[task].place))
            continue;
        const struct pq_request *r = pq_request_of(c, job, task);
        bool small = pq_shares_devices(r) || (r->devices > 0 && r->devices < fewer_than);
        alone = alone && (!small || pq_stands_on(&j->tasks[task].place) == node);
        if (!pq_list_victim(s, &s->c->evicted, job, task))
            return false;
    }
    return alone;
}

/* Whether a trial on the node might be accepted, going by all victims that stand there together. */
static bool node_may_do(struct pq_search *s, const struct pq_tasks *tasks, uint32_t node, int32_t devices)
{
    struct cluster *c = s->c;
    bool known = true;
    c->evicted.count = 0;
    for (struct pq_giver g = c->nodes[node].first_giver; g.job != PC_NONE && known;
         g = c->jobs[g.job].tasks[g.task].next) {
        if (c->jobs[g.job].marked || !is_in_reach(s, c->jobs[g.job].queue) || !pq_may_be_victim(s, g.job))
            continue;
        c->jobs[g.job].marked = true;
        known = list_job(s, g.job, node, devices);
    }
    for (struct pq_giver g = c->nodes[node].first_giver; g.job != PC_NONE;
         g = c->jobs[g.job].tasks[g.task].next)
        c->jobs[g.job].marked = false;
    return !known || (pq_frees_enough(s, tasks) && pq_gives_enough(s, tasks));
}

bool pq_some_node_may_do(struct pq_search *s, const struct pq_tasks *tasks)
{
    const struct cluster *c = s->c;
    int32_t devices = wanted_alike(s, tasks);
    if (devices == 0 || (int64_t)tasks->count <= pq_whole_room(c, devices) ||
        pq_most_room(s->p, devices) == INT64_MAX || something_may_be_lost(s))
        return true;
    uint32_t rank = pq_next_roomy(c, devices, 0);
    for (; rank != PC_NONE; rank = pq_next_roomy(c, devices, rank + 1))
        if (node_may_do(s, tasks, s->p->node_of_rank[rank], devices))
            return true;
    return false;
}
