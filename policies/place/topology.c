/* SPDX-License-Identifier: MIT */
/*
 * The areas of a constraint, in the order in which they are tried; see topology.h.
 *
 * The contents of the domains are determined once, at the start. Nested constraints may overwrite
 * the domains' scratch members before the second area is requested, so everything needed later is
 * copied to the scratch memory of the depth.
 */
#include "place/topology.h"

#include "base/sort.h"
#include "place/area_supply.h"
#include "state/domains.h"
#include "state/shapes.h"
#include "state/tasks.h"

#include <string.h>

/* ---- constraints ---- */

/* ---- domain contents ---- */

/* One constraint with its tasks, and what is known about the domains. */
struct look {
    const struct policy *p;
    struct pc_topology *t;
    struct pc_nodes_allowed allowed;
    struct pc_demand demand;
    uint32_t required;
    uint32_t deepest; /* level of the smallest areas */
    uint32_t top;     /* and of the largest */
    bool
        keeps; /* some tasks are already active: areas are confined to the domains that hold them */
    bool scores; /* all domains of the deepest level must be ordered, including full ones */
};

/* Marks domains of the required level that hold active tasks covered by the constraint. */
static void find_held(struct look *l, uint32_t job, const struct policy_constraint *k)
{
    const struct pc_cluster *c = l->p->cluster;
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    for (uint32_t set = 0; set < s->set_count && l->required > 0 && j->active > 0; set++) {
        if (pc_counts_of(c, j, set).active == 0 || !pc_is_about(k, s, set))
            continue;
        l->keeps = true;
        for (uint32_t i = s->sets[set].first_task; i < s->sets[set].first_task + s->sets[set].tasks;
             i++) {
            const struct pc_place *place = &pc_task_of(j, i)->place;
            if (!pc_is_active(place))
                continue;
            uint32_t domain = c->nodes[pc_stands_on(place)].domain[k->topology - 1];
            if (domain != PC_NONE)
                l->t->domains[pc_domain_above(l->t, domain, l->required)].held = true;
        }
    }
}

/* Examines all domains. Returns false if out of memory. */
static bool take_look(struct policy *p, struct look *l, uint32_t job,
                      const struct policy_constraint *k, const uint32_t *tasks, uint32_t count,
                      const struct pc_bits *offered)
{
    const struct pc_cluster *c = p->cluster;
    memset(l, 0, sizeof *l);
    l->p = p;
    l->t = pc_domains_current(p, (uint32_t)k->topology - 1);
    if (l->t == NULL)
        return false;
    l->allowed = (struct pc_nodes_allowed){
        &c->up, &c->pool_sets[c->queues[c->jobs[job].queue].pool_set].nodes, offered};
    l->demand = pc_sum_demand(c, job, tasks, count);
    l->required = (uint32_t)k->required;
    l->deepest = (uint32_t)(k->preferred > k->required ? k->preferred : k->required);
    pc_count_supply(p, l->t, &l->allowed, &l->demand);
    find_held(l, job, k);
    return true;
}

/* Returns true if the domain is inside one that active tasks are confined to; always above the
 * required level. */
static bool is_kept(const struct look *l, uint32_t domain)
{
    return !l->keeps || l->t->domains[domain].level < l->required ||
           l->t->domains[pc_domain_above(l->t, domain, l->required)].held;
}

static bool holds(const struct look *l, uint32_t domain)
{
    const struct pc_domain *d = &l->t->domains[domain];
    if (d->usable == 0)
        return false;
    return l->demand.alike ? d->copies >= l->demand.tasks : d->ratio.wanted <= d->ratio.free;
}

/* The deepest domain that contains all nodes offered, but not below the deepest level
 * considered. */
static uint32_t common_domain(const struct look *l)
{
    const struct pc_topology *t = l->t;
    uint32_t common = 0;
    uint32_t child = 0;
    while (t->domains[common].level < l->deepest) {
        uint32_t end = t->domains[common].first_child + t->domains[common].child_count;
        for (child = t->domains[common].first_child; child < end; child++)
            if (t->domains[child].usable == t->domains[0].usable)
                break;
        if (child == end)
            break;
        common = child;
    }
    return common;
}

