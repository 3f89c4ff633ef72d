/* SPDX-License-Identifier: MIT */
/* Pending jobs: classes, jobs that are not yet eligible, gangs below their minimum; see check.h. */
#include "order/queue_walk.h"
#include "query/check.h"
#include "state/devices.h"
#include "state/evictable.h"
#include "state/gangs.h"
#include "state/jobs.h"
#include "state/nodes.h"
#include "state/scarcity.h"
#include "state/shapes.h"
#include "state/tasks.h"

#include <string.h>

/* ---- classes ---- */

/* Returns true if every pod set can reach its minimum with tasks that are running, nominated or
 * placeable. */
static bool is_ready(const struct pc_cluster *c, const struct pc_job *j)
{
    const struct pc_shape *s = &c->shapes[j->shape];
    for (uint32_t set = 0; set < s->set_count; set++) {
        int32_t alive = 0;
        for (uint32_t i = 0; i < s->sets[set].tasks; i++) {
            const struct pc_task *t = pc_task_of(j, s->sets[set].first_task + i);
            alive += pc_is_active(&t->place) || pc_is_pending(t);
        }
        if (alive < s->sets[set].min_tasks)
            return false;
    }
    return true;
}

static const char *check_membership(const struct pc_cluster *c, uint32_t id)
{
    const struct pc_job *j = &c->jobs[id];
    bool waits = j->state == PC_LIVE && j->pending > 0 && !j->shut && is_ready(c, j);
    if ((j->class != PC_NONE) != waits)
        return "whether a job waits";
    if (!waits)
        return NULL;
    if (j->class >= c->class_count || !c->classes[j->class].exists)
        return "a job's class";
    const struct pc_class *k = &c->classes[j->class];
    if (k->queue != j->queue || k->shape != j->shape || k->priority != j->priority ||
        k->preemptible != j->preemptible || k->workload != j->workload ||
        (k->limit_ms != j->limit_ms && k->limit_ms >= 0))
        return "the kind of a job's class";
    if (k->single != PC_NONE)
        return k->single == id ? NULL : "a class of one job";
    if ((uint32_t)j->pending != c->shapes[j->shape].tasks)
        return "a job that has begun, in a class of others";
    if (j->place_in_class >= k->jobs.count || k->jobs.ids[j->place_in_class] != id)
        return "a job's place in its class";
    return NULL;
}

static bool are_alike(const struct pc_class *a, const struct pc_class *b)
{
    return a->shape == b->shape && a->priority == b->priority && a->preemptible == b->preemptible &&
           a->workload == b->workload && a->limit_ms == b->limit_ms;
}

static const char *check_class(const struct policy *p, uint32_t id)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_class *k = &c->classes[id];
    const struct pc_queue *q = &c->queues[k->queue];
    if (k->place_in_queue >= q->class_count || q->classes[k->place_in_queue] != id)
        return "a class in its queue's list";
    if (k->single != PC_NONE)
        return k->jobs.count == 0 && c->jobs[k->single].class == id ? NULL : "the job of a class";
    if (k->jobs.count == 0)
        return "a class without jobs";
    for (uint32_t i = 0; i < k->jobs.count; i++) {
        if (c->jobs[k->jobs.ids[i]].class != id)
            return "the jobs of a class";
        if (i > 0 && pc_compare_jobs(p, k->jobs.ids[(i - 1) / 2], k->jobs.ids[i], false) >= 0)
            return "the order of a class";
    }
    for (uint32_t i = 0; i < id; i++) {
        const struct pc_class *other = &c->classes[i];
        if (other->exists && other->single == PC_NONE && other->queue == k->queue &&
            are_alike(k, other))
            return "two classes of one kind";
    }
    return NULL;
}

/* The classes of a queue that request no devices. */
static const char *check_bare(const struct pc_cluster *c, const struct pc_queue *q)
{
    uint32_t bare = 0;
    for (uint32_t i = 0; i < q->class_count; i++)
        bare += c->shapes[c->classes[q->classes[i]].shape].bare;
    return bare == q->bare_classes ? NULL
                                   : "the classes of a queue with tasks that want no devices";
}

static const char *check_classes(const struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    const char *wrong = NULL;
    uint32_t exist = 0;
    uint32_t listed = 0;
    uint32_t unused = 0;
    for (uint32_t i = 0; i < c->class_count && wrong == NULL; i++) {
        exist += c->classes[i].exists;
        wrong = c->classes[i].exists ? check_class(p, i) : NULL;
    }
    for (uint32_t i = 0; i < c->queue_count && wrong == NULL; i++) {
        listed += c->queues[i].class_count;
        wrong = check_bare(c, &c->queues[i]);
    }
    for (uint32_t at = c->class_free; at != PC_NONE && unused <= c->class_count;
         at = c->classes[at].next_free)
        unused++;
    if (wrong == NULL && (listed != exist || unused + exist != c->class_count))
        wrong = "the number of classes";
    return wrong;
}

/* ---- held jobs ---- */

