/* SPDX-License-Identifier: MIT */
/* The search for the smallest domain that holds a gang; see near.h. */
#include "place/near_internal.h"

#include "core/nodes.h"
#include "core/txn.h"
#include "place/place.h"

enum verdict { HOLDS, FAILS, NO_MEMORY };

static int32_t undo(struct policy *p, enum verdict v)
{
    if (v != HOLDS)
        pc_txn_rollback(p);
    return v == HOLDS ? 0 : v == FAILS ? POLICY_REASON_FRAGMENTED : POLICY_REASON_WAITING;
}

/* ---- one node ---- */

/* What all tasks of a gang take together; INT64_MAX: at least that much. */
struct sum {
    int64_t cpu, mem;
};

static int64_t plus_times(int64_t sum, int64_t each, int64_t times)
{
    int64_t product;
    if (__builtin_mul_overflow(each, times, &product) || __builtin_add_overflow(sum, product, &sum))
        return INT64_MAX;
    return sum;
}

static struct sum sum_of(const struct pc_group *g)
{
    struct sum sum = {0, 0};
    for (uint32_t i = 0; i < g->role_count; i++) {
        sum.cpu = plus_times(sum.cpu, g->roles[i].request.cpu, g->roles[i].tasks);
        sum.mem = plus_times(sum.mem, g->roles[i].request.mem, g->roles[i].tasks);
    }
    return sum;
}

static enum verdict fill_node(struct policy *p, const struct pc_group *g, uint32_t rank)
{
    uint32_t node = p->node_of_rank[rank];
    for (uint32_t role = 0; role < g->role_count; role++) {
        const struct pc_request *r = &g->roles[role].request;
        for (int32_t i = 0; i < g->roles[role].tasks; i++) {
            if (!pc_fits(&p->nodes[node], r))
                return FAILS;
            if (!pc_txn_place(p, node, r, pc_devices(&p->nodes[node], r)))
                return NO_MEMORY;
        }
    }
    return HOLDS;
}

/* The node with the fewest wholly free devices that takes the whole gang. */
static int32_t on_one_node(struct policy *p, const struct pc_group *g)
{
    const struct pc_site *s = &p->sites[g->site];
    struct sum sum = sum_of(g);
    int64_t first = g->whole_devices <= s->most_devices ? g->whole_devices : s->most_devices + 1;
    for (int64_t free = first; free <= s->most_devices; free++)
        for (uint32_t rank = pc_bits_first(&s->by_free[free]); rank != PC_NONE;
             rank = pc_bits_next(&s->by_free[free], rank + 1)) {
            const struct pc_node *n = pc_ranked(p, rank);
            if (n->free_milli < g->gpu_milli || n->cpu_free < sum.cpu || n->mem_free < sum.mem ||
                (n->max_tasks >= 0 && n->max_tasks - n->tasks < g->tasks))
                continue;
            int32_t reason = undo(p, fill_node(p, g, rank));
            if (reason != POLICY_REASON_FRAGMENTED)
                return reason;
        }
    return POLICY_REASON_FRAGMENTED;
}

/* ---- one domain ---- */

/* Tasks of so many whole devices each that fit by the count of nodes with so many free. */
static int64_t slots(const struct pc_site *s, const int64_t *cells, int32_t devices)
{
    int64_t sum = 0;
    for (int32_t free = devices; free <= s->most_devices; free++)
        sum += cells[PC_CELL_NODES + free] * (free / devices);
    return sum;
}

static bool may_hold(const struct pc_site *s, uint32_t domain, const struct pc_group *g)
{
    const int64_t *cells = pc_cells(s, domain);
    if (cells[PC_CELL_WHOLE] < g->whole_devices || cells[PC_CELL_MILLI] < g->gpu_milli)
        return false;
    for (uint32_t i = 0; i < g->role_count; i++) {
        const struct pc_request *r = &g->roles[i].request;
        if (r->devices > 0 && r->milli == POLICY_WHOLE && slots(s, cells, r->devices) < g->roles[i].tasks)
            return false;
    }
    return true;
}

