/* SPDX-License-Identifier: MIT */
/* Node selection; see choose.h. */
#include "place/choose.h"

#include "place/session_reserve.h"
#include "state/nodes.h"
#include "state/tasks.h"

/* ---- feasibility ---- */

/*
 * Limits on jobs that request device memory are checked here: the share depends on the node. The
 * job's whole devices were checked earlier, but not together with the memory.
 */
static bool within_bounds(const struct pc_ask *a, const struct pc_node *n)
{
    const struct pc_cluster *c = a->p->cluster;
    const struct pc_job *j = &c->jobs[a->job];
    if (!c->shapes[j->shape].wants_memory)
        return true;
    struct pc_amounts portion = pc_weigh_on(n, a->request);
    portion.of[PC_CPU] = portion.of[PC_MEM] = 0;
    for (uint32_t q = j->queue; q != POLICY_NO_ID;
         q = c->flat ? POLICY_NO_ID : c->queues[q].parent) {
        const struct pc_queue *queue = &c->queues[q];
        if (pc_exceeds(&queue->allocated, &portion, &queue->limit) < PC_RESOURCES)
            return false;
        if (pc_is_bound_by_quota(a->p, j) &&
            pc_exceeds(&queue->fixed, &portion, &queue->quota) < PC_RESOURCES)
            return false;
    }
    return true;
}

bool pc_spares(const struct pc_ask *a, const struct pc_node *n)
{
    const struct pc_cluster *c = a->p->cluster;
    return within_bounds(a, n) &&
           (!a->reserves || pc_spares_session_reserve(a->p, &c->jobs[a->job], n, a->request)) &&
           (c->reservation.spares == NULL ||
            c->reservation.spares(a->p, a->job, a->task, a->p->node_of_rank[n->rank]));
}

static bool is_offered(const struct pc_ask *a, uint32_t rank)
{
    return (a->area->nodes == NULL || pc_bits_has(a->area->nodes, rank)) &&
           pc_bits_has(&a->pools->nodes, rank);
}

bool pc_offered_will_do(const struct pc_ask *a, const struct pc_node *n)
{
    const struct pc_cluster *c = a->p->cluster;
    return pc_node_suits(c, n, a->request) &&
           (a->now_only ? pc_fits_now(c, n, a->request) : pc_fits_soon(c, n, a->request)) &&
           (!a->binds || pc_spares(a, n));
}

bool pc_will_do(const struct pc_ask *a, const struct pc_node *n)
{
    return n->state == POLICY_NODE_UP && is_offered(a, n->rank) && pc_offered_will_do(a, n);
}

/* ---- rating ---- */

__extension__ typedef __int128 wide;

bool pc_is_better(const struct pc_rating *a, bool now, const struct pc_rating *than, bool than_now)
{
    if (a->attraction != than->attraction)
        return a->attraction > than->attraction;
    if (now != than_now)
        return now;
    if (a->score != than->score)
        return a->score > than->score;
    if (a->of == than->of)
        return a->part > than->part;
    return (wide)a->part * than->of > (wide)than->part * a->of;
}

bool pc_may_bind(const struct pc_ask *a)
{
    const struct pc_cluster *c = a->p->cluster;
    return a->reserves || (c->reservation.in_force && c->reservation.binds) ||
           c->shapes[c->jobs[a->job].shape].wants_memory;
}

uint32_t pc_best_among(const struct pc_ask *a, const struct pc_bits *nodes)
{
    const struct pc_placement *row = a->p->cluster->placement;
    uint32_t best = PC_NONE;
    uint8_t best_near = 0;
    bool best_now = false;
    struct pc_rating best_rating = {0};
    for (uint32_t rank = pc_bits_first(nodes); rank != PC_NONE;
         rank = pc_bits_next(nodes, rank + 1)) {
        const struct pc_node *n = pc_ranked(a->p, rank);
        uint8_t near = a->area->scores != NULL ? a->area->scores[rank] : 0;
        if ((best != PC_NONE && near < best_near) || !pc_will_do(a, n))
            continue;
        struct pc_rating rating = {.of = 1};
        bool now = a->now_only || pc_fits_now(a->p->cluster, n, a->request);
        row->rate(a, n, &rating);
        if (best == PC_NONE || near > best_near ||
            pc_is_better(&rating, now, &best_rating, best_now)) {
            best = rank;
            best_near = near;
            best_now = now;
            best_rating = rating;
        }
    }
    return best;
}

