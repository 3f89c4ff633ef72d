/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creates a simulation: the policy core with its nodes and queues, the tables, the sites. */
#include "sim/internal.h"

#include "sim/base/mem.h"

#include <stdlib.h>

/* Levels of the fabric are label keys, 0 at the top; topology 1 of the core consists of all of
 * them. */
bool sim_tell_topology(struct sim *sim, struct err *err)
{
    uint32_t levels[FLEET_LEVELS];
    if (sim->has_topology || sim->no_topology)
        return true;
    for (uint32_t i = 0; i < sim->fleet->level_count; i++)
        levels[i] = i;
    int status = sim_tell(sim, &(struct fact){.kind = FACT_TOPOLOGY,
                                              .number = 1,
                                              .count = (uint32_t)sim->fleet->level_count,
                                              .spec = levels});
    sim->no_topology = status == POLICY_UNSUPPORTED;
    sim->has_topology = status == POLICY_OK;
    return sim->no_topology || sim_core_ok(sim, status, err);
}

/* Reports names to policies that want them. */
static bool tell_name(struct sim *sim, int32_t of, uint32_t number, const char *name,
                      struct err *err)
{
    if (!sim_is(sim, POLICY_TRAIT_NAMES))
        return true;
    return sim_core_ok(
        sim,
        sim_tell(sim,
                 &(struct fact){.kind = FACT_NAME, .state = of, .number = number, .name = name}),
        err);
}

static bool tell_names(struct sim *sim, struct err *err)
{
    const struct symbols *types = sim->config.names.gpu_types;
    bool ok = true;
    for (uint32_t i = 0; types != NULL && i < symbols_count(types) && ok; i++)
        ok = tell_name(sim, POLICY_NAME_TYPE, i, symbols_name(types, i), err);
    for (uint32_t i = 0; i < sim->fleet->pool_count && ok; i++)
        ok = tell_name(sim, POLICY_NAME_POOL, i, sim->fleet->pools[i].name, err);
    return ok;
}

bool sim_tell_profile(struct sim *sim, int profile, struct err *err)
{
    const struct fleet_profile *p = &sim->fleet->profiles[profile];
    int status = sim_tell(sim, &(struct fact){.kind = FACT_MIG_PROFILE,
                                              .number = (uint32_t)profile,
                                              .compute = p->compute,
                                              .memory = p->memory});
    if (status == POLICY_OK)
        return tell_name(sim, POLICY_NAME_PROFILE, (uint32_t)profile, p->name, err);
    return err_set(err, EXIT_INPUT, "policy '%s' cannot do MIG (%s): %s", sim->config.policy.preset,
                   p->name, policy_last_error(sim->policy)->message);
}

static bool add_node(struct sim *sim, uint32_t id, struct err *err)
{
    const struct fleet_node *node = &sim->fleet->nodes[id];
    struct policy_label *labels =
        mem_alloc(sim->fleet->level_count + node->label_count, sizeof *labels);
    int32_t instances[POLICY_MAX_PROFILES];
    for (uint32_t i = 0; i < sim->fleet->level_count; i++)
        labels[i] = (struct policy_label){i, fleet_domain_of(sim->fleet, i, id)};
    for (uint32_t i = 0; i < node->label_count; i++)
        labels[sim->fleet->level_count + i] =
            (struct policy_label){node->labels[i].key, node->labels[i].value};
    for (int i = 0; i < POLICY_MAX_PROFILES; i++)
        instances[i] = node->parts != NULL ? node->parts->instances[i] : 0;
    struct policy_node_spec spec = {
        .size = sizeof spec,
        .devices = node->gpus,
        .type = node->gpu_type,
        .pool = node->pool,
        .rank = node->rank,
        .max_tasks = node->max_tasks,
        .cpu_milli = node->cpu_milli,
        .mem_mib = node->mem_mib,
        .device_mem_mib = node->device_mem_mib,
        .mig = node->mig,
        .mig_instances = instances,
        .labels = labels,
        .label_count = sim->fleet->level_count + node->label_count,
        .whole_only = node->whole_only,
    };
    struct fact fact = {.kind = FACT_NODE_ADD, .name = node->name, .spec = &spec};
    int status = sim_tell(sim, &fact);
    free(labels);
    if (status != POLICY_OK)
        return err_set(err, EXIT_INPUT, "node '%s': %s", node->name,
                       policy_last_error(sim->policy)->message);
    BUG_ON(fact.node.i != id); /* the core assigns the same ids */
    if (node->gpus > 0 && node->device_mem_mib > 0 &&
        (sim->least_device_mem == 0 || node->device_mem_mib < sim->least_device_mem))
        sim->least_device_mem = node->device_mem_mib;
    return true;
}

static bool tell_fleet(struct sim *sim, struct err *err)
{
    BUG_ON(FLEET_PROFILES > POLICY_MAX_PROFILES || FLEET_LEVELS > POLICY_MAX_LEVELS);
    if (sim->fleet->level_count == 0)
        fleet_close_levels(sim->fleet);
    if ((sim_is(sim, POLICY_TRAIT_TOPOLOGY) && !sim_tell_topology(sim, err)) ||
        !tell_names(sim, err))
        return false;
    for (int i = 0; i < sim->fleet->profile_count; i++)
        if (!sim_tell_profile(sim, i, err))
            return false;
    for (uint32_t i = 0; i < sim->fleet->node_count; i++)
        if (!add_node(sim, i, err))
            return false;
    return true;
}

