/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of speeds.json; sim/perf/generation.h defines them. */
#ifndef SCENARIOS_SCHEMA_SPEEDS_H
#define SCENARIOS_SCHEMA_SPEEDS_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_speeds; /* the file */

/* Classes of work, all of them in the file. */
#define SCHEMA_SPEED_CLASSES                                                                       \
    "llm|llm-large|moe|bert|vision|detection|diffusion|recommendation|gnn|speech|unknown"

/* In the order of enum perf_precision. */
#define SCHEMA_PRECISIONS "recorded|bf16|fp8|fp4"

#endif
