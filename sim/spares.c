/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spares step in, and repaired nodes become spares; see spare_nodes.h. */
#include "sim/internal.h"

#include "sim/base/mem.h"

#include <stdlib.h>

static struct sim_spare_pool *pool_of(const struct sim *sim, uint32_t node)
{
    return &sim->spares->pools[sim->fleet->nodes[node].pool];
}

static void set_role(struct sim *sim, uint32_t node, enum sim_spare_role role)
{
    struct sim_spare_pool *pool = pool_of(sim, node);
    pool->count[sim->spares->role[node]]--;
    pool->count[role]++;
    sim->spares->role[node] = (uint8_t)role;
}

/* The first spare in the pool of a node; one exists. */
static uint32_t first_spare(const struct sim *sim, uint32_t node)
{
    uint32_t id = sim->fleet->pools[sim->fleet->nodes[node].pool].first_node;
    while (sim->spares->role[id] != SIM_NODE_SPARE)
        id++;
    return id;
}

/* The node that would step in last; one exists. */
static uint32_t last_stepping(const struct sim *sim, uint32_t node)
{
    const struct fleet_pool *pool = &sim->fleet->pools[sim->fleet->nodes[node].pool];
    const struct sim_spare_book *book = sim->spares;
    uint32_t last = WORK_NONE;
    for (uint32_t id = pool->first_node; id < pool->first_node + pool->node_count; id++)
        if (book->role[id] == SIM_NODE_STEPPING &&
            (last == WORK_NONE || book->due_ms[id] >= book->due_ms[last]))
            last = id;
    return last;
}

static void fill_places(struct sim *sim, uint32_t node)
{
    const struct sim_spare_pool *pool = pool_of(sim, node);
    while (sim_spares_missing(pool) > 0 && pool->count[SIM_NODE_SPARE] > 0) {
        uint32_t spare = first_spare(sim, node);
        set_role(sim, spare, SIM_NODE_STEPPING);
        sim->spares->due_ms[spare] = sim->now_ms + sim->config.spares.swap_ms;
        sim->spares->swaps++;
        event_push(&sim->events, sim->spares->due_ms[spare], EVENT_SWAPPED, spare);
    }
}

/* Spares drain while they are spares or stepping in. */
int sim_spares_left(struct sim *sim, uint32_t node)
{
    if (sim->spares == NULL)
        return 0;
    bool served = sim->spares->role[node] == SIM_NODE_SERVES;
    set_role(sim, node, SIM_NODE_OUT);
    fill_places(sim, node);
    return served ? 0 : -1;
}

int sim_spares_back(struct sim *sim, uint32_t node)
{
    if (sim->spares == NULL)
        return 0;
    const struct sim_spare_pool *pool = pool_of(sim, node);
    bool late = sim_spares_missing(pool) == 0 && pool->count[SIM_NODE_STEPPING] > 0;
    if (late)
        set_role(sim, last_stepping(sim, node), SIM_NODE_SPARE);
    bool serves = sim_spares_missing(pool) > 0;
    set_role(sim, node, serves ? SIM_NODE_SERVES : SIM_NODE_SPARE);
    return serves ? 0 : 1;
}

bool sim_spares_steps_in(struct sim *sim, uint32_t node)
{
    if (sim->spares->role[node] != SIM_NODE_STEPPING || sim->spares->due_ms[node] != sim->now_ms)
        return false;
    set_role(sim, node, SIM_NODE_SERVES);
    return true;
}

/* ---- opening and closing ---- */

static bool keep_apart(struct sim *sim, uint32_t node, struct err *err)
{
    struct fleet_node *n = &sim->fleet->nodes[node];
    n->draining++;
    int64_t milli = (int64_t)n->gpus * FLEET_WHOLE;
    sim->sites[sim->site_of_pool[n->pool]].milli_drained += milli;
    pool_of(sim, node)->spare_milli += milli;
    sim->spares->role[node] = SIM_NODE_SPARE;
    int status = sim_tell(
        sim,
        &(struct fact){.kind = FACT_NODE_STATE, .node = {node}, .state = POLICY_NODE_DRAINING});
    return sim_core_ok(sim, status, err);
}

