/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Job lists of Chronus (SoCC '21): arrivals and sizes of Philly, times in MINUTES of its simulator, users that are
 * Philly's virtual clusters, which become queues. Best-effort jobs are preemptible, the others are not. Deadlines and
 * their values (expect_*_list) are not used. Rows that ask for no GPU are jobs without one, and are counted.
 */
#include "traces/formats.h"

#include <stddef.h>

#define JOB(member) offsetof(struct format_row, job.member)
#define RAW(member) offsetof(struct format_row, raw.member)

static const struct csv_column columns[] = {
    {"job_id",            CSV_NEEDED, field_text,    JOB(id),          0, 0      },
    {"user",              CSV_NEEDED, field_queue,   JOB(queue),       0, 0      },
    {"num_gpu",           CSV_NEEDED, field_i64,     JOB(gpus_total),  0, 1000000},
    {"submit_time",       CSV_NEEDED, field_minutes, JOB(submit_ms),   0, 0      },
    {"duration",          CSV_NEEDED, field_minutes, RAW(duration_ms), 0, 0      },
    {"best_effort",       CSV_NEEDED, field_i32,     JOB(preemptible), 0, 1      },
    {"model_name",        0,          field_model,   JOB(model),       0, 0      },
    {"iterations",        0,          NULL,          0,                0, 0      },
    {"interval",          0,          NULL,          0,                0, 0      },
    {"expect_time_list",  CSV_NEEDED, NULL,          0,                0, 0      },
    {"expect_value_list", 0,          NULL,          0,                0, 0      },
    {"job_type",          0,          NULL,          0,                0, 0      },
};

static enum format_verdict finish(struct format_context *context, struct err *err)
{
    (void)err;
    format_note(context, "deadline is not used");
    if (context->row.job.gpus_total == 0)
        format_note(context, "asks for no GPU");
    return format_duration(context);
}

const struct trace_format format_chronus = {
    .columns = columns,
    .column_count = sizeof columns / sizeof *columns,
    .lenient = true,
    .finish = finish,
};
