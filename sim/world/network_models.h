/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Models of the scenario and the catalogue by name, and the speed of a kind of node for them
 * (sim/perf/generation.h). The driver asks once for each model and kind.
 */
#ifndef SIM_WORLD_NETWORK_MODELS_H
#define SIM_WORLD_NETWORK_MODELS_H

#include "scenarios/scenario.h"
#include "sim/perf/generation.h"
#include "sim/speed.h"

struct network_models;

/* The scenario must outlive it; `together`: communication is not counted elsewhere (generation.h).
 * Returns NULL with err set. */
struct network_models *network_models_open(const struct scenario *, bool together, struct err *);
void network_models_close(struct network_models *); /* NULL is fine */

/* Returns NULL with err set, including the nearest name, if there is none; valid as long as the
 * models. */
const struct perf_model *network_models_find(const struct network_models *, const char *name,
                                             struct err *);

struct perf_ratio network_models_ratio(const struct network_models *, const struct perf_model *,
                                       const struct sim_node_kind *);

#endif
