/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of trace formats, their detection, and what finish() functions share. */
#include "traces/formats.h"

#include "sim/base/text.h"
#include "traces/non_traces.h"

#include <stdio.h>
#include <string.h>

#define MOST_GPUS_OF_A_NODE 1024

/*
 * A new format gets a row in each of these two. Among formats that fit a header equally well, the
 * first wins.
 */
static const struct trace_format_row rows[] = {
    {"native", "fauxfleet's own CSV: job_id, submit_s, duration_s, gpus and many optional columns"},
    {"helios",
     "SenseTime Helios (SC '21) cluster_log.csv, and the reduced form of its September replay"},
    {"openb", "Alibaba 2023 GPU cluster pod lists (openb, the FGD paper)"},
    {"swf", "Standard Workload Format of the Parallel Workloads Archive; processors become GPUs"},
    {"sacct", "Slurm: output of sacct --parsable2"},
    {"slurm", "Slurm's job table as a CSV (MIT SuperCloud 2021)"},
    {"philly", "Microsoft Philly 2017: cluster_job_log, JSON with the attempts of each job"},
    {"philly-jobs", "Philly's completed jobs, as replayed by Pollux, Sia and ElasticFlow"},
    {"lumos", "Philly's attempts, as in the Lumos study"},
    {"alcf", "Argonne ThetaGPU 2023 (24 DGX A100), as in the Lumos study"},
    {"jsspp", "15,000-job cuts of Philly, Helios, Blue Waters and Theta (JSSPP '24)"},
    {"acme", "Shanghai AI Laboratory Acme 2023: trace_seren.csv, trace_kalos.csv"},
    {"acme-converted", "Acme's Kalos, as converted for another simulator"},
    {"pai", "Alibaba PAI 2020: pai_task_table.csv, with option jobs also pai_job_table.csv"},
    {"spot", "Alibaba 2026: job_info_df.csv, high-priority and spot jobs"},
    {"dlrm", "Alibaba 2025: pods of disaggregated recommendation services"},
    {"reduced", "id, arrival, run time and GPUs alone: reduced Helios, PAI and Alibaba lists"},
    {"tiresias", "job lists of Tiresias (NSDI '19) and of simulators that use its columns"},
    {"muri", "job lists of Muri (SIGCOMM '22), in milliseconds"},
    {"elasticflow", "job lists of ElasticFlow (ASPLOS '23)"},
    {"chronus", "job lists of Chronus (SoCC '21), in minutes, with deadlines"},
    {"gavel",
     "Shockwave (NSDI '23); Gavel (OSDI '20), whose jobs are steps: needs option run_time"},
    {"gavel-durations", "Gavel's jobs with their run times on V100, P100 and K80"},
    {"pollux",
     "Pollux (OSDI '21), Sia (SOSP '23): adaptive jobs without run times: needs option run_time"},
    {"ones",
     "ONES (SC '21): jobs that train to an accuracy, without run times: needs option run_time"},
    {"kubectl", "Kubernetes: Jobs and pods, as kubectl get jobs,pods -A -o json prints them"},
    {"table", "any other table with a header: columns by --map, by their names and contents"},
};

#define FORMATS (sizeof rows / sizeof *rows)

static const struct trace_format *const formats[FORMATS] = {
    &format_native,  &format_helios,  &format_openb,           &format_swf,    &format_sacct,
    &format_slurm,   &format_philly,  &format_philly_jobs,     &format_lumos,  &format_alcf,
    &format_jsspp,   &format_acme,    &format_acme_converted,  &format_pai,    &format_spot,
    &format_dlrm,    &format_reduced, &format_tiresias,        &format_muri,   &format_elasticflow,
    &format_chronus, &format_gavel,   &format_gavel_durations, &format_pollux, &format_ones,
    &format_kubectl, &format_table,
};

const struct trace_format_row *trace_formats(size_t *count)
{
    *count = FORMATS;
    return rows;
}

const char *format_name(const struct trace_format *format)
{
    size_t i = 0;
    while (formats[i] != format)
        i++;
    return rows[i].name;
}

const struct trace_format *format_find(const char *name, struct err *err)
{
    for (size_t i = 0; i < FORMATS; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return formats[i];
    }
    char hint[80];
    err_set(err, EXIT_INPUT, "unknown trace format '%s'%s ('list formats' shows all)", name,
            text_suggest(hint, sizeof hint, name, &rows->name, FORMATS, sizeof *rows));
    return NULL;
}

void format_note(struct format_context *context, const char *what)
{
    trace_note_add(context->notes, what, context->line);
}

enum format_verdict format_drop(struct format_context *context, const char *why)
{
    format_note(context, why);
    return FORMAT_DROP;
}

