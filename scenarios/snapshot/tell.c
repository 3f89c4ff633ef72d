/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports the contents of a snapshot to a policy: topologies, profiles, nodes, queues; and maps ids
 * back to names.
 */
#include "scenarios/snapshot/tell.h"
#include "scenarios/snapshot/mig_names.h"

#include "sim/base/mem.h"
#include "sim/base/order.h"

#include <stdio.h>
#include <stdlib.h>

bool snap_refused(struct snap_teller *teller, const char *list, size_t index, const char *name)
{
    char path[64], where[512];
    const char *why = policy_last_error(teller->policy)->message;
    (void)snprintf(path, sizeof path, "%s[%zu]", list, index);
    return err_set(teller->err, EXIT_INPUT, "%s: the policy does not take '%.64s': %s",
                   snapshot_where(teller->s, path, where, sizeof where), name, why);
}

void snap_map(size_t **map, size_t *capacity, uint32_t id, size_t value)
{
    size_t before = *map ? *capacity : 0;
    *map = mem_grow(*map, capacity, (size_t)id + 1, sizeof **map);
    for (size_t i = before; i < *capacity; i++)
        (*map)[i] = SNAP_NONE;
    (*map)[id] = value;
}

/* ---- topologies and profiles ---- */

static bool tell_topologies(struct snap_teller *teller)
{
    const struct snapshot *s = teller->s;
    for (size_t i = 0; i < s->topology_count; i++) {
        const struct snap_topology *topology = &s->topologies[i];
        uint32_t levels[POLICY_MAX_LEVELS];
        if (!teller->names.topologies[i])
            continue;
        for (uint32_t k = 0; k < topology->level_count; k++)
            levels[k] = name_set_find(&teller->names.labels, topology->levels[k]);
        if (policy_set_topology(teller->policy, s->now_ms, (uint32_t)i + 1, levels,
                                topology->level_count) != POLICY_OK)
            return snap_refused(teller, "topologies", i, topology->name);
    }
    return true;
}

static bool tell_profiles(struct snap_teller *teller)
{
    const struct name_set *profiles = &teller->names.profiles;
    for (uint32_t i = 0; i < profiles->count; i++) {
        struct mig_profile mig = mig_of(profiles, profiles->names[i]);
        if (policy_set_mig_profile(teller->policy, teller->s->now_ms, i, mig.compute_slices,
                                   mig.memory_slices) != POLICY_OK)
            return err_set(
                teller->err, EXIT_INPUT, "%s: the policy does not take the MIG profile '%.64s': %s",
                teller->s->file, profiles->names[i], policy_last_error(teller->policy)->message);
    }
    return true;
}

/*
 * Reports names of types, pools and profiles to policies that use them; other policies ignore them.
 */
static bool tell_names(struct snap_teller *teller)
{
    const struct name_set *sets[] = {[POLICY_NAME_TYPE] = &teller->names.types,
                                     [POLICY_NAME_POOL] = &teller->names.pools,
                                     [POLICY_NAME_PROFILE] = &teller->names.profiles};
    for (int32_t of = POLICY_NAME_TYPE; of <= POLICY_NAME_PROFILE; of++)
        for (uint32_t i = 0; i < sets[of]->count; i++)
            if (policy_set_name(teller->policy, teller->s->now_ms, of,
                                of == POLICY_NAME_POOL ? teller->names.pool_numbers[i] : i,
                                sets[of]->names[i]) != POLICY_OK)
                return err_set(teller->err, EXIT_INPUT,
                               "%s: the policy does not take the name '%.64s': %s", teller->s->file,
                               sets[of]->names[i], policy_last_error(teller->policy)->message);
    return true;
}

/* ---- nodes ---- */

