/* SPDX-License-Identifier: MIT */
/* Trees of jobs by rank; see ranking_index.h. */
#include "order/ranking_index.h"

#include "state/job_life.h"

/* ---- the trees ---- */

static bool ranks_before(const void *a, const void *b)
{
    return pc_rank_before(&((const struct pc_contender *)a)->rank, &((const struct pc_contender *)b)->rank);
}

static void pull_sum(void *node, const void *left, const void *right)
{
    struct pc_contender *x = node;
    x->sum = x->weight + (left == NULL ? 0 : ((const struct pc_contender *)left)->sum) +
             (right == NULL ? 0 : ((const struct pc_contender *)right)->sum);
}

static const struct pc_treap_type by_rank = {sizeof(struct pc_contender), ranks_before, pull_sum};

static bool crosses_before(const void *a, const void *b)
{
    const struct pc_crossing *x = a;
    const struct pc_crossing *y = b;
    return x->at != y->at ? x->at < y->at : x->job < y->job;
}

static void pull_nothing(void *node, const void *left, const void *right)
{
    (void)node, (void)left, (void)right;
}

static const struct pc_treap_type by_crossing = {sizeof(struct pc_crossing), crosses_before, pull_nothing};

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

static void cross_no_more(struct pc_ranking *r, struct pc_rank_lane *lane, uint32_t job)
{
    if (r->of[job].crosses)
        pc_treap_remove(&by_crossing, r->crossings, &lane->crossing, job);
    r->of[job].crosses = false;
}

void pc_ranking_take_out(struct policy *p, struct pc_ranking *r, uint32_t job)
{
    struct pc_contender *x = &r->of[job];
    struct pc_rank_lane *lane = &r->lanes[x->lane];
    (void)p;
    cross_no_more(r, lane, job);
    if (x->stands == PC_STANDS_RUNNING)
        pc_treap_remove(&by_rank, r->of, &lane->running, job);
    if (x->stands == PC_STANDS_PENDING) {
        pc_treap_remove(&by_rank, r->of, &lane->groups[x->group].root, job);
        lane->pending_milli -= lane->groups[x->group].demand;
    }
    lane->held -= x->held;
    lane->fixed -= x->stands == PC_STANDS_FIXED ? x->held : 0;
    x->held = 0;
    x->stands = PC_STANDS_NOWHERE;
}

static void put_pending(struct policy *p, struct pc_ranking *r, uint32_t job)
{
    struct pc_contender *x = &r->of[job];
    struct pc_rank_lane *lane = &r->lanes[x->lane];
    if (pc_ranking_never_fits(p, job))
        return;
    x->stands = PC_STANDS_PENDING;
    x->weight = 0;
    lane->pending_milli += lane->groups[x->group].demand;
    pc_treap_add(&by_rank, r->of, &lane->groups[x->group].root, job);
}

static void put_running(struct policy *p, struct pc_ranking *r, uint32_t job)
{
    struct pc_contender *x = &r->of[job];
    struct pc_rank_lane *lane = &r->lanes[x->lane];
    policy_time at = p->order->next_crossing(p, job);
    if ((p->order->traits & PC_ORDER_FALLS) != 0 && x->rank.key < INT64_MAX - p->now)
        x->rank.key += p->now;
    x->stands = p->cluster->jobs[job].preemptible ? PC_STANDS_RUNNING : PC_STANDS_FIXED;
    x->weight = x->held;
    lane->fixed += x->stands == PC_STANDS_FIXED ? x->held : 0;
    if (x->stands == PC_STANDS_RUNNING)
        pc_treap_add(&by_rank, r->of, &lane->running, job);
    if (at == INT64_MAX)
        return;
    x->crosses = true;
    r->crossings[job].at = at;
    r->crossings[job].job = job;
    pc_treap_add(&by_crossing, r->crossings, &lane->crossing, job);
}

static void put(struct policy *p, struct pc_ranking *r, uint32_t job)
{
    struct pc_contender *x = &r->of[job];
    uint8_t life = p->cluster->jobs[job].life;
    if (life == PC_UNREPORTED)
        return;
    if (life != PC_WAITS) {
        x->held = pc_ranking_held_in(p, job, set_of(p, job));
        r->lanes[x->lane].held += x->held;
    }
    if (life == PC_LEAVES) {
        x->stands = PC_STANDS_LEAVING;
        return;
    }
    x->rank = (struct pc_rank){.job = job};
    p->order->rank(p, job, &x->rank);
    if (life == PC_WAITS)
        put_pending(p, r, job);
    else
        put_running(p, r, job);
}

/* ---- catching up ---- */

void pc_ranking_dirty(const struct policy *p, uint32_t job)
{
    struct pc_ranking *r = pc_ranking_of(p);
    struct pc_rank_lane *lane = &r->lanes[r->of[job].lane];
    lane->anew |= !pc_ranking_is_indexed(p);
    if (lane->anew || r->of[job].dirty)
        return;
    r->of[job].dirty = true;
    r->of[job].dirty_at = lane->dirty_count;
    lane->dirty[lane->dirty_count++] = job;
}

