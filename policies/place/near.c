/* SPDX-License-Identifier: MIT */
/* Labels, domains, and what is free in them; see near.h. */
#include "place/near_internal.h"

#include "core/sites.h"
#include "place/domains.h"

#include <string.h>

/* ---- life ---- */

bool pc_near_create(struct policy *p)
{
    p->near = pc_alloc(&p->memory, 1, sizeof *p->near);
    if (p->near != NULL)
        memset(p->near, 0, sizeof *p->near);
    return p->near != NULL;
}

void pc_near_destroy(struct policy *p)
{
    struct pc_near *near = p->near;
    if (near == NULL)
        return;
    for (uint32_t i = 0; i < near->label_capacity; i++)
        pc_release(&p->memory, near->labels[i].of, near->labels[i].count, sizeof *near->labels[i].of);
    pc_release(&p->memory, near->labels, near->label_capacity, sizeof *near->labels);
    pc_release(&p->memory, near->paths, near->path_capacity, sizeof *near->paths);
    pq_topology_free(p, &near->topology);
    pc_site_free(p, &near->trial);
    pc_release(&p->memory, near, 1, sizeof *near);
    p->near = NULL;
}

/* ---- facts ---- */

void pc_near_forget_domains(struct policy *p)
{
    if (p->near != NULL)
        p->near->topology.stale = true;
}

void pc_near_topology(struct policy *p, uint32_t number, const uint32_t *levels, uint32_t count)
{
    struct pc_near *near = p->near;
    if (near->number != 0 && near->number < number)
        return;
    near->number = number;
    memcpy(near->topology.levels, levels, count * sizeof *levels);
    near->topology.level_count = count;
    near->topology.known = true;
    pc_near_forget_domains(p);
}

bool pc_near_node_comes(struct policy *p, uint32_t id, const struct policy_node_spec *spec)
{
    struct pc_near *near = p->near;
    if (near == NULL)
        return true;
    uint32_t known = near->label_capacity;
    if (!PC_GROW(&p->memory, near->labels, near->label_capacity, id + 1))
        return false;
    memset(near->labels + known, 0, (near->label_capacity - known) * sizeof *near->labels);
    struct policy_label *labels = NULL;
    if (spec->label_count > 0) {
        labels = pc_alloc(&p->memory, spec->label_count, sizeof *labels);
        if (labels == NULL)
            return false;
        memcpy(labels, spec->labels, spec->label_count * sizeof *labels);
    }
    near->labels[id] = (struct pc_near_labels){labels, spec->label_count};
    pc_near_forget_domains(p);
    return true;
}

void pc_near_node_goes(struct policy *p, uint32_t id)
{
    if (p->near == NULL)
        return;
    struct pc_near_labels *labels = &p->near->labels[id];
    pc_release(&p->memory, labels->of, labels->count, sizeof *labels->of);
    *labels = (struct pc_near_labels){0};
    pc_near_forget_domains(p);
}

/* ---- counts ---- */

void pc_near_count(struct pc_domain_counts *counts, const struct pc_node *n, int sign)
{
    const struct pq_topology *t = &counts->near->topology;
    if (t->stale)
        return; /* all is counted anew when it is next needed */
    int whole = pc_popcount(n->whole);
    for (uint32_t d = n->domain; d != PC_NONE; d = t->domains[d].parent) {
        int64_t *cells = counts->cells + (size_t)d * counts->step;
        cells[PC_CELL_WHOLE] += sign * whole;
        cells[PC_CELL_MILLI] += sign * n->free_milli;
        cells[PC_CELL_NODES + whole] += sign;
    }
}

static struct pq_labelled labelled(const struct policy *p, uint32_t id)
{
    const struct pc_node *n = &p->nodes[id];
    const struct pc_near_labels *labels = &p->near->labels[id];
    return (struct pq_labelled){n->exists, n->rank, labels->of, labels->count};
}

/* Room for the counts of each site, all zero, and for trials. */
static bool reserve(struct policy *p)
{
    struct pc_near *near = p->near;
    for (uint32_t i = 0; i < p->site_count; i++) {
        struct pc_site *s = &p->sites[i];
        s->domains.near = near;
        s->domains.step = PC_CELL_NODES + (uint32_t)s->most_devices + 1;
        uint64_t cells = (uint64_t)s->domains.step * near->topology.domain_count;
        if (cells > UINT32_MAX ||
            !PC_GROW(&p->memory, s->domains.cells, s->domains.capacity, (uint32_t)cells))
            return false;
        memset(s->domains.cells, 0, cells * sizeof *s->domains.cells);
    }
    for (uint32_t i = 0; i < p->node_count; i++)
        if (p->nodes[i].exists && !pc_site_reserve(p, &near->trial, p->nodes[i].rank, p->nodes[i].devices))
            return false;
    return true;
}

bool pc_near_refresh(struct policy *p)
{
    struct pc_near *near = p->near;
    struct pq_topology *t = &near->topology;
    if (!t->stale)
        return true;
    const struct pq_labelled_nodes nodes = {labelled, p->node_count, &near->paths, &near->path_capacity};
    if (!pq_domains_make(p, t, &nodes) || !reserve(p))
        return false;
    t->stale = false;
    for (uint32_t i = 0; i < p->node_count; i++)
        p->nodes[i].domain = PC_NONE;
    for (uint32_t d = t->level_start[t->level_count]; d < t->domain_count; d++)
        for (uint32_t i = 0; i < t->domains[d].node_count; i++)
            p->nodes[p->node_of_rank[t->ranks[t->domains[d].first_node + i]]].domain = d;
    for (uint32_t i = 0; i < p->node_count; i++) {
        const struct pc_node *n = &p->nodes[i];
        if (!n->exists || n->state != POLICY_NODE_UP)
            continue;
        for (uint32_t s = 0; s < p->pools[n->pool].site_count; s++)
            pc_near_count(&p->sites[p->pools[n->pool].sites[s]].domains, n, 1);
    }
    return true;
}

/* ---- check ---- */

/* One domain's cells against its nodes. */
static bool is_true(const struct policy *p, const struct pc_site *s, uint32_t domain)
{
    const struct pq_topology *t = &p->near->topology;
    const struct pq_domain *d = &t->domains[domain];
    const int64_t *cells = pc_cells(s, domain);
    int64_t seen[PC_CELL_NODES + POLICY_MAX_DEVICES + 1] = {0};
    for (uint32_t i = d->first_node; i < d->first_node + d->node_count; i++) {
        const struct pc_node *n = &p->nodes[p->node_of_rank[t->ranks[i]]];
        if (!pc_bits_has(&s->nodes, n->rank))
            continue;
        seen[PC_CELL_WHOLE] += pc_popcount(n->whole);
        seen[PC_CELL_MILLI] += n->free_milli;
        seen[PC_CELL_NODES + pc_popcount(n->whole)]++;
    }
    return memcmp(seen, cells, s->domains.step * sizeof *seen) == 0;
}

const char *pc_near_check(const struct policy *p)
{
    if (p->near == NULL || !p->near->topology.known || p->near->topology.stale)
        return NULL;
    if (pc_bits_first(&p->near->trial.nodes) != PC_NONE)
        return "nodes of a trial that is over";
    for (uint32_t s = 0; s < p->site_count; s++)
        for (uint32_t d = 0; d < p->near->topology.domain_count; d++)
            if (!is_true(p, &p->sites[s], d))
                return "what is free in a domain";
    return NULL;
}
