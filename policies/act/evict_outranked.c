/* SPDX-License-Identifier: MIT */
/*
 * Preemptive orders; the model is in evict_outranked.h. Lanes are independent except for shared
 * nodes: there the lane with the smaller number is served first. With the index (ranking_index.h),
 * a decision costs (chosen + evicted) x log(jobs) for each distinct amount of devices requested by
 * pending jobs; else n log n over the jobs of the lanes with news, and n if few jobs changed their
 * rank.
 */
#include "act/evict_outranked.h"

#include "act/allocate_lanes.h"
#include "act/decisions.h"
#include "order/ranking_index.h"
#include "state/job_life.h"
#include "state/pool_sets.h"
#include "state/tasks.h"

/* ---- the budget ---- */

/* The pool sets that a lane's jobs may use: [first, behind). */
struct span {
    uint32_t first, behind;
};

static struct span sets_of(const struct policy *p, uint32_t lane)
{
    const struct pc_cluster *c = p->cluster;
    if (p->config.scope == POLICY_SCOPE_QUEUE)
        return (struct span){c->queues[lane].pool_set, c->queues[lane].pool_set + 1};
    return (struct span){0, c->pool_set_count};
}

/* Returns true if a contains all pools of b. */
static bool covers(const struct pc_pool_set *a, const struct pc_pool_set *b)
{
    if (a == b || a->pool_count == 0)
        return true;
    uint32_t i = 0;
    for (uint32_t k = 0; k < a->pool_count && i < b->pool_count; k++)
        i += a->pools[k] == b->pools[i];
    return b->pool_count > 0 && i == b->pool_count;
}

/* Returns the job's charge to the budget of a set: the devices it holds there, or all of them if
 * the job is confined to the set. */
static int64_t takes(const struct policy *p, uint32_t job, uint32_t set)
{
    const struct pc_cluster *c = p->cluster;
    if (!pc_ranking_waits(p, job))
        return pc_ranking_held_in(p, job, set);
    const struct pc_pool_set *own = &c->pool_sets[c->queues[c->jobs[job].queue].pool_set];
    return covers(&c->pool_sets[set], own) ? pc_ranking_demand(p, job) : 0;
}

static bool fits(const struct policy *p, const struct pc_ranking *r, struct span sets, uint32_t job)
{
    for (uint32_t s = sets.first; s < sets.behind; s++) {
        int64_t wants = takes(p, job, s);
        if (wants > 0 && wants > r->left[s])
            return false;
    }
    return true;
}

static void take(const struct policy *p, struct pc_ranking *r, struct span sets, uint32_t job)
{
    for (uint32_t s = sets.first; s < sets.behind; s++)
        r->left[s] -= takes(p, job, s);
}

static bool holds(const struct policy *p, const struct pc_rank_entry *e)
{
    const struct pc_job *j = &p->cluster->jobs[e->job];
    return j->gen == e->gen && (j->life == PC_STARTED || j->life == PC_LEAVES);
}

/* Fills the budget: free devices plus those held by jobs of the lane, including jobs being
 * evicted. */
static void fill_budget(struct policy *p, struct pc_ranking *r, const struct pc_rank_lane *lane,
                        struct span sets)
{
    for (uint32_t s = sets.first; s < sets.behind; s++)
        r->left[s] = p->cluster->pool_sets[s].milli;
    for (uint32_t i = 0; i < lane->count; i++)
        for (uint32_t s = sets.first; s < sets.behind && holds(p, &lane->entries[i]); s++)
            r->left[s] += pc_ranking_held_in(p, lane->entries[i].job, s);
}

/* ---- ordering all jobs ---- */

bool pc_outranked_reserve(struct policy *p, struct pc_ranking *r, uint32_t count)
{
    if (PC_GROW(&p->memory, r->walk, r->walk_capacity, count) &&
        PC_GROW(&p->memory, r->spare, r->spare_capacity, count))
        return true;
    p->cluster->out_of_memory = true;
    return false;
}

/* Merges [first, middle) and [middle, behind) of the walk; usually they are in order already. */
static void merge(struct pc_ranking *r, uint32_t first, uint32_t middle, uint32_t behind)
{
    if (middle >= behind || pc_rank_before(&r->walk[middle - 1], &r->walk[middle]))
        return;
    uint32_t a = first;
    uint32_t b = middle;
    for (uint32_t to = first; to < behind; to++) {
        bool left = b == behind || (a < middle && pc_rank_before(&r->walk[a], &r->walk[b]));
        r->spare[to] = r->walk[left ? a++ : b++];
    }
    for (uint32_t i = first; i < behind; i++)
        r->walk[i] = r->spare[i];
}

