/* SPDX-License-Identifier: MIT */
/* The loop shared by all actions on pending jobs; see act.h. */
#include "act/act.h"

#include "order/queue_walk.h"
#include "pending/queue_classes.h"
#include "state/tasks.h"

/* The queue walk of an action, and the number of jobs in it that may still succeed. */
struct turn {
    struct policy *p;
    const struct pc_visit *v;
    struct pc_queue_walk *line;
    uint32_t hopeful;
    uint32_t hopeful_leaves, hopeful_leaf; /* of the first look: their number, and the last one */
};

static bool is_served(const struct turn *t, uint32_t class)
{
    return t->v->serves == NULL || t->v->serves(t->p, class);
}

/* Shortcuts are off with a queue_depth: it counts hopeless jobs, too. */
static bool takes_shortcuts(const struct policy *p)
{
    return !pc_tries_all(p->cluster) && p->config.quota.queue_depth < 0;
}

static bool leaf_may(const struct turn *t, uint32_t leaf)
{
    return t->v->leaf == NULL || !takes_shortcuts(t->p) || t->v->leaf(t->p, leaf);
}

static bool class_may(const struct turn *t, uint32_t class)
{
    return t->v->admits == NULL || !takes_shortcuts(t->p) || t->v->admits(t->p, class);
}

/* Counts a job, in the walk now or later, as able to succeed. */
static void count_on(struct turn *t, uint32_t job)
{
    t->p->cluster->marks[job].hope_in = t->p->cluster->action_number;
    t->hopeful++;
}

static bool count_out(struct turn *t, uint32_t job)
{
    struct pc_job_marks *m = &t->p->cluster->marks[job];
    if (m->hope_in != t->p->cluster->action_number)
        return false;
    m->hope_in = 0;
    t->hopeful--;
    return true;
}

/* Finds the classes that may succeed, before jobs are ordered. */
static void look_for_hope(struct turn *t)
{
    const struct pc_cluster *c = t->p->cluster;
    for (uint32_t leaf = 0; leaf < c->queue_count; leaf++) {
        const struct pc_queue *q = &c->queues[leaf];
        if (q->class_count == 0 || !leaf_may(t, leaf)) /* the queue may have been removed */
            continue;
        uint32_t before = t->hopeful;
        for (uint32_t i = 0; i < q->class_count; i++)
            if (is_served(t, q->classes[i]) && class_may(t, q->classes[i]))
                count_on(t, pc_class_head(&c->classes[q->classes[i]]));
        if (t->hopeful > before) {
            t->hopeful_leaves++;
            t->hopeful_leaf = leaf;
        }
    }
}

/* Adds new classes of a leaf to the walk. */
static bool add_leaf(struct turn *t, uint32_t leaf)
{
    struct pc_cluster *c = t->p->cluster;
    const struct pc_queue *q = &c->queues[leaf];
    for (uint32_t i = 0; i < q->class_count; i++) {
        struct pc_class *k = &c->classes[q->classes[i]];
        if (k->added_in == c->action_number || !is_served(t, q->classes[i]))
            continue;
        k->added_in = c->action_number;
        if (!pc_walk_add(t->p, t->line, pc_class_head(k)))
            return false;
    }
    return true;
}

static bool fill(struct turn *t)
{
    for (uint32_t leaf = 0; leaf < t->p->cluster->queue_count; leaf++)
        if (!add_leaf(t, leaf))
            return false;
    return true;
}

/*
 * Classes that cannot succeed are ordered as well: until their turn, they represent their queue in
 * comparisons. No order is needed if only one leaf can succeed.
 */
static bool begin(struct turn *t)
{
    struct pc_cluster *c = t->p->cluster;
    for (uint32_t q = 0; q < c->queue_count; q++)
        c->queues[q].looked_at = 0;
    look_for_hope(t);
    if (t->hopeful == 0 || !pc_walk_begin(t->p, t->line))
        return false;
    return t->v->once && t->hopeful_leaves == 1 ? add_leaf(t, t->hopeful_leaf) : fill(t);
}

/* After a success other jobs may succeed, or fewer: re-evaluates every job in the walk. */
static void look_again(struct turn *t)
{
    const struct pc_cluster *c = t->p->cluster;
    t->hopeful = 0;
    for (uint32_t i = 0; i < t->line->queue_count; i++) {
        uint32_t queue = t->line->queues[i];
        const struct pc_walk_slot *s = &t->line->slots[queue];
        bool may = s->count > 0 && leaf_may(t, queue);
        for (uint32_t k = 0; k < s->count; k++) {
            uint32_t class = c->jobs[s->jobs[k]].class;
            c->marks[s->jobs[k]].hope_in = 0;
            if (may && class != PC_NONE && class_may(t, class))
                count_on(t, s->jobs[k]);
        }
    }
}

/* Returns true if the class still exists: classes come and go while jobs are placed, and numbers
 * are reused. */
