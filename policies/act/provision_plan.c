/* SPDX-License-Identifier: MIT */
/* How many nodes pending jobs need beyond those available; see provision.h. */
#include "act/provision.h"

#include "base/sort.h"
#include "pending/missing.h"
#include "pending/pending.h"
#include "pending/queue_classes.h"
#include "state/gangs.h"
#include "state/jobs.h"
#include "state/nodes.h"
#include "state/offers.h"
#include "state/pool_sets.h"
#include "state/queue_limits.h"
#include "state/tasks.h"

#include <string.h>

#define HOUR_MS (INT64_C(3600) * 1000)

/* A class being packed, and the state of the search for room for its tasks. */
struct packing {
    struct policy *p;
    struct pc_provisioner *r;
    const struct pc_pool_set *set;
    const struct pc_request *request; /* the search is for this request */
    uint32_t bin;                     /* earlier bins have no room, */
    int32_t free;                     /* nor have nodes with fewer free whole devices, */
    uint32_t rank;                    /* nor have those with this many and a lower rank */
    policy_time waiting_since;        /* of the current job, */
    bool early;                       /* which has not been pending long enough for some offer */
};

/* ---- bins ---- */

/* Tasks that fit on one device. */
static int64_t shares_of(const struct pc_node *n, const struct pc_request *r)
{
    if (!pc_wants_share(r))
        return 1;
    int32_t units = pc_units(n, r);
    return n->capacity / (units > 0 ? units : 1);
}

static int64_t bin_holds(const struct pc_cluster *c, const struct pc_bin *b,
                         const struct pc_request *r)
{
    const struct pc_node *n = &c->nodes[b->node];
    int64_t most = b->tasks;
    if (!pc_node_suits(c, n, r) || (n->whole_only && b->devices != n->devices))
        return 0;
    if (r->cpu > 0 && b->cpu / r->cpu < most)
        most = b->cpu / r->cpu;
    if (r->mem > 0 && b->mem / r->mem < most)
        most = b->mem / r->mem;
    if (r->wants_mig) { /* geometry is not planned: the node must be empty */
        int64_t empty = b->devices == n->devices ? pc_node_holds(c, n, r) : 0;
        return empty < most ? empty : most;
    }
    if (r->devices == 0)
        return most;
    int64_t by_devices = (int64_t)b->devices * shares_of(n, r) / r->devices;
    return by_devices < most ? by_devices : most;
}

static void fill_bin(const struct pc_cluster *c, struct pc_bin *b, const struct pc_request *r,
                     int64_t tasks)
{
    const struct pc_node *n = &c->nodes[b->node];
    int64_t shares = shares_of(n, r);
    int64_t devices = r->wants_mig ? b->devices : (tasks * r->devices + shares - 1) / shares;
    b->devices -= (int32_t)(devices < b->devices ? devices : b->devices);
    b->cpu -= tasks * r->cpu;
    b->mem -= tasks * r->mem;
    b->tasks -= tasks;
    b->used = true;
}

static bool make_bin(struct policy *p, struct pc_provisioner *r, uint32_t node, uint32_t offer)
{
    const struct pc_node *n = &p->cluster->nodes[node];
    bool up = n->state == POLICY_NODE_UP;
    int32_t whole = pc_popcount((n->idle | n->leaving) & n->usable) - n->nominated_whole;
    if (!pc_bits_reserve(&r->taken, &p->memory, p->rank_capacity) ||
        !PC_GROW(&p->memory, r->bins, r->bin_capacity, r->bin_count + 1))
        return false;
    pc_bits_add(&r->taken, n->rank);
    r->bins[r->bin_count++] = (struct pc_bin){
        .node = node,
        .offer = offer,
        .devices = up ? (whole > 0 ? whole : 0) : n->devices,
        .tasks = up ? n->tasks_soon : n->max_tasks,
        .cpu = up ? n->cpu_soon : n->cpu_total,
        .mem = up ? n->mem_soon : n->mem_total,
    };
    return true;
}

