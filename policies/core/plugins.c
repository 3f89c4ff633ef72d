/* SPDX-License-Identifier: MIT */
/* Plugins: checking them, their life, and what they see; see plugins.h. */
#include "core/plugins.h"
#include "core/ranked.h"
#include "order/order.h"

#include <string.h>

/* ---- checking ---- */

static int refuse(struct policy_error *error, const char *name, const char *why)
{
    pc_error_set(error, POLICY_INVALID, "plugin '", name, why);
    return POLICY_INVALID;
}

static bool is_good_name(const char *name)
{
    size_t length = 0;
    for (; name != NULL && name[length] != '\0'; length++)
        if (length + 1 >= POLICY_PLUGIN_NAME || name[length] <= ' ' || name[length] > '~')
            return false;
    return length > 0;
}

int pc_plugin_check(const struct policy_plugin *plugin, struct policy_error *error)
{
    if (plugin->version != POLICY_PLUGIN_VERSION || plugin->size != sizeof *plugin) {
        pc_error_set(error, POLICY_INVALID, "", "", "");
        pc_error_text(error, "made for version ");
        pc_error_number(error, plugin->version);
        pc_error_text(error, " of plugin.h with a struct of ");
        pc_error_number(error, plugin->size);
        pc_error_text(error, " bytes, this is version ");
        pc_error_number(error, POLICY_PLUGIN_VERSION);
        pc_error_text(error, " with ");
        pc_error_number(error, (int64_t)sizeof *plugin);
        pc_error_text(error, ": compile it anew");
        return POLICY_INVALID;
    }
    if (!is_good_name(plugin->name)) {
        pc_error_set(error, POLICY_INVALID, "a plugin's name has 1 to 31 printable characters without blanks",
                     "", "");
        return POLICY_INVALID;
    }
    if (plugin->summary == NULL)
        return refuse(error, plugin->name, "' has no summary");
    if (plugin->key == NULL && plugin->rank == NULL && plugin->score == NULL && plugin->decide == NULL)
        return refuse(error, plugin->name, "' brings nothing: it needs one of key, rank, score and decide");
    if (plugin->key != NULL && plugin->rank != NULL)
        return refuse(error, plugin->name, "' has both key and rank: one order is enough");
    if (plugin->changes != NULL && (plugin->rank == NULL || plugin->decide != NULL))
        return refuse(error, plugin->name, "' has changes, which goes with rank and without decide");
    return POLICY_OK;
}

bool pc_plugin_replaces(const struct policy_plugin *plugin, const char *option)
{
    if (plugin == NULL)
        return false;
    if (pc_text_equal(option, "placement"))
        return plugin->score != NULL;
    if (plugin->decide != NULL)
        return !pc_text_equal(option, "seed");
    return pc_text_equal(option, "order") && (plugin->key != NULL || plugin->rank != NULL);
}

const struct pq_job_order *pc_order_of(const struct policy_config *config)
{
    const struct policy_plugin *plugin = config->plugin;
    if (plugin != NULL && (plugin->rank != NULL || plugin->decide != NULL))
        return &pc_order_plugin_ranked;
    return plugin != NULL && plugin->key != NULL ? &pc_order_plugin : pc_orders[config->order];
}

const struct pc_placement *pc_placement_of(const struct policy_config *config)
{
    return config->plugin != NULL && config->plugin->score != NULL ? &pc_place_plugin
                                                                   : pc_placements[config->placement];
}

/* ---- life ---- */

bool pc_plugin_create(struct policy *p)
{
    const struct policy_plugin *of = p->config.plugin;
    if (of == NULL)
        return true;
    p->plugin = pc_alloc(&p->memory, 1, sizeof *p->plugin);
    if (p->plugin == NULL)
        return false;
    *p->plugin = (struct pc_plugin){
        .of = of, .wrong_job = {POLICY_NO_ID, 0}
    };
    if (of->create == NULL)
        return true;
    p->plugin->self = of->create(&p->memory.allocator);
    return p->plugin->self != NULL;
}

void pc_plugin_destroy(struct policy *p)
{
    struct pc_plugin *x = p->plugin;
    if (x == NULL)
        return;
    const struct pc_memory *memory = &p->memory;
    if (x->self != NULL && x->of->destroy != NULL)
        x->of->destroy(x->self, &memory->allocator);
    pc_release(memory, x->facts, x->fact_capacity, sizeof *x->facts);
    pc_release(memory, x->view.nodes, x->view.node_capacity, sizeof *x->view.nodes);
    pc_release(memory, x->view.node_at, x->view.node_at_capacity, sizeof *x->view.node_at);
    pc_release(memory, x->view.jobs, x->view.job_capacity, sizeof *x->view.jobs);
    pc_release(memory, x->view.roles, x->view.role_capacity, sizeof *x->view.roles);
    pc_release(memory, x->view.seats, x->view.seat_capacity, sizeof *x->view.seats);
    pc_release(memory, x, 1, sizeof *x);
    p->plugin = NULL;
}

bool pc_plugin_admit(struct policy *p, uint32_t id, const struct policy_job_spec *spec)
{
    struct pc_plugin *x = p->plugin;
    if (x == NULL || p->ranked == NULL)
        return true;
    if (!PC_GROW(&p->memory, x->facts, x->fact_capacity, id + 1))
        return false;
    x->facts[id] = (struct pc_plugin_fact){.run_ms = spec->run_ms,
                                           .limit_ms = spec->limit_ms,
                                           .estimate_ms = spec->estimate_ms,
                                           .started = POLICY_NEVER,
                                           .evicted = POLICY_NEVER};
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
    const struct pc_plugin_fact *fact = &p->plugin->facts[id];
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
    };
}
