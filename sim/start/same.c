/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does a run begin with exactly the world of the snapshot? See internal.h. */
#include "sim/start/internal.h"

#include <string.h>

/* ---- the policy ---- */

static bool has_option(const struct scen_option *options, size_t count,
                       const struct scen_option *wanted)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(options[i].name, wanted->name) == 0)
            return strcmp(options[i].value, wanted->value) == 0;
    return false;
}

static bool same_policy(const struct snapshot *s, const struct scen_policy *policy)
{
    bool same = strcmp(s->policy.name, policy->name) == 0;
    for (size_t i = 0; i < policy->option_count && same; i++)
        same = has_option(s->policy.options, s->policy.option_count, &policy->options[i]);
    for (size_t i = 0; i < s->policy.option_count && same; i++)
        same = strcmp(s->policy.options[i].name, "seed") == 0 || /* it may be that of the run */
               has_option(policy->options, policy->option_count, &s->policy.options[i]);
    return same;
}

/* ---- nodes ---- */

static bool same_node(const struct start *start, const struct sim *sim, size_t index)
{
    const struct snap_node *then = &start->snapshot->nodes[index];
    uint32_t id = start->node_of[index];
    if (id == POLICY_NO_ID)
        return false;
    const struct fleet_node *now = &sim->fleet->nodes[id];
    return now->gpus == then->gpus && now->cpu_milli == then->cpu_milli &&
           now->mem_mib == then->mem_mib && now->max_tasks == then->max_tasks &&
           now->device_mem_mib == then->gpu_mem_mib && now->mig == then->mig &&
           now->whole_only == then->whole_only && start->states[id] == then->state &&
           strcmp(symbols_name(sim->config.names.gpu_types, now->gpu_type), then->gpu_type) == 0;
}

static bool same_nodes(const struct start *start, const struct sim *sim)
{
    bool same = start->snapshot->node_count == sim->fleet->node_count;
    for (size_t i = 0; i < start->snapshot->node_count && same; i++)
        same = same_node(start, sim, i);
    return same;
}

/* ---- queues ---- */

static bool same_share(const struct policy_share *a, const struct policy_share *b)
{
    return a->quota == b->quota && a->limit == b->limit && a->weight == b->weight;
}

/* Quotas of the same pools, in the same order: both list pools in that of the fleet. */
static bool same_pool_quotas(const struct snap_queue *then, const struct sim *sim,
                             const struct sim_queue *now)
{
    bool same = now->by_pool_count == then->by_pool_count;
    for (uint32_t i = 0; i < now->by_pool_count && same; i++)
        same = now->by_pool[i].quota == then->by_pool[i].quota_milli &&
               now->by_pool[i].joined == then->by_pool[i].joined &&
               strcmp(sim->fleet->pools[now->by_pool[i].pool].name, then->by_pool[i].pool) == 0;
    for (uint32_t i = 0; i < now->pool_count && now->ordered_pools && same; i++)
        same = i < then->pool_count &&
               strcmp(sim->fleet->pools[now->pools[i]].name, then->pools[i]) == 0;
    return same && now->spans_pools == then->spans_pools &&
           now->ordered_pools == then->ordered_pools && now->strict_order == then->strict_order;
}

static bool same_queue(const struct snapshot *s, const struct sim *sim, const struct sim_queue *now)
{
    uint32_t number = name_set_find(&s->queue_names, now->name);
    if (number == NAME_NONE)
        return false;
    const struct snap_queue *then = &s->queues[s->queue_of_name[number]];
    const char *parent = now->parent >= 0 ? sim->queues[now->parent].name : "";
    return strcmp(parent, then->parent) == 0 && now->priority == then->priority &&
           same_share(&now->gpu, &then->gpu) && same_share(&now->cpu, &then->cpu) &&
           same_share(&now->mem, &then->mem) && now->pool_count == then->pool_count &&
           now->preempt_min_runtime_ms == then->preempt_min_runtime_ms &&
           now->reclaim_min_runtime_ms == then->reclaim_min_runtime_ms &&
           now->fixed_milli == then->fixed_milli && now->suspended == then->suspended &&
           same_pool_quotas(then, sim, now);
}

static bool same_queues(const struct snapshot *s, const struct sim *sim)
{
    bool same = s->queue_count == sim->queue_count;
    for (size_t i = 0; i < sim->queue_count && same; i++)
        same = same_queue(s, sim, &sim->queues[i]);
    return same;
}

/* ---- all of it ---- */

bool start_is_same(const struct start *start, const struct sim *sim)
{
    return start->displaced_count == 0 && start->of.instead == NULL &&
           same_policy(start->snapshot, &start->of.scenario->policy) && same_nodes(start, sim) &&
           same_queues(start->snapshot, sim);
}