static bool is_in_budget(const struct policy *p, const struct pc_provisioner *r,
                         const struct pc_offer *o)
{
    int64_t budget = p->config.provision.budget;
    return budget == 0 || r->spent + r->planned_rate + o->spec.price <= budget;
}

bool pc_provision_add(struct policy *p, struct pc_provisioner *r, uint32_t offer)
{
    struct pc_offer *o = &p->cluster->offers[offer];
    if (o->fresh == o->off_count || pc_offer_held(o) + o->fresh >= o->spec.most ||
        !is_in_budget(p, r, o))
        return false;
    uint32_t rank = pc_bits_next(&o->off, o->cursor);
    if (!make_bin(p, r, p->node_of_rank[rank], offer)) {
        p->cluster->out_of_memory = true;
        return false;
    }
    o->cursor = rank + 1;
    o->fresh++;
    r->planned_rate += o->spec.price;
    return true;
}

/* ---- room for a task ---- */

/* Returns the next available node with room; PC_NONE: none. */
static uint32_t next_node(struct packing *k)
{
    const struct pc_cluster *c = k->p->cluster;
    const struct pc_request *r = k->request;
    for (; k->free <= c->most_devices; k->free++, k->rank = 0) {
        const struct pc_bits *list = r->devices == 0 || pc_wants_share(r) ? &c->up
                                     : c->traits.lists_soon               ? &c->by_soon[k->free]
                                                            : &k->set->by_free[k->free];
        for (;;) {
            k->rank =
                list->capacity == 0 ? PC_NONE : pc_bits_next_common(list, &k->set->nodes, k->rank);
            if (k->rank == PC_NONE)
                break;
            uint32_t node = k->p->node_of_rank[k->rank++];
            if (pc_node_suits(c, &c->nodes[node], r) &&
                !pc_bits_has(&k->r->taken, c->nodes[node].rank))
                return node;
        }
        if (list == &c->up)
            break;
    }
    k->free = c->most_devices + 1;
    return PC_NONE;
}

/* Returns the cheapest offer whose nodes hold the task; PC_NONE: none that the job may use has any
 * left. */
static uint32_t cheapest(struct packing *k)
{
    const struct pc_cluster *c = k->p->cluster;
    uint32_t best = PC_NONE;
    for (uint32_t i = 0; i < c->offer_count; i++) {
        const struct pc_offer *o = &c->offers[i];
        if (o->fresh == o->off_count || !pc_pool_set_has(k->set, o->spec.pool) ||
            (best != PC_NONE && c->offers[best].spec.price <= o->spec.price))
            continue;
        const struct pc_node *n = &c->nodes[k->p->node_of_rank[pc_bits_next(&o->off, o->cursor)]];
        if (pc_node_holds(c, n, k->request) == 0 || !pc_bits_has(&k->set->nodes, n->rank))
            continue;
        policy_time due = k->waiting_since + o->spec.wait_ms;
        if (o->spec.wait_ms > 0 && due > k->p->now) {
            k->r->next = due < k->r->next ? due : k->r->next;
            k->early = true;
            continue;
        }
        best = i;
    }
    return best;
}

/* Returns the bin for the next task; PC_NONE: none, or out of memory. */
static uint32_t find_bin(struct packing *k)
{
    struct pc_provisioner *r = k->r;
    struct pc_cluster *c = k->p->cluster;
    while (!c->out_of_memory) {
        for (; k->bin < r->bin_count; k->bin++)
            if (pc_bits_has(&k->set->nodes, c->nodes[r->bins[k->bin].node].rank) &&
                bin_holds(c, &r->bins[k->bin], k->request) > 0)
                return k->bin;
        uint32_t node = next_node(k);
        uint32_t offer = node == PC_NONE ? cheapest(k) : PC_NONE;
        if (node == PC_NONE && (offer == PC_NONE || !pc_provision_add(k->p, r, offer)))
            return PC_NONE;
        if (node != PC_NONE && !make_bin(k->p, r, node, PC_NONE))
            c->out_of_memory = true;
    }
    return PC_NONE;
}

