/* SPDX-License-Identifier: MIT */
/* Jobs against their tasks, and shapes against their jobs; see check.h. */
#include "pending/pending.h"
#include "query/check.h"
#include "state/evictable.h"
#include "state/nodes.h"
#include "state/tasks.h"

#include <string.h>

/* ---- places ---- */

static bool holds_well(const struct pc_cluster *c, const struct pc_request *r,
                       const struct pc_place *place)
{
    if (place->holding == PC_NOTHING)
        return place->node == PC_NONE && place->devices == 0 && !place->started &&
               place->slice == 0 && place->counted == 0;
    if (place->counted != 0)
        return c->traits.counts_only && place->counted <= c->pool_count && place->node == PC_NONE &&
               place->devices == 0;
    if (place->node >= c->node_count || !c->nodes[place->node].exists)
        return false;
    const struct pc_node *n = &c->nodes[place->node];
    int32_t wanted = r->wants_mig ? n->mig == POLICY_MIG_FREE : r->devices;
    return pc_popcount(place->devices) == wanted &&
           (n->devices == POLICY_MAX_DEVICES || place->devices >> n->devices == 0);
}

static bool nominated_well(const struct pc_cluster *c, const struct pc_request *r,
                           const struct pc_place *place)
{
    if (place->nominated == PC_NONE)
        return place->nominated_devices == 0 && place->nominated_slice == 0;
    if (place->nominated >= c->node_count || !c->nodes[place->nominated].exists ||
        place->holding == PC_RUNS)
        return false;
    bool made = r->wants_mig && c->nodes[place->nominated].mig == POLICY_MIG_FREE;
    int32_t wanted = made ? 1 : pc_wants_share(r) ? r->devices : 0;
    return pc_popcount(place->nominated_devices) == wanted;
}

/* Checks that the task is listed exactly if its decision is still to be written. */
static bool stands_in_noted(const struct pc_cluster *c, uint32_t job, uint32_t task)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < c->noted_count; i++)
        found += c->noted[i].job == job && c->noted[i].gen == c->jobs[job].gen &&
                 c->noted[i].task == task;
    return found == 1;
}

static const char *check_task(const struct pc_cluster *c, uint32_t job, uint32_t task)
{
    const struct pc_job *j = &c->jobs[job];
    const struct pc_task *t = pc_task_of(j, task);
    const struct pc_request *r = &pc_role_of(&c->shapes[j->shape], task)->request;
    if (t->popped || t->recorded || t->trial)
        return "a task's marks of the search for victims";
    if (!holds_well(c, r, &t->place))
        return "what a task holds";
    if (!nominated_well(c, r, &t->place))
        return "where a task is nominated to";
    bool somewhere = t->place.holding != PC_NOTHING || t->place.nominated != PC_NONE;
    if (somewhere && (t->end > PC_GATED || j->state != PC_LIVE))
        return "the place of a task that has ended, or whose job waits for its time";
    if (t->noted != stands_in_noted(c, job, task) || (t->place.nominated != PC_NONE && !t->noted))
        return "the list of tasks that were decided about";
    return NULL;
}

/* ---- counts ---- */

static void count(struct pc_counts *n, const struct pc_task *t)
{
    bool runs = t->place.holding == PC_RUNS;
    bool nominated = t->place.nominated != PC_NONE;
    bool leaves = t->place.holding == PC_RELEASING;
    n->active += runs || nominated;
    n->running += runs;
    n->releasing += leaves && !nominated;
    n->pending += t->end == PC_ALIVE && !runs && !nominated && !leaves;
    n->gated += t->end == PC_GATED;
    n->succeeded += t->end == PC_SUCCEEDED;
}

static const char *check_counts(const struct pc_cluster *c, const struct pc_job *j)
{
    const struct pc_shape *s = &c->shapes[j->shape];
    struct pc_counts sum = {0};
    for (uint32_t set = 0; set < s->set_count; set++) {
        struct pc_counts n = {0};
        for (uint32_t i = 0; j->state == PC_LIVE && i < s->sets[set].tasks; i++)
            count(&n, pc_task_of(j, s->sets[set].first_task + i));
        const struct pc_counts counts = pc_counts_of(c, j, set);
        if (memcmp(&n, &counts, sizeof n) != 0)
            return "the counts of a job's pod set";
        sum.active += n.active;
        sum.running += n.running;
        sum.releasing += n.releasing;
        sum.pending += n.pending;
    }
    return sum.active == j->active && sum.running == j->running && sum.releasing == j->releasing &&
                   sum.pending == j->pending
               ? NULL
               : "the counts of a job";
}

/* A leaf lists its evictable jobs with active tasks. */
static const char *check_active(const struct policy *p, uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    const struct pc_queue *q = &c->queues[j->queue];
    if (!q->exists || !q->leaf)
        return "a job's queue";
    if (j->gives != (pc_may_give(p, j) && j->active > 0))
        return "whether a job is listed as active";
    if (j->gives && !pc_evictable_has(p, &q->active, job))
        return "a job's place among the active ones of its queue";
    return j->marked ||
                   (j->detail != NULL && (j->detail->popped != PC_NONE || j->detail->gives != 0))
               ? "a job's marks of the search for victims"
               : NULL;
}

/* ---- shapes ---- */

static const char *check_roles(const struct pc_shape *s)
{
    uint32_t tasks = 0;
    for (uint32_t i = 0; i < s->role_count; i++) {
        const struct pc_set *set = &s->sets[s->roles[i].set];
        bool first = i == 0 || s->roles[i].set != s->roles[i - 1].set;
        if (s->roles[i].first_task != tasks || (first && set->first_task != tasks))
            return "the tasks of a shape's roles";
        tasks += s->roles[i].tasks;
        bool last = i + 1 == s->role_count || s->roles[i].set != s->roles[i + 1].set;
        if (last && set->first_task + set->tasks != tasks)
            return "the tasks of a shape's pod set";
    }
    return tasks == s->tasks ? NULL : "the tasks of a shape";
}

