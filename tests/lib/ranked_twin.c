/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The naive twin of ranked queueing; see ranked_twin.h. */
#include "tests/lib/ranked_twin.h"

#include <string.h>

static bool runs(const struct ranked_world *w, uint32_t job)
{
    return w->world.jobs[job].state == WORLD_ACTIVE && !w->facts[job].leaving;
}

/* ---- the order ---- */

static int64_t key_of(const struct ranked_world *w, uint32_t job)
{
    const struct ranked_fact *f = &w->facts[job];
    int64_t milli = w->world.jobs[job].gpu_milli;
    int64_t ran = runs(w, job) ? w->now - f->since : 0;
    if (w->order == RANKED_ATTAINED) {
        int64_t level = 0;
        for (int i = 0; i < POLICY_MAX_THRESHOLDS && w->thresholds[i] > 0; i++)
            level += f->attained + milli * ran > w->thresholds[i];
        return level;
    }
    if (f->remaining < 0)
        return INT64_MAX;
    int64_t left = f->remaining > ran ? f->remaining - ran : 0;
    return w->order == RANKED_REMAINING_GPU ? left * milli : left;
}

/* Returns true if job a comes before job b. */
static bool before(const struct ranked_world *w, uint32_t a, uint32_t b)
{
    const struct ranked_fact *x = &w->facts[a];
    const struct ranked_fact *y = &w->facts[b];
    if (key_of(w, a) != key_of(w, b))
        return key_of(w, a) < key_of(w, b);
    if (w->order == RANKED_ATTAINED && x->submitted != y->submitted)
        return x->submitted < y->submitted;
    if (runs(w, a) != runs(w, b))
        return runs(w, a) != w->waiting_first;
    if (runs(w, a))
        return x->started < y->started;
    return x->entered != y->entered ? x->entered < y->entered : x->turn < y->turn;
}

/* Lists the pending and running jobs of a lane (a queue, or -1: all), in order; returns their
 * number. */
static uint32_t arrange(const struct ranked_world *w, int lane, uint32_t *list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < WORLD_JOBS; i++) {
        const struct world_job *job = &w->world.jobs[i];
        bool waits = job->state == WORLD_PENDING && world_ever_fits(&w->world, job);
        if ((!waits && !runs(w, i)) || (lane >= 0 && job->queue != (uint32_t)lane))
            continue;
        uint32_t at = count++;
        for (; at > 0 && before(w, i, list[at - 1]); at--)
            list[at] = list[at - 1];
        list[at] = i;
    }
    return count;
}

/* ---- the budget: for each set of pools that a queue is bound to ---- */

/* Thousandths of usable devices that the job holds in these pools. */
static int64_t holds_in(const struct world *w, uint32_t id, uint32_t pools)
{
    const struct world_job *job = &w->jobs[id];
    if (job->state != WORLD_ACTIVE)
        return 0;
    if (job->counted)
        return (pools >> job->pool & 1) != 0 ? job->gpu_milli : 0;
    int64_t sum = 0;
    for (uint32_t t = 0; t < job->tasks; t++) {
        const struct world_node *n = &w->nodes[job->task[t].node];
        if (job->task[t].holds && (pools >> n->spec.pool & 1) != 0 && n->state == POLICY_NODE_UP)
            sum += (int64_t)__builtin_popcountll(job->task[t].devices & n->usable) *
                   world_milli(world_request(job, t));
    }
    return sum;
}

static int64_t free_in(const struct world *w, uint32_t pools)
{
    int64_t sum = 0;
    for (uint32_t pool = 0; pool < WORLD_POOLS && w->counts; pool++)
        sum += (pools >> pool & 1) != 0 ? world_pool_free(w, pool) : 0;
    for (uint32_t i = 0; i < WORLD_NODES && !w->counts; i++)
        if (w->nodes[i].exists && w->nodes[i].state == POLICY_NODE_UP &&
            (pools >> w->nodes[i].spec.pool & 1) != 0)
            sum += world_free(&w->nodes[i]);
    return sum;
}

static int64_t wants_in(const struct world *w, uint32_t id, uint32_t pools)
{
    const struct world_job *job = &w->jobs[id];
    if (job->state == WORLD_ACTIVE)
        return holds_in(w, id, pools);
    return (w->queues[job->queue].pools & ~pools) == 0 ? job->gpu_milli : 0;
}

static bool is_of(const struct world *w, uint32_t id, int lane)
{
    return w->jobs[id].state == WORLD_ACTIVE && (lane < 0 || w->jobs[id].queue == (uint32_t)lane);
}

