/* SPDX-License-Identifier: MIT */
/* Trees of jobs by rank; see ranking_index.h. */
#include "order/ranking_index.h"

#include "state/job_life.h"

/* ---- the trees ---- */

static bool pending_before(const void *a, const void *b)
{
    const struct pc_contender *x = a;
    const struct pc_contender *y = b;
    if (x->key != y->key)
        return x->key < y->key;
    if (x->second != y->second)
        return x->second < y->second;
    if (x->entered != y->entered)
        return x->entered < y->entered;
    return x->turn != y->turn ? x->turn < y->turn
                              : x < y; /* elements of one array: compares their ids */
}

static bool run_before(const void *a, const void *b)
{
    return pc_rank_before(&((const struct pc_rank_run *)a)->rank,
                          &((const struct pc_rank_run *)b)->rank);
}

static bool pull_sum(void *node, const void *left, const void *right)
{
    struct pc_rank_run *x = node;
    int64_t before = x->sum;
    x->sum = x->weight + (left == NULL ? 0 : ((const struct pc_rank_run *)left)->sum) +
             (right == NULL ? 0 : ((const struct pc_rank_run *)right)->sum);
    return x->sum != before;
}

static const struct pc_treap_type of_pending = {sizeof(struct pc_contender), pending_before,
                                                pc_treap_pull_nothing};
static const struct pc_treap_type of_runs = {sizeof(struct pc_rank_run), run_before, pull_sum};

static bool crosses_before(const void *a, const void *b)
{
    const struct pc_crossing *x = a;
    const struct pc_crossing *y = b;
    return x->at != y->at ? x->at < y->at : x->job < y->job;
}

static const struct pc_treap_type by_crossing = {sizeof(struct pc_crossing), crosses_before,
                                                 pc_treap_pull_nothing};

/* ---- membership ---- */

bool pc_ranking_is_indexed(const struct policy *p)
{
    bool one_set = p->config.scope == POLICY_SCOPE_QUEUE || p->cluster->pool_set_count == 1;
    return (p->order->traits & PC_ORDER_LASTING) != 0 && one_set && !pc_ranking_looks_always(p) &&
           !p->cluster->exhaustive;
}

static uint32_t set_of(const struct policy *p, uint32_t job)
{
    return p->cluster->queues[p->cluster->jobs[job].queue].pool_set;
}

static void run_no_more(struct pc_ranking *r, struct pc_rank_lane *lane, uint32_t job)
{
    struct pc_contender *x = &r->of[job];
    struct pc_rank_run *run = &r->runs[x->run];
    if (run->crosses)
        pc_treap_remove(&by_crossing, r->crossings, &lane->crossing, x->run);
    run->crosses = false;
    if (x->stands == PC_STANDS_RUNNING)
        pc_treap_remove(&of_runs, r->runs, &lane->running, x->run);
    lane->held -= run->held;
    lane->fixed -= x->stands == PC_STANDS_FIXED ? run->held : 0;
    run->held = 0;
}

void pc_ranking_take_out(struct pc_ranking *r, uint32_t job)
{
    struct pc_contender *x = &r->of[job];
    struct pc_rank_lane *lane = &r->lanes[x->lane];
    if (x->run != PC_NONE)
        run_no_more(r, lane, job);
    if (x->stands == PC_STANDS_PENDING) {
        pc_treap_remove(&of_pending, r->of, &lane->groups[x->group].root, job);
        lane->pending_milli -= lane->groups[x->group].demand;
    }
    x->stands = PC_STANDS_NOWHERE;
}

static void put_pending(struct policy *p, struct pc_ranking *r, uint32_t job,
                        const struct pc_rank *rank)
{
    struct pc_contender *x = &r->of[job];
    struct pc_rank_lane *lane = &r->lanes[x->lane];
    if (pc_ranking_never_fits(p, job))
        return;
    x->stands = PC_STANDS_PENDING;
    x->key = rank->key;
    x->second = rank->second;
    lane->pending_milli += lane->groups[x->group].demand;
    pc_treap_add(&of_pending, r->of, &lane->groups[x->group].root, job);
}