static bool tell_node(struct snap_teller *teller, size_t index, struct policy_label *labels)
{
    const struct snap_node *node = &teller->s->nodes[index];
    const struct snap_names *names = &teller->names;
    int32_t instances[POLICY_MAX_PROFILES] = {0};
    struct policy_node_spec spec = {
        .size = sizeof spec,
        .devices = node->gpus,
        .type = name_set_find(&names->types, node->gpu_type),
        .pool = snap_pool(names, node->pool),
        .rank = node->rank,
        .max_tasks = node->max_tasks,
        .cpu_milli = node->cpu_milli,
        .mem_mib = node->mem_mib,
        .device_mem_mib = node->gpu_mem_mib,
        .mig = node->mig,
        .mig_instances = node->mig == POLICY_MIG_FIXED ? instances : NULL,
        .labels = labels,
        .whole_only = node->whole_only,
    };
    for (size_t i = 0; i < node->mig_profile_count; i++)
        instances[name_set_find(&names->profiles, node->mig_profiles[i].profile)] =
            node->mig_profiles[i].count;
    for (size_t i = 0; i < node->label_count; i++) {
        const struct snap_label *label = &node->labels[i];
        if (name_set_find(&names->label_keys, label->key) != NAME_NONE)
            labels[spec.label_count++] =
                (struct policy_label){name_set_find(&names->labels, label->key),
                                      name_set_find(&names->labels, label->value)};
    }
    policy_node id = policy_add_node(teller->policy, teller->s->now_ms, &spec);
    teller->facts->nodes[index] = id;
    if (id.i == POLICY_NO_ID)
        return snap_refused(teller, "nodes", index, node->name);
    snap_map(&teller->facts->node_of, &teller->facts->node_capacity, id.i, index);
    return true;
}

static bool name_pools(struct snap_teller *teller)
{
    const struct name_set *pools = &teller->names.pools;
    teller->facts->pools = mem_alloc(pools->count + 1, sizeof *teller->facts->pools);
    for (uint32_t i = 0; i < pools->count; i++)
        teller->facts->pools[teller->names.pool_numbers[i]] = pools->names[i];
    return true;
}

static bool tell_nodes(struct snap_teller *teller)
{
    const struct snapshot *s = teller->s;
    size_t most = 0;
    for (size_t i = 0; i < s->node_count; i++)
        most = s->nodes[i].label_count > most ? s->nodes[i].label_count : most;
    struct policy_label *labels = mem_alloc(most + 1, sizeof *labels);
    bool ok = true;
    for (size_t i = 0; i < s->node_count && ok; i++)
        ok = tell_node(teller, i, labels);
    free(labels);
    return ok;
}

/* A policy that does not order nodes accepts none. */
static bool tell_offers(struct snap_teller *teller)
{
    const struct snapshot *s = teller->s;
    for (size_t i = 0; i < s->offer_count; i++) {
        struct policy_offer offer = s->offers[i].offer;
        offer.pool = snap_pool(&teller->names, s->offers[i].pool);
        if (!snap_is_told(policy_set_offer(teller->policy, s->now_ms, &offer)))
            return snap_refused(teller, "offers", i, s->offers[i].pool);
    }
    return true;
}

/*
 * Called after the tasks were added, so tasks on draining nodes or unusable devices keep running.
 */
static bool tell_states(struct snap_teller *teller)
{
    const struct snapshot *s = teller->s;
    for (size_t i = 0; i < s->node_count; i++) {
        const struct snap_node *node = &s->nodes[i];
        policy_node id = teller->facts->nodes[i];
        if (node->state != POLICY_NODE_UP &&
            policy_set_node_state(teller->policy, s->now_ms, id, node->state) != POLICY_OK)
            return snap_refused(teller, "nodes", i, node->name);
        for (uint32_t device = 0; node->unusable >> device != 0; device++) {
            if ((node->unusable >> device & 1) != 0 &&
                policy_set_device_health(teller->policy, s->now_ms, id, device, false) != POLICY_OK)
                return snap_refused(teller, "nodes", i, node->name);
            if (device == POLICY_MAX_DEVICES - 1)
                break;
        }
    }
    return true;
}

/* ---- queues ---- */

/* Writes the numbers of a queue's pools, ascending and unique. */
static uint32_t pools_of(const struct snap_teller *teller, const struct snap_queue *queue,
                         uint32_t *pools)
{
    uint32_t count = 0;
    for (size_t i = 0; i < queue->pool_count; i++)
        pools[i] = snap_pool(&teller->names, queue->pools[i]);
    if (queue->ordered_pools)
        return (uint32_t)queue->pool_count;
    if (queue->pool_count > 0)
        qsort(pools, queue->pool_count, sizeof *pools, order_u32);
    for (size_t i = 0; i < queue->pool_count; i++) {
        if (count == 0 || pools[count - 1] != pools[i])
            pools[count++] = pools[i];
    }
    return count;
}

