/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packing studies: arrivals one at a time; nothing leaves, and what fits nowhere is dropped. */
#include "sim/internal.h"

static void drop(struct sim *sim, struct work_job *job)
{
    struct sim_queue *queue = &sim->queues[job->queue];
    queue->pending_jobs--;
    queue->wanted_milli -= job->wanted_milli;
    sim_alter(sim, job->queue);
    sim->pending--;
    sim->elastic -= job->elastic;
    sim->ended++;
    SIM_TELL(sim, dropped, sim, job);
    work_remove(&sim->work, job);
}

bool sim_fill(struct sim *sim, const struct trace_job *jobs, const int64_t *order, size_t count,
              struct err *err)
{
    sim->filling = true;
    sim->now_ms = sim->first_submit_ms = sim->window_start_ms = 0;
    for (size_t i = 0; i < count; i++) {
        struct trace_job arrival = jobs[order[i]];
        arrival.submit_ms = arrival.eligible_ms = 0; /* no clock */
        sim->event_count++;
        struct work_job *job = sim_admit(sim, &arrival, err);
        if (job == NULL)
            return false;
        policy_job core = job->core;
        if (!sim_decide(sim, err))
            return false;
        job = &sim->work.jobs[core.i];
        if (job->state == WORK_PENDING) {
            if (!sim_core_ok(
                    sim, sim_tell(sim, &(struct fact){.kind = FACT_JOB_CANCEL, .job = core}), err))
                return false;
            drop(sim, job);
        }
        if (sim->config.audit && !sim_audit(sim, err))
            return false;
    }
    return true;
}