static void put_running(struct policy *p, struct pc_ranking *r, uint32_t job,
                        const struct pc_rank *rank)
{
    struct pc_contender *x = &r->of[job];
    struct pc_rank_run *run = &r->runs[x->run];
    struct pc_rank_lane *lane = &r->lanes[x->lane];
    policy_time at = p->order->next_crossing(p, job);
    run->rank = *rank;
    if ((p->order->traits & PC_ORDER_FALLS) != 0 && rank->key < INT64_MAX - p->now)
        run->rank.key += p->now;
    x->stands = p->cluster->jobs[job].preemptible ? PC_STANDS_RUNNING : PC_STANDS_FIXED;
    run->weight = run->held;
    lane->fixed += x->stands == PC_STANDS_FIXED ? run->held : 0;
    if (x->stands == PC_STANDS_RUNNING)
        pc_treap_add(&of_runs, r->runs, &lane->running, x->run);
    if (at == INT64_MAX)
        return;
    run->crosses = true;
    r->crossings[x->run].at = at;
    r->crossings[x->run].job = job;
    pc_treap_add(&by_crossing, r->crossings, &lane->crossing, x->run);
}

static void put(struct policy *p, struct pc_ranking *r, uint32_t job)
{
    struct pc_contender *x = &r->of[job];
    uint8_t life = p->cluster->jobs[job].life;
    if (life == PC_UNREPORTED)
        return;
    if (life != PC_WAITS) {
        struct pc_rank_run *run = &r->runs[x->run];
        run->held = pc_ranking_held_in(p, job, set_of(p, job));
        r->lanes[x->lane].held += run->held;
    }
    if (life == PC_LEAVES) {
        x->stands = PC_STANDS_LEAVING;
        return;
    }
    struct pc_rank rank = {.job = job};
    p->order->rank(p, job, &rank);
    if (life == PC_WAITS)
        put_pending(p, r, job, &rank);
    else
        put_running(p, r, job, &rank);
}

/* ---- catching up ---- */

/* Marks a pending job whose position may have changed; it leaves its tree at once. */
void pc_ranking_dirty(const struct policy *p, uint32_t job)
{
    struct pc_ranking *r = pc_ranking_of(p);
    struct pc_contender *x = &r->of[job];
    struct pc_rank_lane *lane = &r->lanes[x->lane];
    lane->anew |= !pc_ranking_is_indexed(p);
    if (lane->anew || x->dirty)
        return;
    if (x->stands == PC_STANDS_PENDING)
        pc_ranking_take_out(r, job);
    x->dirty = true;
    x->links = (struct pc_treap_links){.left = PC_NONE, .right = lane->dirty};
    if (lane->dirty != PC_NONE)
        r->of[lane->dirty].links.left = job;
    lane->dirty = job;
}

void pc_ranking_clean(struct pc_ranking *r, uint32_t job)
{
    struct pc_contender *x = &r->of[job];
    if (!x->dirty)
        return;
    x->dirty = false;
    if (x->links.left != PC_NONE)
        r->of[x->links.left].links.right = x->links.right;
    else
        r->lanes[x->lane].dirty = x->links.right;
    if (x->links.right != PC_NONE)
        r->of[x->links.right].links.left = x->links.left;
}

static void make_anew(struct policy *p, struct pc_ranking *r, struct pc_rank_lane *lane)
{
    lane->running = lane->crossing = lane->dirty = PC_NONE;
    lane->held = lane->fixed = lane->pending_milli = 0;
    for (uint32_t i = 0; i < lane->group_count; i++)
        lane->groups[i].root = PC_NONE;
    for (uint32_t i = 0; i < lane->count; i++) {
        const struct pc_rank_entry *e = &lane->entries[i];
        const struct pc_job *j = &p->cluster->jobs[e->job];
        if (j->state == PC_FREE || j->gen != e->gen)
            continue;
        struct pc_rank_run *run = pc_ranking_run(r, e->job);
        r->of[e->job].stands = PC_STANDS_NOWHERE;
        r->of[e->job].dirty = false;
        if (run != NULL) {
            run->crosses = false;
            run->held = 0;
        }
        put(p, r, e->job);
    }
    lane->anew = false;
}

void pc_ranking_catch_up(struct policy *p, struct pc_ranking *r, uint32_t id)
{
    struct pc_rank_lane *lane = &r->lanes[id];
    if (lane->anew)
        make_anew(p, r, lane);
    while (lane->dirty != PC_NONE) {
        uint32_t job = lane->dirty;
        pc_ranking_clean(r, job);
        pc_ranking_take_out(r, job);
        put(p, r, job);
    }
    for (uint32_t run = pc_treap_first(&by_crossing, r->crossings, lane->crossing);
         run != PC_NONE && r->crossings[run].at <= p->now;
         run = pc_treap_first(&by_crossing, r->crossings, lane->crossing)) {
        uint32_t job = r->crossings[run].job;
        pc_ranking_take_out(r, job);
        put(p, r, job);
    }
}

