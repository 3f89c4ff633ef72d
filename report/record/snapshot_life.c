/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the progress of a job; see snapshot_life.h. */
#include "report/record/snapshot_life.h"

#include "sim/base/mem.h"
#include "sim/speed.h"

#include <stdlib.h>

/* Returns its progress now; the stored one is as of its last change. */
static struct work_progress until_now(const struct sim *sim, const struct work_job *job)
{
    struct work_progress p = job->progress;
    struct work_spent spent;
    if (job->running > 0 && p.since_ms < sim->now_ms)
        work_progress_to(&p, sim->now_ms, &spent);
    return p;
}

static void count(struct json *j, const char *key, int64_t value)
{
    if (value != 0)
        json_i64(j, key, value);
}

static void seconds(struct json *j, const char *key, int64_t ms)
{
    if (ms > 0)
        json_seconds(j, key, ms);
}

static void exact(const struct work_progress *p, struct json *j)
{
    static const char *const phases[WORK_PHASES] = {
        [PHASE_WORK] = "work",       [PHASE_RESTART] = "restart", [PHASE_WRITE] = "write",
        [PHASE_STARTUP] = "startup", [PHASE_LOAD] = "load",       [PHASE_ENGINE] = "engine",
        [PHASE_READ] = "read"};
    json_begin_object(j, "progress");
    json_i64(j, "total", p->total);
    json_i64(j, "done", p->done);
    count(j, "saved", p->saved);
    count(j, "begun", p->begun);
    count(j, "left_ms", p->left_ms);
    count(j, "writing_ms", p->writing_ms);
    count(j, "launch_ms", p->launch_ms);
    count(j, "owed_ms", p->owed_ms);
    count(j, "launches", p->launches);
    if (p->phase != PHASE_WORK)
        json_text(j, "phase", phases[p->phase]);
    if (p->restarts)
        json_bool(j, "restarts", true);
    json_end_object(j);
}

/*
 * Writes checkpoints as in a trace. The effect of storage on a checkpoint applies to the next one
 * too.
 */
static void checkpoints(const struct sim *sim, const struct work_job *job, struct json *j)
{
    const struct work_progress *p = &job->progress;
    if (!job->loses && p->interval == 0 && p->write_ms == 0 && p->restart_ms == 0)
        return;
    if (job->loses)
        json_seconds(j, "checkpoint_s", work_ms_of(job, p->interval));
    if (sim->storage != NULL)
        return;
    json_seconds(j, "checkpoint_write_s", p->write_ms);
    json_seconds(j, "restart_s", p->restart_ms);
}

static void name(struct json *j, const char *key, const char *text)
{
    if (*text != '\0')
        json_text(j, key, text);
}

static void share(struct json *j, const char *key, int32_t ppm)
{
    if (ppm >= 0)
        json_f64(j, key, ppm / 1e6, 6);
}

static void recorded_on(const struct sim *sim, const struct work_job *job, struct json *j)
{
    const struct sim_node_kind *kind = sim_recorded_on(sim, job);
    if (kind == NULL)
        return;
    char *type = kind->in_catalog ? NULL : mem_format("gpu_type=%s", kind->gpu_type);
    name(j, "recorded_on", type != NULL ? type : kind->name);
    free(type);
}

static void identity(const struct sim *sim, const struct work_job *job, struct json *j)
{
    json_text(j, "class", trace_class_names[job->class]);
    if (job->status != TRACE_COMPLETED)
        json_text(j, "status", trace_status_names[job->status]);
    name(j, "user", symbols_name(sim->config.names.users, job->user));
    if (job->model != SYMBOL_NONE)
        name(j, "model", symbols_name(sim->config.names.models, job->model));
    recorded_on(sim, job, j);
    if (!job->client)
        json_u64(j, "row", job->key);
    if (job->recorded_tasks != job->most_tasks)
        count(j, "recorded_tasks", job->recorded_tasks);
    enum trace_on_failure usual = sim->config.on_failure;
    usual = usual == TRACE_ON_FAILURE_UNSET ? TRACE_RESTART : usual;
    if (job->elastic && job->on_failure != usual)
        json_text(j, "on_failure", trace_on_failure_names[job->on_failure]);
    share(j, "sm_util", job->sm_util_ppm);
    share(j, "active_frac", job->active_ppm);
}

void snapshot_life(const struct sim *sim, const struct work_job *job, struct json *j)
{
    struct work_progress p = until_now(sim, job);
    identity(sim, job, j);
    json_seconds(j, "duration_s", job->duration_ms);
    if (job->estimate_ms >= 0)
        json_seconds(j, "estimate_s", job->estimate_ms);
    checkpoints(sim, job, j);
    if (job->first_start_ms == WORK_NEVER)
        return;
    json_seconds(j, "done_s", work_ms_of(job, p.done));
    seconds(j, "saved_s", work_ms_of(job, p.saved));
    json_i64(j, "first_start_ms", job->first_start_ms);
    seconds(j, "queue_s", job->queue_ms);
    seconds(j, "ran_s", job->run_ms);
    count(j, "preemptions", job->preemptions);
    count(j, "moves", job->moves);
    count(j, "failures", job->failures);
    if (job->stopping)
        json_bool(j, "ending", true);
    exact(&p, j);
}