static const char *check_held(const struct pc_cluster *c)
{
    uint32_t held = 0;
    for (uint32_t i = 0; i < c->job_count; i++) {
        const struct pc_job *j = &c->jobs[i];
        if (j->state != PC_HELD)
            continue;
        held++;
        if (j->place_in_class >= c->held.count || c->held.ids[j->place_in_class] != i)
            return "a job's place among those whose time has not come";
        if (j->place_in_class == 0)
            continue;
        const struct pc_job *above = &c->jobs[c->held.ids[(j->place_in_class - 1) / 2]];
        if (pc_eligible(c, above) > pc_eligible(c, j) ||
            (pc_eligible(c, above) == pc_eligible(c, j) && above->rank >= j->rank))
            return "the order of jobs whose time has not come";
    }
    return held == c->held.count ? NULL : "the number of jobs whose time has not come";
}

/* ---- jobs in no class ---- */

static const char *check_counted(const struct pc_cluster *c, uint32_t queue)
{
    const struct pc_queue *q = &c->queues[queue];
    struct pc_waiting early = {0, 0};
    struct pc_waiting absent[3] = {{0, 0}};
    for (uint32_t i = 0; i < c->job_count; i++) {
        const struct pc_job *j = &c->jobs[i];
        if (j->state == PC_FREE || j->queue != queue)
            continue;
        bool lacks = j->state == PC_LIVE && j->pending > 0 && (j->shut || !is_ready(c, j));
        if (c->pending != NULL && !c->shapes[j->shape].elastic && j->running + j->releasing > 0)
            lacks = false; /* the rest of a partly running gang is not pending */
        if (j->absent != (!lacks ? PC_PRESENT : j->shut ? PC_SHUT : PC_UNREADY))
            return "whether a job has too few tasks that may start";
        struct pc_waiting *sum = lacks ? &absent[j->absent] : &early;
        if (!lacks && j->state != PC_HELD)
            continue;
        sum->jobs++;
        sum->gpu_milli += c->shapes[j->shape].first.of[PC_GPU];
    }
    if (early.jobs != q->early.jobs || early.gpu_milli != q->early.gpu_milli)
        return "the jobs of a queue whose time has not come";
    return memcmp(absent, q->absent, sizeof absent) == 0
               ? NULL
               : "the jobs of a queue with too few tasks that may start";
}

/* ---- the order of evictable jobs ---- */

static const char *check_active(const struct policy *p, const struct pc_queue *q)
{
    const struct pc_cluster *c = p->cluster;
    struct pc_evictable_place at = {0, 0};
    uint32_t last = PC_NONE;
    uint32_t count = 0;
    uint32_t parts = 0;
    int32_t lowest = INT32_MAX;
    struct pc_amounts sum = {{0, 0, 0}};
    for (uint32_t job; (job = pc_evictable_at(&q->active, at)) != PC_NONE;
         pc_evictable_next(&q->active, &at)) {
        const struct pc_amounts amounts = pc_active_amounts(c, job);
        const struct pc_amounts known = pc_evictable_sum(p, &q->active, at);
        pc_add(&sum, &amounts, 1);
        if (!pc_equal_amounts(&sum, &known))
            return "what the active jobs of a queue amount to";
        parts += c->jobs[job].detail->gives_as != 0;
        lowest = c->jobs[job].priority < lowest ? c->jobs[job].priority : lowest;
        if (!c->jobs[job].gives || &c->queues[c->jobs[job].queue] != q)
            return "a job's place among the active ones of its queue";
        if (c->jobs[job].detail->gives_as != pc_elastic_state(c, job, true))
            return "the elastic state of an active job";
        if (memcmp(&c->jobs[job].detail->active_amounts, &amounts, sizeof amounts) != 0)
            return "what an active job's tasks amount to";
        if (last != PC_NONE && pc_compare_jobs(p, last, job, true) <= 0)
            return "the order of a queue's active jobs";
        last = job;
        count++;
    }
    if (count > 0 && lowest != q->active.lowest)
        return "the lowest priority of a queue's active jobs";
    return count == q->active.count && parts == q->active.parts
               ? NULL
               : "the number of a queue's active jobs";
}

/* The same jobs by size class. */
static const char *check_sizes(const struct pc_cluster *c, const struct pc_queue *q)
{
    uint32_t count = 0;
    for (uint32_t size = 0; size < PC_SIZES; size++) {
        uint32_t last = PC_NONE;
        for (uint32_t job = q->of_size[size]; job != PC_NONE;
             job = c->jobs[job].detail->next_of_size) {
            const struct pc_job *j = &c->jobs[job < c->job_count ? job : 0];
            if (job >= c->job_count || j->detail->last_of_size != last ||
                pc_size_of(&c->shapes[j->shape]) != size || !j->gives ||
                &c->queues[j->queue] != q || count == q->active.count)
                return "a job among the active ones of its queue by size";
            count++;
            last = job;
        }
    }
    return count == q->active.count ? NULL : "a queue's active jobs by size";
}

/* ---- searches known to fail ---- */

/* The devices of the job's active tasks, as given up on their nodes (sign 1) or not (-1). Returns
 * by how many tasks of `devices` this increases what those nodes could hold, from none on. */
