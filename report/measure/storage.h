/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What jobs moved to and from storage that they share, what waiting for data cost them, and what
 * the storage cost in the window, by tiers (sim/power/store_price.h). */
#ifndef REPORT_MEASURE_STORAGE_H
#define REPORT_MEASURE_STORAGE_H

#include "report/measure/ledger.h"
#include "sim/base/json.h"
#include "sim/power/store_price.h"

struct storage_use {
    ledger_amount unfed; /* thousandths of devices times milliseconds: what jobs would have done
                            more with their data in time */
};

struct sim_observer storage_use_observer(struct storage_use *);

/* {"storage": {...}}; nothing at all when nothing is shared. Complete after sim_finish(). */
void storage_use_json(const struct storage_use *, const struct sim *, struct json *);

struct storage_tier_bill {
    double read_tb, written_tb;
    int64_t kept, moved; /* micro-dollars */
};

struct storage_bill {
    struct storage_tier_bill tiers[STORE_TIERS];
    int64_t kept, moved; /* micro-dollars, the sums of the tiers' */
};

/* `prices` NULL, or without tiers: all 0. After sim_finish(). */
struct storage_bill storage_bill(const struct store_prices *prices, const struct sim *);

#endif