bool sim_spares_open(struct sim *sim, struct err *err)
{
    const struct fleet *fleet = sim->fleet;
    if (sim->config.spares.of_pool == NULL)
        return true;
    struct sim_spare_book *book = sim->spares = mem_alloc(1, sizeof *book);
    book->pool_count = (uint32_t)fleet->pool_count;
    book->pools = mem_alloc(fleet->pool_count, sizeof *book->pools);
    book->role = mem_alloc(fleet->node_count, sizeof *book->role);
    book->due_ms = mem_alloc(fleet->node_count, sizeof *book->due_ms);
    for (size_t i = 0; i < fleet->pool_count; i++) {
        const struct fleet_pool *pool = &fleet->pools[i];
        uint32_t spares = sim->config.spares.of_pool[i];
        BUG_ON(spares > 0 && spares >= pool->node_count);
        uint32_t places = pool->node_count - spares;
        book->pools[i] = (struct sim_spare_pool){
            .places = places,
            .spares = spares,
            .count = {[SIM_NODE_SERVES] = places, [SIM_NODE_SPARE] = spares}};
        for (uint32_t k = places; k < pool->node_count; k++)
            if (!keep_apart(sim, pool->first_node + k, err))
                return false;
    }
    return true;
}

void sim_spares_close(struct sim *sim)
{
    if (sim->spares == NULL)
        return;
    free(sim->spares->pools);
    free(sim->spares->role);
    free(sim->spares->due_ms);
    free(sim->spares);
    sim->spares = NULL;
}

/* ---- room ---- */

static bool may_use(const struct sim *sim, const struct sim_queue *queue, uint32_t pool)
{
    for (uint32_t i = 0; i < queue->pool_count; i++)
        if (queue->pools[i] == pool)
            return true;
    return queue->pools == NULL && sim->site_of_pool[pool] == queue->site;
}

/* Where devices are counted, not placed, a gang stays in one pool. */
bool sim_spares_leave_room(const struct sim *sim, const struct work_job *job, struct err *err)
{
    int64_t room = 0, all = 0;
    int64_t wanted = job->elastic ? work_least_milli(job) : job->wanted_milli;
    for (uint32_t i = 0; i < sim->spares->pool_count; i++) {
        if (!may_use(sim, &sim->queues[job->queue], i))
            continue;
        int64_t milli = sim->fleet->pools[i].milli,
                working = milli - sim->spares->pools[i].spare_milli;
        room = !sim->counts ? room + working : working > room ? working : room;
        all = !sim->counts ? all + milli : milli > all ? milli : all;
    }
    return wanted <= room || wanted > all ||
           err_set(err, EXIT_INPUT,
                   "it wants %.10g GPUs, and without spare nodes (faults.spares) there are %.10g",
                   (double)wanted / FLEET_WHOLE, (double)room / FLEET_WHOLE);
}

/* ---- audit ---- */

static bool check_node(const struct sim *sim, uint32_t id, struct err *err)
{
    const struct fleet_node *node = &sim->fleet->nodes[id];
    enum sim_spare_role role = (enum sim_spare_role)sim->spares->role[id];
    bool apart = role == SIM_NODE_SPARE || role == SIM_NODE_STEPPING;
    if ((node->away > 0) == (role == SIM_NODE_OUT) &&
        (!apart || (node->draining > 0 && node->tasks == 0)))
        return true;
    return err_set(err, EXIT_INVARIANT,
                   "node '%s': role %d among spares, away %d, draining %d, %d tasks", node->name,
                   (int)role, node->away, node->draining, node->tasks);
}

bool sim_spares_audit(const struct sim *sim, struct err *err)
{
    for (uint32_t i = 0; i < sim->spares->pool_count; i++) {
        const struct sim_spare_pool *pool = &sim->spares->pools[i];
        const struct fleet_pool *of = &sim->fleet->pools[i];
        uint32_t count[SIM_NODE_ROLES] = {0};
        for (uint32_t id = of->first_node; id < of->first_node + of->node_count; id++) {
            count[sim->spares->role[id]]++;
            if (!check_node(sim, id, err))
                return false;
        }
        for (int role = 0; role < SIM_NODE_ROLES; role++)
            if (count[role] != pool->count[role])
                return err_set(err, EXIT_INVARIANT, "pool '%s': %u nodes of role %d, counted as %u",
                               of->name, count[role], role, pool->count[role]);
        uint32_t taken = count[SIM_NODE_SERVES] + count[SIM_NODE_STEPPING];
        if (taken > pool->places || (taken < pool->places && count[SIM_NODE_SPARE] > 0))
            return err_set(err, EXIT_INVARIANT, "pool '%s': %u of %u places taken, %u spares",
                           of->name, taken, pool->places, count[SIM_NODE_SPARE]);
    }
    return true;
}