PC_INLINE uint32_t search_pools(const struct pc_ask *a)
{
    const struct pc_cluster *c = a->p->cluster;
    uint32_t rank = PC_NOT_COVERED;
    if (c->placement->rate == NULL)
        return c->placement->search(a);
    if (c->placement->search != NULL && a->area->scores == NULL && !c->exhaustive)
        rank = c->placement->search(a);
    if (rank != PC_NOT_COVERED)
        return rank;
    return pc_best_among(a, a->area->nodes != NULL ? a->area->nodes : &a->pools->nodes);
}

/*
 * Searches the queue's pools tier by tier (place/pool_tiers.h); nodes where the task fits now
 * precede those where it fits after release. Closeness to other tasks of the job comes first.
 */
static uint32_t search(const struct pc_ask *a)
{
    const struct pc_cluster *c = a->p->cluster;
    const struct pc_pool_set *pools = a->pools;
    uint32_t soon = PC_NONE;
    if (pools->tier_count == 0 || a->area->scores != NULL)
        return search_pools(a);
    for (uint32_t i = 0; i < pools->tier_count; i++) {
        struct pc_ask tier = *a;
        tier.set = pools->tiers[i];
        tier.pools = &c->pool_sets[tier.set];
        uint32_t rank = search_pools(&tier);
        if (rank != PC_NONE && (a->now_only || pc_fits_now(c, pc_ranked(a->p, rank), a->request)))
            return rank;
        soon = soon == PC_NONE ? rank : soon;
    }
    return soon;
}

/* ---- query and result ---- */

struct pc_ask pc_ask_for(struct policy *p, uint32_t job, uint32_t task, const struct pc_area *area,
                         enum pc_when when)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *shape = &c->shapes[j->shape];
    const struct pc_role *role = pc_role_of(shape, task);
    uint32_t set = c->confined_to > 0 ? c->confined_to - 1 : c->queues[j->queue].pool_set;
    bool reserves = c->fixed_milli != 0 && pc_measure_session_reserve(p);
    return (struct pc_ask){
        .p = p,
        .request = &role->request,
        .job = job,
        .task = task,
        .area = area,
        .set = set,
        .pools = &c->pool_sets[set],
        .now_only = when == PC_AT_ONCE,
        .remainder = role->request.devices < shape->roles[0].request.devices,
        .reserves = reserves,
        .binds = reserves || c->reservation.spares != NULL || shape->wants_memory,
        .draw = p->draws,
    };
}

/* Devices that each could hold the share. */
static uint64_t open_for(const struct pc_ask *a, const struct pc_node *n, bool at_once)
{
    uint64_t open = 0;
    bool now;
    for (uint64_t rest = n->usable; rest != 0; rest &= rest - 1) {
        uint64_t device = rest & (~rest + 1);
        if (pc_shares_fit_on(a->p->cluster, n, a->request, device, &now) && (now || !at_once))
            open |= device;
    }
    return open;
}

/* The placement's choice of devices for a share; 0: it has none, or chose too many. */
static uint64_t wanted_devices(const struct pc_ask *a, const struct pc_node *n, enum pc_when when,
                               bool *now)
{
    const struct pc_placement *row = a->p->cluster->placement;
    if (row->share_devices == NULL || !pc_wants_share(a->request))
        return 0;
    bool at_once = when != PC_NOMINATED && pc_fits_now(a->p->cluster, n, a->request);
    uint64_t devices = row->share_devices(a, n, open_for(a, n, at_once));
    bool fits = pc_shares_fit_on(a->p->cluster, n, a->request, devices, now) && (*now || !at_once);
    *now = at_once;
    return fits ? devices : 0;
}

