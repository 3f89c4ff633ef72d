/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Throughput of a job: the effect of more or fewer tasks on an elastic job, and samples per second
 * by its model. */
#include "sim/speed.h"
#include "sim/speed_internal.h"

#include <math.h>

/* Samples per second on the best placement of that many devices. */
static double best_rate(const struct perf_model *model, int gpus, double best_s)
{
    return model->batch * (model->weak ? gpus : 1) / best_s;
}

/* Of the tasks that its speed goes by. */
static const struct work_request *working_request(const struct work_job *job)
{
    for (uint32_t i = 0; i < job->part_count; i++)
        if (job->parts[i].works)
            return &job->parts[i].request;
    return &job->request;
}

int64_t speed_scaling(struct sim *sim, const struct work_job *job, const struct pace *pace,
                      int gpus, double best_s)
{
    const struct work_request *r = working_request(job);
    int32_t running = work_working_tasks(job);
    int64_t recorded = (int64_t)job->recorded_tasks * r->devices;
    bool whole = r->profile == 0 && r->milli == FLEET_WHOLE && r->device_mem_mib == 0;
    if (!job->elastic || !whole || running == job->recorded_tasks || recorded < 1 ||
        recorded > INT32_MAX)
        return WORK_IDEAL;
    double recorded_s = speed_best_there(sim, job, pace, (int)recorded);
    if (!(best_s > 0) || !(recorded_s > 0) || isinf(best_s) || isinf(recorded_s))
        return WORK_IDEAL;
    double times =
        best_rate(pace->model, gpus, best_s) / best_rate(pace->model, (int)recorded, recorded_s);
    double scaling = times * job->recorded_tasks / running * (double)WORK_IDEAL;
    return scaling < 1 ? 1 : scaling < SPEED_SCALING_MOST ? llround(scaling) : SPEED_SCALING_MOST;
}

bool sim_rate_of(const struct sim *sim, const struct work_job *job, struct sim_rate *rate)
{
    if (sim->speed == NULL || job->core.i >= sim->speed->pace_count)
        return false;
    const struct pace *pace = &sim->speed->paces[job->core.i];
    if (pace->gen != job->core.gen || pace->name == SYMBOL_NONE || !(pace->best_s > 0) ||
        isinf(pace->best_s))
        return false;
    double speed = (double)job->speed_ppm / (double)WORK_IDEAL;
    *rate = (struct sim_rate){.model = pace->name,
                              .gpus = pace->gpus,
                              .samples = pace->model->samples,
                              .step_s = pace->best_s / speed,
                              .samples_per_s =
                                  best_rate(pace->model, pace->gpus, pace->best_s) * speed};
    return true;
}
