/* SPDX-License-Identifier: MIT */
/* The next tasks of a job; see gangs.h. */
#include "state/gangs.h"

#include "state/nodes.h"
#include "state/tasks.h"

static bool push(struct policy *p, struct pc_tasks *list, uint32_t task)
{
    if (!PC_GROW(&p->memory, list->ids, list->capacity, list->count + 1)) {
        p->cluster->out_of_memory = true;
        return false;
    }
    list->ids[list->count++] = task;
    return true;
}

void pc_tasks_free(struct policy *p, struct pc_tasks *list)
{
    pc_release(&p->memory, list->ids, list->capacity, sizeof *list->ids);
}

static int32_t standing(const struct pc_cluster *c, const struct pc_job *j, uint32_t set)
{
    const struct pc_counts n = pc_counts_of(c, j, set);
    return n.active - n.popped;
}

/* ---- to place ---- */

/* Adds up to `most` candidate tasks of the pod set. */
static bool push_candidates(struct policy *p, uint32_t job, uint32_t set, int32_t most,
                            struct pc_tasks *list)
{
    const struct pc_job *j = &p->cluster->jobs[job];
    const struct pc_set *s = &p->cluster->shapes[j->shape].sets[set];
    for (uint32_t i = s->first_task; i < s->first_task + s->tasks && most > 0; i++) {
        if (!pc_is_candidate(pc_task_of(j, i)))
            continue;
        if (!push(p, list, i))
            return false;
        most--;
    }
    return true;
}

static bool has_candidate(const struct pc_job *j, const struct pc_set *s)
{
    for (uint32_t i = s->first_task; i < s->first_task + s->tasks; i++)
        if (pc_is_candidate(pc_task_of(j, i)))
            return true;
    return false;
}

/* Returns the pod set with a candidate that has the fewest active tasks relative to its minimum. */
static uint32_t least_grown(const struct pc_cluster *c, const struct pc_job *j,
                            const struct pc_shape *s)
{
    uint32_t best = PC_NONE;
    for (uint32_t i = 0; i < s->set_count; i++) {
        if (!has_candidate(j, &s->sets[i]))
            continue;
        if (best == PC_NONE || (int64_t)pc_counts_of(c, j, i).active * s->sets[best].min_tasks <
                                   (int64_t)pc_counts_of(c, j, best).active * s->sets[i].min_tasks)
            best = i;
    }
    return best;
}

/* Lists all tasks of a job without any decision so far. */
static bool push_all(struct policy *p, const struct pc_shape *s, struct pc_tasks *list)
{
    if (!PC_GROW(&p->memory, list->ids, list->capacity, s->tasks)) {
        p->cluster->out_of_memory = true;
        return false;
    }
    for (uint32_t i = 0; i < s->tasks; i++)
        list->ids[i] = i;
    list->count = s->tasks;
    return true;
}

bool pc_next_tasks(struct policy *p, uint32_t job, struct pc_tasks *list)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    bool below = false;
    list->count = 0;
    if (j->detail == NULL && !s->elastic)
        return push_all(p, s, list);
    for (uint32_t i = 0; i < s->set_count; i++) {
        int32_t lacks = s->sets[i].min_tasks - pc_counts_of(c, j, i).active;
        if (lacks <= 0)
            continue;
        below = true;
        if (!push_candidates(p, job, i, lacks, list))
            return false;
    }
    uint32_t set = below ? PC_NONE : least_grown(c, j, s);
    return set == PC_NONE || push_candidates(p, job, set, 1, list);
}

struct pc_amounts pc_amounts_of(const struct pc_cluster *c, uint32_t job,
                                const struct pc_tasks *list, bool gate)
{
    const struct pc_shape *s = &c->shapes[c->jobs[job].shape];
    struct pc_amounts sum = {{0, 0, 0}};
    for (uint32_t i = 0; i < list->count; i++) {
        const struct pc_request *r = &pc_role_of(s, list->ids[i])->request;
        struct pc_amounts weight = pc_weigh_pending(c, r);
        if (gate && r->memory > 0)
            weight.of[PC_GPU] = 0;
        pc_add(&sum, &weight, 1);
    }
    return sum;
}

struct pc_amounts pc_next_amounts(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_shape *s = &c->shapes[c->jobs[job].shape];
    if (job == c->partial_job)
        return c->partial_amounts;
    if (!s->wants_memory && (uint32_t)c->jobs[job].pending == s->tasks)
        return s->first;
    if (!pc_next_tasks(p, job, &c->asked))
        return (struct pc_amounts){{0, 0, 0}};
    return pc_amounts_of(c, job, &c->asked, false);
}

/* ---- to evict ---- */

/* Returns the pod set above its minimum with the most active tasks relative to it; ties: the
 * last. */
static uint32_t most_grown(const struct pc_cluster *c, const struct pc_job *j,
                           const struct pc_shape *s)
{
    uint32_t best = PC_NONE;
    for (uint32_t i = 0; i < s->set_count; i++) {
        if (standing(c, j, i) <= s->sets[i].min_tasks)
            continue;
        if (best == PC_NONE || (int64_t)standing(c, j, i) * s->sets[best].min_tasks >=
                                   (int64_t)standing(c, j, best) * s->sets[i].min_tasks)
            best = i;
    }
    return best;
}

static bool stands(const struct pc_task *t)
{
    return pc_is_active(&t->place) && !t->popped;
}

bool pc_next_victims(struct policy *p, uint32_t job, struct pc_tasks *list, bool *more)
{
    const struct pc_job *j = &p->cluster->jobs[job];
    const struct pc_shape *s = &p->cluster->shapes[j->shape];
    uint32_t set = most_grown(p->cluster, j, s);
    list->count = 0;
    *more = set != PC_NONE;
    if (set != PC_NONE) {
        uint32_t task = s->sets[set].first_task + s->sets[set].tasks;
        while (!stands(pc_task_of(j, --task)))
            continue;
        return push(p, list, task);
    }
    for (uint32_t i = 0; i < s->tasks; i++)
        if (stands(pc_task_of(j, i)) && !push(p, list, i))
            return false;
    return true;
}

int pc_elastic_state(const struct pc_cluster *c, uint32_t job, bool as_victim)
{
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    int state = 0;
    for (uint32_t i = 0; i < s->set_count; i++) {
        int32_t above =
            (as_victim ? standing(c, j, i) : pc_counts_of(c, j, i).active) - s->sets[i].min_tasks;
        if (above < 0)
            return -1;
        state = above > 0 ? 1 : state;
    }
    return state;
}

bool pc_is_whole(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    for (uint32_t i = 0; i < s->set_count; i++)
        if (pc_counts_of(c, j, i).active + pc_counts_of(c, j, i).releasing < s->sets[i].min_tasks)
            return false;
    return true;
}

bool pc_is_below_minimum(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    for (uint32_t i = 0; i < s->set_count; i++)
        if (pc_counts_of(c, j, i).active < s->sets[i].min_tasks)
            return true;
    return false;
}
