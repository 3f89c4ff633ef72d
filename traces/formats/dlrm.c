/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Alibaba's 2025 trace of GPU-disaggregated recommendation models (NSDI '25): pods of 156 inference
 * services in one month, on CPU nodes (CN) and heterogeneous nodes with GPUs (HN). A pod is a job
 * of one task; its service is its queue. Pods without a creation time existed when the month began
 * and are submitted at 0; pods without a deletion time ran beyond its end and last until then, 31
 * days. Both are counted. Shares of network cards, disks and limits are not used.
 */
#include "traces/formats.h"

#include "sim/base/text.h"

#include <stddef.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

#define MONTH_MS (INT64_C(31) * 86400 * 1000)

static const char *set_memory(void *data, const struct csv_column *column, const char *text,
                              size_t n)
{
    struct format_context *context = data;
    int64_t milli_gib;
    (void)column;
    if (!text_scaled(text, n, 3, &milli_gib) || milli_gib < 0 || milli_gib > 1000000000)
        return "GiB from 0 to 1e6";
    context->row.job.mem_mib = milli_gib * 1024 / 1000;
    return NULL;
}

#define NONE CSV_NONE
// clang-format off
static const struct csv_column columns[] = {
    {"instance_sn",           CSV_NEEDED, field_text,  JOB(id),         0, 0},
    {"app_name",              CSV_NEEDED, field_queue, JOB(queue),      0, 0},
    {"role",                  CSV_NEEDED, NULL,        0,               0, 0},
    {"cpu_request",           CSV_NEEDED, field_milli, JOB(cpu_milli),  0, 0},
    {"gpu_request",           CSV_NEEDED, field_i32,   JOB(gpus),       0, 1024},
    {"memory_request",        CSV_NEEDED, set_memory,  0,               0, 0},
    {"creation_time",         NONE,       field_time,  JOB(submit_ms),  0, 0},
    {"scheduled_time",        NONE,       field_time,  RAW(start_ms),   0, 0},
    {"deletion_time",         NONE,       field_time,  RAW(end_ms),     0, 0},
    {"cpu_limit",             0,          NULL,        0,               0, 0},
    {"gpu_limit",             0,          NULL,        0,               0, 0},
    {"rdma_request",          0,          NULL,        0,               0, 0},
    {"rdma_limit",            0,          NULL,        0,               0, 0},
    {"memory_limit",          0,          NULL,        0,               0, 0},
    {"disk_request",          0,          NULL,        0,               0, 0},
    {"disk_limit",            0,          NULL,        0,               0, 0},
    {"max_instance_per_node", 0,          NULL,        0,               0, 0},
};
// clang-format on

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    (void)err;
    row->job.class = TRACE_INFERENCE;
    if (row->job.submit_ms == FORMAT_ABSENT) {
        format_note(context, "existed before the trace: submitted at 0");
        row->job.submit_ms = 0;
    }
    format_recorded(context);
    int64_t from_ms = row->raw.start_ms == FORMAT_ABSENT ? row->job.submit_ms : row->raw.start_ms;
    int64_t to_ms = row->raw.end_ms;
    if (to_ms == FORMAT_ABSENT) {
        format_note(context, "outlived the trace: runs to its end after 31 days");
        to_ms = MONTH_MS;
    }
    row->raw.duration_ms = to_ms - from_ms;
    return format_duration(context);
}

const struct trace_format format_dlrm = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
