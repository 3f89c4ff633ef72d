/* SPDX-License-Identifier: MIT */
/*
 * Deciding in ranked lines; the model is in core/ranked.h. Lanes are independent of each other but for nodes that they
 * share: there the lane with the smaller number is served first. A decision costs n log n of the jobs of the lanes that
 * something happened in, and n when little has changed its place.
 */
#include "core/ranked.h"
#include "act/allocate.h"
#include "core/jobs.h"
#include "core/nodes.h"
#include "core/sites.h"

/* ---- the budget ---- */

/* Thousandths of usable devices in the site's pools that the active job holds. */
static int64_t held_in(const struct policy *p, uint32_t id, uint32_t site)
{
    const struct pc_job *job = &p->jobs[id];
    const struct pc_group *g = &p->groups[job->group];
    int64_t sum = 0;
    for (uint32_t s = job->first_slot; s != PC_NONE; s = p->slots[s].next) {
        const struct pc_slot *slot = &p->slots[s];
        if (!pc_site_has(p, site, slot->pool))
            continue;
        if (slot->node == PC_NONE)
            return g->gpu_milli;
        const struct pc_node *n = &p->nodes[slot->node];
        if (n->state == POLICY_NODE_UP)
            sum += (int64_t)pc_popcount(slot->devices & n->usable) * g->roles[slot->role].request.milli;
    }
    return sum;
}

/* The sites that a lane's jobs may use: one, or any. */
struct span {
    uint32_t first, behind;
};

static struct span sites_of(const struct policy *p, uint32_t lane)
{
    if (p->config.scope == POLICY_SCOPE_QUEUE)
        return (struct span){p->queues[lane].site, p->queues[lane].site + 1};
    return (struct span){0, p->site_count};
}

/* Whether all pools of site b are among those of a. */
static bool covers(const struct pc_site *a, const struct pc_site *b)
{
    if (a == b || a->pool_count == 0)
        return true;
    uint32_t i = 0;
    for (uint32_t k = 0; k < a->pool_count && i < b->pool_count; k++)
        i += a->pools[k] == b->pools[i];
    return b->pool_count > 0 && i == b->pool_count;
}

/* What the job takes of the budget of a site: what it holds there; all, when it is a part of the site wherever it starts. */
static int64_t takes(const struct policy *p, uint32_t id, uint32_t site)
{
    const struct pc_group *g = &p->groups[p->jobs[id].group];
    if (p->jobs[id].state == PC_ACTIVE)
        return held_in(p, id, site);
    return covers(&p->sites[site], &p->sites[g->site]) ? g->gpu_milli : 0;
}

static bool fits(const struct policy *p, struct span sites, uint32_t id)
{
    for (uint32_t s = sites.first; s < sites.behind; s++) {
        int64_t wants = takes(p, id, s);
        if (wants > 0 && wants > p->ranked->left[s])
            return false;
    }
    return true;
}

static void take(struct policy *p, struct span sites, uint32_t id)
{
    for (uint32_t s = sites.first; s < sites.behind; s++)
        p->ranked->left[s] -= takes(p, id, s);
}

/* Devices that are free, and those that jobs of the lane hold, also those that leave. */
static void fill_budget(struct policy *p, const struct pc_ranked_lane *lane, struct span sites)
{
    for (uint32_t s = sites.first; s < sites.behind; s++)
        p->ranked->left[s] = p->sites[s].milli;
    for (uint32_t i = 0; i < lane->count; i++)
        if (p->jobs[lane->entries[i].job].state == PC_ACTIVE)
            for (uint32_t s = sites.first; s < sites.behind; s++)
                p->ranked->left[s] += held_in(p, lane->entries[i].job, s);
}

/* ---- the order ---- */