/* ---- queries ---- */

struct pc_rank pc_ranking_pending_rank(const struct pc_ranking *r, uint32_t job)
{
    const struct pc_contender *x = &r->of[job];
    return (struct pc_rank){
        .key = x->key, .second = x->second, .third = x->entered, .turn = x->turn, .job = job};
}

/* The current rank of a run in the tree. */
static struct pc_rank run_rank_now(const struct policy *p, const struct pc_rank_run *run)
{
    struct pc_rank rank = run->rank;
    if ((p->order->traits & PC_ORDER_FALLS) != 0 && rank.key != INT64_MAX)
        rank.key = rank.key > p->now ? rank.key - p->now : 0;
    return rank;
}

struct pc_rank pc_ranking_rank_now(const struct policy *p, const struct pc_ranking *r, uint32_t job)
{
    return run_rank_now(p, pc_ranking_run(r, job));
}

int64_t pc_ranking_sum_before(const struct policy *p, const struct pc_ranking *r,
                              const struct pc_rank_lane *lane, const struct pc_rank *rank)
{
    int64_t sum = 0;
    for (uint32_t at = lane->running; at != PC_NONE;) {
        const struct pc_rank_run *x = &r->runs[at];
        const struct pc_rank here = run_rank_now(p, x);
        if (!pc_rank_before(&here, rank)) {
            at = x->links.left;
            continue;
        }
        sum += x->weight + (x->links.left == PC_NONE ? 0 : r->runs[x->links.left].sum);
        at = x->links.right;
    }
    return sum;
}

uint32_t pc_ranking_first_over(struct pc_ranking *r, const struct pc_rank_lane *lane, int64_t sum)
{
    uint32_t found = PC_NONE;
    for (uint32_t at = lane->running; at != PC_NONE;) {
        const struct pc_rank_run *x = &r->runs[at];
        int64_t with = x->weight + (x->links.left == PC_NONE ? 0 : r->runs[x->links.left].sum);
        if (with > sum) {
            found = x->job;
            at = x->links.left;
        } else {
            sum -= with;
            at = x->links.right;
        }
    }
    return found;
}

uint32_t pc_ranking_first_behind(const struct pc_ranking *r, const struct pc_rank_group *group,
                                 const struct pc_rank *rank)
{
    uint32_t found = PC_NONE;
    for (uint32_t at = group->root; at != PC_NONE;) {
        const struct pc_rank here = pc_ranking_pending_rank(r, at);
        bool behind = rank == NULL || pc_rank_before(rank, &here);
        found = behind ? at : found;
        at = behind ? r->of[at].links.left : r->of[at].links.right;
    }
    return found;
}

policy_time pc_ranking_next_crossing(struct pc_ranking *r, const struct pc_rank_lane *lane)
{
    uint32_t first = pc_treap_first(&by_crossing, r->crossings, lane->crossing);
    return first == PC_NONE ? INT64_MAX : r->crossings[first].at;
}

/* ---- checking ---- */

/* Compares every sum of the index with a scan over the jobs, unless changes are outstanding. */
const char *pc_ranking_check_index(const struct policy *p, const struct pc_ranking *r, uint32_t id)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_rank_lane *lane = &r->lanes[id];
    int64_t held = 0;
    int64_t fixed = 0;
    int64_t running = 0;
    int64_t pending = 0;
    if (lane->anew || lane->dirty != PC_NONE || !pc_ranking_is_indexed(p))
        return NULL;
    for (uint32_t i = 0; i < c->job_count; i++) {
        const struct pc_contender *x = &r->of[i];
        if (c->jobs[i].state == PC_FREE || x->lane != id)
            continue;
        bool holds = c->jobs[i].life == PC_STARTED || c->jobs[i].life == PC_LEAVES;
        int64_t its = holds ? pc_ranking_held_in(p, i, set_of(p, i)) : 0;
        if (its != pc_ranking_past(r, i)->held)
            return "what a job holds in the budget of its lane";
        held += its;
        fixed += x->stands == PC_STANDS_FIXED ? its : 0;
        running += x->stands == PC_STANDS_RUNNING ? its : 0;
        pending += x->stands == PC_STANDS_PENDING ? pc_ranking_demand(p, i) : 0;
    }
    if (held != lane->held || fixed != lane->fixed || pending != lane->pending_milli)
        return "the sums of a ranked lane";
    return running == (lane->running == PC_NONE ? 0 : r->runs[lane->running].sum)
               ? NULL
               : "the sum over the jobs that run in a ranked lane";
}
