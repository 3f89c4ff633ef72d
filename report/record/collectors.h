/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The collectors of a run, from which summary.json is made. */
#ifndef REPORT_RECORD_COLLECTORS_H
#define REPORT_RECORD_COLLECTORS_H

#include "report/measure/changes.h"
#include "report/measure/deadlines.h"
#include "report/measure/drain.h"
#include "report/measure/energy.h"
#include "report/measure/frag.h"
#include "report/measure/gangs.h"
#include "report/measure/gpu_memory.h"
#include "report/measure/host_shares.h"
#include "report/measure/ledger.h"
#include "report/measure/preemption.h"
#include "report/measure/queue_ledger.h"
#include "report/measure/reliability.h"
#include "report/measure/rho.h"
#include "report/measure/services.h"
#include "report/measure/shares.h"
#include "report/measure/showback.h"
#include "report/measure/spares.h"
#include "report/measure/storage.h"
#include "report/measure/throughput.h"
#include "report/measure/waits.h"
#include "report/record/journal.h"
#include "report/record/pool_use.h"
#include "scenarios/scenario.h"

struct summary {
    const char *scenario, *policy, *version;
    const char *scenario_digest, *trace_digest; /* 64 hexadecimal digits */
    uint64_t seed;
    uint64_t rejected_rows;
    const struct scenario *given; /* NULL: its quotas are not reported */
    const struct sim *sim;
    const struct waits *waits;
    const struct ledger *ledger;
    const struct drain *drain;
    const struct changes *changes;
    const struct deadlines *deadlines;
    const struct queue_ledger *queue_ledger;
    const struct shares *shares;
    const struct host_shares *hosts;
    const struct pool_uses *pools;
    const struct rho *rho;
    const struct preemption *preemption;
    const struct reliability *reliability;
    const struct spares *spares;
    const struct gpu_memory *gpu_memory;
    const struct energy *energy;
    const struct showback *showback;
    const struct gangs *gangs;
    const struct throughput *throughput;
    const struct services_report *services;
    const struct storage_use *storage;
    const struct journal *journal;
    const struct fill_curve *fill; /* NULL for a replay */
};

#endif