static bool before(const struct pc_standing *a, const struct pc_standing *b)
{
    if (a->key != b->key)
        return a->key < b->key;
    if (a->second != b->second)
        return a->second < b->second;
    if (a->third != b->third)
        return a->third < b->third;
    return a->turn != b->turn ? a->turn < b->turn : a->job < b->job;
}

/* Merges [first, middle) and [middle, behind) of the walk; most often they are in order already. */
static void merge(struct pc_ranked *r, uint32_t first, uint32_t middle, uint32_t behind)
{
    if (middle >= behind || before(&r->walk[middle - 1], &r->walk[middle]))
        return;
    uint32_t a = first;
    uint32_t b = middle;
    for (uint32_t to = first; to < behind; to++) {
        bool left = b == behind || (a < middle && before(&r->walk[a], &r->walk[b]));
        r->spare[to] = r->walk[left ? a++ : b++];
    }
    for (uint32_t i = first; i < behind; i++)
        r->walk[i] = r->spare[i];
}

static void sort(struct pc_ranked *r, uint32_t count)
{
    for (uint64_t run = 1; run < count; run *= 2)
        for (uint64_t first = 0; first + run < count; first += 2 * run) {
            uint64_t behind = first + 2 * run < count ? first + 2 * run : count;
            merge(r, (uint32_t)first, (uint32_t)(first + run), (uint32_t)behind);
        }
}

/* Whether it takes part: who is gone, kept back, leaving or can never fit does not. */
static bool takes_part(const struct policy *p, uint32_t id)
{
    const struct pc_job *job = &p->jobs[id];
    if (job->state == PC_ACTIVE)
        return !p->ranked->of[id].leaving;
    return job->state == PC_PENDING && !p->groups[job->group].never_fits;
}

/* The jobs stand as was told of the past: by their places, and those without one behind them, as they came. */
void pc_ranked_put_as_told(struct policy *p, struct pc_ranked_lane *lane)
{
    struct pc_ranked *r = p->ranked;
    uint32_t count = 0;
    if (!lane->is_told)
        return;
    for (uint32_t i = 0; i < lane->count; i++) {
        const struct pc_ranked_entry e = lane->entries[i];
        if (p->jobs[e.job].state == PC_FREE || p->jobs[e.job].gen != e.gen)
            continue;
        uint32_t place = r->of[e.job].told_place;
        r->walk[count++] =
            (struct pc_standing){.key = place > 0 ? place : INT64_MAX, .turn = i, .job = e.job};
    }
    sort(r, count);
    for (uint32_t i = 0; i < count; i++)
        lane->entries[i] = (struct pc_ranked_entry){r->walk[i].job, p->jobs[r->walk[i].job].gen};
    lane->count = count;
    lane->is_told = false;
}

uint32_t pc_ranked_arrange(struct policy *p, struct pc_ranked_lane *lane)
{
    struct pc_ranked *r = p->ranked;
    uint32_t walking = 0;
    uint32_t others = 0;
    pc_ranked_put_as_told(p, lane);
    for (uint32_t i = 0; i < lane->count; i++) {
        const struct pc_ranked_entry e = lane->entries[i];
        if (p->jobs[e.job].state == PC_FREE || p->jobs[e.job].gen != e.gen)
            continue;
        if (!takes_part(p, e.job)) {
            lane->entries[others++] = e;
            continue;
        }
        struct pc_standing *s = &r->walk[walking++];
        *s = (struct pc_standing){.job = e.job, .place = i};
        p->order->stand(p, e.job, s);
    }
    sort(r, walking);
    for (uint32_t i = others; i-- > 0;)
        lane->entries[walking + i] = lane->entries[i];
    for (uint32_t i = 0; i < walking; i++)
        lane->entries[i] = (struct pc_ranked_entry){r->walk[i].job, p->jobs[r->walk[i].job].gen};
    lane->count = walking + others;
    return walking;
}

/* ---- evicting ---- */

