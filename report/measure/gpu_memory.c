/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time lost to contention for device memory; see gpu_memory.h. */
#include "report/measure/gpu_memory.h"

#include "sim/gpu_memory.h"

/* Returns the work lost at speed s f instead of s, as time at the best speed of the job's nodes. */
static ledger_amount lost_to_swap(const struct sim_span *span, int64_t ppm)
{
    return (ledger_amount)span->milli * span->spent.work_ms * span->speed_ppm * (WORK_IDEAL - ppm) /
           ppm / span->hardware_ppm;
}

static void spent(void *self, const struct sim *sim, const struct work_job *job,
                  const struct sim_span *span)
{
    struct gpu_memory *g = self;
    if (sim->memory == NULL)
        return;
    if (job->starved && !job->hung) /* while it hangs, the time is lost to the fault */
        g->waited += (ledger_amount)span->milli * span->spent.still_ms;
    int64_t ppm = span->spent.work_ms > 0 ? sim_memory_ppm(sim, job) : WORK_IDEAL;
    if (ppm < WORK_IDEAL)
        g->swap_lost += lost_to_swap(span, ppm);
}

struct sim_observer gpu_memory_observer(struct gpu_memory *g)
{
    return (struct sim_observer){.self = g, .spent = spent};
}

void gpu_memory_json(const struct gpu_memory *g, const struct sim *sim, struct json *j)
{
    if (sim->memory == NULL)
        return;
    struct sim_memory_stats s = sim_memory_stats(sim);
    json_begin_object(j, "gpu_memory");
    json_u64(j, "collisions", s.collisions);
    json_u64(j, "waits", s.waits);
    json_f64(j, "wait_gpu_h", ledger_hours(g->waited), 6);
    json_u64(j, "oom_kills", s.oom_kills);
    json_u64(j, "stuck_kills", s.stuck_kills);
    json_u64(j, "evicted_idle", s.evicted_idle);
    json_u64(j, "evicted_priority", s.evicted_priority);
    json_f64(j, "swapped_gb", s.swapped_gb, 6);
    json_f64(j, "swap_lost_gpu_h", ledger_hours(g->swap_lost), 6);
    json_f64(j, "mean_use", s.mean_use, 6);
    json_f64(j, "peak_use", s.peak_use, 6);
    json_f64(j, "mean_tenants", s.mean_tenants, 6);
    json_f64(j, "peak_tenants", s.peak_tenants, 0);
    json_end_object(j);
}