static void sort(struct pc_ranking *r, uint32_t count)
{
    for (uint64_t run = 1; run < count; run *= 2)
        for (uint64_t first = 0; first + run < count; first += 2 * run) {
            uint64_t behind = first + 2 * run < count ? first + 2 * run : count;
            merge(r, (uint32_t)first, (uint32_t)(first + run), (uint32_t)behind);
        }
}

static bool is_current(const struct policy *p, const struct pc_rank_entry *e)
{
    return p->cluster->jobs[e->job].state != PC_FREE && p->cluster->jobs[e->job].gen == e->gen;
}

/* Returns false for jobs that are gone, held back, being evicted, or can never fit. */
static bool takes_part(const struct policy *p, uint32_t job)
{
    return pc_ranking_runs(p, job) || (pc_ranking_waits(p, job) && !pc_ranking_never_fits(p, job));
}

/* Restores the order of the history: by place, then jobs without one in arrival order. */
static void put_as_before(const struct policy *p, struct pc_ranking *r, struct pc_rank_lane *lane)
{
    uint32_t count = 0;
    if (!lane->from_history)
        return;
    for (uint32_t i = 0; i < lane->count; i++) {
        if (!is_current(p, &lane->entries[i]))
            continue;
        uint32_t job = lane->entries[i].job;
        uint32_t place = pc_ranking_past(r, job)->place_before;
        r->walk[count++] =
            (struct pc_rank){.key = place > 0 ? place : INT64_MAX, .turn = i, .job = job};
    }
    sort(r, count);
    lane->chosen_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t job = r->walk[i].job;
        lane->entries[i] = (struct pc_rank_entry){job, p->cluster->jobs[job].gen};
        if (r->of[job].chosen)
            lane->chosen[lane->chosen_count++] = job;
    }
    lane->count = count;
    lane->from_history = false;
}

uint32_t pc_outranked_arrange(struct policy *p, struct pc_ranking *r, struct pc_rank_lane *lane)
{
    uint32_t walking = 0;
    uint32_t others = 0;
    for (uint32_t i = 0; i < lane->count; i++) {
        const struct pc_rank_entry e = lane->entries[i];
        if (!is_current(p, &e))
            continue;
        if (!takes_part(p, e.job)) {
            lane->entries[others++] = e;
            continue;
        }
        struct pc_rank *s = &r->walk[walking++];
        *s = (struct pc_rank){.job = e.job, .place = i};
        p->order->rank(p, e.job, s);
    }
    sort(r, walking);
    for (uint32_t i = others; i-- > 0;)
        lane->entries[walking + i] = lane->entries[i];
    for (uint32_t i = 0; i < walking; i++)
        lane->entries[i] =
            (struct pc_rank_entry){r->walk[i].job, p->cluster->jobs[r->walk[i].job].gen};
    lane->count = walking + others;
    return walking;
}

/* ---- evicting ---- */

/* The memory for the decision was reserved. */
static void evict(struct policy *p, uint32_t job, uint32_t for_job)
{
    (void)pc_evict_now(p, job, POLICY_PREEMPT, POLICY_REASON_OUTRANKED, for_job);
}

static bool reserve_evictions(struct policy *p, const struct pc_rank_lane *lane)
{
    uint64_t most = lane->waiting == 0 ? 0 : (uint64_t)lane->running_tasks;
    if (PC_GROW(&p->memory, p->decisions, p->decision_capacity, p->decision_count + (uint32_t)most))
        return true;
    p->cluster->out_of_memory = true;
    return false;
}

static void choose(struct pc_ranking *r, struct pc_rank_lane *lane, uint32_t job)
{
    r->of[job].chosen = true;
    lane->chosen[lane->chosen_count++] = job;
}

/* ---- dividing by a walk over all jobs ---- */

/* Returns true if the job runs and is not preemptible. */
static bool is_fixed(const struct policy *p, uint32_t job)
{
    return pc_ranking_runs(p, job) && !p->cluster->jobs[job].preemptible;
}

/* Hands out the budget in order and evicts the jobs that get nothing. Returns true if any were
 * evicted. */
