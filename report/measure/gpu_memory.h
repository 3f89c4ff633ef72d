/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What it cost that tasks share device memory: GPU-time for which jobs stood still for it, and what
 * they lost while tenants took turns, both in the window and both part of the ledger (hold,
 * slowdown). What happened how often, and how full devices were, the simulation counts itself
 * (sim/gpu_memory.h). All of it is empty without `gpu_memory`.
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

/* The object "gpu_memory" of summary.json; nothing where the simulation has no such thing. */
void gpu_memory_json(const struct gpu_memory *, const struct sim *, struct json *);

#endif
