/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the table of measurements of a model (`calibration`) for consistency, and against the
 * model where it names the kind of node. A misprint in a published table is found when it is read,
 * not when results surprise a user.
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

/* What tables are compared with, created on first use; initially zero. */
struct calibration {
    struct scen_node *nodes; /* of the catalogue */
    size_t node_count;
    struct perf_rules *rules;
    struct catalog_speeds *speeds;
};

void calibration_fini(struct calibration *);

/* False with the error set; check->path is the model's place. `object` passed schema_model, `model`
 * was made from it. */
bool calibration_check(struct calibration *, struct check *, const cJSON *object,
                       const struct perf_model *);

#endif
