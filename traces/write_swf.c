/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The writer of SWF: 18 numbers per line, -1 for unknown. trace.h says how jobs are converted. */
#include "traces/trace.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* 9 September 2001; `trace stats` uses the same bound */
#define UNIX_TIME_MS INT64_C(1000000000000)

void trace_swf_header(struct trace_swf *swf, struct out *out, const struct trace_job *first,
                      bool linked)
{
    *swf = (struct trace_swf){.ids = linked ? symbols_create() : NULL};
    out_text(out, "; Version: 2.2\n; Conversion: fauxfleet trace convert\n; Note: one processor is "
                  "one GPU\n");
    if (first && first->submit_ms >= UNIX_TIME_MS) {
        swf->origin_ms = first->submit_ms / 1000 * 1000;
        out_format(out, "; UnixStartTime: %lld\n; TimeZoneString: UTC\n",
                   (long long)(swf->origin_ms / 1000));
    }
}

static void put(struct out *out, int64_t value)
{
    out_char(out, ' ');
    out_i64(out, value);
}

/* Seconds, or -1 if the time is unknown. */
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

/* Names are numbered from 1; "" is unknown. */
static int64_t number_of(const struct symbols *names, uint32_t symbol)
{
    return symbol == SYMBOL_NONE || symbols_name(names, symbol)[0] == '\0' ? -1
                                                                           : (int64_t)symbol + 1;
}

/* KiB of memory per processor; only for jobs with tasks. */
static int64_t memory_kib(const struct trace_job *job, int64_t gpus)
{
    if (job->mem_mib == 0 || job->gpus_total >= 0)
        return -1;
    return job->mem_mib * 1024 * job->tasks / gpus;
}

/* The number of the only job that this one depends on, or -1; counts the others. */
static int64_t preceding(struct trace_swf *swf, const struct trace_job *job)
{
    const char *name = job->after;
    if (name[0] == '\0')
        return -1;
    bool any = strncmp(name, "any:", 4) == 0;
    name += any ? 4 : 0;
    swf->several += strchr(name, '|') != NULL;
    if (strchr(name, '|') != NULL)
        return -1;
    uint32_t id = swf->ids == NULL ? SYMBOL_NONE : symbols_find(swf->ids, name, strlen(name));
    swf->missing += id == SYMBOL_NONE;
    if (id == SYMBOL_NONE)
        return -1;
    swf->well += !any;
    return (int64_t)swf->number_of[id];
}

static void know(struct trace_swf *swf, const char *name)
{
    if (swf->ids == NULL)
        return;
    uint32_t id = symbols_add(swf->ids, name, strlen(name));
    swf->number_of =
        mem_grow(swf->number_of, &swf->number_capacity, (size_t)id + 1, sizeof *swf->number_of);
    swf->number_of[id] = swf->jobs;
}

void trace_swf_fini(struct trace_swf *swf)
{
    if (swf->ids != NULL)
        symbols_destroy(swf->ids);
    free(swf->number_of);
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
    swf->arrays += job->array[0] != '\0';
    int64_t after = preceding(swf, job);
    swf->jobs++;
    know(swf, job->id);
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
    put(out, job->status_unknown ? -1 : codes[job->status]);
    put(out, number_of(names->users, job->user));
    put_unknown(out, 1); // group
    put(out, number_of(names->models, job->model));
    put(out, number_of(names->queues, job->queue));
    put_unknown(out, 1); // partition
    put(out, after);
    put_seconds(out, after > 0 && job->think_ms > 0, job->think_ms);
    out_char(out, '\n');
}