static bool divide_all(struct policy *p, struct pc_ranking *r, uint32_t id, uint32_t walking)
{
    struct pc_rank_lane *lane = &r->lanes[id];
    struct span sets = sets_of(p, id);
    bool evicted = false;
    uint32_t last_chosen = PC_NONE;
    for (uint32_t i = 0; i < walking; i++)
        if (is_fixed(p, lane->entries[i].job))
            take(p, r, sets, lane->entries[i].job);
    for (uint32_t i = 0; i < walking; i++) {
        uint32_t job = lane->entries[i].job;
        bool waits = pc_ranking_waits(p, job);
        if (is_fixed(p, job))
            continue;
        bool fitting = fits(p, r, sets, job);
        if (fitting)
            take(p, r, sets, job);
        if (waits && fitting) {
            choose(r, lane, job);
            last_chosen = job;
        } else if (waits) {
            pc_ranking_found(p, job, 0);
            r->of[job].chosen = false;
        } else if (!fitting) {
            evict(p, job, last_chosen);
            evicted = true;
        }
    }
    return evicted;
}

static bool look_at_all(struct policy *p, struct pc_ranking *r, uint32_t id)
{
    struct pc_rank_lane *lane = &r->lanes[id];
    uint32_t walking = pc_outranked_arrange(p, r, lane);
    fill_budget(p, r, lane, sets_of(p, id));
    lane->chosen_count = 0;
    return divide_all(p, r, id, walking);
}

/* ---- dividing with the index, where pending and running jobs meet ---- */

/* A walk over the index: the budget left after rank `at`, and the devices held by running jobs up
 * to it. */
struct walk {
    struct pc_rank at;
    bool begun;
    int64_t left, passed;
};

/* Returns the first pending job after the walk that fits, or PC_NONE, with its rank and the devices
 * held by running jobs before it. */
static uint32_t next_fitting(struct policy *p, const struct pc_ranking *r,
                             const struct pc_rank_lane *lane, const struct walk *w,
                             struct pc_rank *rank, int64_t *before)
{
    uint32_t best = PC_NONE;
    for (uint32_t g = 0; g < lane->group_count; g++) {
        const struct pc_rank_group *group = &lane->groups[g];
        if (group->root == PC_NONE || (group->demand > 0 && group->demand > w->left))
            continue;
        uint32_t job = pc_ranking_first_behind(r, group, w->begun ? &w->at : NULL);
        if (job == PC_NONE)
            continue;
        const struct pc_rank here = pc_ranking_pending_rank(r, job);
        if (best != PC_NONE && !pc_rank_before(&here, rank))
            continue;
        int64_t sum = pc_ranking_sum_before(p, r, lane, &here);
        if (group->demand > 0 && group->demand > w->left - (sum - w->passed))
            continue;
        best = job;
        *rank = here;
        *before = sum;
    }
    return best;
}

/* Returns the first running job after the walk that exceeds the budget left there, or PC_NONE. */
static uint32_t next_outranked(struct pc_ranking *r, const struct pc_rank_lane *lane,
                               const struct walk *w)
{
    return pc_ranking_first_over(r, lane, w->passed + (w->left > 0 ? w->left : 0));
}

/* Moves the previously chosen jobs to r->walk and returns their number. A job number may have been
 * reused since, even in another lane. */
static uint32_t set_chosen_aside(struct pc_ranking *r, struct pc_rank_lane *lane, uint32_t id)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lane->chosen_count; i++) {
        uint32_t job = lane->chosen[i];
        if (r->of[job].lane != id)
            continue;
        r->walk[count++].job = job;
        r->of[job].chosen = false;
    }
    lane->chosen_count = 0;
    return count;
}

static void take_pending(struct pc_ranking *r, struct pc_rank_lane *lane, struct walk *w,
                         uint32_t job, int64_t before)
{
    w->left -= before - w->passed + lane->groups[r->of[job].group].demand;
    w->passed = before;
    w->at = pc_ranking_pending_rank(r, job);
    w->begun = true;
    choose(r, lane, job);
}

static void pass_outranked(const struct policy *p, const struct pc_ranking *r,
                           const struct pc_rank_lane *lane, struct walk *w, uint32_t job)
{
    w->at = pc_ranking_rank_now(p, r, job);
    w->begun = true;
    int64_t before = pc_ranking_sum_before(p, r, lane, &w->at);
    w->left -= before - w->passed;
    w->passed = before + pc_ranking_run(r, job)->weight;
}

