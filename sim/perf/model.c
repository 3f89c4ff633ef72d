/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models created empty or from one number, and look-ups in them. */
#include "sim/perf/model.h"

#include <string.h>

struct perf_model perf_model_empty(void)
{
    return (struct perf_model){
        .samples = "samples",
        .imbalance = 1,
        .tensor_parallel = 1,
        .pipeline_parallel = 1,
        .micro_batches = 1,
        .virtual_stages = 1,
        .numa = 1,
    };
}

double perf_model_known_speed(const struct perf_model *model, const char *gpu_type, double fallback)
{
    for (size_t i = 0; i < model->speed_count; i++) {
        if (strcmp(model->speeds[i].gpu_type, gpu_type) == 0)
            return model->speeds[i].speed;
    }
    return fallback > 0 ? fallback : 0;
}

double perf_model_intensity(const struct perf_model *model)
{
    double work_s = model->work_s * (model->weak ? PERF_Q_DEVICES : 1);
    return work_s > 0 ? model->imbalance * model->gradient_gb / work_s : 0;
}

struct perf_model perf_model_of_intensity(double q)
{
    struct perf_model model = perf_model_empty();
    model.weak = true;
    model.work_s = 1;
    model.batch = 1;
    model.gradient_gb = q * PERF_Q_DEVICES;
    return model;
}
