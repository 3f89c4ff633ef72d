/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading the jobs of a log; see log.h. */
#include "sim/calibrate/log.h"

#include "sim/base/mem.h"
#include "sim/program/signals.h"
#include "sim/world/workload.h"

#include <stdlib.h>
#include <string.h>

static void add(struct calibrate_log *log, const struct trace_job *job)
{
    log->read++;
    if (job->start_ms == TRACE_UNKNOWN) {
        log->without_start++;
        return;
    }
    if (job->start_ms < job->eligible_ms) {
        log->early++;
        return;
    }
    if (symbols_add(log->ids, job->id, strlen(job->id)) != log->job_count) {
        log->repeated++;
        return;
    }
    bool ended = job->end_ms != TRACE_UNKNOWN && job->end_ms >= job->start_ms;
    log->jobs = mem_grow(log->jobs, &log->capacity, log->job_count + 1, sizeof *log->jobs);
    log->jobs[log->job_count++] = (struct calibrate_job){
        .eligible_ms = job->eligible_ms,
        .start_ms = job->start_ms,
        .end_ms = ended ? job->end_ms : job->start_ms + job->duration_ms,
        .recorded_ms = job->start_ms - job->eligible_ms,
        .simulated_ms = CALIBRATE_NEVER,
        .gpu_milli = trace_job_gpu_milli(job),
        .queue = job->queue,
    };
}

static bool read_part(struct calibrate_log *log, const struct scenario *sc, size_t part,
                      struct err *err)
{
    struct trace *trace = NULL;
    struct trace_job job;
    enum trace_result got = TRACE_ERROR;
    if (!workload_recorded(sc, part, sc->seed, &log->names, true, NULL, &trace, err))
        return false;
    while (cli_interrupted() == 0 && (got = trace_next(trace, &job, err)) == TRACE_JOB)
        add(log, &job);
    trace_close(trace);
    if (cli_interrupted() != 0)
        return err_set(err, 128 + cli_interrupted(), "interrupted");
    return got == TRACE_END;
}

bool calibrate_log_read(struct calibrate_log *log, const struct scenario *sc, struct err *err)
{
    *log = (struct calibrate_log){.names = trace_names_create(), .ids = symbols_create()};
    for (size_t part = 0; part < sc->source_count; part++)
        if (sc->sources[part].trace != NULL && !read_part(log, sc, part, err))
            return false;
    return log->job_count > 0 ||
           err_set(err, EXIT_INPUT,
                   "the log does not say when its jobs started, so there is nothing to compare "
                   "(the native format says it in the column start_s)");
}

void calibrate_log_fini(struct calibrate_log *log)
{
    trace_names_destroy(&log->names);
    symbols_destroy(log->ids);
    free(log->jobs);
}
