/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ladder of GPU time by time slot, so it can be added up over any span. Slots have equal length
 * and start with the run. Their length doubles when more than EXPLORE_BINS would be needed, so the
 * length of the run need not be known. States are constant between events, so each sum is exact.
 */
#ifndef REPORT_EXPLORE_BINS_H
#define REPORT_EXPLORE_BINS_H

#include "sim/sim.h"

#define EXPLORE_BINS ((size_t)4096)

/* Thousandths of GPUs times milliseconds in the measurement window, except for the last two. */
enum explore_sum {
    EXPLORE_INSTALLED,
    EXPLORE_DOWN,
    EXPLORE_BURN_IN,
    EXPLORE_RECLAIMED,
    EXPLORE_DRAINED,
    EXPLORE_NO_DEMAND,
    EXPLORE_FRAGMENTED,
    EXPLORE_HELD_BACK,
    EXPLORE_ALLOCATED,
    EXPLORE_WANTED,     /* by pending tasks; inside and outside the window */
    EXPLORE_PENDING_MS, /* jobs times milliseconds; inside and outside the window */
    EXPLORE_SUMS
};

struct explore_bin {
    int64_t sums[EXPLORE_SUMS];
};

struct explore_bins {
    struct explore_bin *bins; /* EXPLORE_BINS entries */
    int64_t origin_ms, width_ms;
    size_t count; /* used so far */
};

void explore_bins_open(struct explore_bins *, int64_t origin_ms);
void explore_bins_fini(struct explore_bins *);

/* Adds the state of a site, which was constant in [from_ms, to_ms). */
void explore_bins_interval(struct explore_bins *, const struct sim *, uint32_t site,
                           int64_t from_ms, int64_t to_ms);

#endif
