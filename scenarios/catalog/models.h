/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue of models: the speed of jobs by hardware and placement. Rows of `list models`, and
 * names for the column `model` of a trace. Compiled in from scenarios/catalog/models.json; a user's
 * own objects of the same form are read by catalog_model_read().
 *
 *     "mine": {"work_s": 12.5, "batch": 512, "gradient_gb": 2.6, "speeds": {"h100": 2.2}}
 *     "guess": {"intensity": 0.3}
 */
#ifndef SCENARIOS_CATALOG_MODELS_H
#define SCENARIOS_CATALOG_MODELS_H

#include "scenarios/schema/check.h"
#include "sim/perf/model.h"

struct catalog_model {
    const char *name, *summary, *source; /* "" if not stated */
    struct perf_model model;             /* its speeds belong to the row */
};

/* Owned by the catalogue; the texts are in the tree. */
struct catalog_models {
    struct catalog_model *models;
    size_t count;
    cJSON *tree; /* the file as written */
};

/* Returns a model's object in the catalogue as written. */
const cJSON *catalog_models_object(const struct catalog_models *, const struct catalog_model *);

bool catalog_models(struct catalog_models **, struct err *err);
void catalog_models_free(struct catalog_models *); /* NULL is allowed */

/* The same from a text in memory. */
bool catalog_models_parse(struct catalog_models **, const char *name, const char *text, size_t n,
                          struct err *err);

/* Returns NULL with the error set, including the nearest name, if there is none. */
const struct catalog_model *catalog_models_find(const struct catalog_models *, const char *name,
                                                struct err *err);

/*
 * Reads an object that passed schema_model (without defaults); check->path is its location. Name
 * and texts stay in the tree. Returns false with the error set if its figures are inconsistent, or
 * its calibration contradicts itself or the model. The result is released by catalog_model_fini().
 */
struct calibration; /* calibration.h */
bool catalog_model_read(struct check *, const cJSON *object, const char *name, struct calibration *,
                        struct catalog_model *);
void catalog_model_fini(struct catalog_model *);

#endif
