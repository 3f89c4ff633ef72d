/* SPDX-License-Identifier: MIT */
/*
 * Building domains; see domains.h. Each node's path (its label values from the top level down, then
 * its rank) is written down, paths are sorted, and each level splits the runs of the level above
 * where values change.
 */
#include "state/domains.h"

#include "base/sort.h"

/* ---- paths of nodes ---- */

static bool find_label(const struct pc_labelled *n, uint32_t key, uint32_t *value)
{
    for (uint32_t i = 0; i < n->label_count; i++)
        if (n->labels[i].key == key) {
            *value = n->labels[i].value;
            return true;
        }
    return false;
}

static bool find_path(const struct pc_topology *t, const struct pc_labelled *n, uint32_t *path)
{
    for (uint32_t level = 0; level < t->level_count; level++)
        if (!find_label(n, t->levels[level], &path[level]))
            return false;
    path[t->level_count] = n->rank;
    return true;
}

/* Concatenated paths; path i begins at i * step. */
struct paths {
    const uint32_t *of;
    uint32_t step;
};

static bool path_before(const void *context, uint32_t a, uint32_t b)
{
    const struct paths *paths = context;
    const uint32_t *pa = paths->of + (size_t)a * paths->step;
    const uint32_t *pb = paths->of + (size_t)b * paths->step;
    uint32_t i = 0;
    while (i + 1 < paths->step && pa[i] == pb[i])
        i++;
    return pa[i] < pb[i];
}

/* Writes the paths of the nodes inside the topology and lists their numbers, sorted, in
 * t->ranks. */
static bool write_paths(const struct policy *p, struct pc_topology *t,
                        const struct pc_labelled_nodes *nodes, uint32_t *count)
{
    uint32_t step = t->level_count + 1;
    if (nodes->count > UINT32_MAX / step ||
        !PC_GROW(&p->memory, *nodes->paths, *nodes->path_capacity, nodes->count * step) ||
        !PC_GROW(&p->memory, t->ranks, t->rank_capacity, nodes->count))
        return false;
    *count = 0;
    for (uint32_t i = 0; i < nodes->count; i++) {
        const struct pc_labelled n = nodes->at(p, i);
        if (!n.exists || !find_path(t, &n, *nodes->paths + (size_t)*count * step))
            continue;
        t->ranks[*count] = *count;
        ++*count;
    }
    pc_sort_ids(t->ranks, *count, path_before, &(struct paths){*nodes->paths, step});
    return true;
}

/* ---- domains ---- */

static bool push(const struct policy *p, struct pc_topology *t, uint32_t parent, uint32_t level,
                 uint32_t first_node)
{
    if (!PC_GROW(&p->memory, t->domains, t->domain_capacity, t->domain_count + 1))
        return false;
    t->domains[t->domain_count++] =
        (struct pc_domain){.parent = parent, .level = level, .first_node = first_node};
    return true;
}

/* Splits a domain's run of nodes where the value of the next level changes. */
static bool split(const struct policy *p, struct pc_topology *t, const uint32_t *paths,
                  uint32_t parent)
{
    uint32_t step = t->level_count + 1;
    uint32_t level = t->domains[parent].level;
    uint32_t first = t->domains[parent].first_node;
    uint32_t end = first + t->domains[parent].node_count;
    uint32_t last = 0;
    t->domains[parent].first_child = t->domain_count;
    for (uint32_t i = first; i < end; i++) {
        uint32_t value = paths[(size_t)t->ranks[i] * step + level];
        if (i == first || value != last) {
            if (!push(p, t, parent, level + 1, i))
                return false;
            t->domains[parent].child_count++;
        }
        t->domains[t->domain_count - 1].node_count++;
        last = value;
    }
    return true;
}

