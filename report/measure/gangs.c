/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tracks the largest gang that could be placed; see gangs.h. */
#include "report/measure/gangs.h"

#include "sim/base/mem.h"

#include <stdlib.h>

static uint8_t idle_on(const struct fleet_node *node)
{
    return fleet_is_up(node) ? (uint8_t)node->idle : 0;
}

/* Returns the devices that one task could get; a node sold as a whole offers all or nothing. */
static uint8_t offered_by(const struct fleet_node *node, uint8_t idle)
{
    return node->whole_only && idle < node->gpus ? 0 : idle;
}

static int64_t whole_of(const struct fleet_node *node, uint8_t idle)
{
    return idle == node->gpus ? idle : 0; /* 0 if it is not up */
}

static int64_t largest_now(const struct gangs *g, const struct sim *sim)
{
    int64_t largest = 0;
    for (size_t i = 0; i < sim->fleet->pool_count; i++)
        largest = g->whole[i] > largest ? g->whole[i] : largest;
    for (int64_t idle = g->most; idle > largest; idle--)
        if (g->by_idle[idle] > 0)
            return idle;
    return largest;
}

/* Until now, the fleet was empty and up. */
static void begin(struct gangs *g, const struct sim *sim)
{
    const struct fleet *fleet = sim->fleet;
    g->whole = mem_alloc(fleet->pool_count, sizeof *g->whole);
    g->idle = mem_alloc(fleet->node_count, sizeof *g->idle);
    for (size_t i = 0; i < fleet->node_count; i++) {
        const struct fleet_node *node = &fleet->nodes[i];
        g->idle[i] = (uint8_t)node->gpus;
        g->whole[node->pool] += node->gpus;
        g->by_idle[node->gpus]++;
        g->most = node->gpus > g->most ? node->gpus : g->most;
    }
    g->largest = largest_now(g, sim);
    g->sizes = g->largest + 1;
    g->time_ms = mem_alloc((size_t)g->sizes, sizeof *g->time_ms);
    g->since_ms = sim->window_start_ms;
}

static void settle(struct gangs *g, const struct sim *sim, int64_t now)
{
    int64_t from = g->since_ms > sim->window_start_ms ? g->since_ms : sim->window_start_ms;
    int64_t to = now < sim->window_end_ms ? now : sim->window_end_ms;
    if (to > from)
        g->time_ms[g->largest] += to - from;
    g->since_ms = now;
}

/* The node's idle devices may have changed. */
static void turned(void *self, const struct sim *sim, uint32_t id)
{
    struct gangs *g = self;
    if (g->time_ms == NULL)
        begin(g, sim);
    const struct fleet_node *node = &sim->fleet->nodes[id];
    uint8_t was = g->idle[id];
    uint8_t is = idle_on(node);
    if (is == was)
        return;
    settle(g, sim, sim->now_ms);
    g->idle[id] = is;
    g->by_idle[offered_by(node, was)]--;
    g->by_idle[offered_by(node, is)]++;
    g->whole[node->pool] += whole_of(node, is) - whole_of(node, was);
    g->largest = largest_now(g, sim);
}

static void held(void *self, const struct sim *sim, const struct work_job *job,
                 const struct work_task *task, int sign)
{
    (void)job;
    (void)sign;
    if (task->node != WORK_NONE)
        turned(self, sim, task->node);
}

struct sim_observer gangs_observer(struct gangs *g)
{
    return (struct sim_observer){.self = g, .held = held, .turned = turned};
}

void gangs_finish(struct gangs *g, const struct sim *sim)
{
    if (g->time_ms != NULL)
        settle(g, sim, sim->window_end_ms);
}

int64_t gangs_quantile(const struct gangs *g, int64_t ppm)
{
    int64_t total = 0;
    for (int64_t size = 0; size < g->sizes; size++)
        total += g->time_ms[size];
    if (total == 0)
        return -1;
    /* The smallest size such that sizes up to it cover more than the share of the time. */
    int64_t below = 0;
    int64_t size = 0;
    for (; size + 1 < g->sizes; size++) {
        below += g->time_ms[size];
        if ((double)below * 1e6 > (double)total * (double)ppm)
            break;
    }
    return size;
}

void gangs_fini(struct gangs *g)
{
    free(g->time_ms);
    free(g->whole);
    free(g->idle);
}
