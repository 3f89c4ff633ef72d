/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Helios (SenseTime, SC '21): Slurm accounting of four clusters, and the reduced form used to
 * replay its September 2020, with times in seconds on the trace's clock. Virtual clusters become
 * queues. Wall clocks are China's, UTC+8 without daylight saving, and become seconds since 1970.
 *
 * gpu_num and cpu_num are for the whole job. The distribution of a job's cores over nodes is
 * decided with that of its GPUs, so cpu_num is only used for jobs without GPUs. A job's logged run
 * time is its work, however it ended.
 */
#include "traces/formats.h"
#include "traces/slurm.h"

#include <stddef.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)
#define SUBMIT      CSV_ANY_OF(1)
#define DURATION    (CSV_NONE | CSV_ANY_OF(2))

static const struct csv_column columns[] = {
    {"job_id", CSV_NEEDED, field_text, JOB(id), 0, 0},
    {"vc", CSV_NEEDED, field_queue, JOB(queue), 0, 0},
    {"gpu_num", CSV_NEEDED, field_i64, RAW(gpus), 0, 1000000},
    {"state", CSV_NEEDED, slurm_state, 0, 0, 0},
    {"submit_time", SUBMIT, field_clock, JOB(submit_ms), 0, 0},
    {"submit_s", SUBMIT, field_time, JOB(submit_ms), 0, 0},
    {"duration", DURATION, field_time, RAW(duration_ms), 0, 0},
    {"duration_s", DURATION, field_time, RAW(duration_ms), 0, 0},
    {"user", 0, field_user, JOB(user), 0, 0},
    {"cpu_num", CSV_NONE, field_i64, RAW(cpus), 0, 100000000},
    {"start_time", CSV_NONE, field_clock, RAW(start_ms), 0, 0},
    {"end_time", CSV_NONE, field_clock, RAW(end_ms), 0, 0},
    {"node_num", 0, NULL, 0, 0, 0},
    {"queue", 0, NULL, 0, 0, 0}, // wait in seconds: start - submit
    {"seq", 0, NULL, 0, 0, 0},
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    struct format_row *row = &context->row;
    struct trace_job *job = &row->job;
    if (job->submit_ms == FORMAT_ABSENT) {
        context->at_fault = "submit_time|submit_s";
        err_set(err, EXIT_INPUT, "no time of submission");
        return FORMAT_ERROR;
    }
    if (!slurm_ended(context))
        return FORMAT_DROP;
    bool times = row->raw.start_ms != FORMAT_ABSENT && row->raw.end_ms != FORMAT_ABSENT;
    if (row->raw.duration_ms == FORMAT_ABSENT && !times)
        return format_drop(context, "no duration, row dropped");
    if (row->raw.duration_ms == FORMAT_ABSENT)
        row->raw.duration_ms = row->raw.end_ms - row->raw.start_ms;
    else if (times && row->raw.duration_ms != row->raw.end_ms - row->raw.start_ms)
        format_note(context, "duration differs from end_time - start_time, duration is used");
    if (row->raw.duration_ms < 0)
        return format_drop(context, "negative duration, row dropped");
    job->duration_ms = row->raw.duration_ms;
    format_recorded(context);
    job->gpus_total = row->raw.gpus;
    if (row->raw.cpus != FORMAT_ABSENT) {
        if (row->raw.gpus == 0)
            job->cpu_milli = row->raw.cpus * 1000;
        else
            format_note(context, "cpu_num of a job with GPUs is not used");
    }
    return FORMAT_KEEP;
}

const struct trace_format format_helios = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .zone = &times_china,
    .finish = finish,
};