void format_number(struct format_context *context)
{
    char id[24];
    int n = snprintf(id, sizeof id, "%llu", (unsigned long long)context->number);
    context->row.job.id = texts_copy(context->fields.texts, id, (size_t)n);
}

void format_recorded(struct format_context *context)
{
    struct format_row *row = &context->row;
    if (row->raw.start_ms != FORMAT_ABSENT)
        row->job.start_ms = row->raw.start_ms;
    if (row->raw.end_ms != FORMAT_ABSENT)
        row->job.end_ms = row->raw.end_ms;
}

bool format_devices(struct format_context *context, int64_t milli, struct err *err)
{
    struct trace_job *job = &context->row.job;
    if (milli > MOST_GPUS_OF_A_NODE * 1000)
        return err_set(err, EXIT_INPUT, "column '%s': a task with more than %d GPUs",
                       context->at_fault, MOST_GPUS_OF_A_NODE);
    if (milli > 1000 && milli % 1000 != 0)
        format_note(context, "GPUs of a task above one and not whole, rounded up");
    bool share = milli > 0 && milli < 1000;
    job->gpus = share ? 1 : (int32_t)((milli + 999) / 1000);
    job->gpu_milli = share ? (int32_t)milli : 0;
    return true;
}

enum format_verdict format_duration(struct format_context *context)
{
    struct format_row *row = &context->row;
    if (row->raw.duration_ms == FORMAT_ABSENT)
        return format_drop(context, "no duration, row dropped");
    if (row->raw.duration_ms < 0)
        return format_drop(context, "negative duration, row dropped");
    row->job.duration_ms = row->raw.duration_ms;
    return FORMAT_KEEP;
}

enum format_verdict format_no_duration(struct format_context *context, struct err *err)
{
    if (context->settings->run_ms == TRACE_UNKNOWN) {
        err_set(err, EXIT_INPUT,
                "the job has no run time: it follows from its steps or epochs by a throughput "
                "model, and such progress models are not supported yet; option run_time=TIME gives "
                "every job the same one");
        return FORMAT_ERROR;
    }
    context->row.job.duration_ms = context->settings->run_ms;
    return FORMAT_KEEP;
}

/* An unknown amount adds nothing to a request. */
static int64_t known(int64_t amount)
{
    return amount == FORMAT_ABSENT ? 0 : amount;
}

void format_shape(struct format_context *context, const struct format_size *size)
{
    struct trace_job *job = &context->row.job;
    int64_t gpus = known(size->gpus), cpus = known(size->cpus), nodes = size->nodes;
    bool spread = nodes >= 1 && nodes <= INT32_MAX;
    job->gpu_types = size->gpu_types;
    if (!spread || gpus % nodes != 0 || cpus % nodes != 0 || gpus / nodes > MOST_GPUS_OF_A_NODE) {
        job->gpus_total = gpus;
        if (gpus == 0)
            job->cpu_milli = cpus * 1000;
        if (spread)
            format_note(context, "GPUs or cores do not divide among the nodes: only GPUs are used");
        return;
    }
    job->tasks = (int32_t)nodes;
    job->gpus = (int32_t)(gpus / nodes);
    job->cpu_milli = cpus / nodes * 1000;
    job->mem_mib = known(size->mem_mib) / nodes;
}

