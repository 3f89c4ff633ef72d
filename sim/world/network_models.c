/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models by name, and their speeds on kinds of nodes; see network_models.h. */
#include "sim/world/network_models.h"

#include "scenarios/catalog/models.h"
#include "scenarios/catalog/speeds.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

struct network_models {
    const struct scenario *scenario;
    bool together;
    struct catalog_models *catalog;
    struct catalog_speeds *speeds;
};

struct network_models *network_models_open(const struct scenario *sc, bool together,
                                           struct err *err)
{
    struct network_models *models = mem_alloc(1, sizeof *models);
    *models = (struct network_models){.scenario = sc, .together = together};
    if (catalog_models(&models->catalog, err) && catalog_speeds(&models->speeds, err))
        return models;
    network_models_close(models);
    return NULL;
}

void network_models_close(struct network_models *models)
{
    if (models == NULL)
        return;
    catalog_models_free(models->catalog);
    catalog_speeds_free(models->speeds);
    free(models);
}

const struct perf_model *network_models_find(const struct network_models *models, const char *name,
                                             struct err *err)
{
    for (size_t i = 0; i < models->scenario->model_count; i++)
        if (strcmp(models->scenario->models[i].name, name) == 0)
            return &models->scenario->models[i].model;
    const struct catalog_model *row = catalog_models_find(models->catalog, name, err);
    return row != NULL ? &row->model : NULL;
}

struct perf_ratio network_models_ratio(const struct network_models *models,
                                       const struct perf_model *model,
                                       const struct sim_node_kind *kind)
{
    return perf_ratio_of(&models->speeds->table, model, kind->gpu_type, kind->traits,
                         models->together);
}