static bool still_there(const struct pc_cluster *c, uint32_t class, uint32_t queue, uint32_t shape,
                        int32_t priority)
{
    const struct pc_class *k = &c->classes[class];
    return k->exists && k->queue == queue && k->shape == shape && k->priority == priority;
}

/* Counts the job against its queue's depth. Returns false if the depth is exceeded or the job had
 * its turn. */
static bool may_look_at(struct policy *p, const struct pc_visit *v, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    struct pc_queue *q = &c->queues[c->jobs[job].queue];
    int32_t depth = p->config.quota.queue_depth;
    if (c->marks[job].tried_in == c->action_number)
        return v->again;
    if (depth >= 0 && q->looked_at >= depth)
        return false;
    q->looked_at++;
    c->marks[job].tried_in = c->action_number;
    return true;
}

/* Returns true if a job's failure implies the failure of equivalent jobs: always in actions without
 * victims, whose ages could matter. */
static bool fail_alike(const struct policy *p, const struct pc_visit *v)
{
    if (v->goes_on != NULL && v->goes_on(p))
        return false;
    return v->once || p->config.quota.signatures;
}

static bool try_one(const struct turn *t, uint32_t job, bool may)
{
    struct pc_cluster *c = t->p->cluster;
    uint32_t class = c->jobs[job].class;
    bool known = c->classes[class].failed_in == c->action_number && fail_alike(t->p, t->v);
    if (!known && may && t->v->visit(t->p, job))
        return true;
    if (c->out_of_memory) /* nothing was learned about the job */
        return false;
    if (!known && t->v->failed != NULL)
        t->v->failed(t->p, class);
    c->classes[class].failed_in = c->action_number;
    return false;
}

/* Returns the oldest job of a shared class that had no turn yet, or PC_NONE. */
static uint32_t next_alike(const struct policy *p, const struct pc_class *k)
{
    const struct pc_cluster *c = p->cluster;
    uint32_t next = PC_NONE;
    if (k->single != PC_NONE || c->marks[pc_class_head(k)].tried_in != c->action_number)
        return k->single != PC_NONE ? PC_NONE : pc_class_head(k);
    for (uint32_t i = 0; i < k->jobs.count; i++) {
        uint32_t job = k->jobs.ids[i];
        if (c->marks[job].tried_in != c->action_number &&
            (next == PC_NONE || pc_compare_jobs(p, job, next, false) < 0))
            next = job;
    }
    return next;
}

static void add(struct turn *t, uint32_t job, bool may)
{
    if (pc_walk_add(t->p, t->line, job) && may)
        count_on(t, job);
}

static void add_next_alike(struct turn *t, uint32_t class, bool may)
{
    uint32_t next = next_alike(t->p, &t->p->cluster->classes[class]);
    if (next != PC_NONE)
        add(t, next, may);
}

static void visit_one(struct turn *t, uint32_t job, bool may)
{
    struct pc_cluster *c = t->p->cluster;
    uint32_t class = c->jobs[job].class;
    uint32_t queue = c->jobs[job].queue;
    const struct pc_class before = c->classes[class];
    int32_t most_free = c->most_free;
    if (!try_one(t, job, may)) {
        if (t->p->config.quota.queue_depth >= 0 ||
            !fail_alike(t->p, t->v)) /* can still succeed, or counts against the depth */
            add_next_alike(t, class, may);
        return;
    }
    bool shared = before.single == PC_NONE;
    if (shared && still_there(c, class, queue, before.shape, before.priority))
        add_next_alike(t, class, true);
    if (t->v->again && c->jobs[job].class != PC_NONE)
        add(t, job, true);
    if (!t->v->once) {
        pc_walk_look_again(t->p, t->line);
        (void)fill(t);
    }
    if (!t->v->once || c->most_free < most_free)
        look_again(t);
}

void pc_visit_pending(struct policy *p, const struct pc_visit *v)
{
    const struct pc_cluster *c = p->cluster;
    struct turn t = {.p = p, .v = v, .line = &p->cluster->pending_walk};
    if (!begin(&t))
        return;
    while (!c->out_of_memory && t.hopeful > 0) {
        uint32_t job = pc_walk_pop(p, t.line);
        if (job == PC_NONE)
            return;
        bool may = count_out(&t, job);
        if (c->jobs[job].class != PC_NONE && may_look_at(p, v, job))
            visit_one(&t, job, may);
    }
}

bool pc_evict_job(struct policy *p, uint32_t job, uint8_t reason)
{
    struct pc_cluster *c = p->cluster;
    uint32_t mark = pc_txn_mark(c);
    const struct pc_shape *s = &c->shapes[c->jobs[job].shape];
    for (uint32_t task = 0; task < s->tasks; task++)
        if (pc_is_active(&pc_task(c, job, task)->place) && !pc_txn_release(p, job, task))
            break;
    const uint8_t reasons[2] = {reason, reason};
    if (!c->out_of_memory && pc_txn_commit(p, mark, PC_NONE, reasons))
        return true;
    pc_txn_rollback(c, mark);
    return false;
}
