/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building a simulation: the policy core with its nodes and queues, the tables, the sites. */
#include "sim/internal.h"

#include "sim/base/mem.h"

#include <stdlib.h>

static bool add_nodes(struct sim *sim, struct err *err)
{
    for (size_t i = 0; i < sim->fleet->node_count; i++) {
        const struct fleet_node *node = &sim->fleet->nodes[i];
        struct policy_node_spec spec = {
            .size = sizeof spec,
            .devices = node->gpus,
            .type = node->gpu_type,
            .pool = node->pool,
            .rank = node->rank,
            .max_tasks = node->max_tasks,
            .cpu_milli = node->cpu_milli,
            .mem_mib = node->mem_mib,
        };
        policy_node id = policy_add_node(sim->policy, sim->now_ms, &spec);
        if (id.i == POLICY_NO_ID)
            return err_set(err, EXIT_INPUT, "node '%s': %s", node->name,
                           policy_last_error(sim->policy)->message);
        BUG_ON(id.i != i); /* the core numbers nodes as we do */
    }
    return true;
}

bool sim_create(struct sim **out, const struct sim_config *config, struct trace *trace, struct err *err)
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
        .window_end_ms = INT64_MAX,
        .next_tick_ms = INT64_MAX,
        .counts = policy_placement_counts(&config->policy),
    };
    event_queue_init(&sim->events);
    work_init(&sim->work);
    struct policy_error error = {0};
    sim->policy = policy_create(&config->policy, &error);
    bool ok = sim->policy != NULL || err_set(err, EXIT_INTERNAL, "%s", error.message);
    if (ok)
        sim_sites_build(sim);
    if (ok && add_nodes(sim, err) && sim_queues_add_all(sim, err)) {
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
    event_queue_fini(&sim->events);
    work_fini(&sim->work);
    sim_sites_free(sim);
    for (size_t i = 0; i < sim->queue_count; i++)
        free(sim->queues[i].pools);
    free(sim->queues);
    free(sim->queue_of_name);
    free(sim);
}