/* The request of its minimum, task by task, and the smallest request of a task. */
static const char *check_minimum(const struct pc_cluster *c, const struct pc_shape *s)
{
    struct pc_amounts sum = {{0, 0, 0}};
    int32_t need = INT32_MAX;
    for (uint32_t task = 0; task < s->tasks; task++) {
        const struct pc_role *role = pc_role_of(s, task);
        const struct pc_set *set = &s->sets[role->set];
        struct pc_amounts weight = pc_weigh_pending(c, &role->request);
        int32_t whole = pc_wants_share(&role->request) ? 0 : role->request.devices;
        need = whole < need ? whole : need;
        if (set->min_tasks == 0 || task - set->first_task < (uint32_t)set->min_tasks)
            pc_add(&sum, &weight, 1);
    }
    bool mixed = false;
    for (uint32_t i = 1; i < s->role_count; i++)
        mixed = mixed || memcmp(&s->roles[i].request, &s->roles[i - 1].request,
                                sizeof s->roles->request) != 0;
    if (mixed != s->mixed)
        return "whether all tasks of a shape ask for the same";
    if (need != s->need)
        return "the fewest devices that a task of a shape wants";
    return s->wants_memory || memcmp(&sum, &s->first, sizeof sum) == 0
               ? NULL
               : "what the minimum of a shape asks for";
}

/* Task by task. */
static const char *check_total(const struct pc_shape *s)
{
    struct pc_amounts sum = {{0, 0, 0}};
    for (uint32_t task = 0; task < s->tasks; task++) {
        const struct pc_request *r = &pc_role_of(s, task)->request;
        int64_t share = r->memory > 0 ? 10 * (r->memory + 1) : POLICY_WHOLE;
        sum.of[PC_GPU] += r->wants_mig ? r->mig_milli : share * r->devices;
        sum.of[PC_CPU] += r->cpu;
        sum.of[PC_MEM] += r->mem;
    }
    return memcmp(&sum, &s->total, sizeof sum) == 0 ? NULL : "what all tasks of a shape ask for";
}

static const char *check_shape(const struct pc_cluster *c, uint32_t id)
{
    const struct pc_shape *s = &c->shapes[id];
    uint32_t users = 0;
    uint32_t found = 0;
    for (uint32_t i = 0; i < c->job_count; i++)
        users += c->jobs[i].state != PC_FREE && c->jobs[i].shape == id;
    for (uint32_t i = 0; c->pending != NULL && i < c->pending->class_count; i++) {
        const struct pc_job_class *k = &c->pending->classes[i];
        users += k->exists && !k->alone && k->shape == id;
    }
    if (users != s->users)
        return "the users of a shape";
    if (users == 0)
        return NULL;
    for (uint32_t at = c->shape_hash[s->hash & (c->shape_hash_capacity - 1)]; at != PC_NONE;
         at = c->shapes[at].next_in_hash)
        found += at == id;
    if (found != 1)
        return "a shape in the table by hash";
    const char *wrong = check_roles(s);
    if (wrong == NULL)
        wrong = check_total(s);
    return wrong != NULL ? wrong : check_minimum(c, s);
}

static const char *check_shapes(const struct pc_cluster *c)
{
    const char *wrong = NULL;
    uint32_t live = 0;
    uint32_t linked = 0;
    uint32_t unused = 0;
    for (uint32_t i = 0; i < c->shape_count && wrong == NULL; i++) {
        live += c->shapes[i].users > 0;
        wrong = check_shape(c, i);
    }
    for (uint32_t i = 0; i < c->shape_hash_capacity && wrong == NULL; i++)
        for (uint32_t at = c->shape_hash[i]; at != PC_NONE; at = c->shapes[at].next_in_hash)
            linked++;
    for (uint32_t at = c->shape_free; at != PC_NONE && wrong == NULL;
         at = c->shapes[at].next_in_hash)
        unused++;
    if (wrong == NULL &&
        (live != c->shapes_live || linked != live || unused + live != c->shape_count))
        wrong = "the number of shapes";
    return wrong;
}

/* ---- all ---- */

static const char *check_job(const struct policy *p, uint32_t id)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[id];
    const char *wrong = check_counts(c, j);
    for (uint32_t task = 0; task < c->shapes[j->shape].tasks && wrong == NULL; task++)
        wrong = check_task(c, id, task);
    return wrong != NULL ? wrong : check_active(p, id);
}

const char *pc_check_jobs(const struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    const char *wrong = NULL;
    uint32_t unused = 0;
    for (uint32_t at = c->job_free; at != PC_NONE && unused <= c->job_count; at = c->jobs[at].shape)
        unused++;
    struct pc_amounts total = {{0, 0, 0}};
    for (uint32_t i = 0; i < c->job_count && wrong == NULL; i++) {
        unused -= c->jobs[i].state == PC_FREE;
        if (c->jobs[i].state == PC_FREE)
            continue;
        pc_add(&total, &c->shapes[c->jobs[i].shape].total, 1);
        wrong = check_job(p, i);
    }
    if (wrong == NULL && memcmp(&total, &c->jobs_total, sizeof total) != 0)
        wrong = "what all jobs ask for";
    if (wrong == NULL && unused != 0)
        wrong = "the list of free jobs";
    if (wrong == NULL &&
        (c->undo_count != 0 || c->trying || c->partial_job != PC_NONE || c->reservation.in_force))
        wrong = "a transaction that was left open";
    return wrong != NULL ? wrong : check_shapes(c);
}
