/* SPDX-License-Identifier: MIT */
/* Plugin structs older than this version, and the current view; see plugins.h. */
#include "state/plugins.h"
#include "state/nodes.h"

#include <string.h>

const struct policy_plugin *pc_plugin_known(const struct policy_plugin *given,
                                            struct policy_plugin *room)
{
    if (given == NULL || given->size >= sizeof *given)
        return given;
    memset(room, 0, sizeof *room);
    memcpy(room, given, given->size);
    room->size = sizeof *room;
    return room;
}

struct policy_plugin_setup pc_plugin_setup(const struct policy_config *config,
                                           const struct policy_plugin *known)
{
    return (struct policy_plugin_setup){.size = sizeof(struct policy_plugin_setup),
                                        .option_count = known->option_count,
                                        .options = config->plugin_options,
                                        .seed = config->seed};
}

/* Refreshed for each call. */
const struct policy_view *pc_plugin_look(const struct policy *p)
{
    struct policy_view *view = &p->plugin->view.open;
    const struct pc_cluster *c = p->cluster;
    view->now = p->now;
    if (c == NULL)
        return view;
    view->node_ids = c->node_count;
    view->queue_ids = c->queue_count;
    view->job_ids = c->job_count;
    view->capacity = pc_public(&c->capacity);
    return view;
}

struct policy_request pc_plugin_request(struct pc_plugin_view *view, const struct pc_request *r)
{
    const struct pc_cluster *c = view->p->cluster;
    const struct pc_selector *selector = r->selector != PC_NONE ? &c->selectors[r->selector] : NULL;
    for (uint32_t i = 0; i < POLICY_MAX_PROFILES; i++)
        view->mig[i] = r->mig[i];
    return (struct policy_request){
        .devices = r->devices,
        .device_milli = r->devices == 0 || r->memory > 0 ? 0
                        : r->share > 0                   ? r->share
                                                         : POLICY_WHOLE,
        .cpu_milli = r->cpu,
        .mem_mib = r->mem,
        .types = r->types,
        .device_mem_mib = r->memory,
        .mig = r->wants_mig ? view->mig : NULL,
        .terms = selector != NULL ? selector->terms : NULL,
        .term_count = selector != NULL ? selector->term_count : 0,
    };
}

static int64_t modelled(int64_t amount, int64_t total)
{
    return total >= PC_PLENTY ? POLICY_UNLIMITED : amount;
}

static uint16_t room_of(const struct pc_node *n, uint32_t device)
{
    const struct pc_device d = pc_device_of(n, device);
    const int64_t left = n->capacity - d.used - d.releasing;
    const int64_t room = n->capacity > 0 ? left * POLICY_WHOLE / n->capacity : 0;
    return (uint16_t)room;
}

struct policy_plugin_node pc_plugin_node(const struct policy *p, const struct pc_node *n)
{
    struct pc_plugin *x = p->plugin;
    struct policy_plugin_node node = {
        .id = {(uint32_t)(n - p->cluster->nodes)},
        .rank = n->rank,
        .pool = n->pool,
        .type = n->type,
        .state = n->state,
        .devices = n->devices,
        .tasks = n->max_tasks == INT32_MAX ? 0 : n->max_tasks - n->tasks_idle,
        .max_tasks = n->max_tasks == INT32_MAX ? POLICY_UNLIMITED : n->max_tasks,
        .usable = n->usable,
        .whole = n->idle & n->usable,
        .shared = n->shared & n->usable,
        .room = x->room,
        .cpu_free_milli = modelled(n->cpu_idle, n->cpu_total),
        .mem_free_mib = modelled(n->mem_idle, n->mem_total),
        .cpu_total_milli = modelled(n->cpu_total, n->cpu_total),
        .mem_total_mib = modelled(n->mem_total, n->mem_total),
        .view = pc_plugin_look(p),
    };
    for (uint32_t d = 0; d < (uint32_t)n->devices; d++) {
        x->room[d] = room_of(n, d);
        node.free_milli += (n->usable >> d & 1) != 0 ? x->room[d] : 0;
    }
    return node;
}

struct policy_plugin_role pc_plugin_role(const struct policy *p, const struct pc_request *r,
                                         int32_t tasks)
{
    struct pc_plugin *x = p->plugin;
    x->request = pc_plugin_request(&x->view, r);
    return (struct policy_plugin_role){.tasks = tasks,
                                       .devices = r->devices,
                                       .device_milli = x->request.device_milli,
                                       .cpu_milli = r->cpu,
                                       .mem_mib = r->mem,
                                       .types = r->types,
                                       .all = &x->request};
}