static void make_anew(struct policy *p, struct pc_ranking *r, struct pc_rank_lane *lane)
{
    lane->running = lane->crossing = PC_NONE;
    lane->held = lane->fixed = lane->pending_milli = 0;
    for (uint32_t i = 0; i < lane->group_count; i++)
        lane->groups[i].root = PC_NONE;
    for (uint32_t i = 0; i < lane->count; i++) {
        const struct pc_rank_entry *e = &lane->entries[i];
        const struct pc_job *j = &p->cluster->jobs[e->job];
        if (j->state == PC_FREE || j->gen != e->gen)
            continue;
        r->of[e->job].stands = PC_STANDS_NOWHERE;
        r->of[e->job].crosses = r->of[e->job].dirty = false;
        r->of[e->job].held = 0;
        put(p, r, e->job);
    }
    lane->dirty_count = 0;
    lane->anew = false;
}

void pc_ranking_catch_up(struct policy *p, struct pc_ranking *r, uint32_t id)
{
    struct pc_rank_lane *lane = &r->lanes[id];
    if (lane->anew)
        make_anew(p, r, lane);
    while (lane->dirty_count > 0) {
        uint32_t job = lane->dirty[--lane->dirty_count];
        r->of[job].dirty = false;
        pc_ranking_take_out(p, r, job);
        put(p, r, job);
    }
    for (uint32_t job = pc_treap_first(&by_crossing, r->crossings, lane->crossing);
         job != PC_NONE && r->crossings[job].at <= p->now;
         job = pc_treap_first(&by_crossing, r->crossings, lane->crossing)) {
        pc_ranking_take_out(p, r, job);
        put(p, r, job);
    }
}

/* ---- questions ---- */

struct pc_rank pc_ranking_rank_now(const struct policy *p, const struct pc_ranking *r, uint32_t job)
{
    struct pc_rank rank = r->of[job].rank;
    if (r->of[job].stands == PC_STANDS_RUNNING && (p->order->traits & PC_ORDER_FALLS) != 0 &&
        rank.key != INT64_MAX)
        rank.key = rank.key > p->now ? rank.key - p->now : 0;
    return rank;
}

int64_t pc_ranking_sum_before(const struct policy *p, const struct pc_ranking *r,
                              const struct pc_rank_lane *lane, const struct pc_rank *rank)
{
    int64_t sum = 0;
    for (uint32_t at = lane->running; at != PC_NONE;) {
        const struct pc_contender *x = &r->of[at];
        const struct pc_rank here = pc_ranking_rank_now(p, r, at);
        if (!pc_rank_before(&here, rank)) {
            at = x->links.left;
            continue;
        }
        sum += x->weight + (x->links.left == PC_NONE ? 0 : r->of[x->links.left].sum);
        at = x->links.right;
    }
    return sum;
}

uint32_t pc_ranking_first_over(struct pc_ranking *r, const struct pc_rank_lane *lane, int64_t sum)
{
    uint32_t found = PC_NONE;
    for (uint32_t at = lane->running; at != PC_NONE;) {
        const struct pc_contender *x = &r->of[at];
        int64_t with = x->weight + (x->links.left == PC_NONE ? 0 : r->of[x->links.left].sum);
        if (with > sum) {
            found = at;
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
        bool behind = rank == NULL || pc_rank_before(rank, &r->of[at].rank);
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

/* Every sum of the index against a scan over the jobs, where no change is still to be taken over. */
const char *pc_ranking_check_index(const struct policy *p, const struct pc_ranking *r, uint32_t id)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_rank_lane *lane = &r->lanes[id];
    int64_t held = 0;
    int64_t fixed = 0;
    int64_t running = 0;
    int64_t pending = 0;
    if (lane->anew || lane->dirty_count > 0 || !pc_ranking_is_indexed(p))
        return NULL;
    for (uint32_t i = 0; i < c->job_count; i++) {
        const struct pc_contender *x = &r->of[i];
        if (c->jobs[i].state == PC_FREE || x->lane != id)
            continue;
        bool holds = c->jobs[i].life == PC_STARTED || c->jobs[i].life == PC_LEAVES;
        int64_t its = holds ? pc_ranking_held_in(p, i, set_of(p, i)) : 0;
        if (its != x->held)
            return "what a job holds in the budget of its lane";
        held += its;
        fixed += x->stands == PC_STANDS_FIXED ? its : 0;
        running += x->stands == PC_STANDS_RUNNING ? its : 0;
        pending += x->stands == PC_STANDS_PENDING ? pc_ranking_demand(p, i) : 0;
    }
    if (held != lane->held || fixed != lane->fixed || pending != lane->pending_milli)
        return "the sums of a ranked lane";
    return running == (lane->running == PC_NONE ? 0 : r->of[lane->running].sum)
               ? NULL
               : "the sum over the jobs that run in a ranked lane";
}
