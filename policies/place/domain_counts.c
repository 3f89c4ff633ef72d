/* SPDX-License-Identifier: MIT */
/* Free capacity of domains; see domain_counts.h. */
#include "place/domain_counts.h"

#include "place/choose.h"
#include "place/left.h"
#include "state/domains.h"

#include <string.h>

/* A node's contribution. */
struct share {
    bool counted;
    uint8_t whole;
    int32_t milli;
};

/* Cells of all domains, for one pool set. */
struct cells {
    int64_t *of;
    uint32_t step, capacity;
};

struct counts {
    uint32_t topology; /* index of the counted topology, or PC_NONE */
    uint64_t made;     /* the build number of its domains, */
    uint32_t sets;     /* the number of pool sets, */
    uint64_t seen;     /* and the last node change included */
    struct cells *cells;
    uint32_t cells_capacity;
    struct share *shares; /* by rank */
    uint32_t share_capacity;
    struct pc_bits nodes;
};

/* ---- life ---- */

static void *create(struct policy *p)
{
    struct counts *n = pc_alloc(&p->memory, 1, sizeof *n);
    if (n != NULL) {
        memset(n, 0, sizeof *n);
        n->topology = PC_NONE;
    }
    return n;
}

static void destroy(struct policy *p, void *self)
{
    struct counts *n = self;
    for (uint32_t i = 0; i < n->cells_capacity; i++)
        pc_release(&p->memory, n->cells[i].of, n->cells[i].capacity, sizeof *n->cells[i].of);
    pc_release(&p->memory, n->cells, n->cells_capacity, sizeof *n->cells);
    pc_release(&p->memory, n->shares, n->share_capacity, sizeof *n->shares);
    pc_bits_free(&n->nodes, &p->memory);
    pc_release(&p->memory, n, 1, sizeof *n);
}

static struct counts *counts_of(const struct policy *p)
{
    return pc_module_self(p, &pc_domain_counts_module);
}

/* ---- counting ---- */

static struct share share_of(const struct policy *p, uint32_t rank)
{
    const struct pc_cluster *c = p->cluster;
    uint32_t id = p->node_of_rank[rank];
    bool now = !c->traits.nominates;
    if (id == PC_NONE || c->nodes[id].state != POLICY_NODE_UP)
        return (struct share){false, 0, 0};
    const struct pc_node *n = &c->nodes[id];
    return (struct share){true, (uint8_t)pc_whole_left(n, now), pc_milli_left(n, now)};
}

/* Adds (or subtracts) a node's contribution to its domain and the ancestors, in all pool sets that
 * contain it. */
static void count(const struct policy *p, struct counts *n, uint32_t rank, struct share share,
                  int sign)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_topology *t = &c->topologies[n->topology];
    const struct pc_node *node = pc_ranked(p, rank);
    const struct pc_pool *pool = &c->pools[node->pool];
    for (uint32_t i = 0; i < pool->set_count; i++)
        for (uint32_t d = node->domain[n->topology]; d != PC_NONE; d = t->domains[d].parent) {
            struct cells *cells = &n->cells[pool->sets[i]];
            int64_t *cell = cells->of + (size_t)d * cells->step;
            cell[PC_CELL_WHOLE] += sign * share.whole;
            cell[PC_CELL_MILLI] += sign * share.milli;
            cell[PC_CELL_NODES + share.whole] += sign;
        }
}

/* Allocates all cells, zeroed. Returns false if out of memory. */
static bool reserve(struct policy *p, struct counts *n, const struct pc_topology *t)
{
    const struct pc_cluster *c = p->cluster;
    uint32_t known = n->cells_capacity;
    if (!PC_GROW(&p->memory, n->shares, n->share_capacity, p->rank_capacity) ||
        !PC_GROW(&p->memory, n->cells, n->cells_capacity, c->pool_set_count))
        return false;
    memset(n->cells + known, 0, (n->cells_capacity - known) * sizeof *n->cells);
    for (uint32_t set = 0; set < c->pool_set_count; set++) {
        struct cells *cells = &n->cells[set];
        cells->step = PC_CELL_NODES + (uint32_t)c->most_devices + 1;
        uint64_t wanted = (uint64_t)cells->step * t->domain_count;
        if (wanted > UINT32_MAX ||
            !PC_GROW(&p->memory, cells->of, cells->capacity, (uint32_t)wanted))
            return false;
        memset(cells->of, 0, wanted * sizeof *cells->of);
    }
    return true;
}