/* Like divide_all(). Sets *unclear, without evicting, if running jobs are past their expected end,
 * because the tree does not order these. */
static bool divide_indexed(struct policy *p, struct pc_ranking *r, uint32_t id, bool *unclear)
{
    struct pc_rank_lane *lane = &r->lanes[id];
    struct walk w = {.left = p->cluster->pool_sets[sets_of(p, id).first].milli + lane->held -
                             lane->fixed};
    bool evicted = false;
    for (;;) {
        int64_t before = 0;
        struct pc_rank first = {0};
        uint32_t fitting = next_fitting(p, r, lane, &w, &first, &before);
        uint32_t outranked = next_outranked(r, lane, &w);
        if (fitting == PC_NONE && outranked == PC_NONE)
            return evicted;
        struct pc_rank rank = {0};
        if (outranked != PC_NONE)
            rank = pc_ranking_rank_now(p, r, outranked);
        if (fitting != PC_NONE && (outranked == PC_NONE || pc_rank_before(&first, &rank))) {
            take_pending(r, lane, &w, fitting, before);
            continue;
        }
        if (rank.key == 0 && (p->order->traits & PC_ORDER_FALLS) != 0) {
            *unclear = true;
            return false;
        }
        pass_outranked(p, r, lane, &w, outranked);
        evict(p, outranked,
              lane->chosen_count > 0 ? lane->chosen[lane->chosen_count - 1] : PC_NONE);
        evicted = true;
    }
}

static bool look_at_boundary(struct policy *p, struct pc_ranking *r, uint32_t id)
{
    struct pc_rank_lane *lane = &r->lanes[id];
    bool unclear = false;
    uint32_t before = set_chosen_aside(r, lane, id);
    bool evicted = divide_indexed(p, r, id, &unclear);
    for (uint32_t i = 0; i < before && !unclear; i++)
        if (!r->of[r->walk[i].job].chosen)
            pc_ranking_found(p, r->walk[i].job, 0);
    if (unclear && !pc_outranked_reserve(p, r, lane->count)) {
        lane->stale = true;
        return evicted;
    }
    return unclear ? look_at_all(p, r, id) : evicted;
}

/* ---- starting ---- */

static void start(struct policy *p, struct pc_ranking *r, uint32_t job)
{
    uint32_t class = p->cluster->jobs[job].home;
    int32_t reason = r->failed[class] == r->placings ? r->failed_why[class]
                                                     : pc_try_start(p, job, POLICY_ALLOCATE);
    if (reason == 0 || reason == POLICY_REASON_WAITING) /* started, or out of memory */
        return;
    r->failed[class] = r->placings; /* equivalent jobs fail, too */
    r->failed_why[class] = reason;
    pc_ranking_found(p, job, reason);
}

/* Starts tasks of running elastic jobs above their minimum. */
static void place_surplus(struct policy *p, const struct pc_rank_lane *lane)
{
    const struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; lane->elastic && i < lane->count && !c->out_of_memory; i++) {
        uint32_t job = lane->entries[i].job;
        while (is_current(p, &lane->entries[i]) && pc_ranking_runs(p, job) &&
               c->jobs[job].class != PC_NONE && pc_try_start(p, job, POLICY_ALLOCATE) == 0)
            continue;
    }
}

/* Starts the chosen jobs that fit. */
static void place(struct policy *p, struct pc_ranking *r, uint32_t id)
{
    const struct pc_rank_lane *lane = &r->lanes[id];
    r->placings++;
    for (uint32_t i = 0; i < lane->chosen_count && !p->cluster->out_of_memory; i++) {
        uint32_t job = lane->chosen[i];
        if (r->of[job].lane == id && r->of[job].chosen && pc_ranking_waits(p, job))
            start(p, r, job);
    }
    place_surplus(p, lane);
}

/* ---- enough devices for all ---- */

/*
 * Returns true if all pending jobs fit the free devices: then no job is evicted, whatever the
 * order, and time alone changes nothing. Checking pending jobs is enough then, and lanes with few
 * pending jobs are common.
 */
static bool is_enough(const struct policy *p, const struct pc_rank_lane *lane, uint32_t id)
{
    const struct span sets = sets_of(p, id);
    if (pc_ranking_looks_always(p) || sets.behind - sets.first != 1)
        return false;
    int64_t left = p->cluster->pool_sets[sets.first].milli;
    if (pc_ranking_is_indexed(p))
        return lane->pending_milli <= left;
    for (uint32_t i = 0; i < lane->waiting && left >= 0; i++)
        left -=
            pc_ranking_never_fits(p, lane->waiters[i]) ? 0 : pc_ranking_demand(p, lane->waiters[i]);
    return left >= 0;
}

