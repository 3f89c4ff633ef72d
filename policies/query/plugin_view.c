/* SPDX-License-Identifier: MIT */
/* The plugin's view: nodes, devices, topologies and names. Answers are computed on request. */
#include "query/plugin_view.h"
#include "state/domains.h"
#include "state/mig.h"
#include "state/nodes.h"

#include <string.h>

void pc_view_answer(void *to, const void *answer, uint32_t size)
{
    uint32_t room;
    memcpy(&room, to, sizeof room);
    const uint32_t both = room < size ? room : size;
    if (room > sizeof room)
        memcpy((char *)to + sizeof room, (const char *)answer + sizeof room, both - sizeof room);
}

/* ---- nodes ---- */

static const struct pc_node *node_of(const struct policy_view *view, policy_node id)
{
    const struct pc_cluster *c = pc_view_of(view)->p->cluster;
    return c != NULL && id.i < c->node_count && c->nodes[id.i].exists ? &c->nodes[id.i] : NULL;
}

/* Returns POLICY_UNLIMITED for node amounts that are not modelled, which are stored as huge
 * values. */
static int64_t modelled(int64_t amount, int64_t total)
{
    return total >= PC_PLENTY ? POLICY_UNLIMITED : amount;
}

static bool show_node(const struct policy_view *view, policy_node id, struct policy_view_node *out)
{
    const struct pc_node *n = node_of(view, id);
    if (n == NULL)
        return false;
    const bool counted = n->mig == POLICY_MIG_FIXED;
    const struct policy_view_node answer = {
        .id = id,
        .rank = n->rank,
        .pool = n->pool,
        .type = n->type,
        .state = n->state,
        .mig = n->mig,
        .devices = n->devices,
        .tasks_free = n->max_tasks == INT32_MAX ? POLICY_UNLIMITED : n->tasks_idle,
        .whole_only = n->whole_only,
        .device_mem_mib = n->memory,
        .usable = n->usable,
        .idle = n->idle,
        .leaving = n->leaving,
        .shared = n->shared,
        .nominated = n->nominated_whole,
        .cpu_total_milli = modelled(n->cpu_total, n->cpu_total),
        .mem_total_mib = modelled(n->mem_total, n->mem_total),
        .cpu_idle_milli = modelled(n->cpu_idle, n->cpu_total),
        .mem_idle_mib = modelled(n->mem_idle, n->mem_total),
        .cpu_soon_milli = modelled(n->cpu_soon, n->cpu_total),
        .mem_soon_mib = modelled(n->mem_soon, n->mem_total),
        .mig_total = counted ? n->instances->total : NULL,
        .mig_idle = counted ? n->instances->idle : NULL,
        .labels = n->labels,
        .label_count = n->label_count,
    };
    pc_view_answer(out, &answer, sizeof answer);
    return true;
}

static int32_t thousandths(int32_t units, int32_t capacity)
{
    return capacity > 0 ? (int32_t)((int64_t)units * POLICY_WHOLE / capacity) : 0;
}

static bool show_device(const struct policy_view *view, policy_node id, uint32_t device,
                        struct policy_view_device *out)
{
    const struct pc_node *n = node_of(view, id);
    if (n == NULL || device >= (uint32_t)n->devices)
        return false;
    const struct pc_device d = pc_device_of(n, device);
    const uint8_t slices = (uint8_t)(d.slices | d.slices_leaving);
    const struct policy_view_device answer = {
        .usable = (n->usable >> device & 1) != 0,
        .mem_mib = n->memory,
        .used_milli = thousandths(d.used, n->capacity),
        .leaving_milli = thousandths(d.releasing, n->capacity),
        .nominated_milli = thousandths(d.nominated, n->capacity),
        .tasks = d.sharers,
        .slices = n->mig == POLICY_MIG_FREE ? PC_MIG_MEMORY : 0,
        .slices_free = n->mig == POLICY_MIG_FREE ? PC_MIG_MEMORY - pc_popcount(slices) : 0,
    };
    pc_view_answer(out, &answer, sizeof answer);
    return true;
}

static policy_node node_at(const struct policy_view *view, uint32_t rank)
{
    const struct pc_cluster *c = pc_view_of(view)->p->cluster;
    for (uint32_t i = 0; c != NULL && i < c->node_count; i++)
        if (c->nodes[i].exists && c->nodes[i].rank == rank)
            return (policy_node){i};
    return (policy_node){POLICY_NO_ID};
}

/* ---- topologies ---- */

/* The topology with up-to-date domains; NULL: unknown, or out of memory. */
static const struct pc_topology *topology_of(const struct policy_view *view, uint32_t number)
{
    struct policy *p = pc_view_of(view)->p;
    if (number < 1 || number > POLICY_MAX_TOPOLOGIES || !p->cluster->topologies[number - 1].known)
        return NULL;
    return pc_domains_current(p, number - 1);
}

static const uint32_t *levels(const struct policy_view *view, uint32_t topology, uint32_t *count)
{
    const struct pc_topology *t = topology_of(view, topology);
    *count = t != NULL ? t->level_count : 0;
    return t != NULL ? t->levels : NULL;
}

static bool show_domain(const struct policy_view *view, uint32_t topology, uint32_t i,
                        struct policy_view_domain *out)
{
    const struct pc_topology *t = topology_of(view, topology);
    if (t == NULL || i >= t->domain_count)
        return false;
    const struct pc_domain *d = &t->domains[i];
    const struct policy_view_domain answer = {
        .level = d->level,
        .parent = i == 0 ? POLICY_NO_ID : d->parent,
        .nodes = d->node_count,
        .ranks = t->ranks + d->first_node,
    };
    pc_view_answer(out, &answer, sizeof answer);
    return true;
}

static uint32_t domain_of(const struct policy_view *view, uint32_t topology, uint32_t level,
                          policy_node id)
{
    const struct pc_topology *t = topology_of(view, topology);
    const struct pc_node *n = node_of(view, id);
    if (t == NULL || n == NULL || level > t->level_count || n->domain[topology - 1] == PC_NONE)
        return POLICY_NO_ID;
    return pc_domain_above(t, n->domain[topology - 1], level);
}

/* ---- the table ---- */

static const char *name(const struct policy_view *view, int32_t of, uint32_t number)
{
    return pc_plugin_name(pc_view_of(view)->p->plugin, of, number);
}

void pc_plugin_view_open(struct policy *p)
{
    p->plugin->view.p = p;
    p->plugin->view.open = (struct policy_view){
        .size = sizeof(struct policy_view),
        .topologies = POLICY_MAX_TOPOLOGIES,
        .node = show_node,
        .device = show_device,
        .queue = pc_view_queue,
        .job = pc_view_job_of,
        .role = pc_view_role,
        .group = pc_view_group,
        .task = pc_view_task,
        .fits = pc_view_fits,
        .node_at = node_at,
        .levels = levels,
        .domain = show_domain,
        .domain_of = domain_of,
        .name = name,
    };
}