/* Whether it has the same nodes as something smaller, which was tried already. */
static bool is_repeated(const struct pq_topology *t, uint32_t domain)
{
    const struct pq_domain *d = &t->domains[domain];
    return d->node_count == 1 || (d->level < t->level_count && d->child_count == 1);
}

/* The next of the level that may hold the gang, by (wholly free devices, number), behind `after`; or PC_NONE. */
static uint32_t next_domain(const struct pc_site *s, const struct pq_topology *t, uint32_t level,
                            const struct pc_group *g, uint32_t after)
{
    uint32_t best = PC_NONE;
    int64_t least = after == PC_NONE ? -1 : pc_cells(s, after)[PC_CELL_WHOLE];
    for (uint32_t d = t->level_start[level]; d < t->level_start[level + 1]; d++) {
        int64_t whole = pc_cells(s, d)[PC_CELL_WHOLE];
        if (whole < least || (whole == least && d <= after) ||
            (best != PC_NONE && whole >= pc_cells(s, best)[PC_CELL_WHOLE]))
            continue;
        if (!is_repeated(t, d) && may_hold(s, d, g))
            best = d;
    }
    return best;
}

/* Puts the domain's nodes that are the site's into the index of the trial, or takes them out. */
static void index_domain(struct policy *p, const struct pc_site *s, const struct pq_domain *d, bool in)
{
    struct pc_site *trial = &p->near->trial;
    for (uint32_t i = d->first_node; i < d->first_node + d->node_count; i++) {
        uint32_t rank = p->near->topology.ranks[i];
        if (pc_bits_has(&s->nodes, rank))
            (in ? pc_index_node : pc_unindex_node)(trial, pc_ranked(p, rank));
    }
}

static enum verdict fill_trial(struct policy *p, const struct pc_group *g)
{
    struct pc_site *trial = &p->near->trial;
    for (uint32_t role = 0; role < g->role_count; role++) {
        const struct pc_ask ask = {.request = &g->roles[role].request};
        for (int32_t i = 0; i < g->roles[role].tasks; i++) {
            struct pc_pick pick;
            if (!p->placement->choose(p, trial, &ask, &pick))
                return FAILS;
            const struct pc_node before = p->nodes[pick.node];
            if (!pc_txn_place(p, pick.node, ask.request, pick.devices))
                return NO_MEMORY;
            pc_reindex_room(trial, &p->nodes[pick.node], &before);
        }
    }
    return HOLDS;
}

static int32_t in_domain(struct policy *p, const struct pc_group *g, uint32_t domain)
{
    const struct pc_site *s = &p->sites[g->site];
    const struct pq_domain *d = &p->near->topology.domains[domain];
    index_domain(p, s, d, true);
    enum verdict v = fill_trial(p, g);
    index_domain(p, s, d, false);
    return undo(p, v);
}

/* ---- all of them ---- */

static int32_t search(struct policy *p, const struct pc_group *g)
{
    int32_t reason = on_one_node(p, g);
    const struct pq_topology *t = &p->near->topology;
    if (reason != POLICY_REASON_FRAGMENTED || !t->known)
        return reason;
    if (!pc_near_refresh(p))
        return POLICY_REASON_WAITING;
    const struct pc_site *s = &p->sites[g->site];
    for (uint32_t level = t->level_count; level > 0; level--)
        for (uint32_t d = next_domain(s, t, level, g, PC_NONE); d != PC_NONE;
             d = next_domain(s, t, level, g, d)) {
            reason = in_domain(p, g, d);
            if (reason != POLICY_REASON_FRAGMENTED)
                return reason;
        }
    return POLICY_REASON_FRAGMENTED;
}

int32_t pc_place_near(struct policy *p, const struct pc_group *g, uint32_t *placed)
{
    int32_t reason = search(p, g);
    *placed = reason == 0 ? (uint32_t)g->tasks : 0;
    return reason;
}
