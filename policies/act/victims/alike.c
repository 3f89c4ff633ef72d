/* SPDX-License-Identifier: MIT */
/* Victims that are like others before them; see alike.h. */
#include "act/victims/alike.h"

#include "act/victims/turn_bounds.h"
#include "act/victims/victim.h"
#include "state/compare.h"
#include "state/devices.h"
#include "state/room.h"

/* ---- conditions ---- */

static bool may_go_anywhere(const struct pc_shape *shape)
{
    return pc_is_plain(shape) && shape->roles[0].request.selector == PC_NONE;
}

/* Returns true if the job is taken, and placed again, as a whole, wherever there is room. */
static bool is_simple(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_job *j = &c->jobs[job];
    return may_go_anywhere(&c->shapes[j->shape]) && pc_returns_whole(c, job) &&
           c->pool_sets[c->queues[j->queue].pool_set].tier_count == 0;
}

static bool recorded_are_simple(const struct pc_cluster *c)
{
    uint32_t i = 0;
    while (i < c->recorded.count && is_simple(c, c->recorded.of[i].job))
        i++;
    return i == c->recorded.count;
}

/* ---- nodes ---- */

static bool are_equal(const struct pc_node *a, const struct pc_node *b)
{
    return a->state == b->state && a->pool == b->pool && a->type == b->type && a->mig == b->mig &&
           a->devices == b->devices && a->usable == b->usable && a->capacity == b->capacity &&
           a->memory == b->memory && a->whole_only == b->whole_only &&
           a->in_memory == b->in_memory && a->cpu_total == b->cpu_total &&
           a->mem_total == b->mem_total && a->max_tasks == b->max_tasks;
}

/* Returns true if this task takes all devices of the node, and no other task is there or nominated
 * to it. */
static bool has_node_to_itself(const struct pc_task *t, const struct pc_request *r,
                               const struct pc_node *n)
{
    return t->place.holding == PC_RUNS && t->place.nominated == PC_NONE &&
           r->devices == n->devices && n->held == n->usable && n->state == POLICY_NODE_UP &&
           pc_popcount(n->usable) == n->devices && n->nominated_whole == 0 &&
           n->tasks_soon == n->max_tasks - 1 && n->tasks_idle == n->tasks_soon &&
           n->cpu_soon + r->cpu == n->cpu_total && n->mem_soon + r->mem == n->mem_total;
}

/* Returns true if everything on the node has left or is being released. */
static bool is_vacant(const struct pc_node *n)
{
    return pc_soon_whole(n) == n->devices && n->groups == 0 && n->cpu_soon == n->cpu_total &&
           n->mem_soon == n->mem_total && n->tasks_soon == n->max_tasks;
}

/* Lists the nodes that are vacant without a trial. Returns false if there are too many, or others
 * with room for a task. */
static bool list_vacant(struct pc_search *s, int32_t need)
{
    const struct pc_cluster *c = s->c;
    for (int32_t soon = need; soon <= c->most_devices; soon++) {
        uint32_t rank = pc_bits_first(&c->by_soon[soon]);
        for (; rank != PC_NONE; rank = pc_bits_next(&c->by_soon[soon], rank + 1)) {
            const struct pc_node *n = &c->nodes[s->p->node_of_rank[rank]];
            if (s->vacant_count == PC_VACANT || !is_vacant(n) ||
                (s->vacant_count > 0 && !are_equal(n, s->vacant[0])))
                return false;
            s->vacant[s->vacant_count++] = n;
        }
    }
    return true;
}

static bool was_vacant(const struct pc_search *s, uint32_t node)
{
    uint32_t i = 0;
    while (i < s->vacant_count && s->vacant[i] != &s->c->nodes[node])
        i++;
    return i < s->vacant_count;
}

/* ---- a step ---- */

void pc_alike_begin(struct pc_search *s, const struct pc_tasks *tasks)
{
    const struct pc_cluster *c = s->c;
    const struct pc_shape *shape = &c->shapes[c->jobs[s->job].shape];
    s->node_like = NULL;
    s->failed.count = s->vacant_count = 0;
    s->interchangeable = false;
    s->compares = !pc_tries_all(c) && may_go_anywhere(shape) && recorded_are_simple(c);
    s->skips_alike = s->compares && tasks->count > 1 && pc_turns_are_known(s) &&
                     !c->reservation.in_force && c->group_count == 0 && c->traits.fills_fullest &&
                     s->p->config.quota.consolidating_reclaim && list_vacant(s, shape->need);
}