/* Room for the decisions to evict all that runs in the lane; false: no memory. */
static bool reserve_evictions(struct policy *p, const struct pc_ranked_lane *lane)
{
    uint32_t tasks = 0;
    for (uint32_t i = 0; i < lane->count && lane->waiting > 0; i++)
        tasks += p->jobs[lane->entries[i].job].active;
    if (PC_GROW(&p->memory, p->decisions, p->decision_capacity, p->decision_count + tasks))
        return true;
    pc_refuse(p, POLICY_NO_MEMORY, "tasks", tasks, "no memory to evict them");
    return false;
}

void pc_ranked_evict(struct policy *p, uint32_t id, uint32_t for_job)
{
    for (uint32_t s = p->jobs[id].first_slot; s != PC_NONE; s = p->slots[s].next) {
        struct policy_decision *d = pc_decide_about(p, id, &p->slots[s]);
        d->kind = POLICY_EVICT;
        d->action = POLICY_PREEMPT;
        d->reason = POLICY_REASON_OUTRANKED;
        d->for_job = pc_job_id(p, for_job);
    }
    pc_ranked_leave(p, id);
}

/* Whether one has to stay: it may not be evicted. */
static bool is_fixed(const struct policy *p, uint32_t id)
{
    return p->jobs[id].state == PC_ACTIVE && !p->jobs[id].preemptible;
}

static void choose(struct policy *p, uint32_t id, bool fitting)
{
    if (!fitting)
        pc_ranked_found(p, id, 0);
    p->ranked->of[id].chosen = fitting;
}

/* Hands out the budget in order and evicts who got nothing; whether there was somebody. */
static bool divide(struct policy *p, const struct pc_ranked_lane *lane, uint32_t walking, struct span sites)
{
    bool evicted = false;
    uint32_t last_chosen = PC_NONE;
    for (uint32_t i = 0; i < walking; i++)
        if (is_fixed(p, lane->entries[i].job))
            take(p, sites, lane->entries[i].job);
    for (uint32_t i = 0; i < walking; i++) {
        uint32_t id = lane->entries[i].job;
        bool waits = p->jobs[id].state == PC_PENDING;
        if (is_fixed(p, id))
            continue;
        bool fitting = fits(p, sites, id);
        if (fitting)
            take(p, sites, id);
        if (waits) {
            choose(p, id, fitting);
            last_chosen = fitting ? id : last_chosen;
        } else if (!fitting) {
            pc_ranked_evict(p, id, last_chosen);
            evicted = true;
        }
    }
    return evicted;
}

/* ---- starting ---- */

static bool start(struct policy *p, uint32_t id)
{
    struct pc_group *g = &p->groups[p->jobs[id].group];
    int32_t reason =
        g->failed_in == p->ranked->placings ? g->failed_why : pc_try_start(p, id, POLICY_ALLOCATE);
    if (reason == POLICY_REASON_WAITING) {
        pc_refuse(p, POLICY_NO_MEMORY, "tasks", g->tasks, "no memory to start them");
        return false;
    }
    if (reason == 0) {
        pc_ranked_runs(p, id, p->now);
        return true;
    }
    g->failed_in = p->ranked->placings; /* as will all others that ask for the same */
    g->failed_why = reason;
    pc_ranked_found(p, id, reason);
    return true;
}

/* Starts who is chosen and finds a place; false: no memory. */
static bool place(struct policy *p, const struct pc_ranked_lane *lane)
{
    p->ranked->placings++;
    for (uint32_t i = 0; i < lane->count; i++) {
        const struct pc_ranked_entry *e = &lane->entries[i];
        if (p->jobs[e->job].gen == e->gen && p->jobs[e->job].state == PC_PENDING &&
            p->ranked->of[e->job].chosen && !start(p, e->job))
            return false;
    }
    return true;
}

/* ---- when there is enough for all ---- */

/*
 * Whether all that waits fits what is free: then nobody has to make way, whatever the order, and time alone changes
 * nothing. Looking at those that wait is enough then, and many lines are short most of the time.
 */