/* The place on a node that the task fits after release. */
static void take(const struct pc_ask *a, uint32_t node, enum pc_when when, struct pc_place *place)
{
    const struct pc_cluster *c = a->p->cluster;
    const struct pc_node *n = &c->nodes[node];
    bool spread = a->p->config.quota.device_placement == POLICY_SPREAD;
    bool now = true;
    uint8_t slice = 0;
    bool whole = a->now_only && !pc_shares_devices(a->request); /* fits now */
    uint64_t devices =
        whole ? pc_lowest_devices(n->idle, a->request->devices) : wanted_devices(a, n, when, &now);
    if (devices == 0 && !whole)
        devices = pc_choose_devices(c, n, a->request, spread, when == PC_NOMINATED, &now, &slice);
    if (now) {
        place->node = node;
        place->holding = PC_RUNS;
        place->started = 1;
        place->devices = devices;
        place->slice = slice;
    } else {
        place->nominated = node;
        place->nominated_devices = devices;
        place->nominated_slice = slice;
    }
}

bool pc_find_place(const struct pc_ask *a, enum pc_when when, struct pc_place *place)
{
    uint32_t rank = search(a);
    if (rank == PC_NONE)
        return false;
    take(a, a->p->node_of_rank[rank], when, place);
    return true;
}

bool pc_choose(struct policy *p, uint32_t job, uint32_t task, const struct pc_area *area,
               bool promise_only, struct pc_place *place)
{
    enum pc_when when = promise_only ? PC_NOMINATED : PC_SOONEST;
    const struct pc_ask ask = pc_ask_for(p, job, task, area, when);
    return pc_find_place(&ask, when, place);
}

bool pc_fits_anywhere(struct policy *p, uint32_t job, uint32_t task, const struct pc_request *r)
{
    const struct pc_area everywhere = {0};
    struct pc_ask ask = pc_ask_for(p, job, task, &everywhere, PC_AT_ONCE);
    ask.request = r;
    if (pc_lists_tell(&ask))
        return pc_most_free(&ask, pc_wants_share(r) ? 0 : r->devices) != PC_NONE;
    return pc_best_among(&ask, &ask.pools->nodes) != PC_NONE;
}

bool pc_nomination_on(struct policy *p, uint32_t job, uint32_t task, uint32_t node,
                      struct pc_place *place)
{
    const struct pc_area everywhere = {0};
    const struct pc_ask ask = pc_ask_for(p, job, task, &everywhere, PC_NOMINATED);
    if (!pc_will_do(&ask, &p->cluster->nodes[node]))
        return false;
    if (place != NULL)
        take(&ask, node, PC_NOMINATED, place);
    return true;
}

/* Returns true if the nominated devices, or slices of one, still have room; whole devices are
 * counted, so any will do. */
static bool fits_as_nominated(const struct pc_ask *a, const struct pc_nomination *nomination,
                              bool *now)
{
    const struct pc_node *n = &a->p->cluster->nodes[nomination->node];
    if (pc_wants_share(a->request))
        return pc_shares_fit_on(a->p->cluster, n, a->request, nomination->devices, now);
    return a->request->wants_mig && n->mig == POLICY_MIG_FREE && nomination->devices != 0 &&
           pc_instance_fits_at(a->p->cluster, n, a->request, nomination->devices, nomination->slice,
                               now);
}

bool pc_choose_nominated(struct policy *p, const struct pc_nomination *nomination,
                         struct pc_place *place)
{
    const struct pc_area everywhere = {0};
    const struct pc_ask ask =
        pc_ask_for(p, nomination->job, nomination->task, &everywhere, PC_SOONEST);
    const struct pc_node *n = &p->cluster->nodes[nomination->node];
    if (!pc_will_do(&ask, n))
        return false;
    bool leaving = place->holding == PC_RELEASING; /* it cannot start anywhere yet */
    bool now;
    if (!fits_as_nominated(&ask, nomination, &now)) {
        take(&ask, nomination->node, leaving ? PC_NOMINATED : PC_SOONEST, place);
        return true;
    }
    if (now && !leaving && pc_fits_now(p->cluster, n, ask.request)) {
        *place = pc_nowhere();
        place->node = nomination->node;
        place->holding = PC_RUNS;
        place->started = 1;
        place->devices = nomination->devices;
        place->slice = nomination->slice;
        return true;
    }
    place->nominated = nomination->node;
    place->nominated_devices = nomination->devices;
    place->nominated_slice = nomination->slice;
    return true;
}
