/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sites: pools connected through queues. Found by merging, for each queue, the pools that it may
 * use; a queue without binding merges all.
 */
#include "sim/internal.h"

#include "sim/base/mem.h"

#include <stdlib.h>

static uint32_t root_of(uint32_t *parent, uint32_t pool)
{
    while (parent[pool] != pool)
        pool = parent[pool] = parent[parent[pool]];
    return pool;
}

static void merge(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

static bool is_leaf(const struct sim *sim, size_t queue)
{
    for (size_t i = 0; i < sim->queue_count; i++)
        if (sim->queues[i].parent == (int32_t)queue)
            return false;
    return true;
}

static void merge_by_queues(struct sim *sim, uint32_t *parent)
{
    uint32_t pools = (uint32_t)sim->fleet->pool_count;
    bool all = sim->config.queues_from_trace || sim->queue_count == 0;
    for (size_t i = 0; i < sim->queue_count; i++) {
        const struct sim_queue *queue = &sim->queues[i];
        all |= queue->pool_count == 0 && is_leaf(sim, i);
        for (uint32_t k = 1; k < queue->pool_count; k++)
            merge(parent, queue->pools[0], queue->pools[k]);
    }
    for (uint32_t pool = 1; all && pool < pools; pool++)
        merge(parent, 0, pool);
}

void sim_sites_build(struct sim *sim)
{
    uint32_t pools = (uint32_t)sim->fleet->pool_count;
    uint32_t *parent = mem_alloc(pools, sizeof *parent);
    for (uint32_t pool = 0; pool < pools; pool++)
        parent[pool] = pool;
    merge_by_queues(sim, parent);
    sim->site_of_pool = mem_alloc(pools, sizeof *sim->site_of_pool);
    sim->sites = mem_alloc(pools, sizeof *sim->sites);
    for (uint32_t pool = 0; pool < pools; pool++) {
        uint32_t root = root_of(parent, pool);
        if (root == pool) {
            sim->sites[sim->site_count].since_ms = INT64_MIN;
            sim->site_of_pool[pool] = (uint32_t)sim->site_count++;
        }
        sim->site_of_pool[pool] = sim->site_of_pool[root]; /* the root has the smallest index, so it
                                                              has its number already */
        sim->sites[sim->site_of_pool[pool]].milli += sim->fleet->pools[pool].milli;
    }
    free(parent);
}

void sim_sites_free(struct sim *sim)
{
    for (size_t i = 0; i < sim->site_count; i++) {
        free(sim->sites[i].queues);
        free(sim->sites[i].backlogs);
        free(sim->sites[i].altered);
    }
    free(sim->sites);
    free(sim->site_of_pool);
}

void sim_alter(struct sim *sim, uint32_t id)
{
    struct sim_queue *queue = &sim->queues[id];
    if (queue->altered)
        return;
    queue->altered = true;
    struct sim_site *site = &sim->sites[queue->site];
    if (site->altered_count == site->altered_capacity)
        site->altered = mem_grow(site->altered, &site->altered_capacity, site->altered_count + 1,
                                 sizeof *site->altered);
    site->altered[site->altered_count++] = id;
}

void sim_touch(struct sim *sim, uint32_t id)
{
    struct sim_site *site = &sim->sites[id];
    if (site->since_ms == sim->now_ms)
        return;
    if (site->since_ms != INT64_MIN) {
        SIM_TELL(sim, interval, sim, id, site->since_ms, sim->now_ms);
        while (site->altered_count > 0)
            sim->queues[site->altered[--site->altered_count]].altered = false;
    }
    site->since_ms = sim->now_ms;
}

void sim_backlog(const struct sim *sim, uint32_t id, struct policy_backlog *sum)
{
    const struct sim_site *site = &sim->sites[id];
    *sum = (struct policy_backlog){0};
    if (site->backlog_count > 0)
        (void)policy_backlog(sim->policy, sim->queues[site->backlogs[0]].core, sum);
    for (size_t i = 1; i < site->backlog_count; i++) {
        struct policy_backlog part;
        if (policy_backlog(sim->policy, sim->queues[site->backlogs[i]].core, &part) != POLICY_OK)
            continue;
        for (int reason = 0; reason < POLICY_REASONS; reason++) {
            sum->jobs[reason] += part.jobs[reason];
            sum->gpu_milli[reason] += part.gpu_milli[reason];
        }
    }
    if (sim_is(sim, POLICY_TRAIT_SORTS_OUT)) /* they are counted there */
        return;
    sum->jobs[POLICY_REASON_NEVER_FITS] += site->aside_jobs;
    sum->gpu_milli[POLICY_REASON_NEVER_FITS] += site->aside_milli;
}

int sim_explain(const struct sim *sim, const struct work_job *job, struct policy_explanation *why)
{
    int status = policy_explain(sim->policy, job->core, why);
    if (status == POLICY_OK && job->aside)
        why->reason = POLICY_REASON_NEVER_FITS;
    return status;
}

bool sim_never_fits(const struct sim *sim, const struct work_job *job)
{
    /* An explanation costs as much as a decision; the backlog is a cheap check that there is
     * anything to explain. */
    struct policy_backlog backlog;
    if (job->aside)
        return true;
    if (policy_backlog(sim->policy, sim->queues[job->queue].core, &backlog) != POLICY_OK ||
        backlog.jobs[POLICY_REASON_NEVER_FITS] == 0)
        return false;
    struct policy_explanation why = {.size = sizeof why};
    return sim_explain(sim, job, &why) == POLICY_OK && why.reason == POLICY_REASON_NEVER_FITS;
}
