/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows to jobs: CSV rows, lines or objects -> the format's row -> the batch. Completes what rows
 * leave unknown, detects repeated ids, and skips rejected rows.
 */
#include "traces/file_internal.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

static struct trace_file *file_of(void *context)
{
    struct format_context *format = context;
    return (struct trace_file *)((char *)format - offsetof(struct trace_file, context));
}

static void begin_row(void *context)
{
    struct trace_file *file = file_of(context);
    file->context.row = file->blank;
    file->context.number = file->rows;
}

/* Fills in what the row leaves unknown, the same way for every format. */
static void complete(struct trace_file *file)
{
    struct trace_job *job = &file->context.row.job;
    if (job->queue == SYMBOL_NONE) {
        if (file->no_queue == SYMBOL_NONE)
            file->no_queue = symbols_add(file->names.queues, "default", strlen("default"));
        job->queue = file->no_queue;
    }
    if (job->user == SYMBOL_NONE) {
        if (file->no_user == SYMBOL_NONE)
            file->no_user = symbols_add(file->names.users, "", 0);
        job->user = file->no_user;
    }
    job->status_unknown = job->status == TRACE_STATUS_UNSET;
    if (job->status_unknown)
        job->status = TRACE_COMPLETED;
    if (job->min_tasks == 0)
        job->min_tasks = job->tasks;
    if (job->max_tasks == 0)
        job->max_tasks = job->tasks;
    if (job->eligible_ms < job->submit_ms)
        job->eligible_ms = job->submit_ms;
}

/* Numbers the later runs of a job that has a row for each: "ID#2", "ID#3", ... */
static void tell_apart(struct trace_file *file, uint64_t line)
{
    struct trace_job *job = &file->context.row.job;
    char *name = NULL;
    uint64_t run = 1;
    do {
        free(name);
        name = mem_format("%s#%llu", job->id, (unsigned long long)++run);
    } while (trace_ids_add(&file->ids, name, line) != 0);
    job->id = texts_copy(file->context.fields.texts, name, strlen(name));
    free(name);
    trace_note_add(&file->base.notes,
                   "the job id again, as of a requeued job: its further runs are ID#2, ID#3", line);
}

static bool is_again(const char *id, uint64_t before, struct err *err)
{
    char shown[80];
    return err_set(err, EXIT_INPUT,
                   "the job id '%s' is that of line %llu too, expected each id once",
                   texts_show(shown, sizeof shown, id, strlen(id)), (unsigned long long)before);
}

/* Returns true if an earlier row has the id and only the first one counts. */
static bool is_dropped_again(struct trace_file *file, uint64_t line)
{
    const char *id = file->context.row.job.id;
    if (file->settings.duplicates != SETTINGS_DUPLICATES_FIRST || id[0] == '\0' ||
        trace_ids_add(&file->ids, id, line) == 0)
        return false;
    trace_note_add(&file->base.notes, "the job id again, row dropped (option duplicates=first)",
                   line);
    return true;
}

static bool check_id(struct trace_file *file, uint64_t line, struct err *err)
{
    const char *id = file->context.row.job.id;
    if (id[0] == '\0' || file->settings.duplicates == SETTINGS_DUPLICATES_FIRST)
        return true; /* is_dropped_again() has checked it */
    uint64_t before = trace_ids_add(&file->ids, id, line);
    if (before == 0)
        return true;
    if (file->tells_apart) {
        tell_apart(file, line);
        return true;
    }
    return is_again(id, before, err);
}

/* Returns true if the ids of a chunk are checked together, which hides the memory latency of a
 * large table. */
static bool checks_later(const struct trace_file *file)
{
    return file->csv != NULL && !file->tells_apart &&
           file->settings.duplicates != SETTINGS_DUPLICATES_FIRST;
}

#define IDS_AHEAD 8

/* Returns true if a row with this error is skipped, and reading continues. */
static bool reject(struct trace_file *file, const struct err *err)
{
    bool tolerated = file->tolerant && file->settings.rejected_ppm > 0;
    if (tolerated)
        rejects_take(&file->rejects, err);
    if (file->reject && (tolerated || !file->tolerant))
        file->reject(file->reject_to, err);
    return file->tolerant ? tolerated : file->reject != NULL;
}

/* Checks the ids of the jobs from `first` on and removes rejected jobs from the batch. */
static bool check_ids(struct trace_file *file, size_t first, struct err *err)
{
    size_t kept = first, count = file->count;
    for (size_t i = first; i < count; i++) {
        if (i + IDS_AHEAD < count)
            trace_ids_expect(&file->ids, file->jobs[i + IDS_AHEAD].job.id);
        const char *id = file->jobs[i].job.id;
        uint64_t line = file->jobs[i].line;
        uint64_t before = id[0] != '\0' ? trace_ids_add(&file->ids, id, line) : 0;
        if (before == 0) {
            if (kept < i)
                file->jobs[kept] = file->jobs[i];
            kept++;
            continue;
        }
        (void)is_again(id, before, err);
        err_prefix(err, "%s:%llu:1", input_name(file->input), (unsigned long long)line);
        if (!reject(file, err))
            return false;
    }
    file->count = kept;
    return true;
}