static bool split_levels(const struct policy *p, struct pc_topology *t, const uint32_t *paths,
                         uint32_t node_count)
{
    t->domain_count = 0;
    t->level_start[0] = 0;
    if (!push(p, t, PC_NONE, 0, 0))
        return false;
    t->domains[0].node_count = node_count;
    for (uint32_t level = 1; level <= t->level_count; level++) {
        t->level_start[level] = t->domain_count;
        for (uint32_t d = t->level_start[level - 1]; d < t->level_start[level]; d++)
            if (!split(p, t, paths, d))
                return false;
    }
    t->level_start[t->level_count + 1] = t->domain_count;
    return true;
}

bool pc_domains_make(const struct policy *p, struct pc_topology *t,
                     const struct pc_labelled_nodes *nodes)
{
    uint32_t count;
    if (!write_paths(p, t, nodes, &count) || !split_levels(p, t, *nodes->paths, count))
        return false;
    t->made++;
    uint32_t step = t->level_count + 1;
    for (uint32_t i = 0; i < count; i++) /* replace path numbers by node ranks */
        t->ranks[i] = (*nodes->paths)[(size_t)t->ranks[i] * step + t->level_count];
    return true;
}

/* ---- with a cluster ---- */

static struct pc_labelled labelled(const struct policy *p, uint32_t id)
{
    const struct pc_node *n = &p->cluster->nodes[id];
    return (struct pc_labelled){n->exists, n->rank, n->labels, n->label_count};
}

/* Stores each node's domain. */
static void settle(const struct policy *p, const struct pc_topology *t, uint32_t index)
{
    struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; i < c->node_count; i++)
        c->nodes[i].domain[index] = PC_NONE;
    for (uint32_t d = t->level_start[t->level_count]; d < t->domain_count; d++)
        for (uint32_t i = 0; i < t->domains[d].node_count; i++)
            c->nodes[p->node_of_rank[t->ranks[t->domains[d].first_node + i]]].domain[index] = d;
}

struct pc_topology *pc_domains_current(struct policy *p, uint32_t index)
{
    struct pc_cluster *c = p->cluster;
    struct pc_topology *t = &c->topologies[index];
    if (!t->stale)
        return t;
    const struct pc_labelled_nodes nodes = {labelled, c->node_count, &c->paths, &c->path_capacity};
    if (!pc_domains_make(p, t, &nodes))
        return NULL;
    settle(p, t, index);
    t->stale = false;
    return t;
}

uint32_t pc_domain_above(const struct pc_topology *t, uint32_t domain, uint32_t level)
{
    while (t->domains[domain].level > level)
        domain = t->domains[domain].parent;
    return domain;
}

void pc_domains_inside(const struct pc_topology *t, uint32_t domain, uint32_t level,
                       uint32_t *first, uint32_t *end)
{
    *first = domain;
    *end = domain + 1;
    for (uint32_t l = t->domains[domain].level; l < level; l++) {
        const struct pc_domain *last = &t->domains[*end - 1];
        *first = t->domains[*first].first_child;
        *end = last->first_child + last->child_count;
    }
}

void pc_topology_free(const struct policy *p, struct pc_topology *t)
{
    pc_release(&p->memory, t->domains, t->domain_capacity, sizeof *t->domains);
    pc_release(&p->memory, t->ranks, t->rank_capacity, sizeof *t->ranks);
    t->domains = NULL;
    t->ranks = NULL;
    t->domain_count = t->domain_capacity = t->rank_capacity = 0;
}

void pc_domains_free(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; i < POLICY_MAX_TOPOLOGIES; i++)
        pc_topology_free(p, &c->topologies[i]);
    pc_release(&p->memory, c->paths, c->path_capacity, sizeof *c->paths);
    c->paths = NULL;
    c->path_capacity = 0;
}

bool pc_constraint_known(const struct pc_cluster *c, const struct policy_constraint *k)
{
    if (k->topology == 0)
        return true;
    if (k->topology < 0 || k->topology > POLICY_MAX_TOPOLOGIES || k->required < 0 ||
        k->preferred < 0)
        return false;
    const struct pc_topology *t = &c->topologies[k->topology - 1];
    return t->known && (uint32_t)k->required <= t->level_count &&
           (uint32_t)k->preferred <= t->level_count;
}