/* Starts every job that fits, in order. */
static void place_all(struct policy *p, struct pc_ranking *r, uint32_t id)
{
    struct pc_rank_lane *lane = &r->lanes[id];
    uint32_t count = 0;
    if (!pc_outranked_reserve(p, r, lane->waiting))
        return;
    for (uint32_t i = 0; i < lane->waiting; i++) {
        uint32_t job = lane->waiters[i];
        if (pc_ranking_never_fits(p, job))
            continue;
        r->walk[count] = (struct pc_rank){.job = job};
        p->order->rank(p, job, &r->walk[count++]);
    }
    sort(r, count);
    lane->chosen_count = 0;
    for (uint32_t i = 0; i < count; i++)
        choose(r, lane, r->walk[i].job);
    place(p, r, id);
    if (p->cluster->out_of_memory)
        return;
    lane->news++;
    lane->stale = lane->owed = false;
    lane->wakeup = INT64_MAX;
}

/* ---- the decision ---- */

static policy_time wakeup_of(struct policy *p, struct pc_ranking *r, uint32_t id)
{
    struct pc_rank_lane *lane = &r->lanes[id];
    policy_time first = INT64_MAX;
    if (lane->waiting == 0 && p->config.ranked.demotion == POLICY_DEMOTE_EXACT)
        return INT64_MAX;
    if (pc_ranking_is_indexed(p)) {
        pc_ranking_catch_up(p, r, id);
        return pc_ranking_next_crossing(r, lane);
    }
    for (uint32_t i = 0; i < lane->count; i++) {
        const struct pc_rank_entry *e = &lane->entries[i];
        if (!is_current(p, e) || !pc_ranking_runs(p, e->job))
            continue;
        policy_time its = p->order->next_crossing(p, e->job);
        first = its < first ? its : first;
    }
    return first;
}

/* Recomputes which jobs should run. Returns false if out of memory. */
static bool look_again(struct policy *p, struct pc_ranking *r, uint32_t id)
{
    struct pc_rank_lane *lane = &r->lanes[id];
    uint32_t walks = pc_ranking_is_indexed(p) ? lane->chosen_count : lane->count;
    if (!reserve_evictions(p, lane) || !pc_outranked_reserve(p, r, walks))
        return false;
    lane->stale = false;
    lane->wakeup = INT64_MAX; /* recomputed after placement */
    lane->news++;
    lane->owed = !(pc_ranking_is_indexed(p) ? look_at_boundary(p, r, id) : look_at_all(p, r, id));
    return true;
}

static void decide_lane(struct policy *p, struct pc_ranking *r, uint32_t id)
{
    struct pc_rank_lane *lane = &r->lanes[id];
    bool look = lane->stale || lane->wakeup <= p->now;
    if (!look && !lane->owed)
        return;
    if (lane->from_history && !pc_outranked_reserve(p, r, lane->count))
        return;
    put_as_before(p, r, lane);
    if (pc_ranking_is_indexed(p))
        pc_ranking_catch_up(p, r, id);
    if (look && is_enough(p, lane, id)) {
        place_all(p, r, id);
        return;
    }
    if (look && !look_again(p, r, id))
        return;
    if (lane->owed)
        place(p, r, id);
    if (p->cluster->out_of_memory)
        return;
    lane->owed = false;
    lane->wakeup = wakeup_of(p, r, id);
}

void pc_evict_outranked(struct policy *p)
{
    struct pc_ranking *r = pc_ranking_of(p);
    policy_time wakeup = INT64_MAX;
    for (uint32_t lane = 0; lane < r->lane_count && r->all; lane++)
        r->lanes[lane].stale = true;
    r->all = false;
    for (uint32_t lane = 0; lane < r->lane_count; lane++) {
        decide_lane(p, r, lane);
        if (p->cluster->out_of_memory)
            return;
        wakeup = r->lanes[lane].wakeup < wakeup ? r->lanes[lane].wakeup : wakeup;
    }
    r->wakeup = wakeup;
    r->any = false;
}

bool pc_outranked_has_work(const struct policy *p)
{
    return pc_ranking_of(p)->any ||
           p->cluster->pending->judged_version != p->cluster->fleet_version;
}
