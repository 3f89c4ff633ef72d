/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time slots; see bins.h. For the split of idle time see the ledger (report/measure/ledger.h). */
#include "report/explore/bins.h"

#include "report/measure/ledger.h"
#include "sim/base/mem.h"

#include <stdlib.h>

#define FIRST_WIDTH_MS 1000

void explore_bins_open(struct explore_bins *b, int64_t origin_ms)
{
    b->bins = mem_alloc(EXPLORE_BINS, sizeof *b->bins);
    b->origin_ms = origin_ms;
    b->width_ms = FIRST_WIDTH_MS;
}

void explore_bins_fini(struct explore_bins *b)
{
    free(b->bins);
    *b = (struct explore_bins){0};
}

/* Doubles the slots' length by merging pairs. */
static void widen(struct explore_bins *b)
{
    for (size_t i = 0; i < EXPLORE_BINS; i++) {
        const struct explore_bin slot = b->bins[i];
        b->bins[i] = (struct explore_bin){{0}};
        for (int sum = 0; sum < EXPLORE_SUMS; sum++)
            b->bins[i / 2].sums[sum] += slot.sums[sum];
    }
    b->width_ms *= 2;
    b->count = (b->count + 1) / 2;
}

static void add_ladder(struct explore_bin *bin, const struct sim *sim, uint32_t site,
                       int64_t from_ms, int64_t to_ms)
{
    struct ledger ledger = {0};
    const struct sim_observer observer = ledger_observer(&ledger);
    observer.interval(observer.self, sim, site, from_ms, to_ms);
    bin->sums[EXPLORE_INSTALLED] += (int64_t)ledger.installed;
    bin->sums[EXPLORE_DOWN] += (int64_t)ledger.down;
    bin->sums[EXPLORE_BURN_IN] += (int64_t)ledger.burn_in;
    bin->sums[EXPLORE_RECLAIMED] += (int64_t)ledger.reclaimed;
    bin->sums[EXPLORE_DRAINED] += (int64_t)ledger.drained;
    bin->sums[EXPLORE_NO_DEMAND] += (int64_t)ledger.idle_no_demand;
    bin->sums[EXPLORE_FRAGMENTED] += (int64_t)ledger.idle_fragmented;
    bin->sums[EXPLORE_HELD_BACK] += (int64_t)ledger.idle_blocked;
    bin->sums[EXPLORE_ALLOCATED] += (int64_t)ledger.allocated;
}

static void add_queue(struct explore_bin *bin, const struct sim *sim, uint32_t site, int64_t ms)
{
    const struct sim_site *s = &sim->sites[site];
    for (size_t i = 0; i < s->queue_count; i++) {
        bin->sums[EXPLORE_WANTED] += sim->queues[s->queues[i]].wanted_milli * ms;
        bin->sums[EXPLORE_PENDING_MS] += (int64_t)sim->queues[s->queues[i]].pending_jobs * ms;
    }
}

void explore_bins_interval(struct explore_bins *b, const struct sim *sim, uint32_t site,
                           int64_t from_ms, int64_t to_ms)
{
    while (to_ms - b->origin_ms > b->width_ms * (int64_t)EXPLORE_BINS)
        widen(b);
    for (int64_t at = from_ms; at < to_ms;) {
        size_t i = (size_t)((at - b->origin_ms) / b->width_ms);
        int64_t edge = b->origin_ms + (int64_t)(i + 1) * b->width_ms;
        int64_t end = edge < to_ms ? edge : to_ms;
        add_ladder(&b->bins[i], sim, site, at, end);
        add_queue(&b->bins[i], sim, site, end - at);
        if (b->count < i + 1)
            b->count = i + 1;
        at = end;
    }
}
