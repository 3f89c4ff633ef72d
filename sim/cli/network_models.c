/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models with their speeds on the kinds of nodes at hand; see network_models.h. */
#include "sim/cli/network_models.h"

#include "scenarios/catalog_models.h"
#include "scenarios/catalog_speeds.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Its address is handed out, so each is a piece of memory of its own. */
struct resolved {
    const struct perf_model *from;
    struct perf_model model;
    struct resolved *next;
    struct perf_device_speed speeds[]; /* of the kinds */
};

struct network_models {
    const struct scenario *scenario;
    const struct sim_node_kind *kinds;
    uint32_t kind_count;
    bool together;
    struct catalog_models *catalog;
    struct catalog_speeds *speeds;
    struct resolved *first;
};

struct network_models *network_models_open(const struct scenario *sc, const struct sim_node_kind *kinds,
                                           uint32_t kind_count, bool together, struct err *err)
{
    struct network_models *models = mem_alloc(1, sizeof *models);
    *models = (struct network_models){
        .scenario = sc, .kinds = kinds, .kind_count = kind_count, .together = together};
    if (catalog_models(&models->catalog, err) && catalog_speeds(&models->speeds, err))
        return models;
    network_models_close(models);
    return NULL;
}

void network_models_close(struct network_models *models)
{
    if (models == NULL)
        return;
    for (struct resolved *entry = models->first, *next; entry != NULL; entry = next) {
        next = entry->next;
        free(entry);
    }
    catalog_models_free(models->catalog);
    catalog_speeds_free(models->speeds);
    free(models);
}

const struct perf_generations *network_models_speeds(const struct network_models *models)
{
    return &models->speeds->table;
}

static const struct perf_model *named(const struct network_models *models, const char *name, struct err *err)
{
    for (size_t i = 0; i < models->scenario->model_count; i++)
        if (strcmp(models->scenario->models[i].name, name) == 0)
            return &models->scenario->models[i].model;
    const struct catalog_model *row = catalog_models_find(models->catalog, name, err);
    return row != NULL ? &row->model : NULL;
}

static const struct perf_model *resolve(struct network_models *models, const struct perf_model *from)
{
    struct resolved *entry = mem_alloc(1, sizeof *entry + models->kind_count * sizeof *entry->speeds);
    entry->from = from;
    entry->model = *from;
    entry->next = models->first;
    models->first = entry;
    for (uint32_t i = 0; i < models->kind_count; i++) {
        const struct sim_node_kind *kind = &models->kinds[i];
        double speed =
            perf_ratio_of(&models->speeds->table, from, kind->gpu_type, kind->traits, models->together).speed;
        entry->speeds[i] = (struct perf_device_speed){kind->gpu_type, speed};
    }
    entry->model.speeds = entry->speeds;
    entry->model.speed_count = models->kind_count;
    return &entry->model;
}

const struct perf_model *network_models_find(struct network_models *models, const char *name, struct err *err)
{
    const struct perf_model *from = named(models, name, err);
    if (from == NULL)
        return NULL;
    for (const struct resolved *entry = models->first; entry != NULL; entry = entry->next)
        if (entry->from == from)
            return &entry->model;
    return resolve(models, from);
}