/* ---- the order of domains ---- */

static bool tighter_first(const void *context, uint32_t a, uint32_t b)
{
    const struct pc_topology *t = context;
    if (pc_is_tighter(&t->domains[a].ratio, &t->domains[b].ratio))
        return true;
    return !pc_is_tighter(&t->domains[b].ratio, &t->domains[a].ratio) && a < b;
}

static void weigh(const struct look *l, uint32_t domain)
{
    l->t->domains[domain].ratio = pc_scarcest(&l->demand.total, &l->t->domains[domain].free);
}

/* Appends the children of a domain, sorted; children that neither are nor contain an area only if
 * they are scored. */
static uint32_t append_children(const struct look *l, uint32_t domain, uint32_t *order, uint32_t at)
{
    const struct pc_domain *d = &l->t->domains[domain];
    uint32_t first = at;
    for (uint32_t child = d->first_child; child < d->first_child + d->child_count; child++) {
        weigh(l, child);
        if (l->scores || (holds(l, child) && is_kept(l, child)))
            order[at++] = child;
    }
    pc_sort_ids(order + first, at - first, tighter_first, l->t);
    return at;
}

/* Lists domains from the common one down, level by level, and from these the areas, deepest
 * first. */
static uint32_t list_areas(const struct look *l, uint32_t common, struct pc_area_scratch *s)
{
    uint32_t start[POLICY_MAX_LEVELS + 2] = {0};
    uint32_t level = l->t->domains[common].level;
    uint32_t at = 1;
    s->order[0] = common;
    start[level] = 0;
    start[level + 1] = 1;
    for (; level < l->deepest; level++) {
        for (uint32_t i = start[level]; i < start[level + 1]; i++)
            at = append_children(l, s->order[i], s->order, at);
        start[level + 2] = at;
    }
    s->packed = start[l->deepest];
    s->packed_count = at - s->packed;
    uint32_t count = 0;
    for (level = l->deepest + 1; level-- > l->top;)
        for (uint32_t i = start[level]; i < start[level + 1]; i++)
            if (holds(l, s->order[i]) && is_kept(l, s->order[i]))
                s->tries[count++] = s->order[i];
    return count;
}

/* ---- areas ---- */

static bool reserve(struct policy *p, struct pc_area_scratch *s, uint32_t domains, bool scores)
{
    return pc_bits_reserve(&s->nodes, &p->memory, p->rank_capacity) &&
           PC_GROW(&p->memory, s->order, s->order_capacity, domains) &&
           PC_GROW(&p->memory, s->tries, s->try_capacity, domains) &&
           (!scores || PC_GROW(&p->memory, s->scores, s->score_capacity, p->rank_capacity));
}

void pc_areas_begin(struct policy *p, struct pc_areas *areas, uint32_t depth, uint32_t job,
                    const struct policy_constraint *k, const uint32_t *tasks, uint32_t count,
                    const struct pc_area *offered)
{
    struct pc_cluster *c = p->cluster;
    *areas = (struct pc_areas){.offered = *offered, .depth = depth, .topology = PC_NONE};
    areas->pool_set = c->queues[c->jobs[job].queue].pool_set;
    bool known = pc_constraint_known(c, k);
    if (k->topology == 0 || (known && k->required == 0 && k->preferred == 0)) {
        areas->count = 1;
        return;
    }
    if (!known || depth >= PC_MAX_DEPTH)
        return;
    struct look l;
    struct pc_area_scratch *s = &c->areas[depth];
    if (!take_look(p, &l, job, k, tasks, count, offered->nodes) ||
        !reserve(p, s, l.t->domain_count, k->preferred > 0)) {
        c->out_of_memory = true;
        return;
    }
    uint32_t common = common_domain(&l);
    l.top = l.t->domains[common].level > l.required ? l.t->domains[common].level : l.required;
    l.scores = k->preferred > 0 && l.top < l.deepest;
    areas->topology = (uint32_t)k->topology - 1;
    areas->scored = l.scores ? l.deepest : 0;
    weigh(&l, common);
    if (holds(&l, common))
        areas->count = list_areas(&l, common, s);
}

