/* SPDX-License-Identifier: MIT */
/* Could an empty, healthy fleet hold a job? See pending.h. */
#include "pending/missing.h"
#include "pending/pending.h"
#include "state/nodes.h"
#include "state/pool_sets.h"

struct fleet {
    const struct policy *p;
    const struct pc_cluster *c;
    const struct pc_bits *nodes;
};

static const struct pc_node *node_of(const struct fleet *f, uint32_t rank)
{
    return &f->c->nodes[f->p->node_of_rank[rank]];
}

/* How many tasks with this request the nodes could hold when empty; counts up to `enough`. */
static int64_t fleet_holds(const struct fleet *f, const struct pc_request *r, int64_t enough)
{
    int64_t held = 0;
    for (uint32_t rank = pc_bits_first(f->nodes); rank != PC_NONE && held < enough;
         rank = pc_bits_next(f->nodes, rank + 1)) {
        int64_t here = pc_node_holds(f->c, node_of(f, rank), r);
        held += here < enough ? here : enough;
    }
    return held;
}

/* Returns true if a node filled with tasks of the first type has room for one of the second. */
static bool rest_holds(const struct fleet *f, const struct pc_request *first,
                       const struct pc_request *second)
{
    for (uint32_t rank = pc_bits_first(f->nodes); rank != PC_NONE;
         rank = pc_bits_next(f->nodes, rank + 1)) {
        struct pc_node left = *node_of(f, rank);
        int64_t full = pc_node_holds(f->c, &left, first);
        left.devices -= (int32_t)full * first->devices;
        left.cpu_total -= full * first->cpu;
        left.mem_total -= full * first->mem;
        left.max_tasks -= (int32_t)full;
        if (pc_node_holds(f->c, &left, second) > 0)
            return true;
    }
    return false;
}

/* For requests of whole devices, or of none: returns true if a asks for no more than b. */
static bool asks_no_more(const struct pc_request *a, const struct pc_request *b)
{
    return a->devices <= b->devices && a->cpu <= b->cpu && a->mem <= b->mem && a->memory == 0 &&
           !a->wants_mig && (b->types & ~a->types) == 0 && a->selector == b->selector;
}

/* Returns true for whole-node tasks plus a smaller one, the remainder. */
static bool has_remainder(const struct pc_shape *s)
{
    const struct pc_request *first = &s->roles[0].request;
    return s->role_count == 2 && s->roles[1].tasks == 1 && pc_minimum_of(s, &s->roles[1]) == 1 &&
           first->devices > 0 && !pc_wants_share(first) && !first->wants_mig &&
           asks_no_more(&s->roles[1].request, first);
}

/*
 * Exact for a gang of equal tasks, and for one with a single smaller task (the remainder of
 * whole-node tasks), which fits where one of the others would, or next to them. For other mixtures
 * each role is checked alone, which may accept an impossible job, never reject a possible one. For
 * an elastic job it checks the minimum.
 */
bool pc_could_ever_fit(struct policy *p, uint32_t shape, uint32_t set)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_shape *s = &c->shapes[shape];
    if (c->traits.counts_only)
        return pc_pool_most_installed(c, set) >= s->first.of[PC_GPU];
    const struct fleet f = {p, c, &c->pool_sets[set].nodes};
    for (uint32_t role = 1; role < s->role_count; role++) {
        int64_t wanted = pc_minimum_of(s, &s->roles[role]);
        if (fleet_holds(&f, &s->roles[role].request, wanted) < wanted)
            return false;
    }
    int64_t wanted = pc_minimum_of(s, &s->roles[0]);
    int64_t held = fleet_holds(&f, &s->roles[0].request, wanted + 1);
    if (held < wanted)
        return false;
    if (held == wanted && has_remainder(s) &&
        !rest_holds(&f, &s->roles[0].request, &s->roles[1].request))
        return false;
    return !s->constrained || pc_domains_hold(p, shape, set);
}
