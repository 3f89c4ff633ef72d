/* SPDX-License-Identifier: MIT */
/* The choice of a node; see choose.h. */
#include "place/choose.h"

#include "cluster/nodes.h"
#include "cluster/tasks.h"
#include "place/kept.h"

/* ---- whether a node will do ---- */

/*
 * Limits bind jobs that ask for memory of devices here: what share that is depends on the node. The whole devices that
 * such a job asks for beside it were compared with the limits before, but not together with the memory.
 */
static bool within_bounds(const struct pq_ask *a, const struct pq_node *n)
{
    const struct cluster *c = a->p->cluster;
    const struct pq_job *j = &c->jobs[a->job];
    if (!c->shapes[j->shape].wants_memory)
        return true;
    struct pq_amounts portion = pq_weigh_on(n, a->request);
    portion.of[PQ_CPU] = portion.of[PQ_MEM] = 0;
    for (uint32_t q = j->queue; q != POLICY_NO_ID; q = c->flat ? POLICY_NO_ID : c->queues[q].parent) {
        const struct pq_queue *queue = &c->queues[q];
        if (pq_exceeds(&queue->allocated, &portion, &queue->limit) < PQ_RESOURCES)
            return false;
        if (pq_is_bound_by_quota(a->p, j) &&
            pq_exceeds(&queue->fixed, &portion, &queue->quota) < PQ_RESOURCES)
            return false;
    }
    return true;
}

bool pq_spares(const struct pq_ask *a, const struct pq_node *n)
{
    const struct cluster *c = a->p->cluster;
    return within_bounds(a, n) && (!a->reserves || pq_spares_kept(a->p, &c->jobs[a->job], n, a->request)) &&
           pq_spares_reservation(a->p, a->job, a->task, a->p->node_of_rank[n->rank]);
}

static bool is_offered(const struct pq_ask *a, uint32_t rank)
{
    return (a->area->nodes == NULL || pc_bits_has(a->area->nodes, rank)) &&
           pc_bits_has(&a->pools->nodes, rank);
}

bool pq_will_do(const struct pq_ask *a, const struct pq_node *n)
{
    const struct cluster *c = a->p->cluster;
    return n->state == POLICY_NODE_UP && is_offered(a, n->rank) && pq_node_suits(c, n, a->request) &&
           (a->now_only ? pq_fits_now(c, n, a->request) : pq_fits_soon(c, n, a->request)) && pq_spares(a, n);
}

/* ---- how good it is ---- */

__extension__ typedef __int128 wide;

bool pq_is_better(const struct pq_rating *a, bool now, const struct pq_rating *than, bool than_now)
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

bool pq_may_bind(const struct pq_ask *a)
{
    const struct cluster *c = a->p->cluster;
    return a->reserves || (c->reservation.in_force && c->reservation.binds) ||
           c->shapes[c->jobs[a->job].shape].wants_memory;
}

uint32_t pq_best_among(const struct pq_ask *a, const struct pc_bits *nodes)
{
    const struct pq_placement *row = a->p->cluster->placement;
    uint32_t best = PC_NONE;
    uint8_t best_near = 0;
    bool best_now = false;
    struct pq_rating best_rating = {0};
    for (uint32_t rank = pc_bits_first(nodes); rank != PC_NONE; rank = pc_bits_next(nodes, rank + 1)) {
        const struct pq_node *n = pq_ranked(a->p, rank);
        uint8_t near = a->area->scores != NULL ? a->area->scores[rank] : 0;
        if ((best != PC_NONE && near < best_near) || !pq_will_do(a, n))
            continue;
        struct pq_rating rating = {.of = 1};
        bool now = a->now_only || pq_fits_now(a->p->cluster, n, a->request);
        row->rate(a, n, &rating);
        if (best == PC_NONE || near > best_near || pq_is_better(&rating, now, &best_rating, best_now)) {
            best = rank;
            best_near = near;
            best_now = now;
            best_rating = rating;
        }
    }
    return best;
}

static uint32_t search(const struct pq_ask *a)
{
    const struct cluster *c = a->p->cluster;
    uint32_t rank = PQ_NOT_COVERED;
    if (c->placement->rate == NULL)
        return c->placement->search(a);
    if (c->placement->search != NULL && a->area->scores == NULL && !c->exhaustive)
        rank = c->placement->search(a);
    if (rank != PQ_NOT_COVERED)
        return rank;
    return pq_best_among(a, a->area->nodes != NULL ? a->area->nodes : &a->pools->nodes);
}

/* ---- the question and the answer ---- */

struct pq_ask pq_ask_for(struct policy *p, uint32_t job, uint32_t task, const struct pq_area *area,
                         enum pq_when when)
{
    const struct cluster *c = p->cluster;
    const struct pq_job *j = &c->jobs[job];
    const struct pq_shape *shape = &c->shapes[j->shape];
    const struct pq_role *role = pq_role_of(shape, task);
    uint32_t set = c->queues[j->queue].zone;
    return (struct pq_ask){
        .p = p,
        .request = &role->request,
        .job = job,
        .task = task,
        .area = area,
        .set = set,
        .pools = &c->pool_sets[set],
        .now_only = when == PQ_AT_ONCE,
        .remainder = role->request.devices < shape->roles[0].request.devices,
        .reserves = pq_measure_kept(p),
        .draw = p->draws,
    };
}

