/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the table of measurements of a model (`calibration`) for consistency, and against the
 * model if it names the kind of node. So a misprint in a published table is found when it is read.
 *
 *     struct calibration with = {0};
 *     ok = calibration_check(&with, &check, object, &model);
 *     calibration_fini(&with);
 */
#ifndef SCENARIOS_CATALOG_CALIBRATION_H
#define SCENARIOS_CATALOG_CALIBRATION_H

#include "scenarios/schema/check.h"
#include "sim/perf/model.h"

struct scen_node;
struct perf_rules;
struct catalog_speeds;

/* The reference data, created on first use; zero-initialised. */
struct calibration {
    struct scen_node *nodes; /* from the catalogue */
    size_t node_count;
    struct perf_rules *rules;
    struct catalog_speeds *speeds;
};

void calibration_fini(struct calibration *);

/*
 * Returns false with err set; check->path is the model's location. `object` passed schema_model,
 * and `model` was made from it.
 */
bool calibration_check(struct calibration *, struct check *, const cJSON *object,
                       const struct perf_model *);

#endif
