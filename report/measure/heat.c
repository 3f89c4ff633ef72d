/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The busy share of nodes over time, in bounded memory; see heat.h. */
#include "report/measure/heat.h"

#include "sim/base/mem.h"
#include "sim/base/out.h"

#include <stdlib.h>

static void start(struct series *s, const struct sim *sim)
{
    size_t nodes = sim->fleet->node_count;
    s->nodes_per_row = (nodes + SERIES_ROWS - 1) / SERIES_ROWS;
    heat_map_init(&s->heat, (nodes + s->nodes_per_row - 1) / s->nodes_per_row, sim->first_submit_ms,
                  sim->config.tick_ms);
    s->down = mem_alloc(nodes, sizeof *s->down);
    heat_fabric_init(&s->fabric, sim);
}

void heat_change(struct series *s, const struct sim *sim, const struct work_task *task, int sign)
{
    if (sim->counts)
        return;
    if (s->heat.busy == NULL)
        start(s, sim);
    int64_t milli = sign * task->held_milli;
    heat_map_add(&s->heat, task->node / s->nodes_per_row, sim->now_ms, milli, 0);
    heat_fabric_change(&s->fabric, sim, task->node, milli, 0);
}

void heat_turn(struct series *s, const struct sim *sim, uint32_t id)
{
    const struct fleet_node *node = &sim->fleet->nodes[id];
    bool down = node->away > 0 || node->off;
    if (s->heat.busy == NULL)
        start(s, sim);
    if (s->down[id] == down)
        return;
    s->down[id] = down;
    int64_t milli = (down ? 1 : -1) * (int64_t)node->gpus * FLEET_WHOLE;
    heat_map_add(&s->heat, id / s->nodes_per_row, sim->now_ms, 0, milli);
    heat_fabric_change(&s->fabric, sim, id, 0, milli);
}

void heat_tick(struct series *s, const struct sim *sim, int64_t at_ms)
{
    if (s->heat.busy != NULL)
        heat_fabric_tick(&s->fabric, sim, at_ms);
}

static void write_row(const struct series *s, const struct sim *sim, size_t row, struct out *out)
{
    size_t first = row * s->nodes_per_row;
    size_t last = first + s->nodes_per_row - 1;
    last = last < sim->fleet->node_count ? last : sim->fleet->node_count - 1;
    int64_t milli = 0;
    for (size_t node = first; node <= last; node++)
        milli += (int64_t)sim->fleet->nodes[node].gpus * FLEET_WHOLE;
    char *name = first == last ? mem_text(sim->fleet->nodes[first].name)
                               : mem_format("%s..%s", sim->fleet->nodes[first].name,
                                            sim->fleet->nodes[last].name);
    out_csv(out, name);
    free(name);
    heat_map_shares(&s->heat, row, milli, sim->now_ms, out);
}

bool heat_write(struct series *s, const struct sim *sim, const char *dir, struct err *err)
{
    if (s->heat.busy == NULL)
        return true;
    heat_map_close(&s->heat, sim->now_ms);
    struct out *out = out_open_in(dir, "heatmap.csv", err);
    if (out == NULL)
        return false;
    out_text(out, "node");
    heat_map_times(&s->heat, sim->now_ms, out);
    for (size_t row = 0; row < s->heat.rows; row++)
        write_row(s, sim, row, out);
    return out_close(out, err) && heat_fabric_write(&s->fabric, sim, dir, err);
}

void heat_fini(struct series *s)
{
    heat_map_fini(&s->heat);
    heat_fabric_fini(&s->fabric);
    free(s->down);
}