static bool count_all(struct policy *p, struct counts *n, uint32_t topology,
                      const struct pc_topology *t)
{
    n->topology = PC_NONE; /* until everything succeeds */
    if (!reserve(p, n, t))
        return false;
    n->topology = topology;
    n->made = t->made;
    n->sets = p->cluster->pool_set_count;
    for (uint32_t rank = 0; rank < p->rank_capacity; rank++) {
        n->shares[rank] = share_of(p, rank);
        if (n->shares[rank].counted)
            count(p, n, rank, n->shares[rank], 1);
    }
    return true;
}

static void catch_up(const struct policy *p, struct counts *n)
{
    struct pc_changes *changes = &p->cluster->changes;
    pc_changes_begin(changes);
    for (uint64_t i = n->seen; i < changes->total; i++) {
        uint32_t rank = changes->ring[i & (changes->capacity - 1)];
        if (!pc_changes_first_look(changes, rank))
            continue;
        if (n->shares[rank].counted)
            count(p, n, rank, n->shares[rank], -1);
        n->shares[rank] = share_of(p, rank);
        if (n->shares[rank].counted)
            count(p, n, rank, n->shares[rank], 1);
    }
}

/* ---- queries ---- */

static uint32_t lowest_known(const struct pc_cluster *c)
{
    for (uint32_t i = 0; i < POLICY_MAX_TOPOLOGIES; i++)
        if (c->topologies[i].known)
            return i;
    return PC_NONE;
}

const struct pc_topology *pc_counted_topology(struct policy *p)
{
    struct counts *n = counts_of(p);
    const struct pc_cluster *c = p->cluster;
    uint32_t topology = lowest_known(c);
    if (topology == PC_NONE)
        return NULL;
    const struct pc_topology *t = pc_domains_current(p, topology);
    if (t == NULL) {
        p->cluster->out_of_memory = true;
        return NULL;
    }
    bool same = n->topology == topology && n->made == t->made && n->sets == c->pool_set_count &&
                pc_changes_reach(&c->changes, n->seen);
    if (same) {
        catch_up(p, n);
    } else if (!count_all(p, n, topology, t)) {
        p->cluster->out_of_memory = true;
        return NULL;
    }
    n->seen = c->changes.total;
    return t;
}

const int64_t *pc_domain_cells(const struct policy *p, uint32_t set, uint32_t domain)
{
    const struct cells *cells = &counts_of(p)->cells[set];
    return cells->of + (size_t)domain * cells->step;
}

struct pc_bits *pc_near_nodes(struct policy *p)
{
    struct pc_bits *nodes = &counts_of(p)->nodes;
    if (pc_bits_reserve(nodes, &p->memory, p->rank_capacity))
        return nodes;
    p->cluster->out_of_memory = true;
    return NULL;
}

/* ---- check ---- */

/* Compares one domain's cells with its nodes as last counted. */
static bool is_true(const struct policy *p, const struct counts *n, uint32_t set, uint32_t domain)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_topology *t = &c->topologies[n->topology];
    const struct pc_domain *d = &t->domains[domain];
    int64_t seen[PC_CELL_NODES + POLICY_MAX_DEVICES + 1] = {0};
    for (uint32_t i = d->first_node; i < d->first_node + d->node_count; i++) {
        const struct share share = share_of(p, t->ranks[i]);
        if (!share.counted || !pc_bits_has(&c->pool_sets[set].nodes, t->ranks[i]))
            continue;
        seen[PC_CELL_WHOLE] += share.whole;
        seen[PC_CELL_MILLI] += share.milli;
        seen[PC_CELL_NODES + share.whole]++;
    }
    const struct cells *cells = &n->cells[set];
    return memcmp(seen, cells->of + (size_t)domain * cells->step, cells->step * sizeof *seen) == 0;
}

static const char *check(const struct policy *p, const void *self)
{
    const struct counts *n = self;
    const struct pc_cluster *c = p->cluster;
    if (n->nodes.capacity > 0 && pc_bits_first(&n->nodes) != PC_NONE)
        return "nodes of an area that is no longer tried";
    if (n->topology == PC_NONE || c->topologies[n->topology].stale ||
        n->made != c->topologies[n->topology].made || n->sets != c->pool_set_count ||
        n->seen != c->changes.total)
        return NULL; /* outdated until the next query */
    for (uint32_t set = 0; set < n->sets; set++)
        for (uint32_t d = 0; d < c->topologies[n->topology].domain_count; d++)
            if (!is_true(p, n, set, d))
                return "what is free in a domain";
    return NULL;
}

const struct pc_module pc_domain_counts_module = {
    .name = "domain counts",
    .create = create,
    .destroy = destroy,
    .check = check,
};
