/* SPDX-License-Identifier: MIT */
/* What a plugin may not start; see plugin_plan.h. */
#include "act/plugin_plan.h"
#include "cluster/nodes.h"
#include "cluster/tasks.h"
#include "place/choose.h"
#include "place/domains.h"
#include "state/pool_sets.h"

/* ---- one task ---- */

/* Devices that the plugin chose itself; NULL: they will do. */
static const char *check_devices(const struct cluster *c, const struct pq_node *n, const struct pq_request *r,
                                 uint64_t devices)
{
    bool now;
    if (r->wants_mig)
        return "starts a task that wants MIG instances on devices of its own choice";
    if (pc_popcount(devices) != r->devices)
        return "starts a task on another number of devices than it asks for";
    if ((devices & ~n->usable) != 0 || (!pq_wants_share(r) && (devices & ~n->idle) != 0))
        return "starts a task on devices that are taken, unhealthy or not there";
    return pq_wants_share(r) && !(pq_shares_fit_on(c, n, r, devices, &now) && now)
               ? "starts a task on a device that has not so much left"
               : NULL;
}

const char *pq_check_start(struct policy *p, uint32_t job, const struct policy_plugin_start *start,
                           struct pq_place *place)
{
    const struct cluster *c = p->cluster;
    const struct pq_area everywhere = {0};
    if (start->task >= c->shapes[c->jobs[job].shape].tasks || !pq_is_pending(pq_task(c, job, start->task)))
        return "starts a task that is not pending";
    if (start->node.i >= c->node_count || !c->nodes[start->node.i].exists)
        return "starts a task on a node that does not exist";
    const struct pq_node *n = &c->nodes[start->node.i];
    if (n->state != POLICY_NODE_UP)
        return "starts a task on a node that takes none";
    if (!pq_pool_set_has(&c->pool_sets[c->queues[c->jobs[job].queue].zone], n->pool))
        return "starts a task on a node of a pool that its queue may not use";
    const struct pq_ask ask = pq_ask_for(p, job, start->task, &everywhere, PQ_AT_ONCE);
    if (!pq_node_suits(c, n, ask.request) || !pq_fits_now(c, n, ask.request))
        return "starts a task on a node that it does not fit";
    if (!pq_spares(&ask, n))
        return "starts a task where devices are kept for others";
    const char *wrong = start->devices != 0 ? check_devices(c, n, ask.request, start->devices) : NULL;
    bool now = true;
    *place = pq_nowhere();
    place->node = start->node.i;
    place->holding = PQ_RUNS;
    place->started = 1;
    place->devices = start->devices;
    if (start->devices == 0)
        place->devices = pq_choose_devices(
            c, n, ask.request, p->config.quota.device_placement == POLICY_SPREAD, false, &now, &place->slice);
    return wrong == NULL && !now ? "starts a task on a node that it does not fit" : wrong;
}

/* ---- tasks that have to be near each other ---- */

/* Whether the pod set is in the group, or in one below it. */
static bool is_in_group(const struct pq_shape *s, const struct pq_set *set, int32_t group)
{
    int32_t g = set->group;
    while (g != 0 && g != group)
        g = s->groups[g - 1].parent;
    return g == group;
}

/* Whether the active tasks of these pod sets are in one domain of the level. `group` 0: of all sets; `only`: of one. */
static bool in_one_domain(struct policy *p, uint32_t job, const struct policy_constraint *k, int32_t group,
                          const struct pq_set *only)
{
    struct cluster *c = p->cluster;
    const struct pq_shape *s = &c->shapes[c->jobs[job].shape];
    if (k->topology == 0 || k->required == 0)
        return true;
    if (k->topology < 0 || k->required < 0 || !c->topologies[k->topology - 1].known)
        return false;
    const uint32_t index = (uint32_t)k->topology - 1;
    const struct pq_topology *t = pq_domains_current(p, index);
    uint32_t first = PC_NONE;
    c->out_of_memory |= t == NULL;
    for (uint32_t i = 0; t != NULL && i < s->tasks; i++) {
        const struct pq_set *set = &s->sets[pq_role_of(s, i)->set];
        const struct pq_place *place = &pq_task(c, job, i)->place;
        if (!pq_is_active(place) || (only != NULL && set != only) ||
            (group != 0 && !is_in_group(s, set, group)))
            continue;
        uint32_t domain = c->nodes[pq_stands_on(place)].domain[index];
        if (domain == PC_NONE || (uint32_t)k->required > t->level_count)
            return false;
        domain = pq_domain_above(t, domain, (uint32_t)k->required);
        if (first != PC_NONE && domain != first)
            return false;
        first = domain;
    }
    return t != NULL;
}

bool pq_is_together(struct policy *p, uint32_t job)
{
    const struct cluster *c = p->cluster;
    const struct pq_shape *s = &c->shapes[c->jobs[job].shape];
    bool together = in_one_domain(p, job, &s->topology, 0, NULL);
    for (uint32_t g = 0; g < s->group_count && together; g++)
        together = in_one_domain(p, job, &s->groups[g].topology, (int32_t)g + 1, NULL);
    for (uint32_t i = 0; i < s->set_count && together; i++)
        together = in_one_domain(p, job, &s->sets[i].topology, 0, &s->sets[i]);
    return together;
}
