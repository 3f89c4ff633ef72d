/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of settings; see settings.h. */
#include "traces/settings.h"

#include "sim/base/text.h"
#include "traces/fields.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum kind { WHOLE, CHOICE, SHARE, SPAN, OFFSET, NAME };

/* How to read the value of the setting in the same row. */
struct reading {
    size_t member;
    enum kind kind;
    int64_t low, high;   /* WHOLE */
    const char *choices; /* CHOICE: names in order of their numbers; else for messages */
};

#define ANY "any" /* format */

#define MEMBER(name) offsetof(struct format_settings, name)

static const struct trace_setting_row rows[] = {
    {"procs_per_gpu", "swf", "processors per GPU, rounded up (1)", false},
    {"dependencies", "swf",
     "preceding jobs and think times (fields 17 and 18): ignore or honour (ignore)", false},
    {"unit_gpus", "alcf|lumos", "GPUs in one unit of allocation (1)", false},
    {"count", "jsspp", "the column of GPUs: gpus or nodes (gpus)", false},
    {"attempts", "philly",
     "run time of several attempts: their sum, or the span from the first"
     " start to the last end (sum)",
     false},
    {"tres", "sacct|slurm", "size of a job: as requested or as allocated (requested)", false},
    {"gpu_tres", "slurm", "id of GPUs in tres_req (1002)", false},
    {"queue", "sacct", "the column of queues: partition, account or qos (partition)", false},
    {"gpu", "gavel-durations", "GPU whose run time counts: v100, p100 or k80 (v100)", false},
    {"run_time", "gavel|pollux|ones", "run time of all jobs, which the file lacks (needed)", false},
    {"unfinished", "sacct|slurm|kubectl|table",
     "run time of jobs that still run or are pending: elapsed, limit, user (mean of their user's "
     "jobs) or drop (elapsed)",
     false},
    {"rejected", ANY,
     "share of rows with errors that a scenario's trace may have; they are left out and listed in "
     "rejected.csv; 0: none (0.05)",
     false},
    {"duplicates", ANY,
     "rows with a job id that came before: number (ID#2), reject or first, which drops them "
     "(Slurm: "
     "number, else reject)",
     false},
    {"map", "table", "columns of the table: submit=SubmitTime,gpus=ReqGPUS (guessed)", false},
    {"utc_offset", "sacct|table", "zone of the log's clock, such as +08:00 (UTC)", false},
    {"jobs", "pai", "path of pai_job_table.csv, with users and submission times", true},
};

#define SETTINGS (sizeof rows / sizeof *rows)

static const struct reading readings[SETTINGS] = {
    {MEMBER(procs_per_gpu), WHOLE, 1, 1000000, NULL},
    {MEMBER(dependencies), CHOICE, 0, 0, "ignore|honour"},
    {MEMBER(unit_gpus), WHOLE, 1, 1024, NULL},
    {MEMBER(count), CHOICE, 0, 0, "gpus|nodes"},
    {MEMBER(attempts), CHOICE, 0, 0, "sum|span"},
    {MEMBER(tres), CHOICE, 0, 0, "requested|allocated"},
    {MEMBER(gpu_tres), WHOLE, 1, 1000000, NULL},
    {MEMBER(queue), CHOICE, 0, 0, "partition|account|qos"},
    {MEMBER(gpu), CHOICE, 0, 0, "v100|p100|k80"},
    {MEMBER(run_ms), SPAN, 0, 0, "a duration such as 90s, 15m, 2h, 14d"},
    {MEMBER(unfinished), CHOICE, 0, 0, "elapsed|limit|user|drop"},
    {MEMBER(rejected_ppm), SHARE, 0, 0, "a share between 0 and 1"},
    {MEMBER(duplicates), CHOICE, 0, 0, "number|reject|first"},
    {MEMBER(map), NAME, 0, 0, "ROLE=COLUMN,..."},
    {MEMBER(utc_offset_s), OFFSET, 0, 0, "an offset such as +08:00 or Z"},
    {MEMBER(jobs), NAME, 0, 0, "a path"},
};

const struct trace_setting_row *trace_settings(size_t *count)
{
    *count = SETTINGS;
    return rows;
}

/* The index of `text` in "a|b|c", or -1. */
static int64_t choice(const char *choices, const char *text)
{
    size_t n = strlen(text);
    int64_t number = 0;
    for (const char *at = choices;; number++) {
        size_t length = strcspn(at, "|");
        if (length == n && memcmp(at, text, n) == 0)
            return number;
        if (at[length] == '\0')
            return -1;
        at += length + 1;
    }
}

static bool parse(const struct reading *reading, const char *text, void *member)
{
    size_t n = strlen(text);
    int64_t *value = member;
    switch (reading->kind) {
    case WHOLE:
        return text_i64(text, n, value) && *value >= reading->low && *value <= reading->high;
    case CHOICE:
        *value = choice(reading->choices, text);
        return *value >= 0;
    case SHARE:
        return text_scaled(text, n, 6, value) && *value >= 0 && *value <= 1000000;
    case SPAN:
        return text_duration_ms(text, n, value) && *value <= FIELD_LARGEST;
    case OFFSET:
        return times_offset(text, n, value);
    case NAME:
        *(const char **)member = text;
        return n > 0;
    }
    return false;
}

static bool find(const char *key, size_t *found, struct err *err)
{
    for (*found = 0; *found < SETTINGS; ++*found) {
        if (strcmp(rows[*found].key, key) == 0)
            return true;
    }
    char hint[80];
    return err_set(err, EXIT_INPUT, "there is no option '%.64s' of a trace%s", key,
                   text_suggest(hint, sizeof hint, key, &rows->key, SETTINGS, sizeof *rows));
}

static bool read_one(struct format_settings *settings, const struct trace_setting *setting,
                     size_t row, struct err *err)
{
    const struct reading *reading = &readings[row];
    if (parse(reading, setting->value, (char *)settings + reading->member))
        return true;
    char range[80];
    (void)snprintf(range, sizeof range, "a whole number from %lld to %lld", (long long)reading->low,
                   (long long)reading->high);
    return err_set(err, EXIT_INPUT, "option '%s' of a trace: '%.64s' is not valid, expected %s",
                   setting->key, setting->value, reading->kind == WHOLE ? range : reading->choices);
}

bool trace_setting_check(const struct trace_setting *setting, struct err *err)
{
    struct format_settings ignored;
    size_t row;
    return find(setting->key, &row, err) && read_one(&ignored, setting, row, err);
}

bool settings_read(struct format_settings *settings, const struct trace_setting *given,
                   size_t count, const char *format, struct err *err)
{
    *settings = (struct format_settings){.procs_per_gpu = 1,
                                         .unit_gpus = 1,
                                         .gpu_tres = 1002,
                                         .run_ms = TRACE_UNKNOWN,
                                         .duplicates = TRACE_UNKNOWN,
                                         .rejected_ppm = SETTINGS_REJECTED_PPM,
                                         .utc_offset_s = INT64_MIN};
    for (size_t i = 0; i < count; i++) {
        size_t row;
        if (!find(given[i].key, &row, err))
            return false;
        if (strcmp(rows[row].formats, ANY) != 0 && choice(rows[row].formats, format) < 0)
            return err_set(err, EXIT_INPUT,
                           "option '%s' is for traces of format %s, this one is %s", given[i].key,
                           rows[row].formats, format);
        if (!read_one(settings, &given[i], row, err))
            return false;
    }
    return true;
}
