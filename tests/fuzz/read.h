/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the fuzz targets of trace formats: reads bytes as a trace of one format, streamed and sorted,
 * and checks that every job keeps the promises of traces/trace.h, whatever the input. A target is a
 * call of fuzz_read() from LLVMFuzzerTestOneInput, in its own file since a fuzzer has one entry
 * point.
 */
#ifndef TESTS_FUZZ_READ_H
#define TESTS_FUZZ_READ_H

#include "traces/fields.h"
#include "traces/file.h"
#include "traces/pod_sets.h"

#include <string.h>

static inline void fuzz_check(const struct trace_job *job, const struct trace_names *names)
{
    BUG_ON(!job->id || !job->mig || !job->after || !job->topology_required ||
           !job->topology_preferred);
    BUG_ON(job->queue >= symbols_count(names->queues) || job->user >= symbols_count(names->users));
    BUG_ON(job->model != SYMBOL_NONE && job->model >= symbols_count(names->models));
    BUG_ON(job->class > TRACE_CLASS_UNSET || job->status >= TRACE_STATUSES);
    BUG_ON(job->submit_ms > FIELD_LARGEST || job->submit_ms < -FIELD_LARGEST ||
           job->eligible_ms < job->submit_ms);
    BUG_ON(job->duration_ms < 0 || job->duration_ms > 2 * FIELD_LARGEST);
    BUG_ON(job->limit_ms < TRACE_UNKNOWN || job->estimate_ms < TRACE_UNKNOWN);
    BUG_ON(job->min_tasks < 1 || job->min_tasks > job->tasks || job->tasks > job->max_tasks);
    BUG_ON(job->gpus_total < TRACE_UNKNOWN || job->gpus < 0 || job->gpu_milli < 0 ||
           job->gpu_milli > 999);
    BUG_ON(job->gpu_mem_mib < 0 || job->cpu_milli < 0 || job->mem_mib < 0);
    BUG_ON(trace_job_gpu_milli(job) < 0);
    struct trace_roles roles;
    struct err err;
    BUG_ON(!trace_roles_read(job->roles, &roles, &err));
    BUG_ON(roles.role_count > 0 && (trace_roles_sum(&roles).tasks != job->tasks ||
                                    trace_roles_sum(&roles).milli != trace_job_gpu_milli(job)));
    BUG_ON(trace_job_least_milli(job) < 0 || trace_job_least_milli(job) > trace_job_gpu_milli(job));
    int64_t ms[TRACE_RUNGS];
    int count;
    BUG_ON(!trace_rungs(job->rungs, ms, &count) || (count > 0 && job->array[0] == '\0'));
    BUG_ON(job->eta_milli != TRACE_UNKNOWN && job->eta_milli <= 1000);
}

/* `setting` may be NULL. */
static inline void fuzz_read_once(const char *format, const struct trace_setting *setting,
                                  bool sort, const uint8_t *data, size_t size)
{
    struct trace_names names = {symbols_create(), symbols_create(), symbols_create(),
                                symbols_create(), symbols_create()};
    struct trace_options options = {.format = format,
                                    .names = names,
                                    .sort = sort,
                                    .settings = setting,
                                    .setting_count = setting != NULL};
    struct trace *trace;
    struct err err = {0};
    bool failed = !trace_open_input(&trace, input_memory("fuzz", data, size), &options, &err);
    if (!failed) {
        struct trace_job job;
        enum trace_result result;
        int64_t last_ms = INT64_MIN;
        while ((result = trace_next(trace, &job, &err)) == TRACE_JOB) {
            fuzz_check(&job, &names);
            BUG_ON(job.submit_ms < last_ms);
            last_ms = job.submit_ms;
        }
        failed = result < 0;
        trace_close(trace);
    }
    /* The place is in the trace, or in the file named by the setting. */
    BUG_ON(failed && err.code != EXIT_INPUT);
    BUG_ON(failed && strncmp(err.msg, "fuzz:", 5) != 0 &&
           (setting == NULL || strncmp(err.msg, setting->value, strlen(setting->value)) != 0));
    BUG_ON(!failed && err.code != 0);
    symbols_destroy(names.queues);
    symbols_destroy(names.users);
    symbols_destroy(names.gpu_types);
    symbols_destroy(names.models);
    symbols_destroy(names.nodes);
}

static inline int fuzz_read(const char *format, const uint8_t *data, size_t size)
{
    fuzz_read_once(format, NULL, false, data, size);
    fuzz_read_once(format, NULL, true, data, size);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
