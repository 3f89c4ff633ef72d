/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traffic of jobs to and from shared storage, the cost of waiting for data, and the cost of storage
 * in the window by tier (sim/power/store_price.h).
 */
#ifndef REPORT_MEASURE_STORAGE_H
#define REPORT_MEASURE_STORAGE_H

#include "report/measure/ledger.h"
#include "sim/base/json.h"
#include "sim/power/store_price.h"

struct storage_use {
    ledger_amount unfed; /* work lost to late data, in thousandths of devices times milliseconds */
};

struct sim_observer storage_use_observer(struct storage_use *);

/* Writes {"storage": {...}}; nothing if no storage is shared. Complete after sim_finish(). */
void storage_use_json(const struct storage_use *, const struct sim *, struct json *);

struct storage_tier_bill {
    double read_tb, written_tb;
    int64_t kept, moved; /* micro-dollars */
};

struct storage_bill {
    struct storage_tier_bill tiers[STORE_TIERS];
    int64_t kept, moved; /* micro-dollars, sums over the tiers */
    int64_t checkpoints; /* of `moved`: fees for checkpoints, which the first tier takes */
};

/* Call after sim_finish(). All 0 if `prices` is NULL or has no tiers. */
struct storage_bill storage_bill(const struct store_prices *prices, const struct sim *);

#endif
