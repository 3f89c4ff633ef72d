/* SPDX-License-Identifier: MIT */
/* Wanted victims in walk order; see wanted.h. */
#include "act/victims/wanted.h"

#include "base/sort.h"
#include "state/evictable.h"
#include "state/tasks.h"

bool pc_wanted_add(struct pc_search *s, uint32_t job)
{
    struct pc_wanted *w = &s->c->wanted;
    if (!PC_GROW(&s->p->memory, w->of, w->capacity, w->count + 1) ||
        !PC_GROW(&s->p->memory, w->order, w->order_capacity, w->count + 1)) {
        s->c->out_of_memory = true;
        return false;
    }
    w->of[w->count++] = (struct pc_wanted_job){.job = job};
    return true;
}

/* ---- conditions ---- */

/* Returns true if jobs with recorded victims have nothing more to give. */
static bool recorded_are_whole(const struct pc_cluster *c)
{
    for (uint32_t i = 0; i < c->recorded.count; i++) {
        const struct pc_job *j = &c->jobs[c->recorded.of[i].job];
        for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++)
            if (pc_is_active(&pc_task_of(j, task)->place) && !pc_task_of(j, task)->recorded)
                return false;
    }
    return true;
}

/* Returns true if the order is known: all candidate leaves are at the top level, and all their jobs
 * may be victims except those that renewed nominations in this decision. */
static bool can_be_told(const struct pc_search *s)
{
    const struct pc_cluster *c = s->c;
    uint32_t own = c->jobs[s->job].queue;
    if (s->purpose->reach != PC_OTHERS || s->purpose->most_victims != NULL ||
        s->purpose->admits_leaf == NULL || s->displacers != 0 || c->fixed_milli > 0 ||
        !pc_order_is_monotone(s->p))
        return false;
    for (uint32_t leaf = 0; leaf < c->queue_count; leaf++) {
        const struct pc_queue *q = &c->queues[leaf];
        if (leaf == own || q->active.count == 0)
            continue;
        if (q->active.parts > 0 || pc_above(c, leaf) != POLICY_NO_ID ||
            !s->purpose->admits_leaf(s, leaf))
            return false;
    }
    return recorded_are_whole(c);
}

/* ---- positions ---- */

static bool stands_before(struct pc_evictable_place a, struct pc_evictable_place b)
{
    return a.block != b.block ? a.block < b.block : a.place < b.place;
}

/* Appends jobs that keep their places in this decision to the wanted ones: they are skipped and
 * give nothing. */
static bool list_kept(struct pc_search *s)
{
    struct pc_cluster *c = s->c;
    struct pc_wanted *w = &c->wanted;
    uint32_t first = w->count;
    bool done = true;
    for (uint32_t i = 0; c->kept_in == c->decision_number && i < c->noted_count && done; i++) {
        struct pc_job *j = &c->jobs[c->noted[i].job];
        if (j->gen != c->noted[i].gen || c->job_kept_in[c->noted[i].job] != c->decision_number ||
            !j->gives || j->marked)
            continue;
        done = pc_wanted_add(s, c->noted[i].job);
        if (done)
            w->of[w->count - 1].at =
                pc_evictable_find(s->p, &c->queues[j->queue].active, c->noted[i].job);
        j->marked = done;
    }
    for (uint32_t i = first; i < w->count; i++)
        c->jobs[w->of[i].job].marked = false;
    w->kept = w->count - first;
    w->count = first;
    return done;
}

static void leave_out_kept(const struct pc_cluster *c, uint32_t leaf, struct pc_evictable_place at,
                           struct pc_amounts *sum)
{
    const struct pc_wanted_job *kept = &c->wanted.of[c->wanted.count];
    for (uint32_t i = 0; i < c->wanted.kept; i++)
        if (c->jobs[kept[i].job].queue == leaf && stands_before(kept[i].at, at))
            pc_add(sum, &c->jobs[kept[i].job].detail->active_amounts, -1);
}

static void find(const struct pc_search *s, struct pc_wanted_job *wanted)
{
    static const struct pc_amounts nothing = {{0, 0, 0}};
    uint32_t leaf = s->c->jobs[wanted->job].queue;
    const struct pc_queue *q = &s->c->queues[leaf];
    wanted->at = pc_evictable_find(s->p, &q->active, wanted->job);
    struct pc_amounts gives = pc_evictable_sum(s->p, &q->active, wanted->at);
    leave_out_kept(s->c, leaf, wanted->at, &gives);
    wanted->standing = pc_stand(s->p, q, &nothing, &gives);
}

static bool gives_before(const void *context, uint32_t a, uint32_t b)
{
    const struct policy *p = context;
    const struct pc_wanted_job *x = &p->cluster->wanted.of[a];
    const struct pc_wanted_job *y = &p->cluster->wanted.of[b];
    if (x->standing.queue == y->standing.queue)
        return stands_before(x->at, y->at);
    return pc_compare_queues(p, &x->standing, &y->standing) > 0;
}

bool pc_wanted_sort(struct pc_search *s)
{
    struct pc_cluster *c = s->c;
    struct pc_wanted *w = &c->wanted;
    w->sorted = w->next = 0;
    if (!can_be_told(s) || !list_kept(s))
        return false;
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t job = w->of[i].job;
        if (c->jobs[job].queue == c->jobs[s->job].queue || !pc_may_be_victim(s, job))
            continue;
        find(s, &w->of[i]);
        w->order[w->sorted++] = i;
    }
    pc_sort_ids(w->order, w->sorted, gives_before, s->p);
    return true;
}

uint32_t pc_wanted_next(struct pc_cluster *c)
{
    struct pc_wanted *w = &c->wanted;
    return w->next < w->sorted ? w->of[w->order[w->next++]].job : PC_NONE;
}
