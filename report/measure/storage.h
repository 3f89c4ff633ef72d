/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What jobs moved to and from storage that they share, and what waiting for data cost them. */
#ifndef REPORT_MEASURE_STORAGE_H
#define REPORT_MEASURE_STORAGE_H

#include "report/measure/ledger.h"
#include "sim/base/json.h"

struct storage_use {
    ledger_amount unfed; /* thousandths of devices times milliseconds: what jobs would have done
                            more with their data in time */
};

struct sim_observer storage_use_observer(struct storage_use *);

/* {"storage": {...}}; nothing at all when nothing is shared. Complete after sim_finish(). */
void storage_use_json(const struct storage_use *, const struct sim *, struct json *);

#endif
