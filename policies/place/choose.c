/* SPDX-License-Identifier: MIT */
/*
 * The choice of a node; see choose.h. Devices packed on an area without scores, the usual case, are found by walking the
 * lists of nodes by devices that are free soon, fewest first, for shares after those nodes with a device that is shared;
 * everything else looks at each node.
 */
#include "place/choose.h"

#include "cluster/nodes.h"
#include "cluster/tasks.h"
#include "place/allocated.h"
#include "place/kept.h"

/* One task looking for its node. */
struct search {
    struct policy *p;
    const struct cluster *c;
    uint32_t job_id, task;
    const struct pq_job *job;
    const struct pq_request *request;
    const struct pq_area *area;
    const struct pc_bits *zone;
    bool kept; /* devices are kept for others somewhere */
};

/* ---- whether a node will do ---- */

/*
 * Limits bind jobs that ask for memory of devices here: what share that is depends on the node. The whole devices that
 * such a job asks for beside it were compared with the limits before, but not together with the memory.
 */
static bool within_bounds(const struct search *s, const struct pq_node *n)
{
    if (!s->c->shapes[s->job->shape].wants_memory)
        return true;
    struct pq_amounts portion = pq_weigh_on(n, s->request);
    portion.of[PQ_CPU] = portion.of[PQ_MEM] = 0;
    for (uint32_t q = s->job->queue; q != POLICY_NO_ID;
         q = s->c->flat ? POLICY_NO_ID : s->c->queues[q].parent) {
        const struct pq_queue *queue = &s->c->queues[q];
        if (pq_exceeds(&queue->allocated, &portion, &queue->limit) < PQ_RESOURCES)
            return false;
        if (pq_is_bound_by_quota(s->p, s->job) &&
            pq_exceeds(&queue->fixed, &portion, &queue->quota) < PQ_RESOURCES)
            return false;
    }
    return true;
}

static bool is_offered(const struct search *s, uint32_t rank)
{
    return (s->area->nodes == NULL || pc_bits_has(s->area->nodes, rank)) && pc_bits_has(s->zone, rank);
}

static bool will_do(const struct search *s, const struct pq_node *n)
{
    return n->state == POLICY_NODE_UP && is_offered(s, n->rank) && pq_node_suits(s->c, n, s->request) &&
           pq_fits_soon(s->c, n, s->request) && within_bounds(s, n) &&
           (!s->kept || pq_spares_kept(s->p, s->job, n, s->request)) &&
           pq_spares_reservation(s->p, s->job_id, s->task, s->p->node_of_rank[n->rank]);
}

/* ---- how good it is ---- */

static bool spreads(const struct search *s)
{
    const struct policy_quota_options *o = &s->p->config.quota;
    bool devices = s->request->devices > 0 || s->request->wants_mig;
    return (devices ? o->gpu_placement : o->cpu_placement) == POLICY_SPREAD;
}

struct rating {
    int32_t score, shared, now, bare; /* larger is better */
    int64_t fit;                      /* the same, of tasks one by one */
    int64_t free, of;                 /* packing: less is better; spreading: the larger part */
};

/* Whether a shared device attracts the task; those without devices are by any, since they ask for nothing of it. */
static bool is_attracted(const struct search *s, const struct pq_node *n, bool devices)
{
    if (s->p->config.quota.gpu_placement != POLICY_PACK)
        return false;
    return pq_wants_share(s->request) ? pq_fits_shared(n, s->request)
                                      : !devices && (n->groups & ~n->leaving) != 0;
}

static struct rating rate(const struct search *s, const struct pq_node *n)
{
    if (s->p->config.pods.on)
        return (struct rating){.now = pq_fits_now(s->c, n, s->request),
                               .fit = pq_fit_score(s->c, n, s->request, s->p->config.pods.score)};
    bool devices = s->request->devices > 0 || s->request->wants_mig;
    int64_t whole = pq_soon_whole(n);
    return (struct rating){
        .score = s->area->scores != NULL ? s->area->scores[n->rank] : 0,
        .shared = is_attracted(s, n, devices),
        .now = pq_fits_now(s->c, n, s->request),
        .bare = !devices && n->devices == 0,
        .free = devices ? whole : n->cpu_soon,
        .of = devices ? n->devices : n->cpu_total,
    };
}

__extension__ typedef __int128 wide;

static bool is_better(const struct search *s, const struct rating *a, const struct rating *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    if (a->shared != b->shared)
        return a->shared > b->shared;
    if (a->now != b->now)
        return a->now > b->now;
    if (a->fit != b->fit)
        return a->fit > b->fit;
    if (a->bare != b->bare)
        return a->bare > b->bare;
    if (!spreads(s))
        return a->free < b->free;
    int64_t of_a = a->of > 0 ? a->of : 1;
    int64_t of_b = b->of > 0 ? b->of : 1;
    return (wide)a->free * of_b > (wide)b->free * of_a;
}

/* ---- the searches ---- */