/* Devices that could each take the share. */
static uint64_t open_for(const struct pq_ask *a, const struct pq_node *n, bool at_once)
{
    uint64_t open = 0;
    bool now;
    for (uint64_t rest = n->usable; rest != 0; rest &= rest - 1) {
        uint64_t device = rest & (~rest + 1);
        if (pq_shares_fit_on(a->p->cluster, n, a->request, device, &now) && (now || !at_once))
            open |= device;
    }
    return open;
}

/* Devices for a share as the placement wants them; 0: it does not care, or too much. */
static uint64_t wanted_devices(const struct pq_ask *a, const struct pq_node *n, enum pq_when when, bool *now)
{
    const struct pq_placement *row = a->p->cluster->placement;
    if (row->share_devices == NULL || !pq_wants_share(a->request))
        return 0;
    bool at_once = when != PQ_NOMINATED && pq_fits_now(a->p->cluster, n, a->request);
    uint64_t devices = row->share_devices(a, n, open_for(a, n, at_once));
    bool fits = pq_shares_fit_on(a->p->cluster, n, a->request, devices, now) && (*now || !at_once);
    *now = at_once;
    return fits ? devices : 0;
}

/* The place on a node that the task fits soon. */
static void take(const struct pq_ask *a, uint32_t node, enum pq_when when, struct pq_place *place)
{
    const struct cluster *c = a->p->cluster;
    const struct pq_node *n = &c->nodes[node];
    bool spread = a->p->config.quota.device_placement == POLICY_SPREAD;
    bool now;
    uint8_t slice = 0;
    uint64_t devices = wanted_devices(a, n, when, &now);
    if (devices == 0)
        devices = pq_choose_devices(c, n, a->request, spread, when == PQ_NOMINATED, &now, &slice);
    if (now) {
        place->node = node;
        place->holding = PQ_RUNS;
        place->started = 1;
        place->devices = devices;
        place->slice = slice;
    } else {
        place->promised = node;
        place->promised_devices = devices;
        place->promised_slice = slice;
    }
}

bool pq_find_place(const struct pq_ask *a, enum pq_when when, struct pq_place *place)
{
    uint32_t rank = search(a);
    if (rank == PC_NONE)
        return false;
    take(a, a->p->node_of_rank[rank], when, place);
    return true;
}

bool pq_choose(struct policy *p, uint32_t job, uint32_t task, const struct pq_area *area, bool promise_only,
               struct pq_place *place)
{
    enum pq_when when = promise_only ? PQ_NOMINATED : PQ_SOONEST;
    const struct pq_ask ask = pq_ask_for(p, job, task, area, when);
    return pq_find_place(&ask, when, place);
}

bool pq_fits_anywhere(struct policy *p, uint32_t job, uint32_t task, const struct pq_request *r)
{
    const struct pq_area everywhere = {0};
    struct pq_ask ask = pq_ask_for(p, job, task, &everywhere, PQ_AT_ONCE);
    ask.request = r;
    if (pq_lists_tell(&ask))
        return pq_most_free(&ask, pq_wants_share(r) ? 0 : r->devices) != PC_NONE;
    return pq_best_among(&ask, &ask.pools->nodes) != PC_NONE;
}

bool pq_promise_on(struct policy *p, uint32_t job, uint32_t task, uint32_t node, struct pq_place *place)
{
    const struct pq_area everywhere = {0};
    const struct pq_ask ask = pq_ask_for(p, job, task, &everywhere, PQ_NOMINATED);
    if (!pq_will_do(&ask, &p->cluster->nodes[node]))
        return false;
    if (place != NULL)
        take(&ask, node, PQ_NOMINATED, place);
    return true;
}

/* Whether the very devices, or slices of one, have room; they do not matter where whole devices are counted. */
static bool fits_as_promised(const struct pq_ask *a, const struct pq_promise *promise, bool *now)
{
    const struct pq_node *n = &a->p->cluster->nodes[promise->node];
    if (pq_wants_share(a->request))
        return pq_shares_fit_on(a->p->cluster, n, a->request, promise->devices, now);
    return a->request->wants_mig && n->mig == POLICY_MIG_FREE && promise->devices != 0 &&
           pq_instance_fits_at(a->p->cluster, n, a->request, promise->devices, promise->slice, now);
}

bool pq_choose_promised(struct policy *p, const struct pq_promise *promise, struct pq_place *place)
{
    const struct pq_area everywhere = {0};
    const struct pq_ask ask = pq_ask_for(p, promise->job, promise->task, &everywhere, PQ_SOONEST);
    const struct pq_node *n = &p->cluster->nodes[promise->node];
    if (!pq_will_do(&ask, n))
        return false;
    bool leaving = place->holding == PQ_RELEASING; /* it cannot start anywhere yet */
    bool now;
    if (!fits_as_promised(&ask, promise, &now)) {
        take(&ask, promise->node, leaving ? PQ_NOMINATED : PQ_SOONEST, place);
        return true;
    }
    if (now && !leaving && pq_fits_now(p->cluster, n, ask.request)) {
        *place = pq_nowhere();
        place->node = promise->node;
        place->holding = PQ_RUNS;
        place->started = 1;
        place->devices = promise->devices;
        place->slice = promise->slice;
        return true;
    }
    place->promised = promise->node;
    place->promised_devices = promise->devices;
    place->promised_slice = promise->slice;
    return true;
}
