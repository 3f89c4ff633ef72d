/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer of SWF: 18 numbers a line, -1 for what is unknown. See trace.h for what becomes of a job. */
#include "traces/trace.h"

#define UNIX_TIME_MS INT64_C(1000000000000) /* 9 September 2001, as `trace stats` tells clocks apart */

void trace_swf_header(struct trace_swf *swf, struct out *out, const struct trace_job *first)
{
    *swf = (struct trace_swf){0};
    out_text(out,
             "; Version: 2.2\n; Conversion: fauxfleet trace convert\n; Note: one processor is one GPU\n");
    if (first && first->submit_ms >= UNIX_TIME_MS) {
        swf->origin_ms = first->submit_ms / 1000 * 1000;
        out_format(out, "; UnixStartTime: %lld\n; TimeZoneString: UTC\n", (long long)(swf->origin_ms / 1000));
    }
}

static void put(struct out *out, int64_t value)
{
    out_char(out, ' ');
    out_i64(out, value);
}

/* Seconds, or -1 for a time that is not known. */
static void put_seconds(struct out *out, bool known, int64_t ms)
{
    out_char(out, ' ');
    out_seconds(out, known ? ms : -1000);
}

static void put_unknown(struct out *out, int fields)
{
    for (int i = 0; i < fields; i++)
        put(out, -1);
}

/* Names are numbered from 1; no name is unknown. */
static int64_t number_of(const struct symbols *names, uint32_t symbol)
{
    return symbol == SYMBOL_NONE || symbols_name(names, symbol)[0] == '\0' ? -1 : (int64_t)symbol + 1;
}

/* KiB of memory for each processor, which tasks without GPUs do not have. */
static int64_t memory_kib(const struct trace_job *job, int64_t gpus)
{
    if (job->mem_mib == 0 || job->gpus_total >= 0)
        return -1;
    return job->mem_mib * 1024 * job->tasks / gpus;
}

void trace_swf_job(struct trace_swf *swf, struct out *out, const struct trace_job *job,
                   const struct trace_names *names)
{
    static const int codes[TRACE_STATUSES] = {
        [TRACE_COMPLETED] = 1, [TRACE_FAILED] = 0, [TRACE_CANCELLED] = 5};
    int64_t milli = trace_job_gpu_milli(job), gpus = (milli + 999) / 1000;
    swf->without += milli == 0;
    if (milli == 0)
        return;
    swf->shares += milli % 1000 != 0;
    swf->waits_on += job->after[0] != '\0';
    swf->jobs++;
    out_i64(out, (int64_t)swf->jobs);
    put_seconds(out, true, job->submit_ms - swf->origin_ms);
    put_seconds(out, job->start_ms != TRACE_UNKNOWN && job->start_ms >= job->submit_ms,
                job->start_ms - job->submit_ms);
    put_seconds(out, true, job->duration_ms);
    put(out, gpus);
    put_unknown(out, 2); // average CPU time, used memory
    put(out, gpus);
    put_seconds(out, job->limit_ms != TRACE_UNKNOWN, job->limit_ms);
    put(out, memory_kib(job, gpus));
    put(out, codes[job->status]);
    put(out, number_of(names->users, job->user));
    put_unknown(out, 1); // group
    put(out, number_of(names->models, job->model));
    put(out, number_of(names->queues, job->queue));
    put_unknown(out, 3); // partition, preceding job, think time
    out_char(out, '\n');
}
