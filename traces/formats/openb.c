/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pod lists of Alibaba's 2023 GPU cluster ("openb"). A pod is a job of one task on one node:
 * num_gpu devices with gpu_milli thousandths each. Some lists end after these columns: packing
 * studies need no times, and such pods arrive at 0 and last 0 s.
 *
 * Mapping: creation to submit; deletion - scheduled to duration (deletion - creation for pods that
 * were never scheduled); phase Failed to failed, Pending to cancelled, all others to completed
 * (Running ones were cut off by the end of the trace). qos (LS, BE, Burstable, Guaranteed) implies
 * neither a class nor a priority and is not used.
 */
#include "traces/formats.h"

#include <stddef.h>
#include <string.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

static const struct phase {
    const char *name;
    enum trace_status status;
} phases[] = {
    {"Running", TRACE_COMPLETED},
    {"Succeeded", TRACE_COMPLETED},
    {"Failed", TRACE_FAILED},
    {"Pending", TRACE_CANCELLED},
};

static const char *set_phase(void *data, const struct csv_column *column, const char *text,
                             size_t n)
{
    struct format_context *context = data;
    (void)column;
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        if (strlen(phases[i].name) == n && memcmp(phases[i].name, text, n) == 0) {
            context->row.job.status = phases[i].status;
            return NULL;
        }
    }
    return "Running, Succeeded, Failed or Pending";
}

static const struct csv_column spec_text = {"gpu_spec", 0, field_text, JOB(gpu_spec), 0, 0};

/* The allowed types, and their spelling: lists distinguish "T4|T4" from "T4" when they compare
 * tasks. */
static const char *set_spec(void *data, const struct csv_column *column, const char *text, size_t n)
{
    const char *wrong = field_types(data, column, text, n);
    return wrong != NULL ? wrong : field_text(data, &spec_text, text, n);
}

// clang-format off
static const struct csv_column columns[] = {
    {"name",           CSV_NEEDED, field_text,  JOB(id),          0, 0},
    {"cpu_milli",      CSV_NEEDED, field_i64,   JOB(cpu_milli),   0, 1000000000},
    {"memory_mib",     CSV_NEEDED, field_i64,   JOB(mem_mib),     0, 1000000000000},
    {"num_gpu",        CSV_NEEDED, field_i64,   RAW(gpus),        0, 1024},
    {"gpu_milli",      CSV_NEEDED, field_i64,   RAW(gpu_milli),   0, 1000000},
    {"gpu_spec",       0,          set_spec,    JOB(gpu_types),   0, 0},
    {"qos",            0,          NULL,        0,                0, 0},
    {"pod_phase",      0,          set_phase,   0,                0, 0},
    {"creation_time",  CSV_NONE,   field_time,  JOB(submit_ms),   0, 0},
    {"deletion_time",  CSV_NONE,   field_time,  RAW(end_ms),      0, 0},
    {"scheduled_time", CSV_NONE,   field_time,  RAW(start_ms),    0, 0},
};
// clang-format on

static bool request(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    struct trace_job *job = &row->job;
    int64_t share = row->raw.gpu_milli;
    if (share > 1000) {
        format_note(context, "gpu_milli above 1000, cut to 1000");
        share = 1000;
    }
    context->at_fault = "gpu_milli";
    if (row->raw.gpus > 1 && share < 1000)
        return err_set(
            err, EXIT_INPUT,
            "column 'gpu_milli': '%lld' with num_gpu %lld, expected 1000 for several GPUs",
            (long long)share, (long long)row->raw.gpus);
    if ((row->raw.gpus == 0) != (share == 0))
        return err_set(err, EXIT_INPUT,
                       "column 'gpu_milli': '%lld' with num_gpu %lld, expected 0 with 0 alone",
                       (long long)share, (long long)row->raw.gpus);
    job->gpus = (int32_t)row->raw.gpus;
    job->gpu_milli = share == 1000 ? 0 : (int32_t)share;
    return true;
}

/* Sets the times; returns false if the row must be dropped. */
static bool times(struct format_context *context)
{
    struct format_row *row = &context->row;
    struct trace_job *job = &row->job;
    bool created = job->submit_ms != FORMAT_ABSENT, deleted = row->raw.end_ms != FORMAT_ABSENT;
    bool scheduled = row->raw.start_ms != FORMAT_ABSENT;
    if (!created)
        job->submit_ms = 0;
    if (scheduled)
        job->start_ms = row->raw.start_ms;
    if (!created && !deleted && !scheduled) {
        format_note(context, "no times: submitted at 0, duration 0");
        return true;
    }
    if (!created)
        format_note(context, "no creation time: submitted at 0");
    if (!deleted) {
        format_note(context, "no deletion time: duration 0");
        return true;
    }
    if (!scheduled)
        format_note(context, "never scheduled: duration counted from its creation");
    job->duration_ms = row->raw.end_ms - (scheduled ? row->raw.start_ms : job->submit_ms);
    if (job->duration_ms >= 0)
        return true;
    format_note(context, "deleted before it began, row dropped");
    return false;
}

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    if (!request(context, err))
        return FORMAT_ERROR;
    return times(context) ? FORMAT_KEEP : FORMAT_DROP;
}

const struct trace_format format_openb = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