/* Divides the devices: `chosen` marks the pending jobs that get some, `evicted` the running ones
 * that get none. */
static void divide(const struct ranked_world *rw, int lane, const uint32_t *list, uint32_t count,
                   bool *chosen, bool *evicted)
{
    const struct world *w = &rw->world;
    int64_t left[WORLD_QUEUES] = {0};
    for (uint32_t q = 0; q < WORLD_QUEUES; q++) {
        left[q] = free_in(w, w->queues[q].pools);
        for (uint32_t i = 0; i < WORLD_JOBS; i++)
            left[q] += is_of(w, i, lane) ? holds_in(w, i, w->queues[q].pools) : 0;
    }
    for (int fixed = 1; fixed >= 0; fixed--)
        for (uint32_t i = 0; i < count; i++) {
            uint32_t id = list[i];
            bool stays = runs(rw, id) && !rw->facts[id].preemptible;
            if (stays != (fixed == 1))
                continue;
            bool fits = true;
            for (uint32_t q = 0; q < WORLD_QUEUES; q++) {
                int64_t wants = w->queues[q].exists && (lane < 0 || q == (uint32_t)lane)
                                    ? wants_in(w, id, w->queues[q].pools)
                                    : 0;
                fits = fits && (wants == 0 || wants <= left[q]);
            }
            for (uint32_t q = 0; q < WORLD_QUEUES; q++)
                left[q] -= fits || stays ? wants_in(w, id, w->queues[q].pools) : 0;
            chosen[id] = fits && !runs(rw, id);
            evicted[id] = !fits && !stays && runs(rw, id);
        }
}

/* ---- one lane ---- */

static void evict(struct ranked_world *w, uint32_t id, struct ranked_answer *out)
{
    const struct world_job *job = &w->world.jobs[id];
    for (uint32_t t = 0; t < (job->counted ? 1 : job->tasks); t++) {
        struct ranked_step *step = &out->steps[out->count++];
        *step = (struct ranked_step){true, {.job = id, .task = t}};
        if (job->counted)
            step->what = (struct twin_start){
                .job = id, .task = POLICY_ALL_TASKS, .node = POLICY_NO_ID, .pool = job->pool};
        else
            step->what.node = job->task[t].node, step->what.devices = job->task[t].devices,
            step->what.pool = w->world.nodes[job->task[t].node].spec.pool;
    }
}

/* Starts the chosen jobs in order if they find a place, and updates the world. */
static void start(struct ranked_world *w, const uint32_t *list, uint32_t count, const bool *chosen,
                  struct ranked_answer *out)
{
    static struct twin_answer answer; /* too large for the stack; not kept between calls */
    static struct world only;
    only = w->world;
    only.strict = only.by_queue = false;
    for (uint32_t i = 0; i < WORLD_JOBS; i++)
        if (only.jobs[i].state == WORLD_PENDING && !chosen[i])
            only.jobs[i].state = WORLD_HELD;
    for (uint32_t i = 0; i < count; i++)
        only.jobs[list[i]].key = i;
    twin_decide(&only, w->placement, &answer);
    for (size_t i = 0; i < answer.count; i++) {
        const struct twin_start *s = &answer.starts[i];
        struct world_job *job = &w->world.jobs[s->job];
        out->steps[out->count++] = (struct ranked_step){false, *s};
        job->state = WORLD_ACTIVE;
        if (s->node == POLICY_NO_ID) {
            job->counted = true;
            job->pool = s->pool;
            w->world.taken[s->pool] += job->gpu_milli;
        } else {
            world_hold(&w->world, job, s->task, s->node, s->devices, 1);
        }
    }
}

void ranked_twin_decide(const struct ranked_world *world, struct ranked_answer *out)
{
    static struct ranked_world w;
    w = *world;
    out->count = 0;
    for (int lane = w.world.by_queue ? 0 : -1; lane < (w.world.by_queue ? WORLD_QUEUES : 0);
         lane++) {
        uint32_t list[WORLD_JOBS];
        bool chosen[WORLD_JOBS] = {false};
        bool evicted[WORLD_JOBS] = {false};
        size_t mark = out->count;
        uint32_t count = arrange(&w, lane, list);
        divide(&w, lane, list, count, chosen, evicted);
        for (uint32_t i = 0; i < count; i++)
            if (evicted[list[i]])
                evict(&w, list[i], out);
        if (out->count == mark)
            start(&w, list, count, chosen, out);
    }
}
