/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One arrival: from the trace's record to a job that the policy core knows. */
#include "sim/internal.h"

/* To the core 0 means "at once". On a clock that is still below zero a job that may start at 0 is kept 1 ms longer. */
static int64_t begin_time(const struct trace_job *from)
{
    return from->eligible_ms == 0 && from->submit_ms < 0 ? 1 : from->eligible_ms;
}

struct work_job *sim_admit(struct sim *sim, const struct trace_job *from, struct err *err)
{
    uint32_t queue_id;
    if (!work_supported(from, err))
        return NULL;
    if (!sim_queue_for(sim, from->queue, &queue_id, err)) {
        err_prefix(err, "job '%s' (row %llu of its trace)", from->id, (unsigned long long)from->row + 1);
        return NULL;
    }
    struct sim_queue *queue = &sim->queues[queue_id];
    struct policy_role roles[2];
    int role_count = work_roles(from, queue->node_gpus, sim->counts, roles);
    enum trace_class class = work_class(from, queue->node_gpus);
    int32_t priority = work_priority(from, class);
    struct policy_job_spec spec = {
        .size = sizeof spec,
        .queue = queue->core,
        .priority = priority,
        .preemptible = from->preemptible == TRACE_UNKNOWN ? priority < 100 : from->preemptible != 0,
        .rank = sim->submitted,
        .submitted = from->submit_ms,
        .eligible = begin_time(from),
        .run_ms = from->duration_ms,
        .limit_ms = from->limit_ms,
        .roles = roles,
        .role_count = (uint32_t)role_count,
    };
    sim_touch(sim, queue->site);
    policy_job core = policy_submit(sim->policy, sim->now_ms, &spec);
    if (core.i == POLICY_NO_ID) {
        sim_core_ok(sim, POLICY_INVALID, err);
        return NULL;
    }
    struct work_job *job = work_add(&sim->work, core, from->id);
    job->number = sim->submitted++;
    job->submit_ms = from->submit_ms;
    job->eligible_ms = from->eligible_ms;
    job->duration_ms = from->duration_ms;
    job->gpu_milli = trace_job_gpu_milli(from);
    for (int i = 0; i < role_count; i++)
        job->tasks += roles[i].tasks;
    job->request[0] = roles[0].request;
    job->request[1] = roles[role_count - 1].request;
    job->first_role_tasks = roles[0].tasks;
    job->queue = queue_id;
    job->user = from->user;
    job->class = (uint8_t) class;
    job->status = (uint8_t)from->status;
    job->sm_util_ppm = from->sm_util_ppm;
    job->active_ppm = from->active_ppm;
    job->counted = job->submit_ms >= sim->window_start_ms && job->submit_ms < sim->window_end_ms;
    queue->pending_jobs++;
    queue->pending_milli += job->gpu_milli;
    sim->pending++;
    SIM_TELL(sim, submitted, sim, job);
    return job;
}
