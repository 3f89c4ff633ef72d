/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Busy devices and uplinks by domain; see heat_fabric.h. */
#include "report/measure/heat_fabric.h"

#include "sim/base/mem.h"
#include "sim/base/out.h"
#include "sim/fabric/tree.h"
#include "sim/speed.h"

#include <math.h>
#include <stdlib.h>

#define MILLION 1000000

/* ---- the blocks ---- */

/* Returns the number of domains of a level; 0 if they do not divide the fleet. */
static size_t domains_of(const struct fleet *fleet, uint32_t level)
{
    const struct fleet_level *l = &fleet->levels[level];
    size_t count = l->domains != NULL ? symbols_count(l->domains) : 0;
    return count > 1 ? count : 0;
}

static void add_levels(struct heat_fabric *f, const struct fleet *fleet)
{
    for (uint32_t level = 0; level < fleet->level_count; level++)
        if (domains_of(fleet, level) > 0)
            f->blocks[f->count++] =
                (struct heat_block){.level = level, .domains = domains_of(fleet, level)};
}

static bool has_limits(const struct fabric_tree *tree, const struct fabric_tier *tier)
{
    for (uint32_t i = 0; i < tier->groups; i++)
        if (tree->capacity_kbps[tier->first + i] != FABRIC_UNLIMITED)
            return true;
    return false;
}

/* Groups of a tier have the numbers of the domains of its level. */
static void add_uplinks(struct heat_fabric *f, const struct sim *sim)
{
    const struct fabric_tree *tree = sim->config.network.tree;
    if (sim->config.network.mode != SIM_NETWORK_CONTENTION)
        return;
    for (int t = tree->tier_count - 1; t > 0; t--) {
        const struct fabric_tier *tier = &tree->tiers[t];
        uint32_t level = fleet_find_level(sim->fleet, tier->name);
        if (level < sim->fleet->level_count && domains_of(sim->fleet, level) == tier->groups &&
            has_limits(tree, tier))
            f->blocks[f->count++] = (struct heat_block){
                .level = level, .uplinks = true, .first = tier->first, .domains = tier->groups};
    }
}

/* ---- a block ---- */

static void count_whole(struct heat_block *b, const struct sim *sim)
{
    for (size_t i = 0; i < b->domains && b->uplinks; i++)
        b->whole[i / b->per_row] +=
            sim->config.network.tree->capacity_kbps[b->first + i] != FABRIC_UNLIMITED ? MILLION : 0;
    for (uint32_t node = 0; node < sim->fleet->node_count && !b->uplinks; node++)
        b->whole[fleet_domain_of(sim->fleet, b->level, node) / b->per_row] +=
            (int64_t)sim->fleet->nodes[node].gpus * FLEET_WHOLE;
}

void heat_fabric_init(struct heat_fabric *f, const struct sim *sim)
{
    *f = (struct heat_fabric){0};
    add_levels(f, sim->fleet);
    add_uplinks(f, sim);
    for (size_t i = 0; i < f->count; i++) {
        struct heat_block *b = &f->blocks[i];
        size_t most = HEAT_FABRIC_ROWS / f->count;
        b->per_row = (b->domains + most - 1) / most;
        size_t rows = (b->domains + b->per_row - 1) / b->per_row;
        heat_map_init(&b->map, rows, sim->first_submit_ms, sim->config.tick_ms);
        b->whole = mem_alloc(rows, sizeof *b->whole);
        count_whole(b, sim);
    }
}

void heat_fabric_fini(struct heat_fabric *f)
{
    for (size_t i = 0; i < f->count; i++) {
        heat_map_fini(&f->blocks[i].map);
        free(f->blocks[i].whole);
    }
    *f = (struct heat_fabric){0};
}

void heat_fabric_change(struct heat_fabric *f, const struct sim *sim, uint32_t node, int64_t busy,
                        int64_t gone)
{
    for (size_t i = 0; i < f->count && !f->blocks[i].uplinks; i++) {
        struct heat_block *b = &f->blocks[i];
        heat_map_add(&b->map, fleet_domain_of(sim->fleet, b->level, node) / b->per_row, sim->now_ms,
                     busy, gone);
    }
}

/*
 * Values above 1 count as 1: jobs that communicate more than expected slow down, and the link is
 * full.
 */
static int64_t use_ppm(const struct sim *sim, uint32_t uplink)
{
    double use = sim_uplink_use(sim, uplink);
    return isnan(use) ? 0 : llround(fmin(use, 1) * MILLION);
}

void heat_fabric_tick(struct heat_fabric *f, const struct sim *sim, int64_t at_ms)
{
    for (size_t i = 0; i < f->count; i++) {
        struct heat_block *b = &f->blocks[i];
        for (size_t row = 0; row < b->map.rows && b->uplinks; row++) {
            int64_t ppm = 0;
            for (size_t d = row * b->per_row; d < (row + 1) * b->per_row && d < b->domains; d++)
                ppm += use_ppm(sim, b->first + (uint32_t)d);
            heat_map_add(&b->map, row, at_ms, ppm - b->map.level[row], 0);
        }
    }
}

/* ---- the file ---- */

static void write_row(const struct heat_block *b, const struct sim *sim, size_t row,
                      struct out *out)
{
    const struct fleet_level *level = &sim->fleet->levels[b->level];
    size_t first = row * b->per_row, last = first + b->per_row - 1;
    last = last < b->domains ? last : b->domains - 1;
    char *name = mem_format("%s%s%s%s", b->uplinks ? "uplinks " : "",
                            symbols_name(level->domains, (uint32_t)first), first < last ? ".." : "",
                            first < last ? symbols_name(level->domains, (uint32_t)last) : "");
    out_csv(out, name);
    free(name);
    heat_map_shares(&b->map, row, b->whole[row], sim->now_ms, out);
}

bool heat_fabric_write(struct heat_fabric *f, const struct sim *sim, const char *dir,
                       struct err *err)
{
    if (f->count == 0)
        return true;
    struct out *out = out_open_in(dir, "fabric.csv", err);
    if (out == NULL)
        return false;
    for (size_t i = 0; i < f->count; i++) {
        struct heat_block *b = &f->blocks[i];
        heat_map_close(&b->map, sim->now_ms);
        if (i == 0) {
            out_text(out, "domain");
            heat_map_times(&b->map, sim->now_ms, out);
        }
        for (size_t row = 0; row < b->map.rows; row++)
            write_row(b, sim, row, out);
    }
    return out_close(out, err);
}
