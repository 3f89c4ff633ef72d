/* SPDX-License-Identifier: MIT */
/* Chains of jobs that move from pool to pool; see pool_chain.h. */
#include "act/victims/pool_chain.h"

#include "act/attempt.h"
#include "act/victims/loss_bounds.h"
#include "act/victims/pool_rules.h"
#include "act/victims/victim.h"
#include "state/compare.h"
#include "state/gangs.h"
#include "state/nodes.h"
#include "state/pool_quotas.h"
#include "state/pool_sets.h"
#include "state/tasks.h"

/* Most jobs that move in one chain. */
#define MOST_LINKS 16

struct chain {
    struct pc_search *s;
    struct pc_cluster *c;
    const struct pc_tasks *tasks;         /* of the search's job */
    uint64_t seen[POLICY_MAX_POOLS / 64]; /* pools already visited */
    uint32_t left;                        /* how many more jobs may move; UINT32_MAX: any number */
    bool guaranteed; /* with quotas by pool: the search's job must stay within its own */
};

static bool has(const uint64_t *pools, uint32_t pool)
{
    return (pools[pool / 64] >> (pool % 64) & 1) != 0;
}

static const struct pc_pool_set *pools_of(const struct chain *ch, uint32_t job)
{
    return &ch->c->pool_sets[ch->c->queues[ch->c->jobs[job].queue].pool_set];
}

/* ---- where quotas are by pool ---- */

/* What the job holds, or requests. */
static int64_t milli_of(const struct chain *ch, uint32_t job)
{
    if (job == ch->s->job)
        return ch->s->asks.of[PC_GPU];
    int64_t has = pc_active_amounts(ch->c, job).of[PC_GPU];
    bool evicted = has == 0; /* all of it, tentatively */
    for (uint32_t i = 0; i < ch->c->evicted.count && evicted; i++)
        if (ch->c->evicted.of[i].job == job)
            has += pc_weigh_pending(ch->c, pc_request_of(ch->c, job, ch->c->evicted.of[i].task))
                       .of[PC_GPU];
    return has;
}

/* Returns true if the job may be placed in the pool: other jobs within their guarantees, the
 * search's own job within its guarantee or share. */
static bool is_admitted(const struct chain *ch, uint32_t job, uint32_t pool)
{
    const struct pc_cluster *c = ch->c;
    if (c->group_count == 0)
        return true;
    uint32_t group = c->pools[pool].group;
    int64_t milli = milli_of(ch, job);
    return pc_group_suits(c, job, group) && pc_group_allows(ch->s->p, job, group, milli) &&
           pc_pools_admit(c, c->jobs[job].queue, group, milli, job != ch->s->job || ch->guaranteed);
}

/* Returns true if the victim may be lost to the job that takes its place, with `more` and `held` as
 * in pc_pools_may_take(). */
static bool may_be_taken(const struct chain *ch, uint32_t victim, uint32_t group, uint32_t job,
                         int64_t more, int64_t held)
{
    return ch->s->purpose->displaces && ch->s->purpose->reach != PC_OWN &&
           pc_pools_may_take(ch->c, ch->c->jobs[job].queue, more, ch->c->jobs[victim].queue, held,
                             group);
}

/* ---- which jobs give way ---- */

static bool may_move_on(const struct chain *ch, uint32_t job)
{
    const struct pc_pool_set *pools = pools_of(ch, job);
    for (uint32_t pool = 0; pool < ch->c->pool_count; pool++)
        if (!has(ch->seen, pool) && ch->c->pools[pool].nodes > 0 && pc_pool_set_has(pools, pool) &&
            is_admitted(ch, job, pool))
            return true;
    return false;
}

/* Returns true if the purpose may take something from the job's queue. Determined before anything
 * moves. */
static bool may_be_lost(const struct chain *ch, uint32_t job)
{
    return pc_bearer(ch->s, ch->c->jobs[job].queue)->bears > 0 && ch->s->purpose->most_lost != NULL;
}

/* The same for the job that is to be placed on the node. */
static bool may_be_lost_to(const struct chain *ch, uint32_t job, uint32_t node, uint32_t taker)
{
    if (ch->c->group_count == 0)
        return may_be_lost(ch, job);
    return may_be_taken(ch, job, pc_group_of_node(ch->c, node), taker, milli_of(ch, taker), 0);
}

/* A job that already gave way does not do so again. */
static bool gives_way(const struct chain *ch, uint32_t job, uint32_t node, uint32_t taker)
{
    return ch->c->jobs[job].preemptible && !ch->c->jobs[job].marked &&
           pc_may_be_victim(ch->s, job) &&
           (may_move_on(ch, job) || may_be_lost_to(ch, job, node, taker));
}

/* Victim order: the last in the job order first. */
static bool gives_before(const struct policy *p, uint32_t a, uint32_t b)
{
    return pc_compare_jobs_as(p, a, 0, b, 0) > 0;
}

/* Returns the first job on the node that gives way, after `last` (PC_NONE: from the start);
 * PC_NONE: none. */
