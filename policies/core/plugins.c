/* SPDX-License-Identifier: MIT */
/* Plugins in the line engine; see plugins.h. */
#include "core/plugins.h"
#include "core/ranked.h"
#include "order/order.h"

#include <string.h>

const struct pc_placement *pc_placement_of(const struct policy_config *config)
{
    return config->plugin != NULL && config->plugin->score != NULL ? &pc_place_plugin
                                                                   : pc_placements[config->placement];
}

/* ---- life ---- */

bool pc_plugin_line_create(struct policy *p)
{
    if (p->plugin == NULL)
        return true;
    p->plugin->line = pc_alloc(&p->memory, 1, sizeof *p->plugin->line);
    if (p->plugin->line == NULL)
        return false;
    memset(p->plugin->line, 0, sizeof *p->plugin->line);
    return true;
}

void pc_plugin_line_destroy(struct policy *p)
{
    struct pc_plugin_line *x = p->plugin != NULL ? p->plugin->line : NULL;
    const struct pc_memory *memory = &p->memory;
    if (x == NULL)
        return;
    pc_release(memory, x->facts, x->fact_capacity, sizeof *x->facts);
    pc_release(memory, x->view.nodes, x->view.node_capacity, sizeof *x->view.nodes);
    pc_release(memory, x->view.node_at, x->view.node_at_capacity, sizeof *x->view.node_at);
    pc_release(memory, x->view.jobs, x->view.job_capacity, sizeof *x->view.jobs);
    pc_release(memory, x->view.roles, x->view.role_capacity, sizeof *x->view.roles);
    pc_release(memory, x->view.seats, x->view.seat_capacity, sizeof *x->view.seats);
    pc_release(memory, x, 1, sizeof *x);
}

bool pc_plugin_admit(struct policy *p, uint32_t id, const struct policy_job_spec *spec)
{
    if (p->plugin == NULL)
        return true;
    if (!pc_modules_reserve_job(p, id, spec))
        return false;
    pc_modules_job_added(p, id, spec);
    struct pc_plugin_line *x = p->plugin->line;
    if (p->ranked == NULL)
        return true;
    if (!PC_GROW(&p->memory, x->facts, x->fact_capacity, id + 1))
        return false;
    x->facts[id] = (struct pc_plugin_fact){.started = POLICY_NEVER, .evicted = POLICY_NEVER};
    return true;
}

/* ---- what they see ---- */

static int64_t shown(int64_t amount, int64_t total)
{
    return total == PC_PLENTY ? -1 : amount;
}

void pc_view_node(const struct policy *p, uint32_t node, struct policy_plugin_node *out)
{
    const struct pc_node *n = &p->nodes[node];
    *out = (struct policy_plugin_node){
        .id = {node},
        .rank = n->rank,
        .pool = n->pool,
        .type = n->type,
        .state = n->state,
        .devices = n->devices,
        .tasks = n->tasks,
        .max_tasks = n->max_tasks,
        .free_milli = n->free_milli,
        .usable = n->usable,
        .whole = n->whole,
        .shared = n->partial,
        .room = n->room,
        .cpu_free_milli = shown(n->cpu_free, n->cpu_total),
        .mem_free_mib = shown(n->mem_free, n->mem_total),
        .cpu_total_milli = shown(n->cpu_total, n->cpu_total),
        .mem_total_mib = shown(n->mem_total, n->mem_total),
        .view = pc_plugin_look(p),
    };
}

void pc_view_request(const struct pc_request *r, int32_t tasks, struct policy_plugin_role *out)
{
    *out = (struct policy_plugin_role){
        .tasks = tasks,
        .devices = r->devices,
        .device_milli = r->milli,
        .cpu_milli = r->cpu,
        .mem_mib = r->mem,
        .types = r->types,
    };
}

void pc_view_job(const struct policy *p, uint32_t id, struct policy_plugin_job *out)
{
    const struct pc_job *job = &p->jobs[id];
    const struct pc_group *g = &p->groups[job->group];
    const struct pc_contender *c = &p->ranked->of[id];
    const struct pc_plugin_job *fact = &p->plugin->jobs[id];
    bool runs = pc_ranked_is_running(p, id);
    int64_t ran = runs ? p->now - c->since : 0;
    int64_t got = pc_times(g->gpu_milli, ran);
    *out = (struct policy_plugin_job){
        .id = {id, job->gen},
        .queue = {g->queue },
        .state = runs         ? POLICY_JOB_RUNS
                 : c->leaving ? POLICY_JOB_LEAVES
                              : POLICY_JOB_WAITS,
        .priority = job->priority,
        .preemptible = job->preemptible,
        .rank = job->rank,
        .submitted = c->submitted,
        .since = job->state == PC_ACTIVE ? c->since : c->entered,
        .turn = job->state == PC_ACTIVE ? c->started : c->turn,
        .key = job->key,
        .run_ms = fact->run_ms,
        .limit_ms = fact->limit_ms,
        .estimate_ms = fact->estimate_ms,
        .remaining_ms = c->remaining_ms == INT64_MAX ? INT64_MAX
                        : c->remaining_ms > ran      ? c->remaining_ms - ran
                                                     : 0,
        .attained = c->attained < INT64_MAX - got ? c->attained + got : INT64_MAX,
        .gpu_milli = g->gpu_milli,
        .tasks = g->tasks,
        .role_count = g->role_count,
        .view = pc_plugin_look(p),
    };
}
