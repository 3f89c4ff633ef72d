/* SPDX-License-Identifier: MIT */
/* Checks on starts requested by a plugin; see plugin_plan.h. */
#include "act/plugin_plan.h"
#include "place/choose.h"
#include "state/domains.h"
#include "state/nodes.h"
#include "state/pool_sets.h"
#include "state/tasks.h"

/* ---- one task ---- */

/* Checks devices chosen by the plugin; NULL: they are acceptable. */
static const char *check_devices(const struct pc_cluster *c, const struct pc_node *n,
                                 const struct pc_request *r, uint64_t devices)
{
    bool now;
    if (r->wants_mig)
        return "starts a task that wants MIG instances on devices of its own choice";
    if (pc_popcount(devices) != r->devices)
        return "starts a task on a number of devices that it did not request";
    if ((devices & ~n->usable) != 0 || (!pc_wants_share(r) && (devices & ~n->idle) != 0))
        return "starts a task on devices that are taken, unhealthy or not there";
    return pc_wants_share(r) && !(pc_shares_fit_on(c, n, r, devices, &now) && now)
               ? "starts a task on a device that has not so much left"
               : NULL;
}

const char *pc_check_start(struct policy *p, uint32_t job, const struct policy_plugin_start *start,
                           struct pc_place *place)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_area everywhere = {0};
    if (start->task >= c->shapes[c->jobs[job].shape].tasks ||
        !pc_is_pending(pc_task(c, job, start->task)))
        return "starts a task that is not pending";
    if (start->node.i >= c->node_count || !c->nodes[start->node.i].exists)
        return "starts a task on a node that does not exist";
    const struct pc_node *n = &c->nodes[start->node.i];
    if (n->state != POLICY_NODE_UP)
        return "starts a task on a node that takes none";
    if (!pc_pool_set_has(&c->pool_sets[c->queues[c->jobs[job].queue].pool_set], n->pool))
        return "starts a task on a node of a pool that its queue may not use";
    const struct pc_ask ask = pc_ask_for(p, job, start->task, &everywhere, PC_AT_ONCE);
    if (!pc_node_suits(c, n, ask.request) || !pc_fits_now(c, n, ask.request))
        return "starts a task on a node that it does not fit";
    if (!pc_spares(&ask, n))
        return "starts a task where devices are kept for others";
    const char *wrong =
        start->devices != 0 ? check_devices(c, n, ask.request, start->devices) : NULL;
    bool now = true;
    *place = pc_nowhere();
    place->node = start->node.i;
    place->holding = PC_RUNS;
    place->started = 1;
    place->devices = start->devices;
    if (start->devices == 0)
        place->devices =
            pc_choose_devices(c, n, ask.request, p->config.quota.device_placement == POLICY_SPREAD,
                              false, &now, &place->slice);
    return wrong == NULL && !now ? "starts a task on a node that it does not fit" : wrong;
}

/* ---- topology constraints ---- */

/* Returns true if the pod set is in the group or in one below it. */
static bool is_in_group(const struct pc_shape *s, const struct pc_set *set, int32_t group)
{
    int32_t g = set->group;
    while (g != 0 && g != group)
        g = s->groups[g - 1].parent;
    return g == group;
}

/* Returns true if the active tasks of these pod sets are in one domain of the level. `group` 0: all
 * sets; `only`: a single set. */
static bool in_one_domain(struct policy *p, uint32_t job, const struct policy_constraint *k,
                          int32_t group, const struct pc_set *only)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_shape *s = &c->shapes[c->jobs[job].shape];
    if (k->topology == 0 || k->required == 0)
        return true;
    if (k->topology < 0 || k->required < 0 || !c->topologies[k->topology - 1].known)
        return false;
    const uint32_t index = (uint32_t)k->topology - 1;
    const struct pc_topology *t = pc_domains_current(p, index);
    uint32_t first = PC_NONE;
    c->out_of_memory |= t == NULL;
    for (uint32_t i = 0; t != NULL && i < s->tasks; i++) {
        const struct pc_set *set = &s->sets[pc_role_of(s, i)->set];
        const struct pc_place *place = &pc_task(c, job, i)->place;
        if (!pc_is_active(place) || (only != NULL && set != only) ||
            (group != 0 && !is_in_group(s, set, group)))
            continue;
        uint32_t domain = c->nodes[pc_stands_on(place)].domain[index];
        if (domain == PC_NONE || (uint32_t)k->required > t->level_count)
            return false;
        domain = pc_domain_above(t, domain, (uint32_t)k->required);
        if (first != PC_NONE && domain != first)
            return false;
        first = domain;
    }
    return t != NULL;
}

bool pc_is_together(struct policy *p, uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_shape *s = &c->shapes[c->jobs[job].shape];
    bool together = in_one_domain(p, job, &s->topology, 0, NULL);
    for (uint32_t g = 0; g < s->group_count && together; g++)
        together = in_one_domain(p, job, &s->groups[g].topology, (int32_t)g + 1, NULL);
    for (uint32_t i = 0; i < s->set_count && together; i++)
        together = in_one_domain(p, job, &s->sets[i].topology, 0, &s->sets[i]);
    return together;
}