/* ---- one job ---- */

static bool remember(struct packing *k, uint32_t bin)
{
    struct pc_provisioner *r = k->r;
    if (!PC_GROW(&k->p->memory, r->undo, r->undo_capacity, r->undo_count + 1)) {
        k->p->cluster->out_of_memory = true;
        return false;
    }
    r->undo[r->undo_count] = r->bins[bin];
    r->undo[r->undo_count++].node = bin;
    return true;
}

/* Cancels the orders made for a job that cannot be packed completely. */
static void take_back(struct packing *k, uint32_t bins)
{
    struct pc_provisioner *r = k->r;
    struct pc_cluster *c = k->p->cluster;
    while (r->undo_count > 0) {
        struct pc_bin before = r->undo[--r->undo_count];
        struct pc_bin *bin = &r->bins[before.node];
        before.node = bin->node;
        *bin = before;
    }
    while (r->bin_count > bins) {
        const struct pc_bin *bin = &r->bins[--r->bin_count];
        uint32_t rank = c->nodes[bin->node].rank;
        pc_bits_remove(&r->taken, rank);
        if (bin->offer == PC_NONE)
            continue;
        struct pc_offer *o = &c->offers[bin->offer];
        o->fresh--;
        o->cursor = rank;
        r->planned_rate -= o->spec.price;
    }
}

static void look_for(struct packing *k, const struct pc_request *request)
{
    if (k->request == request)
        return;
    k->request = request;
    k->bin = 0;
    k->rank = 0;
    k->free = request->devices;
}

/* Packs all tasks of one job, or none. */
static bool pack_job(struct packing *k, uint32_t job, const struct pc_tasks *tasks)
{
    struct pc_cluster *c = k->p->cluster;
    uint32_t bins = k->r->bin_count;
    k->r->undo_count = 0;
    for (uint32_t i = 0; i < tasks->count;) {
        const struct pc_request *request = pc_request_of(c, job, tasks->ids[i]);
        uint32_t same = 1;
        while (i + same < tasks->count && pc_request_of(c, job, tasks->ids[i + same]) == request)
            same++;
        for (uint32_t left = same; left > 0;) {
            look_for(k, request);
            uint32_t bin = find_bin(k);
            if (bin == PC_NONE || !remember(k, bin)) {
                take_back(k, bins);
                k->request = NULL; /* the bins are unchanged */
                return false;
            }
            int64_t holds = bin_holds(c, &k->r->bins[bin], request);
            uint32_t here = holds < left ? (uint32_t)holds : left;
            fill_bin(c, &k->r->bins[bin], request, here);
            left -= here;
        }
        i += same;
    }
    return true;
}

/* ---- classes ---- */

static uint32_t class_count(const struct pc_cluster *c)
{
    return c->pending != NULL ? c->pending->class_count : c->class_count;
}

/* Returns the first job of a class that waits for devices; PC_NONE: none. */
static uint32_t first_of(const struct pc_cluster *c, uint32_t class, bool one_by_one)
{
    uint32_t job;
    if (c->pending != NULL) {
        const struct pc_job_class *k = &c->pending->classes[class];
        if (!k->exists || k->pending == 0 || k->never_fits || k->over_limit)
            return PC_NONE;
        job = pc_first_job(k);
    } else {
        const struct pc_class *k = &c->classes[class];
        if (!k->exists || k->place_in_queue == PC_NONE ||
            (k->single == PC_NONE && k->jobs.count == 0) ||
            k->blocked == POLICY_REASON_NEVER_FITS || k->blocked == POLICY_REASON_TOPOLOGY_UNKNOWN)
            return PC_NONE;
        job = pc_class_head(k);
    }
    bool above = c->jobs[job].detail != NULL && pc_elastic_state(c, job, false) >= 0;
    return above && !one_by_one ? PC_NONE : job;
}

