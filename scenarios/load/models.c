/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models defined in the scenario. */
#include "scenarios/catalog/models.h"
#include "scenarios/catalog/calibration.h"
#include "scenarios/load/fill.h"

#include <stdio.h>
#include <string.h>

static bool fill_model(struct build *build, const cJSON *object, struct calibration *with,
                       struct catalog_model *model)
{
    struct check check = {
        .where = layers_where, .of = &build->layers, .whole = true, .err = build->err};
    (void)snprintf(check.path, sizeof check.path, "models");
    json_path_add(check.path, object->string);
    if (!catalog_model_read(&check, object, object->string, with, model))
        return false;
    size_t count = model->model.speed_count;
    struct perf_device_speed *speeds = build_alloc(build, count + 1, sizeof *speeds);
    if (count > 0)
        memcpy(speeds, model->model.speeds, count * sizeof *speeds);
    catalog_model_fini(model);
    model->model.speeds = speeds;
    return true;
}

bool fill_models(struct build *build)
{
    const cJSON *all = json_member(build->tree, "models");
    struct catalog_model *models =
        build_alloc(build, (size_t)cJSON_GetArraySize(all) + 1, sizeof *models);
    struct calibration with = {0};
    bool ok = true;
    build->scenario.models = models;
    for (const cJSON *entry = all ? all->child : NULL; entry && ok; entry = entry->next) {
        ok = fill_model(build, entry, &with, &models[build->scenario.model_count]);
        build->scenario.model_count += ok;
    }
    calibration_fini(&with);
    return ok;
}
