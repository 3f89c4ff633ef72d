/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prices of shared storage by tiers, hottest first. A tier serves a share of all reads; what is
 * read from a colder one moves to the first, and as much moves from there to it, since the first is
 * full.
 *
 *     cost = sum over tiers of TB kept x price x months (of 730 h)
 *          + TB read from it x fee + TB written to it x fee
 *
 * Checkpoints are written to the first tier. Moving takes no bandwidth from jobs.
 */
#ifndef SIM_POWER_STORE_PRICE_H
#define SIM_POWER_STORE_PRICE_H

#include <stddef.h>

#define STORE_TIERS       8
#define STORE_MONTH_HOURS 730.0

struct store_tier {
    const char *name;
    double tb, usd_per_tb_month;
    double hit; /* share of reads that it serves; all of them are 1 */
    double usd_per_tb_read, usd_per_tb_written;
};

struct store_prices {
    struct store_tier tiers[STORE_TIERS];
    size_t count; /* 0: storage costs nothing */
};

#endif
