/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of a model: a row of the catalogue of models, or a user's own (sim/perf/model.h). */
#ifndef SCENARIOS_SCHEMA_MODEL_H
#define SCENARIOS_SCHEMA_MODEL_H

#include "scenarios/schema/schema.h"

extern const struct schema_row schema_model;
extern const struct schema_row schema_models; /* the file models.json */

/* Names in the order of enum perf_family and enum perf_cpu_curve. */
#define SCHEMA_FAMILIES   "none|a3c|cyclegan|lm|recsys|resnet18|resnet50|transformer"
#define SCHEMA_CPU_CURVES "none|alexnet|resnet18|resnet50|language"

#endif
