/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shanghai AI Laboratory's Acme (NSDI '24): trace_seren.csv and trace_kalos.csv. Times include
 * their offset. Contrary to its description, `duration` includes the wait on Kalos, so run times
 * are end - start, and rows that differ are counted. The type of a job (Pretrain, Evaluation, SFT,
 * MLLM, Debug, Other) becomes its queue, and Debug is class build; the size decides the class of
 * the others. Memory is per pod; a job has one pod per node.
 */
#include "traces/slurm.h"

#include "sim/base/text.h"

#include <stddef.h>
#include <string.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

static const char *set_type(void *data, const struct csv_column *column, const char *text, size_t n)
{
    struct format_context *context = data;
    if (n == 5 && memcmp(text, "Debug", 5) == 0)
        context->row.job.class = TRACE_BUILD;
    return field_queue(data, column, text, n);
}

/* The source says GB; container memory limits mean GiB. */
static const char *set_memory(void *data, const struct csv_column *column, const char *text,
                              size_t n)
{
    struct format_context *context = data;
    int64_t milli;
    (void)column;
    if (!text_scaled(text, n, 3, &milli) || milli < 0 || milli > 1000000000)
        return "gigabytes from 0 to 1e6";
    context->row.raw.requested.mem_mib = milli * 1024 / 1000;
    return NULL;
}

#define NONE CSV_NONE
// clang-format off
static const struct csv_column columns[] = {
    {"job_id",             CSV_NEEDED, field_text,  JOB(id),          0, 0},
    {"user",               CSV_NEEDED, field_user,  JOB(user),        0, 0},
    {"node_num",           CSV_NEEDED, field_i64,   RAW(nodes),       0, 1000000},
    {"gpu_num",            CSV_NEEDED, field_i64,   RAW(gpus),        0, 1000000},
    {"cpu_num",            NONE,       field_i64,   RAW(cpus),        0, 100000000},
    {"mem_per_pod_GB",     NONE,       set_memory,  0,                0, 0},
    {"shared_mem_per_pod", 0,          NULL,        0,                0, 0},
    {"type",               CSV_NEEDED, set_type,    JOB(queue),       0, 0},
    {"state",              CSV_NEEDED, slurm_state, 0,                0, 0},
    {"submit_time",        CSV_NEEDED, field_clock, JOB(submit_ms),   0, 0},
    {"start_time",         NONE,       field_clock, RAW(start_ms),    0, 0},
    {"end_time",           NONE,       field_clock, RAW(end_ms),      0, 0},
    {"fail_time",          0,          NULL,        0,                0, 0},
    {"stop_time",          0,          NULL,        0,                0, 0},
    {"duration",           NONE,       field_time,  RAW(duration_ms), 0, 0},
    {"queue",              0,          NULL,        0,                0, 0}, // wait in seconds
    {"gpu_time",           CSV_NEEDED, NULL,        0,                0, 0},
};
// clang-format on

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    (void)err;
    if (!slurm_ended(context))
        return FORMAT_DROP;
    if (row->raw.start_ms == FORMAT_ABSENT || row->raw.end_ms == FORMAT_ABSENT)
        return format_drop(context, "no start or no end, row dropped");
    int64_t run_ms = row->raw.end_ms - row->raw.start_ms;
    if (row->raw.duration_ms != FORMAT_ABSENT && row->raw.duration_ms != run_ms)
        format_note(context, "duration differs from end_time - start_time, the times are used");
    row->raw.duration_ms = run_ms;
    format_recorded(context);
    int64_t pods = row->raw.nodes < 1 ? 1 : row->raw.nodes, pod_mib = row->raw.requested.mem_mib;
    const struct format_size size = {row->raw.gpus, row->raw.cpus,
                                     pod_mib == FORMAT_ABSENT ? FORMAT_ABSENT : pod_mib * pods,
                                     row->raw.nodes, 0};
    format_shape(context, &size);
    return format_duration(context);
}

const struct trace_format format_acme = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
