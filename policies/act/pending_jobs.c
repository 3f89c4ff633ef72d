/* SPDX-License-Identifier: MIT */
/* The loop that all actions on pending jobs share; see act.h. */
#include "act/act.h"

#include "cluster/classes.h"
#include "cluster/tasks.h"
#include "order/line.h"

/*
 * Whether the class has a turn in this action: those that could not succeed have none, unless the jobs that are looked at
 * are counted.
 */
static bool has_turn(struct policy *p, const struct pq_visit *v, uint32_t class)
{
    if (v->serves != NULL && !v->serves(p, class))
        return false;
    return p->config.quota.queue_depth >= 0 || v->admits == NULL || v->admits(p, class);
}

/* Adds the classes of a leaf that were left out so far and have a turn. */
static bool add_leaf(struct policy *p, const struct pq_visit *v, struct pq_line *line, uint32_t leaf)
{
    struct cluster *c = p->cluster;
    const struct pq_queue *q = &c->queues[leaf];
    for (uint32_t i = 0; i < q->class_count; i++) {
        struct pq_class *k = &c->classes[q->classes[i]];
        if (k->added_in == c->action_number || !has_turn(p, v, q->classes[i]))
            continue;
        k->added_in = c->action_number;
        if (!pq_line_add(p, line, pq_class_head(k)))
            return false;
    }
    return true;
}

static bool fill(struct policy *p, const struct pq_visit *v, struct pq_line *line)
{
    const struct cluster *c = p->cluster;
    for (uint32_t leaf = 0; leaf < c->queue_count; leaf++) {
        if (c->queues[leaf].class_count == 0) /* there may be no queue of that number any more */
            continue;
        bool may = v->leaf == NULL || p->config.quota.queue_depth >= 0 || v->leaf(p, leaf);
        if (may && !add_leaf(p, v, line, leaf))
            return false;
    }
    return true;
}

static bool begin(struct policy *p, const struct pq_visit *v, struct pq_line *line)
{
    for (uint32_t q = 0; q < p->cluster->queue_count; q++)
        p->cluster->queues[q].looked_at = 0;
    return pq_line_begin(p, line) && fill(p, v, line);
}

/* Classes come and go while jobs are placed: the one with this number may be another one by then. */
static bool still_there(const struct cluster *c, uint32_t class, uint32_t queue, uint32_t shape,
                        int32_t priority)
{
    const struct pq_class *k = &c->classes[class];
    return k->exists && k->queue == queue && k->shape == shape && k->priority == priority;
}

/* Counts the job among those of its queue that are looked at; false: it would be one too many, or had its turn. */
static bool may_look_at(struct policy *p, const struct pq_visit *v, uint32_t job)
{
    struct cluster *c = p->cluster;
    struct pq_queue *q = &c->queues[c->jobs[job].queue];
    int32_t depth = p->config.quota.queue_depth;
    if (c->jobs[job].tried_in == c->action_number)
        return v->again;
    if (depth >= 0 && q->looked_at >= depth)
        return false;
    q->looked_at++;
    c->jobs[job].tried_in = c->action_number;
    return true;
}

/* Whether a job fails when one like it has failed: always where there are no victims, which may be younger or older. */
static bool fail_alike(const struct policy *p, const struct pq_visit *v)
{
    return v->once || p->config.quota.signatures;
}

static bool try_one(struct policy *p, const struct pq_visit *v, uint32_t job)
{
    struct cluster *c = p->cluster;
    uint32_t class = c->jobs[job].class;
    bool hopeless = c->classes[class].failed_in == c->action_number && fail_alike(p, v);
    if (!hopeless && v->visit(p, job))
        return true;
    if (c->out_of_memory) /* nothing was found out about it */
        return false;
    if (!hopeless && v->failed != NULL)
        v->failed(p, class);
    c->classes[class].failed_in = c->action_number;
    return false;
}

/* The oldest job of a shared class that had no turn yet, or PC_NONE. */
static uint32_t next_alike(const struct policy *p, const struct pq_class *k)
{
    const struct cluster *c = p->cluster;
    uint32_t next = PC_NONE;
    if (k->single != PC_NONE || c->jobs[pq_class_head(k)].tried_in != c->action_number)
        return k->single != PC_NONE ? PC_NONE : pq_class_head(k);
    for (uint32_t i = 0; i < k->jobs.count; i++) {
        uint32_t job = k->jobs.ids[i];
        if (c->jobs[job].tried_in != c->action_number &&
            (next == PC_NONE || pq_compare_jobs(p, job, next, false) < 0))
            next = job;
    }
    return next;
}

static void add_next_alike(struct policy *p, struct pq_line *line, uint32_t class)
{
    uint32_t next = next_alike(p, &p->cluster->classes[class]);
    if (next != PC_NONE)
        (void)pq_line_add(p, line, next);
}

void pq_visit_pending(struct policy *p, const struct pq_visit *v)
{
    struct cluster *c = p->cluster;
    struct pq_line *line = &c->pending_line;
    if (!begin(p, v, line))
        return;
    for (uint32_t job; !c->out_of_memory && (job = pq_line_pop(p, line)) != PC_NONE;) {
        uint32_t class = c->jobs[job].class;
        uint32_t queue = c->jobs[job].queue;
        if (class == PC_NONE || !may_look_at(p, v, job))
            continue;
        const struct pq_class before = c->classes[class];
        if (!try_one(p, v, job)) {
            if (p->config.quota.queue_depth >= 0 || !fail_alike(p, v)) /* then it is of use, or counts */
                add_next_alike(p, line, class);
            continue;
        }
        bool shared = before.single == PC_NONE;
        if (shared && still_there(c, class, queue, before.shape, before.priority))
            add_next_alike(p, line, class);
        if (v->again && c->jobs[job].class != PC_NONE)
            (void)pq_line_add(p, line, job);
        if (!v->once) {
            pq_line_look_again(p, line);
            (void)fill(p, v, line);
        }
    }
}

bool pq_evict_job(struct policy *p, uint32_t job, uint8_t reason)
{
    struct cluster *c = p->cluster;
    uint32_t mark = pq_txn_mark(c);
    const struct pq_shape *s = &c->shapes[c->jobs[job].shape];
    for (uint32_t task = 0; task < s->tasks; task++) {
        struct pq_place place = c->jobs[job].tasks[task].place;
        if (!pq_is_active(&place))
            continue;
        place.holding = place.holding == PQ_RUNS ? PQ_RELEASING : place.holding;
        place.promised = PC_NONE;
        place.promised_devices = 0;
        place.promised_slice = 0;
        if (!pq_txn_move(p, job, task, &place))
            break;
    }
    const uint8_t reasons[2] = {reason, reason};
    if (!c->out_of_memory && pq_txn_commit(p, mark, PC_NONE, reasons))
        return true;
    pq_txn_rollback(c, mark);
    return false;
}
