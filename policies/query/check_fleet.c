/* SPDX-License-Identifier: MIT */
/* Totals over nodes, and their sets and domains; see check.h. */
#include "base/bits.h"
#include "query/check.h"
#include "state/queues.h"
#include "state/shapes.h"

static int64_t devices_of(const struct pc_cluster *c, const struct pc_node *n)
{
    int64_t milli = 0;
    for (int32_t d = 0; d < n->devices; d++)
        if ((n->usable >> d & 1) != 0)
            milli += n->mig == POLICY_MIG_FREE ? 7 * POLICY_WHOLE : POLICY_WHOLE;
    for (uint32_t i = 0; n->mig == POLICY_MIG_FIXED && i < POLICY_MAX_PROFILES; i++)
        milli += (int64_t)n->instances->total[i] * c->slices[i] * POLICY_WHOLE;
    return milli;
}

static const char *check_capacity(const struct pc_cluster *c)
{
    struct pc_amounts sum = {{0, 0, 0}};
    int32_t unmodelled[PC_RESOURCES] = {0, 0, 0};
    int64_t smallest = 0;
    for (uint32_t i = 0; i < c->node_count; i++) {
        const struct pc_node *n = &c->nodes[i];
        if (n->exists && n->memory > 0 && n->devices > 0 && (smallest == 0 || n->memory < smallest))
            smallest = n->memory;
        if (!n->exists || n->state != POLICY_NODE_UP)
            continue;
        bool cpu = n->cpu_total < PC_PLENTY;
        bool mem = n->mem_total < PC_PLENTY;
        sum.of[PC_GPU] += devices_of(c, n);
        sum.of[PC_CPU] += cpu ? n->cpu_total : 0;
        sum.of[PC_MEM] += mem ? n->mem_total : 0;
        unmodelled[PC_CPU] += !cpu;
        unmodelled[PC_MEM] += !mem;
    }
    for (int r = 0; r < PC_RESOURCES; r++)
        if (sum.of[r] != c->capacity.of[r] || unmodelled[r] != c->unmodelled[r])
            return "the cluster's capacity";
    return smallest == c->smallest_memory ? NULL : "the smallest memory of a device";
}

/* ---- sets of nodes ---- */

static const char *check_selector(const struct pc_cluster *c, const struct pc_selector *s)
{
    uint32_t members = 0;
    for (uint32_t i = 0; i < c->node_count; i++) {
        const struct pc_node *n = &c->nodes[i];
        if (!n->exists)
            continue;
        bool matches = pc_selector_matches(s, n);
        members += matches;
        if (pc_bits_has(&s->nodes, n->rank) != matches)
            return "a selector's nodes";
    }
    return pc_members(&s->nodes) == members ? NULL : "a selector's number of nodes";
}

/* ---- domains ---- */

/* The node's label with that key, or NULL. */
static const struct policy_label *label(const struct pc_node *n, uint32_t key)
{
    for (uint32_t i = 0; i < n->label_count; i++)
        if (n->labels[i].key == key)
            return &n->labels[i];
    return NULL;
}

/* Number of levels from the top that two nodes inside the topology share. */
static uint32_t common_levels(const struct pc_topology *t, const struct pc_node *a,
                              const struct pc_node *b)
{
    uint32_t common = 0;
    while (common < t->level_count &&
           label(a, t->levels[common])->value == label(b, t->levels[common])->value)
        common++;
    return common;
}

static bool is_inside(const struct pc_topology *t, const struct pc_node *n)
{
    for (uint32_t i = 0; i < t->level_count; i++)
        if (label(n, t->levels[i]) == NULL)
            return false;
    return true;
}

/* The ancestor domain at this level. */
static uint32_t above(const struct pc_topology *t, uint32_t domain, uint32_t level)
{
    while (t->domains[domain].level > level)
        domain = t->domains[domain].parent;
    return domain;
}

static bool lists_rank(const struct pc_topology *t, const struct pc_domain *d, uint32_t rank)
{
    uint32_t found = 0;
    for (uint32_t i = d->first_node; i < d->first_node + d->node_count; i++)
        found += t->ranks[i] == rank;
    return found == 1;
}

/* Two nodes must be in one domain of a level exactly if their labels agree down to it. */
static const char *check_domains(const struct pc_cluster *c, uint32_t index)
{
    const struct pc_topology *t = &c->topologies[index];
    uint32_t inside = 0;
    for (uint32_t i = 0; i < c->node_count; i++) {
        const struct pc_node *n = &c->nodes[i];
        if (!n->exists)
            continue;
        if (is_inside(t, n) != (n->domain[index] != PC_NONE))
            return "a node inside or outside a topology";
        if (n->domain[index] == PC_NONE)
            continue;
        inside++;
        for (uint32_t level = 0; level <= t->level_count; level++)
            if (!lists_rank(t, &t->domains[above(t, n->domain[index], level)], n->rank))
                return "a domain's nodes";
        for (uint32_t k = 0; k < i; k++) {
            const struct pc_node *other = &c->nodes[k];
            if (!other->exists || other->domain[index] == PC_NONE)
                continue;
            uint32_t common = common_levels(t, n, other);
            for (uint32_t level = 0; level <= t->level_count; level++)
                if ((above(t, n->domain[index], level) == above(t, other->domain[index], level)) !=
                    (level <= common))
                    return "the domains of two nodes";
        }
    }
    return t->domains[0].node_count == inside ? NULL : "a topology's number of nodes";
}

const char *pc_check_fleet(const struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    const char *wrong = check_capacity(c);
    for (uint32_t i = 0; i < c->selector_count && wrong == NULL; i++)
        wrong = check_selector(c, &c->selectors[i]);
    if (wrong == NULL)
        wrong = pc_check_pool_sets(c);
    for (uint32_t i = 0; i < POLICY_MAX_TOPOLOGIES && wrong == NULL; i++)
        if (c->topologies[i].known && !c->topologies[i].stale)
            wrong = check_domains(c, i);
    return wrong;
}
