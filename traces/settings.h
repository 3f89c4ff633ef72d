/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values of struct trace_setting: what formats leave open and users decide. A new setting is a
 * member here and a row in settings.c.
 */
#ifndef TRACES_SETTINGS_H
#define TRACES_SETTINGS_H

#include "traces/times.h"
#include "traces/trace.h"

enum settings_count { SETTINGS_COUNT_GPUS, SETTINGS_COUNT_NODES };
enum settings_attempts { SETTINGS_ATTEMPTS_SUM, SETTINGS_ATTEMPTS_SPAN };
enum settings_tres { SETTINGS_TRES_REQUESTED, SETTINGS_TRES_ALLOCATED };
enum settings_queue { SETTINGS_QUEUE_PARTITION, SETTINGS_QUEUE_ACCOUNT, SETTINGS_QUEUE_QOS };
enum settings_dependencies { SETTINGS_DEPENDENCIES_IGNORE, SETTINGS_DEPENDENCIES_HONOUR };
enum settings_gpu { SETTINGS_GPU_V100, SETTINGS_GPU_P100, SETTINGS_GPU_K80 };

enum settings_unfinished {
    SETTINGS_UNFINISHED_ELAPSED,
    SETTINGS_UNFINISHED_LIMIT,
    SETTINGS_UNFINISHED_USER,
    SETTINGS_UNFINISHED_DROP
};
enum settings_duplicates {
    SETTINGS_DUPLICATES_NUMBER,
    SETTINGS_DUPLICATES_REJECT,
    SETTINGS_DUPLICATES_FIRST
};

#define SETTINGS_REJECTED_PPM 50000 /* the default */

struct format_settings {
    int64_t procs_per_gpu; /* at least 1 */
    int64_t unit_gpus;     /* at least 1 */
    int64_t count;         /* enum settings_count, etc. */
    int64_t attempts;
    int64_t tres;
    int64_t gpu_tres;
    int64_t queue;
    int64_t gpu;
    int64_t dependencies;
    int64_t unfinished;
    int64_t rejected_ppm; /* share of all rows, as for trace_options.tolerant */
    int64_t duplicates;   /* TRACE_UNKNOWN: not given */
    int64_t run_ms;       /* TRACE_UNKNOWN: not given */
    int64_t utc_offset_s; /* INT64_MIN: not given */
    const char *jobs;     /* a file; NULL: not given */
    const char *map;      /* as for roles_find(); NULL: not given */
};

/* Reads the settings for a trace in this format; false with err set. Texts are not copied. */
bool settings_read(struct format_settings *, const struct trace_setting *, size_t count,
                   const char *format, struct err *err);

#endif