/* Sets *job to job i of the class; PC_NONE: an empty slot. Returns false past the last one. */
static bool job_at(const struct pc_cluster *c, uint32_t class, uint32_t i, uint32_t *job)
{
    if (c->pending != NULL) {
        const struct pc_entries *heap = &c->pending->classes[class].heap;
        if (i >= heap->count)
            return false;
        const struct pc_entry *e = &heap->of[i];
        *job = pc_is_current(c, e) ? e->job : PC_NONE;
        return true;
    }
    const struct pc_class *k = &c->classes[class];
    *job = k->single != PC_NONE ? k->single : i < k->jobs.count ? k->jobs.ids[i] : PC_NONE;
    return k->single != PC_NONE ? i == 0 : i < k->jobs.count;
}

/* Returns true if some offer that the job's queue may use has nodes off or on order. */
static bool has_offer(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_pool_set *set = &c->pool_sets[c->queues[c->jobs[job].queue].pool_set];
    for (uint32_t i = 0; i < c->offer_count; i++)
        if (c->offers[i].off_count + c->offers[i].ordered_count > 0 &&
            pc_pool_set_has(set, c->offers[i].spec.pool))
            return true;
    return false;
}

static bool gather(struct policy *p, struct pc_provisioner *r)
{
    const struct pc_cluster *c = p->cluster;
    r->demand_count = 0;
    for (uint32_t class = 0; class < class_count(c); class ++) {
        uint32_t job = first_of(c, class, p->config.pods.on);
        if (job == PC_NONE || !has_offer(c, job))
            continue;
        uint32_t count = r->demand_count + 1;
        if (!PC_GROW(&p->memory, r->demands, r->demand_capacity, count) ||
            !PC_GROW(&p->memory, r->order, r->order_capacity, count))
            return false;
        r->order[r->demand_count] = r->demand_count;
        r->demands[r->demand_count++] =
            (struct pc_demand){class, job, c->shapes[c->jobs[job].shape].need, c->jobs[job].rank};
    }
    return true;
}

/* Larger tasks first: smaller ones fit what they leave on their nodes. */
static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct pc_demand *demands = context;
    if (demands[a].need != demands[b].need)
        return demands[a].need > demands[b].need;
    return demands[a].rank < demands[b].rank;
}

/* Counts the planned job against limits. */
static void count_planned(const struct policy *p, struct pc_provisioner *r, uint32_t job,
                          const struct pc_amounts *more)
{
    const struct pc_cluster *c = p->cluster;
    bool by_quota = pc_heeds_quotas(p) && pc_is_bound_by_quota(p, &c->jobs[job]);
    for (uint32_t q = c->jobs[job].queue; q != POLICY_NO_ID; q = pc_above(c, q)) {
        pc_add(&r->planned[q], more, 1);
        pc_add(&r->planned_fixed[q], more, by_quota);
    }
}

/* Returns true if limits and quotas allow the job in addition to the planned ones. */
static bool is_allowed(const struct policy *p, const struct pc_provisioner *r, uint32_t job,
                       const struct pc_amounts *more)
{
    const struct pc_cluster *c = p->cluster;
    bool by_quota = pc_heeds_quotas(p) && pc_is_bound_by_quota(p, &c->jobs[job]);
    uint32_t leaf = pc_heeds_limits(p) ? c->jobs[job].queue : POLICY_NO_ID;
    for (uint32_t q = leaf; q != POLICY_NO_ID; q = pc_above(c, q)) {
        struct pc_amounts has = pc_sum(&c->queues[q].allocated, &r->planned[q]);
        struct pc_amounts fixed = pc_sum(&c->queues[q].fixed, &r->planned_fixed[q]);
        if (pc_exceeds(&has, more, &c->queues[q].limit) < PC_RESOURCES ||
            (by_quota && pc_exceeds(&fixed, more, &c->queues[q].quota) < PC_RESOURCES))
            return false;
    }
    return true;
}