static uint32_t next_on(const struct chain *ch, uint32_t node, uint32_t taker, uint32_t last)
{
    const struct policy *p = ch->s->p;
    uint32_t best = PC_NONE;
    for (struct pc_evictable_task at = ch->c->nodes[node].first_evictable; at.job != PC_NONE;
         at = pc_task(ch->c, at.job, at.task)->next)
        if (at.job != best && (last == PC_NONE || gives_before(p, last, at.job)) &&
            at.job != last && (best == PC_NONE || gives_before(p, at.job, best)) &&
            gives_way(ch, at.job, node, taker))
            best = at.job;
    return best;
}

/* ---- tentative moves ---- */

static bool evict_job(struct chain *ch, uint32_t job)
{
    struct pc_cluster *c = ch->c;
    if (ch->left == 0)
        return false;
    ch->left--; /* chains are far too short to use UINT32_MAX up */
    for (uint32_t task = 0; task < c->shapes[c->jobs[job].shape].tasks; task++)
        if (pc_is_active(&pc_task(c, job, task)->place) &&
            (!pc_list_victim(ch->s, &c->evicted, job, task) ||
             !pc_evict_on_trial(ch->s, &c->evicted.of[c->evicted.count - 1])))
            return false;
    c->jobs[job].marked = true;
    return true;
}

/* Rolls back to the mark and to `count` listed victims, when `left` more jobs could move. */
static void go_back(struct chain *ch, uint32_t mark, uint32_t count, uint32_t left)
{
    struct pc_cluster *c = ch->c;
    pc_txn_rollback(c, mark);
    while (c->evicted.count > count) {
        const struct pc_victim *v = &c->evicted.of[--c->evicted.count];
        pc_task_at(c, v->job, v->task)->trial = false;
        c->jobs[v->job].marked = false;
    }
    ch->left = left;
}

/* Places the search's job, or what a victim had. Returns false with nothing changed. */
static bool place(struct chain *ch, uint32_t job)
{
    struct pc_cluster *c = ch->c;
    if (job == ch->s->job)
        return pc_attempt(ch->s->p, job, ch->tasks, true);
    bool placed = false;
    while (pc_next_tasks(ch->s->p, job, &c->placing) && c->placing.count > 0 &&
           pc_attempt(ch->s->p, job, &c->placing, true))
        placed = true;
    return placed;
}

/* Returns true if the victim, which has no place now, may be lost. */
static bool is_lost(const struct chain *ch, const struct pc_victim *v, uint32_t taker)
{
    const struct pc_cluster *c = ch->c;
    if (c->group_count == 0)
        return may_be_lost(ch, v->job);
    int64_t held = 0;
    for (uint32_t i = 0; i < c->evicted.count; i++)
        if (c->evicted.of[i].job == v->job)
            held += pc_weigh_on(&c->nodes[pc_stands_on(&c->evicted.of[i].before)],
                                pc_request_of(c, v->job, c->evicted.of[i].task))
                        .of[PC_GPU];
    return may_be_taken(ch, v->job, pc_group_of_node(c, pc_stands_on(&v->before)), taker, 0, held);
}

/* Places a victim where there is room; with quotas by pool, only within its guarantee. */
static bool place_victim(struct chain *ch, uint32_t job)
{
    ch->c->guaranteed_only = ch->c->group_count > 0;
    bool placed = place(ch, job);
    ch->c->guaranteed_only = false;
    return placed;
}

static bool make_room(struct chain *ch, uint32_t job, uint32_t links);

/* Gives each victim from `first` on a place: in free room; or it is lost if allowed; or other jobs
 * make room for it. As few as possible move. */
static bool place_victims(struct chain *ch, uint32_t first, uint32_t taker, uint32_t links)
{
    struct pc_cluster *c = ch->c;
    uint32_t last = PC_NONE;
    for (uint32_t i = first, end = c->evicted.count; i < end; i++) {
        uint32_t job = c->evicted.of[i].job;
        if (job != last && !place_victim(ch, job) && !is_lost(ch, &c->evicted.of[i], taker) &&
            !make_room(ch, job, links + 1))
            return false;
        last = job;
    }
    return true;
}

/* Places the job on the node after evicting as few others as needed, from this victim on. */
static bool displace(struct chain *ch, uint32_t node, uint32_t victim, uint32_t job, uint32_t links)
{
    struct pc_cluster *c = ch->c;
    uint32_t mark = pc_txn_mark(c), first = c->evicted.count, left = ch->left;
    bool placed = false;
    for (; victim != PC_NONE && !placed && !c->out_of_memory;
         victim = next_on(ch, node, job, victim))
        placed = evict_job(ch, victim) && place(ch, job);
    if (placed && place_victims(ch, first, job, links) && !c->out_of_memory)
        return true;
    go_back(ch, mark, first, left);
    return false;
}