/* Fills the area with the usable nodes of the domain. */
static void fill_nodes(const struct policy *p, const struct pc_areas *areas,
                       const struct pc_topology *t, const struct pc_domain *d,
                       struct pc_bits *nodes)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_nodes_allowed allowed = {&c->up, &c->pool_sets[areas->pool_set].nodes,
                                             areas->offered.nodes};
    memset(nodes->words, 0,
           (nodes->start[PC_BITS_LEVELS - 1] + 1) *
               sizeof *nodes->words); // the top level is one word
    for (uint32_t i = d->first_node; i < d->first_node + d->node_count; i++)
        if (pc_is_allowed(&allowed, t->ranks[i]))
            pc_bits_add(nodes, t->ranks[i]);
}

/* Scores the nodes by the preferred level's domains inside the area: the first, tightest one
 * lowest, the last one 10. */
static void fill_scores(const struct pc_topology *t, uint32_t domain, uint32_t level,
                        struct pc_area_scratch *s)
{
    uint32_t first;
    uint32_t end;
    uint32_t found = 0;
    pc_domains_inside(t, domain, level, &first, &end);
    for (uint32_t i = s->packed; i < s->packed + s->packed_count; i++) {
        if (s->order[i] < first || s->order[i] >= end)
            continue;
        const struct pc_domain *d = &t->domains[s->order[i]];
        uint64_t score = UINT64_C(10) * ++found / (end - first);
        for (uint32_t k = d->first_node; k < d->first_node + d->node_count; k++)
            s->scores[t->ranks[k]] = (uint8_t)score;
    }
}

const struct pc_area *pc_areas_next(struct policy *p, struct pc_areas *areas)
{
    if (areas->next >= areas->count)
        return NULL;
    uint32_t try = areas->next++;
    areas->current = areas->offered;
    if (areas->topology == PC_NONE)
        return &areas->current;
    struct pc_area_scratch *s = &p->cluster->areas[areas->depth];
    const struct pc_topology *t = &p->cluster->topologies[areas->topology];
    fill_nodes(p, areas, t, &t->domains[s->tries[try]], &s->nodes);
    areas->current.nodes = &s->nodes;
    if (t->domains[s->tries[try]].level < areas->scored) {
        fill_scores(t, s->tries[try], areas->scored, s);
        areas->current.scores = s->scores;
    }
    return &areas->current;
}

/* ---- explanations ---- */

uint32_t pc_most_in_domain(struct policy *p, uint32_t job, const struct policy_constraint *k,
                           const uint32_t *tasks, uint32_t count)
{
    if (k->topology == 0 || !pc_constraint_known(p->cluster, k))
        return 0;
    struct look l;
    if (!take_look(p, &l, job, k, tasks, count, NULL)) {
        p->cluster->out_of_memory = true;
        return 0;
    }
    int64_t most = 0;
    for (uint32_t d = l.t->level_start[l.required]; d < l.t->level_start[l.required + 1]; d++)
        if (is_kept(&l, d) && l.t->domains[d].copies > most)
            most = l.t->domains[d].copies;
    return most < count ? (uint32_t)most : count;
}

void pc_topologies_free(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; i < PC_MAX_DEPTH; i++) {
        struct pc_area_scratch *s = &c->areas[i];
        pc_bits_free(&s->nodes, &p->memory);
        pc_release(&p->memory, s->scores, s->score_capacity, sizeof *s->scores);
        pc_release(&p->memory, s->order, s->order_capacity, sizeof *s->order);
        pc_release(&p->memory, s->tries, s->try_capacity, sizeof *s->tries);
        memset(s, 0, sizeof *s);
    }
    pc_domains_free(p);
}