/* For task-by-task scheduling: lists all pending tasks. Returns false if out of memory. */
static bool list_pending(struct policy *p, uint32_t job, struct pc_tasks *tasks)
{
    const struct pc_cluster *c = p->cluster;
    uint32_t all = c->shapes[c->jobs[job].shape].tasks;
    tasks->count = 0;
    if (!PC_GROW(&p->memory, tasks->ids, tasks->capacity, all))
        return false;
    for (uint32_t i = 0; i < all; i++) {
        const struct pc_task *t = pc_task(c, job, i);
        if (t->place.holding == PC_NOTHING && t->place.nominated == PC_NONE && t->end == PC_ALIVE)
            tasks->ids[tasks->count++] = i;
    }
    return true;
}

/* Packs all of the job's next tasks; in task-by-task scheduling, as many as fit. */
static bool pack_tasks(struct packing *k, uint32_t job, struct pc_tasks *tasks)
{
    if (!k->p->config.pods.on)
        return pack_job(k, job, tasks);
    for (uint32_t i = 0; i < tasks->count; i++)
        if (!pack_job(k, job, &(struct pc_tasks){&tasks->ids[i], 1, 1}))
            return false;
    return true;
}

static void pack_class(struct policy *p, struct pc_provisioner *r, const struct pc_demand *d)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_job *first = &c->jobs[d->job];
    uint32_t set = c->queues[first->queue].pool_set;
    struct packing k = {.p = p, .r = r, .set = &c->pool_sets[set]};
    uint32_t job;
    if (c->shapes[first->shape].constrained && !pc_domains_hold(p, first->shape, set))
        return;
    if (!(p->config.pods.on ? list_pending : pc_next_tasks)(p, d->job, &c->asked)) {
        c->out_of_memory = true;
        return;
    }
    const struct pc_amounts more = pc_amounts_of(c, d->job, &c->asked, true);
    for (uint32_t i = 0; job_at(c, d->class, i, &job) && !c->out_of_memory; i++) {
        if (job == PC_NONE)
            continue;
        if (!is_allowed(p, r, job, &more))
            return;
        k.waiting_since = pc_waits_since(c, &c->jobs[job]);
        k.early = false;
        if (pack_tasks(&k, d->job, &c->asked))
            count_planned(p, r, job, &more);
        else if (!k.early)
            return; /* the other jobs would not fit either */
    }
}

/* ---- the plan ---- */

static bool make_room(struct policy *p, struct pc_provisioner *r)
{
    const struct pc_cluster *c = p->cluster;
    if (!PC_GROW(&p->memory, r->planned, r->planned_capacity, c->queue_count) ||
        !PC_GROW(&p->memory, r->planned_fixed, r->planned_fixed_capacity, c->queue_count))
        return false;
    memset(r->planned, 0, c->queue_count * sizeof *r->planned);
    memset(r->planned_fixed, 0, c->queue_count * sizeof *r->planned_fixed);
    return true;
}

bool pc_provision_plan(struct policy *p, struct pc_provisioner *r)
{
    struct pc_cluster *c = p->cluster;
    r->bin_count = 0;
    r->planned_rate = pc_offers_rate(c);
    for (uint32_t i = 0; i < c->offer_count; i++) {
        struct pc_offer *o = &c->offers[i];
        o->cursor = 0;
        o->fresh = 0;
        for (uint32_t rank = o->ordered_count == 0 ? PC_NONE : pc_bits_first(&o->ordered);
             rank != PC_NONE; rank = pc_bits_next(&o->ordered, rank + 1))
            if (!make_bin(p, r, p->node_of_rank[rank], PC_NONE))
                return false;
    }
    if ((c->queue_count > 0 && !make_room(p, r)) || !gather(p, r))
        return false;
    pc_sort_ids(r->order, r->demand_count, is_before, r->demands);
    for (uint32_t i = 0; i < r->demand_count && !c->out_of_memory; i++)
        pack_class(p, r, &r->demands[r->order[i]]);
    return !c->out_of_memory;
}

void pc_provision_plan_end(struct policy *p, struct pc_provisioner *r)
{
    for (uint32_t i = 0; i < r->bin_count; i++)
        pc_bits_remove(&r->taken, p->cluster->nodes[r->bins[i].node].rank);
    r->bin_count = 0;
}
