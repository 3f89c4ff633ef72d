/* SPDX-License-Identifier: MIT */
/* Tables of eviction costs, with a tree above each; see eviction_costs.h. */
#include "act/eviction_costs.h"

#include "state/nodes.h"
#include "state/tasks.h"

#include <string.h>

#define MOST_ENTRIES (UINT32_C(1) << 19) /* over all tables: 14 MiB */

struct table {
    struct pc_request request;
    uint32_t set; /* pool set */
    int32_t priority;
    uint64_t seen; /* node changes seen */
    bool known;
    struct pc_cost *cost; /* by rank */
    uint32_t *tree;       /* rank of the cheapest node; slot 1 is the root, leaves come last */
};

struct costs {
    struct table *tables;
    uint32_t count, capacity;
    uint32_t ranks;   /* capacity of each table, a power of two */
    uint32_t in_turn; /* the table to evict next */
};

/* ---- tables ---- */

static void free_arrays(const struct policy *p, const struct costs *all, const struct table *t)
{
    pc_release(&p->memory, t->cost, all->ranks, sizeof *t->cost);
    pc_release(&p->memory, t->tree, all->ranks, sizeof *t->tree);
}

static void forget(struct policy *p, struct costs *all)
{
    for (uint32_t i = 0; i < all->count; i++)
        free_arrays(p, all, &all->tables[i]);
    all->count = all->in_turn = 0;
}

static void *create(struct policy *p)
{
    struct costs *all = pc_alloc(&p->memory, 1, sizeof *all);
    if (all != NULL)
        *all = (struct costs){0};
    return all;
}

static void destroy(struct policy *p, void *self)
{
    struct costs *all = self;
    forget(p, all);
    pc_release(&p->memory, all->tables, all->capacity, sizeof *all->tables);
    pc_release(&p->memory, all, 1, sizeof *all);
}

const struct pc_module pc_costs_module = {
    .name = "eviction costs", .create = create, .destroy = destroy};

/* Grows all tables to the number of ranks, at least two. */
static void fit_fleet(struct policy *p, struct costs *all)
{
    if (all->ranks >= p->rank_capacity && all->ranks >= 2)
        return;
    forget(p, all);
    all->ranks = 2;
    while (all->ranks < p->rank_capacity)
        all->ranks *= 2;
}

/* Returns a table with undefined contents, or NULL if out of memory. */
static struct table *new_table(struct policy *p, struct costs *all)
{
    if (all->count > 0 && (uint64_t)(all->count + 1) * all->ranks > MOST_ENTRIES) {
        all->in_turn = all->in_turn < all->count ? all->in_turn : 0;
        return &all->tables[all->in_turn++];
    }
    if (!PC_GROW(&p->memory, all->tables, all->capacity, all->count + 1))
        return NULL;
    struct table *t = &all->tables[all->count];
    t->cost = pc_alloc(&p->memory, all->ranks, sizeof *t->cost);
    t->tree = pc_alloc(&p->memory, all->ranks, sizeof *t->tree);
    if (t->cost == NULL || t->tree == NULL) {
        free_arrays(p, all, t);
        return NULL;
    }
    all->count++;
    return t;
}

static struct table *find_table(struct policy *p, struct costs *all, uint32_t job,
                                const struct pc_request *r)
{
    const struct pc_job *j = &p->cluster->jobs[job];
    uint32_t set = p->cluster->queues[j->queue].pool_set;
    fit_fleet(p, all);
    for (uint32_t i = 0; i < all->count; i++) {
        struct table *t = &all->tables[i];
        if (t->priority == j->priority && t->set == set && memcmp(&t->request, r, sizeof *r) == 0)
            return t;
    }
    struct table *t = new_table(p, all);
    if (t != NULL) {
        t->request = *r;
        t->set = set;
        t->priority = j->priority;
        t->known = false;
    }
    return t;
}

/* ---- contents ---- */

/* Returns true if rank a wins over rank b > a. */
static bool stays_first(const struct table *t, uint32_t a, uint32_t b)
{
    if (t->cost[a].victims == 0 || t->cost[b].victims == 0)
        return t->cost[b].victims == 0;
    return !pc_is_cheaper(&t->cost[b], &t->cost[a]);
}

static void settle(const struct table *t, uint32_t ranks, uint32_t place)
{
    uint32_t child = 2 * place;
    uint32_t a = child >= ranks ? child - ranks : t->tree[child];
    uint32_t b = child >= ranks ? child + 1 - ranks : t->tree[child + 1];
    t->tree[place] = stays_first(t, a, b) ? a : b;
}

static void rate_node(struct policy *p, struct table *t, uint32_t job, uint32_t task, uint32_t rank)
{
    uint32_t node = rank < p->rank_capacity ? p->node_of_rank[rank] : PC_NONE;
    t->cost[rank] = (struct pc_cost){0};
    if (node != PC_NONE)
        t->cost[rank] = pc_cost_on(p, job, task, node);
}

static void catch_up(struct policy *p, uint32_t ranks, struct table *t, uint32_t job, uint32_t task)
{
    struct pc_changes *changes = &p->cluster->changes;
    pc_changes_begin(changes);
    for (uint64_t i = t->seen; i < changes->total; i++) {
        uint32_t rank = changes->ring[i & (changes->capacity - 1)];
        if (!pc_changes_first_look(changes, rank))
            continue;
        bool helped = t->cost[rank].victims > 0;
        rate_node(p, t, job, task, rank);
        if (!helped && t->cost[rank].victims == 0)
            continue;
        for (uint32_t place = (rank + ranks) / 2; place > 0; place /= 2)
            settle(t, ranks, place);
    }
}

static void make_anew(struct policy *p, uint32_t ranks, struct table *t, uint32_t job,
                      uint32_t task)
{
    for (uint32_t rank = 0; rank < ranks; rank++)
        rate_node(p, t, job, task, rank);
    for (uint32_t place = ranks - 1; place > 0; place--)
        settle(t, ranks, place);
}

/* Brings the table up to date. Trials change nodes and restore them, so they do not change
 * costs. */
static void refresh(struct policy *p, uint32_t ranks, struct table *t, uint32_t job, uint32_t task)
{
    struct pc_cluster *c = p->cluster;
    uint64_t total = c->changes.total;
    c->changes.kept = false;
    if (!t->known || !pc_changes_reach(&c->changes, t->seen))
        make_anew(p, ranks, t, job, task);
    else
        catch_up(p, ranks, t, job, task);
    c->changes.kept = true;
    t->seen = total;
    t->known = !c->out_of_memory;
}

bool pc_cheapest_node(struct policy *p, uint32_t job, uint32_t task, uint32_t *node)
{
    struct pc_cluster *c = p->cluster;
    bool depends_on_job =
        c->shapes[c->jobs[job].shape].wants_memory || c->fixed_milli > 0 || c->reservation.in_force;
    struct costs *all = pc_module_self(p, &pc_costs_module);
    if (all == NULL || c->exhaustive || depends_on_job)
        return false;
    struct table *t = find_table(p, all, job, pc_request_of(c, job, task));
    if (t == NULL)
        return false;
    refresh(p, all->ranks, t, job, task);
    uint32_t rank = t->tree[1];
    *node = t->known && t->cost[rank].victims > 0 ? p->node_of_rank[rank] : PC_NONE;
    return true;
}