/* The first line that is not blank, without a byte order mark. */
static const char *first_line(const char *head, size_t n, size_t *length, uint64_t *number)
{
    const char *at = head, *end = head + n;
    if (n >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    for (*number = 1; at < end && (*at == '\n' || *at == '\r'); at++)
        *number += *at == '\n';
    const char *stop = at;
    while (stop < end && *stop != '\n' && *stop != '\r')
        stop++;
    *length = (size_t)(stop - at);
    return at;
}

static const char delimiters[] = {',', ';', '\t', '|'};

/* The number of columns of a header with this delimiter. */
static size_t columns_with(char delimiter, const char *line, size_t length)
{
    size_t count = 1;
    for (size_t i = 0; i < length; i++)
        count += line[i] == delimiter;
    return count;
}

/* The delimiter that gives the most columns. */
static char delimiter_of_table(const char *line, size_t length)
{
    char best = delimiters[0];
    for (size_t i = 1; i < sizeof delimiters; i++)
        if (columns_with(delimiters[i], line, length) > columns_with(best, line, length))
            best = delimiters[i];
    return best;
}

/* The number of columns that describe a job, whatever their names; 0 if they do not suffice for a
 * trace. */
static size_t table_columns(const char *line, size_t length, size_t n)
{
    size_t count = 0;
    struct roles roles;
    struct err ignored = {0};
    bool found = roles_find(&roles, line, n, delimiter_of_table(line, length), NULL, &ignored);
    for (size_t i = 0; found && i < roles.count; i++)
        count += roles.columns[i].role >= 0;
    roles_fini(&roles);
    return count;
}

/* The formats that fit the header, and that come nearest, with the most known columns. */
struct fit {
    const struct trace_format *fitting, *nearest;
    size_t fitting_known, nearest_known;
};

static void try_format(struct fit *fit, const struct trace_format *format, char delimiter,
                       const char *line, size_t n)
{
    size_t known, total;
    const struct csv_table table = {
        .columns = format->columns, .count = format->column_count, .delimiter = delimiter};
    bool fits = csv_header_fits(&table, line, n, &known, &total);
    if (fits && known > fit->fitting_known) {
        fit->fitting = format;
        fit->fitting_known = known;
    }
    // A header with a mistake is best explained by the nearest format.
    if (known > fit->nearest_known && 2 * known >= total && known >= 2) {
        fit->nearest = format;
        fit->nearest_known = known;
    }
}

/* Tries all formats except `table` with this delimiter; 0: with their own. */
static struct fit try_formats(char delimiter, const char *line, size_t n)
{
    struct fit fit = {NULL, NULL, 0, 0};
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i]->columns && formats[i] != &format_table)
            try_format(&fit, formats[i], delimiter ? delimiter : formats[i]->delimiter, line, n);
    return fit;
}

/* Returns the format that knows the columns, whatever the delimiter; else `table` if the columns
 * describe a job; else the nearest, or NULL. */
static const struct trace_format *detect_csv(const char *line, size_t length, size_t n)
{
    struct fit own = try_formats('\0', line, length);
    if (own.fitting)
        return own.fitting;
    struct fit nearest = own;
    for (size_t i = 0; i < sizeof delimiters; i++) {
        struct fit other = try_formats(delimiters[i], line, length);
        if (other.fitting)
            return other.fitting;
        nearest = nearest.nearest ? nearest : other;
    }
    size_t columns = table_columns(line, length, n);
    if (columns > 0 && columns >= nearest.nearest_known)
        return &format_table;
    return non_trace_table(line, length) ? NULL : nearest.nearest;
}

char format_delimiter(const struct trace_format *format, const char *head, size_t n)
{
    size_t length, known, total;
    uint64_t number;
    const char *line = first_line(head, n, &length, &number);
    struct csv_table table = {
        .columns = format->columns, .count = format->column_count, .delimiter = format->delimiter};
    if (format == &format_table)
        return delimiter_of_table(line, length);
    for (size_t i = 0; i < sizeof delimiters; i++) {
        if (csv_header_fits(&table, line, length, &known, &total))
            return table.delimiter;
        table.delimiter = delimiters[i];
    }
    return csv_header_fits(&table, line, length, &known, &total) ? table.delimiter
                                                                 : format->delimiter;
}

const struct trace_format *format_detect(const char *path, const char *head, size_t n,
                                         struct err *err)
{
    size_t length;
    uint64_t number;
    const char *line = first_line(head, n, &length, &number);
    if (length == 0) {
        err_set(err, EXIT_INPUT, "%s:%llu:1: no job trace: only blank lines", path,
                (unsigned long long)number);
        return NULL;
    }
    for (size_t i = 0; i < FORMATS; i++) {
        if (formats[i]->detect && formats[i]->detect(line, n - (size_t)(line - head)))
            return formats[i];
    }
    if (non_trace_sacct(line, length)) {
        err_set(err, EXIT_INPUT,
                "%s:%llu:1: no job trace: sacct without sizes and times of submission; write them "
                "with: " NON_TRACE_SACCT " > sacct.txt",
                path, (unsigned long long)number);
        return NULL;
    }
    const struct trace_format *found = detect_csv(line, length, n - (size_t)(line - head));
    const char *what = found ? NULL : non_trace_table(line, length);
    if (!found && !what)
        what = non_trace_object(line, n - (size_t)(line - head));
    char shown[160];
    texts_show(shown, sizeof shown, line, length);
    if (what)
        err_set(err, EXIT_INPUT, "%s:%llu:1: no job trace: this is %s", path,
                (unsigned long long)number, what);
    else if (!found)
        err_set(err, EXIT_INPUT,
                "%s:%llu:1: unknown format ('list formats' shows what is read; a table of jobs is "
                "read with "
                "--map submit=COLUMN,duration=COLUMN,gpus=COLUMN); the file begins '%s'",
                path, (unsigned long long)number, shown);
    return found;
}