static bool tell_workload(struct sim *sim, struct err *err)
{
    const struct sim_config *config = &sim->config;
    if (config->typical == NULL || !sim_is(sim, POLICY_TRAIT_TYPICAL))
        return true;
    return sim_core_ok(sim,
                       sim_tell(sim, &(struct fact){.kind = FACT_TYPICAL_TASKS,
                                                    .count = config->typical_count,
                                                    .value = config->typical_of,
                                                    .spec = config->typical}),
                       err);
}

#define LISTEN(event)                                                                              \
    do {                                                                                           \
        if (o->event != NULL)                                                                      \
            sim->heard.event.who[sim->heard.event.count++] = (uint8_t)i;                           \
    } while (0)

static void find_listeners(struct sim *sim)
{
    BUG_ON(sim->config.observer_count >= SIM_OBSERVERS);
    for (size_t i = 0; i < sim->config.observer_count; i++) {
        const struct sim_observer *o = &sim->config.observers[i];
        if (o->concerned != NULL && !o->concerned(o->self, sim))
            continue;
        LISTEN(interval);
        LISTEN(submitted);
        LISTEN(started);
        LISTEN(launched);
        LISTEN(ended);
        LISTEN(decided);
        LISTEN(evicted);
        LISTEN(held);
        LISTEN(spent);
        LISTEN(broke);
        LISTEN(repaired);
        LISTEN(turned);
        LISTEN(provisioned);
        LISTEN(interrupted);
        LISTEN(dropped);
        LISTEN(changed);
        LISTEN(moved);
        LISTEN(cycled);
        LISTEN(tick);
        LISTEN(expected);
    }
}

static bool check_config(const struct sim_config *config, struct err *err)
{
    bool counts = policy_placement_counts(&config->policy);
    for (size_t i = 0; i < config->change_count && counts; i++)
        if (config->changes[i].pool != NULL)
            return err_set(err, EXIT_INPUT,
                           "%s: nodes come and go, and placement 'count' does not say on which "
                           "nodes jobs run",
                           config->changes[i].where);
    return config->faults.self == NULL || !counts ||
           err_set(
               err, EXIT_INPUT,
               "faults strike nodes, and placement 'count' does not say on which nodes jobs run");
}

bool sim_create(struct sim **out, const struct sim_config *config, struct trace *trace,
                struct err *err)
{
    struct sim *sim = mem_alloc(1, sizeof *sim);
    *sim = (struct sim){
        .config = *config,
        .fleet = config->fleet,
        .trace = trace,
        .queues = config->queues,
        .queue_count = config->queue_count,
        .queue_capacity = config->queue_count,
        .now_ms = INT64_MIN,
        .first_submit_ms = INT64_MIN,
        .last_end_ms = INT64_MIN,
        .last_eligible_ms = INT64_MIN,
        .decided_ms = INT64_MIN,
        .window_end_ms = INT64_MAX,
        .next_tick_ms = INT64_MAX,
        .unsettled = mem_alloc(1, sizeof *sim->unsettled),
        .free_trouble = WORK_NONE,
        .counts = policy_placement_counts(&config->policy),
        .traits = policy_traits(&config->policy),
    };
    find_listeners(sim);
    event_queue_init(&sim->events);
    work_init(&sim->work);
    struct policy_error error = {0};
    sim->policy = policy_create(&config->policy, &error);
    bool ok = sim->policy != NULL || err_set(err, EXIT_INTERNAL, "%s", error.message);
    if (ok && config->facts.begun != NULL)
        config->facts.begun(config->facts.self, sim);
    if (ok)
        sim_sites_build(sim);
    if (ok && check_config(config, err) && sim_speed_open(sim, err) && sim_memory_open(sim, err) &&
        sim_storage_open(sim, err) && tell_fleet(sim, err) && tell_workload(sim, err) &&
        sim_spares_open(sim, err) && sim_elastic_open(sim, err) && sim_queues_add_all(sim, err)) {
        *out = sim;
        return true;
    }
    sim_destroy(sim);
    return false;
}

void sim_destroy(struct sim *sim)
{
    if (sim == NULL)
        return;
    policy_destroy(sim->policy);
    free(sim->unsettled);
    sim_dependencies_close(sim);
    sim_planned_close(sim);
    sim_rungs_close(sim);
    event_queue_fini(&sim->events);
    work_fini(&sim->work);
    sim_sites_free(sim);
    for (size_t i = 0; i < sim->queue_count; i++) {
        free(sim->queues[i].pools);
        free(sim->queues[i].by_pool);
    }
    free(sim->queues);
    free(sim->queue_of_name);
    free(sim->changed);
    free(sim->activity);
    sim_fault_effects_free(sim);
    sim_spares_close(sim);
    sim_elastic_close(sim);
    sim_speed_close(sim);
    sim_memory_close(sim);
    sim_storage_close(sim);
    free(sim);
}
