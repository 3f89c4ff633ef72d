/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Models of the scenario and the catalogue by name, as the driver wants them: with their speed on each kind of node
 * worked out once (sim/perf/generation.h), in the order of the kinds and under the very pointers of their types, where
 * perf_model_speed() finds it without comparing texts.
 */
#ifndef SIM_CLI_NETWORK_MODELS_H
#define SIM_CLI_NETWORK_MODELS_H

#include "scenarios/scenario.h"
#include "sim/speed.h"

struct network_models;
struct perf_generations;

/*
 * Scenario and kinds have to outlive it; `together`: nothing else counts communication (generation.h). NULL with err set.
 */
struct network_models *network_models_open(const struct scenario *, const struct sim_node_kind *kinds,
                                           uint32_t kind_count, bool together, struct err *);
void network_models_close(struct network_models *); /* NULL is fine */

/* NULL with err set, the nearest name in it, when there is none; lives as long as the models. */
const struct perf_model *network_models_find(struct network_models *, const char *name, struct err *);

/* What speeds follow from, for those who want their marks. */
const struct perf_generations *network_models_speeds(const struct network_models *);

#endif