/* ---- descriptions ---- */

/* Number of recorded victims of its leaf that have their turn before the job. */
static uint32_t turns_before(const struct pc_search *s, uint32_t job)
{
    const struct pc_cluster *c = s->c;
    uint32_t before = 0;
    uint32_t last = PC_NONE;
    for (uint32_t i = 0; i < c->recorded.count; i++) {
        uint32_t other = c->recorded.of[i].job;
        if (other != last && c->jobs[other].queue == c->jobs[job].queue)
            before += pc_compare_jobs_as(s->p, other, 0, job, 0) < 0;
        last = other;
    }
    return before;
}

bool pc_alike_describe(struct pc_search *s, uint32_t job, struct pc_alike *alike)
{
    const struct pc_cluster *c = s->c;
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *shape = &c->shapes[j->shape];
    if (!s->compares || !is_simple(c, job) || shape->need != c->shapes[c->jobs[s->job].shape].need)
        return false;
    const struct pc_node *like = s->node_like;
    if (like == NULL && s->skips_alike && s->vacant_count > 0)
        like = s->vacant[0];
    for (uint32_t task = 0; task < shape->tasks; task++) {
        const struct pc_task *t = pc_task_of(j, task);
        if (t->recorded || t->place.node == PC_NONE)
            return false;
        const struct pc_node *n = &c->nodes[t->place.node];
        if (!has_node_to_itself(t, &shape->roles[0].request, n) ||
            (like != NULL && !are_equal(n, like)))
            return false;
        like = n;
    }
    s->node_like = like;
    *alike = (struct pc_alike){j->queue, j->shape, turns_before(s, job)};
    return true;
}

uint32_t pc_alike_find(const struct pc_alikes *known, const struct pc_alike *alike)
{
    for (uint32_t i = 0; i < known->count && i < PC_ALIKES; i++)
        if (known->of[i].leaf == alike->leaf && known->of[i].shape == alike->shape &&
            known->of[i].before == alike->before)
            return i;
    return PC_NONE;
}

uint32_t pc_alike_add(struct pc_alikes *known, const struct pc_alike *alike)
{
    uint32_t i = known->count++ % PC_ALIKES;
    known->of[i] = *alike;
    return i;
}

/* ---- a trial ---- */

void pc_alike_evicted(struct pc_search *s)
{
    const struct pc_cluster *c = s->c;
    for (uint32_t i = 0; i < c->evicted.count && s->interchangeable; i++) {
        const struct pc_node *n = pc_node_of_victim(c, &c->evicted.of[i]);
        s->interchangeable = pc_soon_whole(n) < s->node_like->devices ||
                             (are_equal(n, s->node_like) && is_vacant(n) && n->idle != n->usable);
    }
}

/* Returns true if a task that was nominated to the node would also have fitted there at once: it
 * waits for nothing. Nominations do not change what is idle. */
static bool fitted_at_once(const struct pc_node *n, const struct pc_request *r)
{
    return n->released == 0 && n->parts_leaving == 0 && n->leaving == 0 && r->cpu <= n->cpu_idle &&
           r->mem <= n->mem_idle && n->tasks_idle > pc_popcount(n->groups);
}

void pc_alike_placed(struct pc_search *s)
{
    const struct pc_cluster *c = s->c;
    for (uint32_t i = 0; i < c->evicted.count && s->interchangeable; i++) {
        const struct pc_victim *v = &c->evicted.of[i];
        const struct pc_request *r = pc_request_of_victim(c, v);
        const struct pc_place *place = &pc_task(c, v->job, v->task)->place;
        bool elsewhere =
            place->holding != PC_RUNS &&
            (place->nominated == PC_NONE ||
             (fitted_at_once(&c->nodes[place->nominated], r) && !was_vacant(s, place->nominated)));
        s->interchangeable = r->devices >= s->node_like->devices || elsewhere;
    }
}
