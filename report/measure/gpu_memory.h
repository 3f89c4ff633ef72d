/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost of sharing device memory: GPU time in which jobs were stalled for memory, and GPU time
 * lost while tenants took turns. Both lie in the window and are part of the ledger (hold,
 * slowdown). The simulation itself counts events and how full devices were (sim/gpu_memory.h).
 * Everything is 0 without `gpu_memory`.
 */
#ifndef REPORT_MEASURE_GPU_MEMORY_H
#define REPORT_MEASURE_GPU_MEMORY_H

#include "report/measure/ledger.h"
#include "sim/base/json.h"
#include "sim/sim.h"

struct gpu_memory {
    ledger_amount waited, swap_lost;
};

struct sim_observer gpu_memory_observer(struct gpu_memory *);

/* Writes the object "gpu_memory" of summary.json; nothing if the simulation has no model of it. */
void gpu_memory_json(const struct gpu_memory *, const struct sim *, struct json *);

#endif