/* The best of these nodes; `attracted`: of those that attract the task. */
static uint32_t best_among(const struct search *s, const struct pc_bits *nodes, bool attracted)
{
    uint32_t best = PC_NONE;
    struct rating best_rating = {0};
    const struct policy_pod_options *pods = &s->p->config.pods;
    int64_t bound = pods->on ? pq_fit_bound(s->c, s->request, pods->score) : INT64_MAX;
    for (uint32_t rank = pc_bits_first(nodes); rank != PC_NONE; rank = pc_bits_next(nodes, rank + 1)) {
        if (best != PC_NONE && best_rating.now && best_rating.fit >= bound)
            break;
        const struct pq_node *n = &s->c->nodes[s->p->node_of_rank[rank]];
        if ((attracted && !pq_fits_shared(n, s->request)) || !will_do(s, n))
            continue;
        struct rating r = rate(s, n);
        if (best == PC_NONE || is_better(s, &r, &best_rating)) {
            best = rank;
            best_rating = r;
        }
    }
    return best;
}

static uint32_t look_at_each(const struct search *s)
{
    return best_among(s, s->area->nodes != NULL ? s->area->nodes : s->zone, false);
}

/* Fewest devices free soon, but one where the task fits now before one where it only fits soon. */
static uint32_t fewest_free(const struct search *s)
{
    uint32_t soon = PC_NONE;
    for (int32_t free = s->request->devices; free <= s->c->most_devices; free++) {
        const struct pc_bits *list = &s->c->by_soon[free];
        for (uint32_t rank = pc_bits_first(list); rank != PC_NONE; rank = pc_bits_next(list, rank + 1)) {
            const struct pq_node *n = &s->c->nodes[s->p->node_of_rank[rank]];
            if (!will_do(s, n))
                continue;
            if (pq_fits_now(s->c, n, s->request))
                return rank;
            soon = soon == PC_NONE ? rank : soon;
        }
    }
    return soon;
}

/* On a device that is shared already, or else on one that is free: nobody else has room then for any part of the task. */
static uint32_t fullest(const struct search *s)
{
    uint32_t shared = best_among(s, &s->c->with_shared, true);
    return shared != PC_NONE ? shared : fewest_free(s);
}

static struct search begin(struct policy *p, uint32_t job, uint32_t task, const struct pq_area *area)
{
    const struct cluster *c = p->cluster;
    const struct pq_job *j = &c->jobs[job];
    return (struct search){
        .p = p,
        .c = c,
        .job_id = job,
        .task = task,
        .job = j,
        .request = &pq_role_of(&c->shapes[j->shape], task)->request,
        .area = area,
        .zone = &c->pool_sets[c->queues[j->queue].zone].nodes,
        .kept = pq_measure_kept(p),
    };
}

/* The place on a node that the task fits soon. */
static void take(const struct search *s, uint32_t node, bool promise_only, struct pq_place *place)
{
    bool now;
    uint8_t slice;
    uint64_t devices =
        pq_choose_devices(s->c, &s->c->nodes[node], s->request,
                          s->p->config.quota.device_placement == POLICY_SPREAD, promise_only, &now, &slice);
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

bool pq_choose(struct policy *p, uint32_t job, uint32_t task, const struct pq_area *area, bool promise_only,
               struct pq_place *place)
{
    const struct search s = begin(p, job, task, area);
    bool listed = s.request->devices > 0 && area->scores == NULL && !p->config.pods.on && !s.c->exhaustive;
    bool packs = listed && p->config.quota.gpu_placement == POLICY_PACK;
    uint32_t rank = !packs ? look_at_each(&s) : pq_wants_share(s.request) ? fullest(&s) : fewest_free(&s);
    if (rank == PC_NONE)
        return false;
    take(&s, p->node_of_rank[rank], promise_only, place);
    return true;
}

bool pq_promise_on(struct policy *p, uint32_t job, uint32_t task, uint32_t node, struct pq_place *place)
{
    const struct pq_area everywhere = {0};
    const struct search s = begin(p, job, task, &everywhere);
    if (!will_do(&s, &p->cluster->nodes[node]))
        return false;
    if (place != NULL)
        take(&s, node, true, place);
    return true;
}

/* Whether the very devices, or slices of one, have room; they do not matter where whole devices are counted. */
static bool fits_as_promised(const struct search *s, const struct pq_promise *promise, bool *now)
{
    const struct pq_node *n = &s->c->nodes[promise->node];
    if (pq_wants_share(s->request))
        return pq_shares_fit_on(s->c, n, s->request, promise->devices, now);
    return s->request->wants_mig && n->mig == POLICY_MIG_FREE && promise->devices != 0 &&
           pq_instance_fits_at(s->c, n, s->request, promise->devices, promise->slice, now);
}

bool pq_choose_promised(struct policy *p, const struct pq_promise *promise, struct pq_place *place)
{
    const struct pq_area everywhere = {0};
    const struct search s = begin(p, promise->job, promise->task, &everywhere);
    const struct pq_node *n = &p->cluster->nodes[promise->node];
    if (!will_do(&s, n))
        return false;
    bool leaving = place->holding == PQ_RELEASING; /* it cannot start anywhere yet */
    bool now;
    if (!fits_as_promised(&s, promise, &now)) {
        take(&s, promise->node, leaving, place);
        return true;
    }
    if (now && !leaving && pq_fits_now(p->cluster, n, s.request)) {
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