static bool look_at_node(struct chain *ch, uint32_t node, uint32_t job, uint32_t links)
{
    if (ch->c->nodes[node].state != POLICY_NODE_UP)
        return false;
    for (uint32_t victim = next_on(ch, node, job, PC_NONE); victim != PC_NONE;
         victim = next_on(ch, node, job, victim))
        if (displace(ch, node, victim, job, links))
            return true;
    return false;
}

static bool look_at_pool(struct chain *ch, uint32_t pool, uint32_t job, uint32_t links)
{
    const struct pc_bits *nodes = &pools_of(ch, job)->nodes;
    for (uint32_t rank = pc_bits_first(nodes); rank != PC_NONE && !ch->c->out_of_memory;
         rank = pc_bits_next(nodes, rank + 1)) {
        uint32_t node = ch->s->p->node_of_rank[rank];
        if (ch->c->nodes[node].pool == pool && look_at_node(ch, node, job, links))
            return true;
    }
    return false;
}

/* Finds a place for the job where other jobs make room. Jobs confined to the same pools are of no
 * use. */
static bool make_room(struct chain *ch, uint32_t job, uint32_t links)
{
    uint64_t own[POLICY_MAX_POOLS / 64] = {0};
    for (uint32_t pool = 0; pool < ch->c->pool_count && links < MOST_LINKS; pool++)
        if (!has(ch->seen, pool) && pc_pool_set_has(pools_of(ch, job), pool) &&
            is_admitted(ch, job, pool))
            own[pool / 64] |= UINT64_C(1) << (pool % 64);
    for (uint32_t i = 0; i < POLICY_MAX_POOLS / 64; i++)
        ch->seen[i] |= own[i];
    for (uint32_t pool = 0; pool < ch->c->pool_count; pool++)
        if (has(own, pool) && look_at_pool(ch, pool, job, links))
            return true;
    return false;
}

/* ---- the search ---- */

/* Returns true if the leaf has active jobs that may use another pool. */
static bool may_give(const struct pc_search *s, uint32_t leaf, const struct pc_pool_set *pools)
{
    const struct pc_cluster *c = s->c;
    const struct pc_pool_set *theirs = &c->pool_sets[c->queues[leaf].pool_set];
    if (c->queues[leaf].active.count == 0)
        return false;
    for (uint32_t pool = 0; pool < c->pool_count; pool++)
        if (c->pools[pool].nodes > 0 && pc_pool_set_has(theirs, pool) &&
            !pc_pool_set_has(pools, pool))
            return true;
    return false;
}

bool pc_may_chain(const struct pc_search *s)
{
    const struct pc_cluster *c = s->c;
    const struct pc_pool_set *pools = &c->pool_sets[c->queues[c->jobs[s->job].queue].pool_set];
    bool concerned = s->purpose->reach != PC_OWN && s->asks.of[PC_GPU] > 0;
    if (c->group_count > 0 || !concerned || pools->pool_count == 0)
        return concerned && c->group_count > 0;
    for (uint32_t leaf = 0; leaf < c->queue_count; leaf++)
        if (may_give(s, leaf, pools))
            return true;
    return false;
}

/* Computes the loss bounds of queues before anything moves. */
static void ask_bearers(const struct pc_search *s)
{
    for (uint32_t leaf = 0; leaf < s->c->queue_count; leaf++)
        if (s->c->queues[leaf].active.count > 0 && leaf != s->c->jobs[s->job].queue)
            (void)pc_bearer(s, leaf);
}

static bool evict_recorded(struct chain *ch)
{
    struct pc_cluster *c = ch->c;
    bool done = pc_list_recorded(ch->s);
    for (uint32_t i = 0; i < c->evicted.count && done; i++) {
        done = pc_evict_on_trial(ch->s, &c->evicted.of[i]);
        c->jobs[c->evicted.of[i].job].marked = true;
    }
    return done;
}

/* Ends the trial of the evicted tasks, so that other searches may evict them again. */
static void end_trial(struct pc_cluster *c)
{
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        pc_task_at(c, c->evicted.of[i].job, c->evicted.of[i].task)->trial = false;
        c->jobs[c->evicted.of[i].job].marked = false;
    }
}

static bool solve(struct pc_search *s, const struct pc_tasks *tasks, bool guaranteed)
{
    struct pc_cluster *c = s->c;
    struct chain ch = {
        .s = s, .c = c, .tasks = tasks, .left = pc_jobs_left(s), .guaranteed = guaranteed};
    uint32_t mark = pc_txn_mark(c);
    if (c->group_count == 0)
        ask_bearers(s);
    bool placed = evict_recorded(&ch) && make_room(&ch, s->job, 0);
    for (uint32_t i = 0; i < c->recorded.count && placed; i++)
        (void)place(&ch, c->recorded.of[i].job);
    end_trial(c);
    if (placed && !c->out_of_memory && pc_settle_trial(s, mark))
        return true;
    pc_txn_rollback(c, mark);
    return false;
}

bool pc_solve_by_chain(struct pc_search *s, const struct pc_tasks *tasks)
{
    return solve(s, tasks, true) || (s->c->group_count > 0 && solve(s, tasks, false));
}