static bool is_enough(const struct policy *p, const struct pc_ranked_lane *lane, struct span sites)
{
    if (pc_ranked_looks_always(p) || sites.behind - sites.first != 1)
        return false;
    int64_t left = p->sites[sites.first].milli;
    for (uint32_t i = 0; i < lane->waiting && left >= 0; i++) {
        const struct pc_group *g = &p->groups[p->jobs[lane->waiters[i]].group];
        left -= g->never_fits ? 0 : g->gpu_milli;
    }
    return left >= 0;
}

/* Starts in order all that finds a place; false: no memory. */
static bool place_all(struct policy *p, struct pc_ranked_lane *lane)
{
    struct pc_ranked *r = p->ranked;
    uint32_t count = 0;
    for (uint32_t i = 0; i < lane->waiting; i++) {
        uint32_t id = lane->waiters[i];
        if (p->groups[p->jobs[id].group].never_fits)
            continue;
        choose(p, id, true);
        r->walk[count] = (struct pc_standing){.job = id};
        p->order->stand(p, id, &r->walk[count++]);
    }
    sort(r, count);
    r->placings++;
    for (uint32_t i = 0; i < count; i++)
        if (!start(p, r->walk[i].job))
            return false;
    lane->news++;
    lane->stale = lane->owed = false;
    lane->wakeup = INT64_MAX;
    return true;
}

/* ---- all of it ---- */

static policy_time wakeup_of(const struct policy *p, const struct pc_ranked_lane *lane)
{
    policy_time first = INT64_MAX;
    bool nobody_waits = lane->waiting == 0 && p->config.ranked.demotion == POLICY_DEMOTE_EXACT;
    for (uint32_t i = 0; i < lane->count && !nobody_waits; i++) {
        const struct pc_ranked_entry *e = &lane->entries[i];
        if (p->jobs[e->job].gen != e->gen || !pc_ranked_is_running(p, e->job))
            continue;
        policy_time its = p->order->changes(p, e->job);
        first = its < first ? its : first;
    }
    return first;
}

/* Who is to run is found out anew; false: no memory. */
static bool look_again(struct policy *p, uint32_t id)
{
    struct pc_ranked_lane *lane = &p->ranked->lanes[id];
    struct span sites = sites_of(p, id);
    if (!reserve_evictions(p, lane))
        return false;
    uint32_t walking = pc_ranked_arrange(p, lane);
    fill_budget(p, lane, sites);
    lane->stale = false;
    lane->wakeup = INT64_MAX; /* found again when all is placed */
    lane->news++;
    lane->owed = !divide(p, lane, walking, sites);
    return true;
}

static bool decide_lane(struct policy *p, uint32_t id)
{
    struct pc_ranked_lane *lane = &p->ranked->lanes[id];
    bool look = lane->stale || lane->wakeup <= p->now;
    if (!look && !lane->owed)
        return true;
    pc_ranked_put_as_told(p, lane);
    if (look && is_enough(p, lane, sites_of(p, id)))
        return place_all(p, lane);
    if (look && !look_again(p, id))
        return false;
    if (lane->owed && !place(p, lane))
        return false;
    lane->owed = false;
    lane->wakeup = wakeup_of(p, lane);
    return true;
}

bool pc_ranked_decide(struct policy *p)
{
    struct pc_ranked *r = p->ranked;
    policy_time wakeup = INT64_MAX;
    for (uint32_t lane = 0; lane < p->lane_count && r->all; lane++)
        r->lanes[lane].stale = true;
    r->all = false;
    for (uint32_t lane = 0; lane < p->lane_count; lane++) {
        if (!decide_lane(p, lane))
            return false;
        wakeup = r->lanes[lane].wakeup < wakeup ? r->lanes[lane].wakeup : wakeup;
    }
    r->wakeup = wakeup;
    r->any = false;
    return true;
}
