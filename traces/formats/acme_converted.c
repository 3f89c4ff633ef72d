/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The completed GPU jobs of Kalos, as written by a converter for another simulator. Recovers the
 * job from its columns: gpu_worker is the number of nodes, an iteration is half a second, a
 * tensorsize 100 GB of memory. The run time includes the wait, as in Kalos' own table. ps,
 * profiled_network and iteration times are made up and not used.
 */
#include "traces/formats.h"

#include "sim/base/text.h"

#include <stddef.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

#define ITERATION_MS 500

/* Hundreds of GB, taken as GiB. */
static const char *set_memory(void *data, const struct csv_column *column, const char *text,
                              size_t n)
{
    struct format_context *context = data;
    int64_t milli;
    (void)column;
    if (!text_scaled(text, n, 3, &milli) || milli < 0 || milli > 1000000000)
        return "hundreds of gigabytes from 0 to 1e6";
    context->row.job.mem_mib = milli * 100 * 1024 / 1000;
    return NULL;
}

/* Cores per GPU. */
static const char *set_cpus(void *data, const struct csv_column *column, const char *text, size_t n)
{
    struct format_context *context = data;
    (void)column;
    bool ok = text_scaled(text, n, 3, &context->row.raw.cpus);
    return ok && context->row.raw.cpus >= 0 && context->row.raw.cpus <= 100000000
               ? NULL
               : "cores from 0 to 1e5";
}

static const struct csv_column columns[] = {
    {"job_id", CSV_NEEDED, field_text, JOB(id), 0, 0},
    {"arrival_time", CSV_NEEDED, field_time, JOB(submit_ms), 0, 0},
    {"num_iteration", CSV_NEEDED, field_i64, RAW(steps), 0, 1000000000},
    {"gpu_workers", CSV_NEEDED, field_i32, JOB(tasks), 1, 1000000},
    {"gpu_per_worker", CSV_NEEDED, field_i32, JOB(gpus), 0, 1024},
    {"cpu_per_gpu_worker", CSV_NEEDED, set_cpus, 0, 0, 0},
    {"tensorsizes", CSV_NEEDED, set_memory, 0, 0, 0},
    {"ps", 0, NULL, 0, 0, 0},
    {"iteration_computing_time", 0, NULL, 0, 0, 0},
    {"iteration_networking_time", 0, NULL, 0, 0, 0},
    {"cpu_per_ps_worker", 0, NULL, 0, 0, 0},
    {"profiled_network", 0, NULL, 0, 0, 0},
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    (void)err;
    row->job.status = TRACE_COMPLETED;
    row->job.duration_ms = row->raw.steps * ITERATION_MS;
    row->job.cpu_milli = row->raw.cpus * row->job.gpus;
    return FORMAT_KEEP;
}

const struct trace_format format_acme_converted = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
