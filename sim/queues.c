/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Queues of a run: added to the core, assigned to their site, looked up by their name in the trace.
 */
#include "sim/internal.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <string.h>

bool sim_core_ok(struct sim *sim, int status, struct err *err)
{
    if (status == POLICY_OK)
        return true;
    return err_set(err, EXIT_INTERNAL, "the policy core refused a fact: %s",
                   policy_last_error(sim->policy)->message);
}

static bool same_pools(const struct sim_queue *a, const struct sim_queue *b)
{
    return a->pool_count == b->pool_count &&
           (a->pool_count == 0 ||
            memcmp(a->pools, b->pools, a->pool_count * sizeof *a->pools) == 0);
}

static void join_site(struct sim *sim, uint32_t id)
{
    struct sim_queue *queue = &sim->queues[id];
    queue->site = queue->pool_count > 0 ? sim->site_of_pool[queue->pools[0]] : 0;
    struct sim_site *site = &sim->sites[queue->site];
    site->queues =
        mem_grow(site->queues, &site->queue_capacity, site->queue_count + 1, sizeof *site->queues);
    site->queues[site->queue_count++] = id;
    sim_alter(sim, id);
    for (size_t i = 0; i < site->backlog_count; i++)
        if (same_pools(&sim->queues[site->backlogs[i]], queue))
            return;
    site->backlogs = mem_grow(site->backlogs, &site->backlog_capacity, site->backlog_count + 1,
                              sizeof *site->backlogs);
    site->backlogs[site->backlog_count++] = id;
}

static void find_node_size(struct sim *sim, struct sim_queue *queue)
{
    const struct fleet *fleet = sim->fleet;
    queue->node_gpus = 0;
    for (uint32_t i = 0; i < (queue->pool_count > 0 ? queue->pool_count : fleet->pool_count); i++) {
        uint32_t pool = queue->pool_count > 0 ? queue->pools[i] : i;
        if (fleet->pools[pool].gpus_per_node > queue->node_gpus)
            queue->node_gpus = fleet->pools[pool].gpus_per_node;
    }
}

bool sim_queue_tell(struct sim *sim, uint32_t id, int32_t kind, struct err *err)
{
    struct sim_queue *queue = &sim->queues[id];
    struct policy_queue_spec spec = {
        .size = sizeof spec,
        .parent = {queue->parent >= 0 ? sim->queues[queue->parent].core.i : POLICY_NO_ID},
        .priority = queue->priority,
        .rank = id,
        .created = queue->created_ms,
        .gpu = queue->gpu,
        .cpu = queue->cpu,
        .mem = queue->mem,
        .pools = queue->pools,
        .pool_count = queue->pool_count,
        .preempt_min_runtime_ms = queue->preempt_min_runtime_ms,
        .reclaim_min_runtime_ms = queue->reclaim_min_runtime_ms,
        .fixed_milli = queue->fixed_milli,
        .suspended = queue->suspended,
        .spans_pools = queue->spans_pools,
        .ordered_pools = queue->ordered_pools,
        .strict_order = queue->strict_order,
        .by_pool = queue->by_pool,
        .by_pool_count = queue->by_pool_count,
    };
    struct fact fact = {.kind = kind, .queue = queue->core, .name = queue->name, .spec = &spec};
    if (!sim_core_ok(sim, sim_tell(sim, &fact), err))
        return false;
    queue->core = fact.queue;
    return true;
}

static bool add(struct sim *sim, uint32_t id, struct err *err)
{
    struct sim_queue *queue = &sim->queues[id];
    sim_planned_queue(sim, id);
    if (!sim_queue_tell(sim, id, FACT_QUEUE_ADD, err))
        return false;
    find_node_size(sim, queue);
    join_site(sim, id);
    return true;
}

bool sim_queues_add_all(struct sim *sim, struct err *err)
{
    for (uint32_t i = 0; i < sim->queue_count; i++)
        if (!add(sim, i, err))
            return false;
    return true;
}

static bool unknown(const struct sim *sim, const char *name, struct err *err)
{
    const char **names = mem_alloc(sim->queue_count + 1, sizeof *names);
    for (size_t i = 0; i < sim->queue_count; i++)
        names[i] = sim->queues[i].name;
    char hint[160];
    text_suggest(hint, sizeof hint, name, names, sim->queue_count, sizeof *names);
    err_set(err, EXIT_INPUT,
            "the trace has a job of queue '%s', which the scenario's queues do not have%s "
            "(\"queues\": \"from-trace\" takes them all)",
            name, hint);
    free(names);
    return false;
}

static bool check_leaf(const struct sim *sim, uint32_t queue, struct err *err)
{
    for (size_t i = 0; i < sim->queue_count; i++)
        if (sim->queues[i].parent == (int32_t)queue)
            return err_set(err, EXIT_INPUT,
                           "the trace has a job of queue '%s', which has queues below it (only "
                           "leaves hold jobs)",
                           sim->queues[queue].name);
    return true;
}

/* Finds the queue of a name in the trace; creates it if queues come from the trace. */
static bool resolve(struct sim *sim, uint32_t name_id, struct err *err)
{
    const char *name = symbols_name(sim->config.names.queues, name_id);
    for (uint32_t i = 0; i < sim->queue_count; i++)
        if (strcmp(sim->queues[i].name, name) == 0) {
            sim->queue_of_name[name_id] = i;
            return check_leaf(sim, i, err);
        }
    if (!sim->config.queues_from_trace)
        return unknown(sim, name, err);
    sim->queues =
        mem_grow(sim->queues, &sim->queue_capacity, sim->queue_count + 1, sizeof *sim->queues);
    uint32_t id = (uint32_t)sim->queue_count++;
    sim->queues[id] = (struct sim_queue){
        .name = name,
        .parent = -1,
        .priority = 100,
        .gpu = {0, POLICY_UNLIMITED, POLICY_WHOLE},
        .cpu = {POLICY_UNLIMITED, POLICY_UNLIMITED, POLICY_WHOLE},
        .mem = {POLICY_UNLIMITED, POLICY_UNLIMITED, POLICY_WHOLE},
        .preempt_min_runtime_ms = POLICY_INHERIT,
        .reclaim_min_runtime_ms = POLICY_INHERIT,
    };
    sim->queue_of_name[name_id] = id;
    return add(sim, id, err);
}

bool sim_queue_for(struct sim *sim, uint32_t name, uint32_t *queue, struct err *err)
{
    if (name >= sim->queue_of_name_count) {
        size_t count = symbols_count(sim->config.names.queues);
        sim->queue_of_name = mem_resize(sim->queue_of_name, count, sizeof *sim->queue_of_name);
        for (; sim->queue_of_name_count < count; sim->queue_of_name_count++)
            sim->queue_of_name[sim->queue_of_name_count] = WORK_NONE;
    }
    if (sim->queue_of_name[name] == WORK_NONE && !resolve(sim, name, err))
        return false;
    *queue = sim->queue_of_name[name];
    return true;
}
