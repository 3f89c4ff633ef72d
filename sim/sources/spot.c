/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts reclaims for the driver; see spot.h. */
#include "sim/sources/spot.h"

#include "sim/base/mem.h"
#include "sim/faults/span.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"spot"};

struct spot_source {
    struct spot_pool *pools;
    struct spot *spot;
    int64_t origin_ms; /* the first submission: time 0 of the reclaims */
};

static void begin(void *self, int64_t first_ms)
{
    ((struct spot_source *)self)->origin_ms = first_ms;
}

static int64_t next_ms(void *self)
{
    struct spot_source *s = self;
    int64_t next = spot_peek(s->spot);
    return next == INT64_MAX ? next : s->origin_ms + next;
}

static bool take(void *self, struct sim_fault *out)
{
    struct spot_source *s = self;
    if (spot_peek(s->spot) == INT64_MAX)
        return false;
    struct spot_reclaim reclaim = spot_take(s->spot);
    *out = (struct sim_fault){.at_ms = s->origin_ms + reclaim.time_ms,
                              .effect = SIM_FAULT_DRAINS,
                              .nodes = reclaim.nodes,
                              .node_count = reclaim.node_count,
                              .device = SIM_ALL_DEVICES,
                              .detect_ms = s->pools[reclaim.pool].notice_ms,
                              .repair_ms = s->pools[reclaim.pool].away_ms,
                              .reclaims = true};
    return true;
}

struct spot_source *spot_source_create(const struct spot_pool *pools, size_t count,
                                       int64_t horizon_ms, uint64_t seed)
{
    struct spot_source *s = mem_alloc(1, sizeof *s);
    bool ends = horizon_ms > 0 && horizon_ms < FAULT_SPAN_MOST_MS;
    s->pools = mem_alloc(count + 1, sizeof *pools);
    memcpy(s->pools, pools, count * sizeof *pools);
    s->spot = spot_create(pools, count, ends ? horizon_ms : FAULT_SPAN_MOST_MS, seed);
    return s;
}

void spot_source_destroy(struct spot_source *s)
{
    if (s == NULL)
        return;
    spot_destroy(s->spot);
    free(s->pools);
    free(s);
}

struct sim_faults spot_source_faults(struct spot_source *s)
{
    return (struct sim_faults){.self = s,
                               .begin = begin,
                               .next_ms = next_ms,
                               .take = take,
                               .classes = names,
                               .class_count = 1,
                               .reclaims = true};
}