static bool take(struct trace_file *file, enum format_verdict verdict, uint64_t line,
                 struct err *err)
{
    if (verdict == FORMAT_ERROR)
        return false;
    if (verdict == FORMAT_SKIP)
        return true;
    file->context.row.job.row = file->rows++;
    file->context.row.job.line = line;
    if (verdict == FORMAT_DROP || is_dropped_again(file, line))
        return true;
    complete(file);
    if (!checks_later(file) && !check_id(file, line, err))
        return false;
    file->jobs = mem_grow(file->jobs, &file->capacity, file->count + 1, sizeof *file->jobs);
    struct file_job *taken = &file->jobs[file->count++];
    taken->job = file->context.row.job;
    taken->line = line;
    return true;
}

static bool end_row(void *context, uint64_t line, const char **at_fault, struct err *err)
{
    struct trace_file *file = file_of(context);
    file->context.line = line;
    file->context.at_fault = NULL;
    bool ok = take(file, file->format->finish(&file->context, err), line, err);
    *at_fault = file->context.at_fault;
    return ok;
}

static bool reject_row(void *context, const struct err *err)
{
    return reject(file_of(context), err);
}

static void unknown_column(void *context, const char *name, size_t n)
{
    struct trace_file *file = file_of(context);
    char shown[80], *before = file->unused;
    if (file->context.roles) /* their words name unused columns */
        return;
    file->unused = mem_format(
        "%s%s", before ? before : "columns not used: ", texts_show(shown, sizeof shown, name, n));
    free(before);
    before = file->unused;
    file->unused = mem_format("%s, ", before);
    free(before);
}

/* Called once the header is read. */
static void note_unused(struct trace_file *file)
{
    if (file->unused == NULL)
        return;
    file->unused[strlen(file->unused) - strlen(", ")] = '\0';
    trace_note_add(&file->base.notes, file->unused, 0);
}

/* Lines do not come in chunks: a batch is this many. */
#define LINES_IN_BATCH 512

static int more_lines(struct trace_file *file, struct err *err)
{
    for (int i = 0; i < LINES_IN_BATCH; i++) {
        const char *text;
        size_t n;
        int got = lines_next(file->lines, &text, &n, err);
        if (got <= 0)
            return got;
        file->context.line = lines_number(file->lines);
        begin_row(&file->context);
        enum format_verdict verdict = file->format->line_read(&file->context, text, n, err);
        if (!take(file, verdict, file->context.line, err)) {
            err_prefix(err, "%s:%llu:%zu", input_name(file->input),
                       (unsigned long long)file->context.line, file->context.column);
            if (!reject(file, err))
                return -1;
        }
    }
    return 1;
}

/* Objects arrive one at a time; an error gives the line where its object begins. */
static int more_objects(struct trace_file *file, struct err *err)
{
    cJSON *object;
    int got = objects_next(file->objects, &object, err);
    if (got <= 0)
        return got;
    file->context.line = objects_line(file->objects);
    begin_row(&file->context);
    enum format_verdict verdict = file->format->object_read(&file->context, object, err);
    cJSON_Delete(object);
    if (take(file, verdict, file->context.line, err))
        return 1;
    err_prefix(err, "%s:%llu:1", input_name(file->input), (unsigned long long)file->context.line);
    return reject(file, err) ? 1 : -1;
}

/* A repeated id is reported before an error of csv_more(), since its row comes first. */
static int more_rows(struct trace_file *file, struct err *err)
{
    size_t first = file->count;
    struct err twice;
    int got = csv_more(file->csv, err);
    if (!checks_later(file) || check_ids(file, first, &twice))
        return got;
    *err = twice;
    return -1;
}

bool file_read_rows(struct trace_file *file, struct err *err)
{
    int got = file->csv       ? more_rows(file, err)
              : file->objects ? more_objects(file, err)
                              : more_lines(file, err);
    file->exhausted = got <= 0;
    return got >= 0;
}

/* ---- tables whose columns have other names ---- */

static const char *role_of_column(void *context, const char *name, size_t n)
{
    const struct format_context *format = context;
    int role = roles_of(format->roles, name, n);
    return role >= 0 ? role_names[role] : NULL;
}

static const char *column_of_role(void *context, const char *role)
{
    const struct format_context *format = context;
    const struct role_column *column =
        roles_column(format->roles, (enum role)role_named(role, strlen(role)));
    return column ? column->name : role;
}

bool file_begin_rows(struct trace_file *file, struct err *err)
{
    if (file->format->object_read) {
        file->objects = objects_create(file->input);
        return true;
    }
    if (!file->format->columns) {
        file->lines = lines_create(file->input);
        return true;
    }
    file->table = (struct csv_table){
        .columns = file->format->columns,
        .count = file->format->column_count,
        .delimiter = file->chosen.delimiter,
        .unquoted = file->chosen.unquoted,
        .rename = file->context.roles ? role_of_column : NULL,
        .label = file->context.roles ? column_of_role : NULL,
        .header = file->format->header,
        .begin = begin_row,
        .row = end_row,
        .reject = file->reject || file->tolerant ? reject_row : NULL,
        .unknown = file->format->lenient ? unknown_column : NULL,
    };
    file->csv = csv_open(file->input, &file->table, &file->context, err);
    if (file->csv != NULL)
        note_unused(file);
    return file->csv != NULL;
}
