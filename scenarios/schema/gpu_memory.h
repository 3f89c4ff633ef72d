/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of `gpu_memory`; sim/memory/rules.h defines them. */
#ifndef SCENARIOS_SCHEMA_GPU_MEMORY_H
#define SCENARIOS_SCHEMA_GPU_MEMORY_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_gpu_memory[]; /* its table */

#endif
