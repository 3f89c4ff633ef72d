/* SPDX-License-Identifier: MIT */
/* Job state of orders that change with time; see ranking.h. */
#include "order/ranking.h"

#include "order/order.h"
#include "pending/pending.h"
#include "state/job_life.h"
#include "state/nodes.h"
#include "state/pool_sets.h"
#include "state/tasks.h"

#include <string.h>

/* ---- runs ---- */

const struct pc_rank_run *pc_ranking_past(const struct pc_ranking *r, uint32_t job)
{
    static const struct pc_rank_run never;
    const struct pc_rank_run *run = pc_ranking_run(r, job);
    return run != NULL ? run : &never;
}

bool pc_ranking_reserve_runs(struct policy *p, struct pc_ranking *r, uint32_t most)
{
    uint32_t runs = r->idle_runs + most;
    return PC_GROW(&p->memory, r->runs, r->run_capacity, runs) &&
           PC_GROW(&p->memory, r->crossings, r->crossing_capacity, runs);
}

struct pc_rank_run *pc_ranking_keep_run(struct pc_ranking *r, uint32_t job)
{
    struct pc_contender *x = &r->of[job];
    if (x->run != PC_NONE)
        return &r->runs[x->run];
    x->run = r->run_free != PC_NONE ? r->run_free : r->run_count++;
    struct pc_rank_run *run = &r->runs[x->run];
    if (x->run == r->run_free)
        r->run_free = run->job;
    *run = (struct pc_rank_run){.job = job};
    return run;
}

void pc_ranking_idle(struct pc_ranking *r, struct pc_rank_run *run, bool idle)
{
    if (run->idle == idle)
        return;
    run->idle = idle;
    r->idle_runs += idle ? 1 : UINT32_MAX;
}

void pc_ranking_drop_run(struct pc_ranking *r, uint32_t job)
{
    struct pc_contender *x = &r->of[job];
    if (x->run == PC_NONE)
        return;
    pc_ranking_idle(r, &r->runs[x->run], false);
    r->runs[x->run].job = r->run_free;
    r->run_free = x->run;
    x->run = PC_NONE;
}

/* ---- queries ---- */

struct pc_ranking *pc_ranking_of(const struct policy *p)
{
    return pc_module_self(p, &pc_ranking_module);
}

bool pc_ranking_runs(const struct policy *p, uint32_t job)
{
    return p->cluster->jobs[job].life == PC_STARTED;
}

bool pc_ranking_waits(const struct policy *p, uint32_t job)
{
    return p->cluster->jobs[job].life == PC_WAITS;
}

bool pc_ranking_never_fits(const struct policy *p, uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    return c->jobs[job].class == PC_NONE || c->pending->classes[c->jobs[job].home].never_fits;
}

int64_t pc_ranking_demand(const struct policy *p, uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    return c->pending->classes[c->jobs[job].home].gpu_milli;
}

/* The usable part of a task's devices, in the weight of its request; nothing on nodes that are not
 * up. */
static int64_t usable_milli(const struct pc_node *n, const struct pc_request *r, uint64_t devices)
{
    int64_t all = pc_weigh_on(n, r).of[PC_GPU];
    int64_t given = pc_popcount(devices);
    if (n->state != POLICY_NODE_UP)
        return 0;
    return given == 0 ? all : all * pc_popcount(devices & n->usable) / given;
}

int64_t pc_ranking_held_in(const struct policy *p, uint32_t job, uint32_t set)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    int64_t sum = 0;
    for (uint32_t i = 0; pc_holding(j) > 0 && i < c->shapes[j->shape].tasks; i++) {
        const struct pc_place *place = &pc_task(c, job, i)->place;
        if (place->holding == PC_NOTHING)
            continue;
        uint32_t pool = place->counted != 0 ? place->counted - 1 : c->nodes[place->node].pool;
        if (!pc_pool_set_has(&c->pool_sets[set], pool))
            continue;
        if (place->counted != 0)
            return pc_ranking_demand(p, job);
        sum += usable_milli(&c->nodes[place->node], pc_request_of(c, job, i), place->devices);
    }
    return sum;
}

int64_t pc_ranking_remaining(const struct policy *p, uint32_t job)
{
    const struct pc_ranking *r = pc_ranking_of(p);
    const struct pc_contender *x = &r->of[job];
    int64_t ran = pc_ranking_runs(p, job) ? p->now - pc_ranking_past(r, job)->since : 0;
    if (x->remaining_ms == INT64_MAX)
        return INT64_MAX;
    return x->remaining_ms > ran ? x->remaining_ms - ran : 0;
}

int64_t pc_ranking_attained(const struct policy *p, uint32_t job)
{
    const struct pc_rank_run *x = pc_ranking_past(pc_ranking_of(p), job);
    int64_t got = pc_times(x->rate, pc_ranking_runs(p, job) ? p->now - x->since : 0);
    return x->attained < INT64_MAX - got ? x->attained + got : INT64_MAX;
}

void pc_ranking_tie(const struct policy *p, struct pc_rank *s)
{
    const struct pc_ranking *r = pc_ranking_of(p);
    const struct pc_contender *x = &r->of[s->job];
    bool runs = pc_ranking_runs(p, s->job);
    switch (p->config.ranked.ties) {
    case POLICY_TIES_PREVIOUS:
        s->third = 0;
        s->turn = s->place;
        return;
    case POLICY_TIES_WAITING:
        s->third = runs ? INT64_MAX : x->entered;
        break;
    default:
        s->third = runs ? INT64_MIN : x->entered;
        break;
    }
    s->turn = runs ? pc_ranking_past(r, s->job)->started : x->turn;
}

/* ---- updates ---- */

void pc_ranking_mark(const struct policy *p, struct pc_rank_lane *lane)
{
    lane->news++;
    if (lane->waiting == 0 && !lane->elastic && !pc_ranking_looks_always(p))
        return;
    lane->stale = true;
    pc_ranking_of(p)->any = true;
}

void pc_ranking_pause(struct policy *p, uint32_t job)
{
    struct pc_ranking *r = pc_ranking_of(p);
    struct pc_contender *x = &r->of[job];
    struct pc_rank_run *run = &r->runs[x->run];
    int64_t ran = p->now - run->since;
    int64_t got = pc_times(run->rate, ran);
    run->attained = run->attained < INT64_MAX - got ? run->attained + got : INT64_MAX;
    if (x->remaining_ms != INT64_MAX)
        x->remaining_ms = x->remaining_ms > ran ? x->remaining_ms - ran : 0;
    run->since = p->now;
}

void pc_ranking_found(struct policy *p, uint32_t job, int32_t reason)
{
    struct pc_contender *x = &pc_ranking_of(p)->of[job];
    if (x->found == reason)
        return;
    const struct pc_job_class *k = &p->cluster->pending->classes[p->cluster->jobs[job].home];
    struct pc_backlog_cell *cells = p->cluster->pending->sets[k->set].backlog;
    if (x->found != 0) {
        cells[x->found].jobs--;
        cells[x->found].gpu_milli -= k->gpu_milli;
    }
    if (reason != 0) {
        cells[reason].jobs++;
        cells[reason].gpu_milli += k->gpu_milli;
    }
    x->found = (uint8_t)reason;
}