static int64_t give_up(const struct pc_cluster *c, uint32_t job, int32_t devices, int32_t sign)
{
    const struct pc_job *j = &c->jobs[job];
    int64_t more = 0;
    for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++) {
        const struct pc_place *place = &pc_task_of(j, task)->place;
        if (!pc_is_active(place))
            continue;
        const struct pc_request *r = pc_request_of(c, job, task);
        struct pc_node *n = &c->nodes[pc_stands_on(place)];
        int32_t soon = pc_soon_whole(n) < n->measured_whole ? pc_soon_whole(n) : n->measured_whole;
        int32_t before = soon + n->trial_freed;
        n->trial_freed += sign * pc_devices_under(r);
        int32_t after = soon + n->trial_freed;
        if (n->state == POLICY_NODE_UP && sign > 0)
            more += (after > 0 ? after / devices : 0) - (before > 0 ? before / devices : 0);
    }
    return more;
}

/* Returns true if the listed job is behind the one that this was remembered for. */
static bool is_victim_of(const struct pc_cluster *c, const struct pc_scarcity *known, uint32_t job)
{
    int gives_as = c->jobs[job].detail->gives_as;
    bool ahead = c->jobs[job].key.major == known->key.major && gives_as < 0;
    bool rigid = c->jobs[job].key.minor > known->key.minor ||
                 (c->jobs[job].key.minor == known->key.minor && c->jobs[job].rank > known->rank);
    bool behind = c->jobs[job].key.major > known->key.major || gives_as > 0 || rigid;
    return pc_scarcity_concerns(c, known, job) && behind && !ahead;
}

/* What is free elsewhere does not count, nor what became free on these nodes since the last
 * count. */
static const char *check_scarcities(const struct pc_cluster *c, const struct pc_queue *q)
{
    for (uint32_t i = 0; i < q->scarcity_count; i++) {
        const struct pc_scarcity *known = &q->scarcities[i];
        int64_t room = 0;
        for (int32_t sign = 1; sign >= -1; sign -= 2) {
            struct pc_evictable_place at = {0, 0};
            for (uint32_t job; (job = pc_evictable_at(&q->active, at)) != PC_NONE;
                 pc_evictable_next(&q->active, &at))
                if (is_victim_of(c, known, job))
                    room += give_up(c, job, known->devices, sign);
        }
        if (room > known->room)
            return "a search among a queue's active jobs that is known to fail";
    }
    return NULL;
}

/* ---- stale gangs ---- */

static bool is_stale(const struct pc_cluster *c, const struct pc_job *j)
{
    const struct pc_shape *s = &c->shapes[j->shape];
    int32_t used = 0;
    bool below = false;
    for (uint32_t set = 0; set < s->set_count; set++) {
        int32_t of_set = 0;
        for (uint32_t i = 0; i < s->sets[set].tasks; i++) {
            const struct pc_task *t = pc_task_of(j, s->sets[set].first_task + i);
            if (t->end == PC_SUCCEEDED)
                return false;
            of_set += t->place.holding != PC_NOTHING || t->place.nominated != PC_NONE;
        }
        below = below || of_set < s->sets[set].min_tasks;
        used += of_set;
    }
    return used > 0 && below;
}

static const char *check_stale(const struct pc_cluster *c)
{
    uint32_t stale = 0;
    for (uint32_t i = 0; i < c->job_count; i++) {
        const struct pc_job *j = &c->jobs[i];
        if (j->state == PC_FREE)
            continue;
        if (j->stale != (j->state == PC_LIVE && is_stale(c, j)))
            return "whether a gang is stale";
        uint32_t found = 0;
        for (uint32_t k = 0; k < c->stale_count; k++)
            found += c->stale[k] == i;
        if (found != j->stale)
            return "the list of stale gangs";
        stale += j->stale;
    }
    return stale == c->stale_count ? NULL : "the number of stale gangs";
}

const char *pc_check_waiting(const struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    const char *wrong = c->pending != NULL ? pc_check_pending(p) : check_classes(p);
    for (uint32_t i = 0; c->pending == NULL && i < c->job_count && wrong == NULL; i++)
        wrong = c->jobs[i].state != PC_FREE ? check_membership(c, i) : NULL;
    for (uint32_t i = 0; i < c->queue_count && wrong == NULL; i++)
        wrong = check_active(p, &c->queues[i]);
    for (uint32_t i = 0; i < c->queue_count && wrong == NULL; i++)
        wrong = c->queues[i].exists ? check_sizes(c, &c->queues[i]) : NULL;
    for (uint32_t i = 0; i < c->queue_count && wrong == NULL; i++)
        wrong = c->queues[i].exists ? check_scarcities(c, &c->queues[i]) : NULL;
    for (uint32_t i = 0; i < c->queue_count && wrong == NULL; i++)
        wrong = c->queues[i].exists ? check_counted(c, i) : NULL;
    if (wrong == NULL)
        wrong = check_held(c);
    return wrong != NULL || c->pending != NULL ? wrong : check_stale(c);
}
