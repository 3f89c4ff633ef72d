/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes that come and go by the calendar (sim/planned_changes.h): the last ones of a pool leave
 * first. Bills are those of elastic pools (sim/elastic_nodes.h). */
#include "sim/internal.h"

static struct sim_elastic_node *own_of(const struct sim *sim, uint32_t node)
{
    return &sim->elastic_book->nodes[node];
}

/* ---- jobs on nodes that leave ---- */

static bool runs_on(const struct sim *sim, const struct work_job *job, uint32_t node)
{
    if (job->state != WORK_RUNNING && job->state != WORK_PENDING)
        return false;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next)
        if (sim->work.tasks[id].node == node)
            return true;
    return false;
}

bool sim_planned_leaves_at(const struct sim *sim, const struct work_job *job, int64_t at_ms)
{
    if (sim->elastic_book == NULL)
        return false;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
        uint32_t node = sim->work.tasks[id].node;
        if (node != WORK_NONE && sim->fleet->nodes[node].leaving &&
            own_of(sim, node)->due_ms == at_ms)
            return true;
    }
    return false;
}

/* Jobs begin a last checkpoint just in time to complete it. */
static void plan_last_writes(struct sim *sim, int64_t grace_ms)
{
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (job->state == WORK_RUNNING && sim_can_write(sim, job, grace_ms) &&
            sim_planned_leaves_at(sim, job, sim->now_ms + grace_ms))
            event_push(&sim->events, sim->now_ms + grace_ms - job->progress.write_ms,
                       EVENT_LAST_WRITE, job->core.i);
    }
}

/* ---- removed nodes ---- */

bool sim_planned_emptied(struct sim *sim, uint32_t node, struct err *err)
{
    return own_of(sim, node)->stays || sim_release_node(sim, node, err);
}

bool sim_planned_taken(struct sim *sim, uint32_t node, struct err *err)
{
    const struct sim_fault cause = {
        .class = SIM_CAUSE_PLANNED, .effect = SIM_FAULT_DRAINS, .reclaims = true};
    sim->event_count++;
    for (size_t i = 0; i < sim->work.capacity; i++)
        if (runs_on(sim, &sim->work.jobs[i], node) &&
            !sim_interrupt(sim, &sim->work.jobs[i], &cause, err))
            return false;
    return sim_release_node(sim, node, err);
}

static bool remove_node(struct sim *sim, uint32_t id, const struct sim_change *change,
                        struct err *err)
{
    const struct fleet_node *node = &sim->fleet->nodes[id];
    struct sim_elastic_node *own = own_of(sim, id);
    int64_t grace_ms = change != NULL ? change->grace_ms : -1;
    own->stays = change != NULL && change->reserved;
    if (node->ordered || (node->tasks == 0 && (!own->stays || grace_ms <= 0)))
        return sim_release_node(sim, id, err);
    own->due_ms = grace_ms < 0 ? INT64_MAX : sim->now_ms + grace_ms;
    if (!sim_switch_node(sim, id, SIM_NODE_LEAVES, err))
        return false;
    if (grace_ms > 0)
        event_push(&sim->events, own->due_ms, EVENT_ARRIVED, id);
    return grace_ms != 0 || sim_planned_taken(sim, id, err);
}

/* ---- pools ---- */

static bool bring(struct sim *sim, const struct fleet_pool *pool, struct err *err)
{
    const struct sim_config *config = &sim->config;
    const struct sim_elastic_pool *terms = &config->elastic.of_pool[pool - sim->fleet->pools];
    const struct sim_change *turn;
    uint32_t there = sim_changes_nodes(config->changes, config->change_count, pool->name,
                                       terms->least, sim->first_submit_ms, sim->now_ms, &turn);
    bool ok = true;
    for (uint32_t k = 0; k < pool->node_count && ok; k++) {
        uint32_t id = pool->first_node + k;
        const struct fleet_node *node = &sim->fleet->nodes[id];
        if (k < there && node->off)
            ok = sim_add_node(sim, id, turn != NULL ? turn->warmup_ms : 0, err);
        else if (k < there && node->leaving)
            ok = sim_switch_node(sim, id, SIM_NODE_IS_THERE, err);
        else if (k >= there && !node->off && !node->leaving)
            ok = remove_node(sim, id, turn, err);
    }
    if (ok && turn != NULL && turn->grace_ms > 0)
        plan_last_writes(sim, turn->grace_ms);
    return ok;
}

bool sim_planned_nodes(struct sim *sim, struct err *err)
{
    for (uint32_t i = 0; i < sim->fleet->pool_count; i++)
        if (sim->config.elastic.of_pool[i].planned && !bring(sim, &sim->fleet->pools[i], err))
            return false;
    return true;
}