static struct policy_pool_quota *quotas_of(const struct snap_teller *teller,
                                           const struct snap_queue *queue)
{
    struct policy_pool_quota *quotas = mem_alloc(queue->by_pool_count + 1, sizeof *quotas);
    for (size_t i = 0; i < queue->by_pool_count; i++)
        quotas[i] =
            (struct policy_pool_quota){.pool = snap_pool(&teller->names, queue->by_pool[i].pool),
                                       .joined = queue->by_pool[i].joined,
                                       .quota = queue->by_pool[i].quota_milli};
    return quotas;
}

static bool tell_queue(struct snap_teller *teller, size_t index)
{
    const struct snap_queue *queue = &teller->s->queues[index];
    struct snap_facts *facts = teller->facts;
    const policy_queue root = {POLICY_NO_ID};
    uint32_t *pools = mem_alloc(queue->pool_count + 1, sizeof *pools);
    struct policy_pool_quota *quotas = quotas_of(teller, queue);
    struct policy_queue_spec spec = {
        .size = sizeof spec,
        .parent = queue->parent_index == SNAP_NONE ? root : facts->queues[queue->parent_index],
        .priority = queue->priority,
        .rank = queue->rank,
        .created = queue->created_ms,
        .gpu = queue->gpu,
        .cpu = queue->cpu,
        .mem = queue->mem,
        .pools = queue->pool_count > 0 ? pools : NULL,
        .pool_count = pools_of(teller, queue, pools),
        .preempt_min_runtime_ms = queue->preempt_min_runtime_ms,
        .reclaim_min_runtime_ms = queue->reclaim_min_runtime_ms,
        .fixed_milli = queue->fixed_milli,
        .suspended = queue->suspended,
        .spans_pools = queue->spans_pools,
        .ordered_pools = queue->ordered_pools,
        .strict_order = queue->strict_order,
        .by_pool = quotas,
        .by_pool_count = (uint32_t)queue->by_pool_count,
    };
    policy_queue id = policy_add_queue(teller->policy, teller->s->now_ms, &spec);
    free(pools);
    free(quotas);
    facts->queues[index] = id;
    if (id.i == POLICY_NO_ID)
        return snap_refused(teller, "queues", index, queue->name);
    snap_map(&facts->queue_of, &facts->queue_capacity, id.i, index);
    const struct policy_amounts *usage = &queue->usage_ppm;
    bool used = usage->gpu != 0 || usage->cpu != 0 || usage->mem != 0;
    int status = used ? policy_set_usage(teller->policy, teller->s->now_ms, id, usage) : POLICY_OK;
    return snap_is_told(status) || snap_refused(teller, "queues", index, queue->name);
}

static bool tell_queues(struct snap_teller *teller)
{
    const struct snapshot *s = teller->s;
    for (size_t i = 0; i < s->queue_count; i++) {
        size_t index = s->queue_order[i];
        teller->facts->queues[index] = (policy_queue){POLICY_NO_ID};
        if (!s->queues[index].lost && !tell_queue(teller, index))
            return false;
    }
    return true;
}

/* ---- public functions ---- */

bool snapshot_tell(struct snap_facts *facts, struct policy *policy, const struct snapshot *s,
                   bool all_topologies, struct err *err)
{
    *facts = (struct snap_facts){
        .snapshot = s,
        .policy = policy,
        .nodes = mem_alloc(s->node_count + 1, sizeof *facts->nodes),
        .queues = mem_alloc(s->queue_count + 1, sizeof *facts->queues),
        .jobs = mem_alloc(s->job_count + 1, sizeof *facts->jobs),
    };
    struct snap_teller teller = {
        .facts = facts, .s = s, .policy = policy, .strays = {POLICY_NO_ID}, .err = err};
    bool ok = snap_names_init(&teller.names, s, all_topologies, err) && name_pools(&teller) &&
              tell_topologies(&teller) && tell_profiles(&teller) && tell_names(&teller) &&
              tell_nodes(&teller) && tell_offers(&teller) && tell_queues(&teller);
    for (size_t i = 0; i < s->job_count && ok; i++)
        ok = snap_tell_job(&teller, i);
    ok = ok && tell_states(&teller) && snap_tell_history(&teller);
    snap_names_fini(&teller.names);
    return ok;
}
