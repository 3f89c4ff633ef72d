/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace from a file: input -> CSV rows or lines -> the format's row -> a batch of jobs, one chunk
 * of input at a time. Streaming keeps one batch; sorting keeps all jobs and gives them out in order
 * of (submit time, row).
 *
 * Strings of a batch lie in texts[current]. A row may begin in one chunk and end in the next, so
 * the strings of the batch before are kept until the batch after it is begun: two sets take turns.
 */
#include "traces/file.h"

#include "sim/base/mem.h"
#include "traces/choice.h"
#include "traces/formats.h"
#include "traces/ids.h"
#include "traces/lines.h"
#include "traces/objects.h"
#include "traces/rejects.h"
#include "traces/unfinished.h"

#include <stdlib.h>
#include <string.h>

struct file_job {
    struct trace_job job;
    uint64_t line;
};

struct sort_key {
    int64_t submit_ms;
    size_t index; /* in jobs, which is the order of rows */
};

struct trace_file {
    struct trace base; /* first */
    struct input *input;
    struct choice chosen;
    const struct trace_format *format; /* that is chosen */
    struct roles roles;                /* of the format `table` */
    char *unused;                      /* names of columns, for a note */
    struct csv_table table;
    struct csv_reader *csv;
    struct lines *lines;
    struct objects *objects;
    struct format_settings settings;
    struct times_zone zone;
    struct format_context context;
    struct format_row blank; /* what every row begins as */
    struct trace_names names;
    bool tells_apart;           /* a job id that comes again gets a number; else it is an error */
    uint32_t no_queue, no_user; /* names of what a row does not say, once one was needed */
    struct texts texts[2];
    unsigned current;
    struct file_job *jobs;
    size_t count, capacity, next;
    uint64_t rows;                                   /* data rows seen, dropped ones included */
    bool exhausted;                                  /* no more input */
    bool nonempty;                                   /* as in struct trace_options */
    void (*reject)(void *to, const struct err *err); /* likewise */
    void *reject_to;
    bool tolerant;          /* likewise */
    struct rejects rejects; /* of a tolerant reading */
    bool gave;              /* a job was given out */
    int64_t last_ms;        /* of the job given out last */
    struct trace_ids ids;   /* by line */
    struct sort_key *order; /* sorting only: jobs in the order they are given out */
};

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

/* What all formats leave open has one meaning. */
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

/* Where a format has the runs of a job in rows of their own, each later one is a job called "ID#2",
 * "ID#3", ... */
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

/* An id that came before, where only the first of its rows is to be used. */
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
        return true; /* it has been seen to */
    uint64_t before = trace_ids_add(&file->ids, id, line);
    if (before == 0)
        return true;
    if (file->tells_apart) {
        tell_apart(file, line);
        return true;
    }
    return is_again(id, before, err);
}

/* True if the ids of a chunk are checked together, which hides the memory latency of a large table.
 */
static bool checks_later(const struct trace_file *file)
{
    return file->csv != NULL && !file->tells_apart &&
           file->settings.duplicates != SETTINGS_DUPLICATES_FIRST;
}

#define IDS_AHEAD 8

/* True if a row with this error is left out, and the next one read. */
static bool reject(struct trace_file *file, const struct err *err)
{
    bool tolerated = file->tolerant && file->settings.rejected_ppm > 0;
    if (tolerated)
        rejects_take(&file->rejects, err);
    if (file->reject && (tolerated || !file->tolerant))
        file->reject(file->reject_to, err);
    return file->tolerant ? tolerated : file->reject != NULL;
}

/* The ids of the jobs from `first` on; rejected jobs leave the batch. */
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
    if (file->context.roles) /* which say it */
        return;
    file->unused = mem_format(
        "%s%s", before ? before : "columns not used: ", texts_show(shown, sizeof shown, name, n));
    free(before);
    before = file->unused;
    file->unused = mem_format("%s, ", before);
    free(before);
}

/* Once the header was read. */
static void note_unused(struct trace_file *file)
{
    if (file->unused == NULL)
        return;
    file->unused[strlen(file->unused) - strlen(", ")] = '\0';
    trace_note_add(&file->base.notes, file->unused, 0);
}

/* Lines have no chunks of their own: a batch is this many. */
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

/* Objects come one by one; an error is at the line where its object begins. */
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

/* An id that came twice is above what csv_more() found fault with, if it did. */
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

/* Adds the jobs of the next chunk to the batch. */
static bool more(struct trace_file *file, struct err *err)
{
    int got = file->csv       ? more_rows(file, err)
              : file->objects ? more_objects(file, err)
                              : more_lines(file, err);
    file->exhausted = got <= 0;
    return got >= 0;
}

/* A new batch with at least one job, unless the input ended. An error is reported before the rows
 * of its chunk. */
static bool refill(struct trace_file *file, struct err *err)
{
    file->current ^= 1;
    texts_clear(&file->texts[file->current]);
    file->context.fields.texts = &file->texts[file->current];
    file->count = file->next = 0;
    while (file->count == 0 && !file->exhausted) {
        if (!more(file, err))
            return false;
    }
    return true;
}

static int compare(const void *left, const void *right)
{
    const struct sort_key *a = left, *b = right;
    if (a->submit_ms != b->submit_ms)
        return a->submit_ms < b->submit_ms ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static bool load_all(struct trace_file *file, struct err *err)
{
    while (!file->exhausted) {
        if (!more(file, err))
            return false;
    }
    file->order = mem_alloc(file->count, sizeof *file->order);
    for (size_t i = 0; i < file->count; i++)
        file->order[i] = (struct sort_key){file->jobs[i].job.submit_ms, i};
    // The index makes the order total, so the sort is stable whatever algorithm the C library has.
    qsort(file->order, file->count, sizeof *file->order, compare);
    return true;
}

/* The field that says when a job was submitted, whatever the format calls it. */
static size_t submit_column(const struct trace_file *file)
{
    const struct trace_format *format = file->format;
    for (size_t i = 0; i < format->column_count; i++) {
        const struct csv_column *column = &format->columns[i];
        size_t number = csv_column_number(file->csv, column->name);
        if (number > 0 && column->set &&
            column->offset == offsetof(struct format_row, job.submit_ms))
            return number;
    }
    return file->csv || file->objects ? 1 : 2; // SWF's second field
}

static enum trace_result unsorted(const struct trace_file *file, const struct file_job *at,
                                  struct err *err)
{
    char shown[80];
    err_set(err, EXIT_INPUT,
            "%s:%llu:%zu: job '%s' was submitted %lld ms before the one above it: not in order of "
            "submission",
            input_name(file->input), (unsigned long long)at->line, submit_column(file),
            texts_show(shown, sizeof shown, at->job.id, strlen(at->job.id)),
            (long long)(file->last_ms - at->job.submit_ms));
    return TRACE_UNSORTED;
}

/* The end, which is an error when a job was asked for and none came. */
static enum trace_result end(struct trace_file *file, struct err *err)
{
    if (!rejects_end(&file->rejects, file->rows + file->rejects.count, file->settings.rejected_ppm,
                     err))
        return TRACE_ERROR;
    if (file->rejects.words != NULL)
        trace_note_add(&file->base.notes, file->rejects.words, 0);
    if (file->gave || !file->nonempty)
        return TRACE_END;
    uint64_t line = file->csv       ? csv_line(file->csv)
                    : file->objects ? objects_line(file->objects)
                                    : lines_number(file->lines) + 1;
    err_set(err, EXIT_INPUT, "%s:%llu:1: the trace has no jobs%s", input_name(file->input),
            (unsigned long long)line, file->rows > 0 ? ": all its rows were dropped" : "");
    return TRACE_ERROR;
}

static enum trace_result stream_next(struct trace *trace, struct trace_job *job, struct err *err)
{
    struct trace_file *file = (struct trace_file *)trace;
    if (file->next == file->count) {
        if (!file->exhausted && !refill(file, err))
            return TRACE_ERROR;
        if (file->next == file->count)
            return end(file, err);
    }
    const struct file_job *at = &file->jobs[file->next];
    if (at->job.submit_ms < file->last_ms)
        return unsorted(file, at, err);
    file->last_ms = at->job.submit_ms;
    file->next++;
    file->gave = true;
    *job = at->job;
    return TRACE_JOB;
}

static enum trace_result sorted_next(struct trace *trace, struct trace_job *job, struct err *err)
{
    struct trace_file *file = (struct trace_file *)trace;
    if (!file->order && !load_all(file, err))
        return TRACE_ERROR;
    if (file->next == file->count)
        return end(file, err);
    file->gave = true;
    *job = file->jobs[file->order[file->next++].index].job;
    return TRACE_JOB;
}

static void close_file(struct trace *trace)
{
    struct trace_file *file = (struct trace_file *)trace;
    if (file->format && file->format->close)
        file->format->close(&file->context);
    csv_close(file->csv);
    lines_destroy(file->lines);
    objects_destroy(file->objects);
    input_close(file->input);
    texts_fini(&file->texts[0]);
    texts_fini(&file->texts[1]);
    trace_ids_fini(&file->ids);
    rejects_fini(&file->rejects);
    run_times_destroy(file->context.run_times);
    roles_fini(&file->roles);
    free(file->unused);
    free(file->jobs);
    free(file->order);
}

static void file_digest(const struct trace *trace, char hex[DIGEST_HEX])
{
    const struct trace_file *file = (const struct trace_file *)trace;
    input_digest(file->input, hex);
}

static const struct trace_methods streaming = {stream_next, close_file, file_digest, NULL};
static const struct trace_methods sorting = {sorted_next, close_file, file_digest, NULL};

static void blank_row(struct format_row *row)
{
    memset(row, 0, sizeof *row);
    trace_job_init(&row->job);
    row->job.status = TRACE_STATUS_UNSET;
    row->job.queue = row->job.user = SYMBOL_NONE;
    row->raw.role = row->raw.deadlines = "";
    row->job.min_tasks = row->job.max_tasks = 0;
    row->job.submit_ms = row->job.eligible_ms = FORMAT_ABSENT;
    row->raw.gpus_milli = row->raw.gpus = row->raw.gpu_milli = row->raw.cpus = FORMAT_ABSENT;
    row->raw.nodes = row->raw.wait_ms = row->raw.steps = FORMAT_ABSENT;
    row->raw.requested.gpus = row->raw.requested.cpus = FORMAT_ABSENT;
    row->raw.requested.mem_mib = row->raw.requested.nodes = FORMAT_ABSENT;
    row->raw.allocated = row->raw.requested;
    row->raw.start_ms = row->raw.end_ms = row->raw.duration_ms = FORMAT_ABSENT;
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

/* Of a table of any columns: what they say, as its rows do not yet. */
static bool find_roles(struct trace_file *file, struct err *err)
{
    const char *head = "";
    size_t n = 0;
    if (file->format != &format_table)
        return true;
    if (input_peek(file->input, &head, &n, err) < 0 ||
        !roles_find(&file->roles, head, n, file->chosen.delimiter, file->settings.map, err))
        return err_prefix(err, "%s:1:1", input_name(file->input));
    file->context.roles = &file->roles;
    trace_note_add(&file->base.notes, file->roles.words, 0);
    return true;
}

static bool begin_reading(struct trace_file *file, struct err *err)
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

/* What the user says of the format, and the zone of its clocks. */
static bool prepare(struct trace_file *file, const struct trace_options *options, struct err *err)
{
    struct format_settings *settings = &file->settings;
    if (!settings_read(settings, options->settings, options->setting_count,
                       format_name(file->format), err))
        return err_prefix(err, "%s:1:1", input_name(file->input));
    file->zone = file->format->zone ? *file->format->zone : times_utc;
    if (settings->utc_offset_s != INT64_MIN)
        file->zone = (struct times_zone){settings->utc_offset_s, TIMES_NO_SUMMER};
    file->context.settings = settings;
    file->tells_apart = settings->duplicates == TRACE_UNKNOWN
                            ? file->format->repeats_ids
                            : settings->duplicates == SETTINGS_DUPLICATES_NUMBER;
    return find_roles(file, err) &&
           (!file->format->open || file->format->open(&file->context, err));
}

/* True if the file has one of the columns. */
static bool has_any(const struct trace_file *file, const char *const *names)
{
    while (*names != NULL && csv_column_number(file->csv, *names) == 0)
        names++;
    return *names != NULL;
}

/* True if jobs of the format may depend on others, and the file has a column for it. */
static bool is_linked(const struct trace_file *file)
{
    if (file->settings.dependencies == SETTINGS_DEPENDENCIES_HONOUR)
        return true;
    const char *const *names = file->format->links;
    if (names == NULL || names[0] == NULL || file->csv == NULL)
        return names != NULL;
    return has_any(file, names);
}

bool trace_open_input(struct trace **trace, struct input *input,
                      const struct trace_options *options, struct err *err)
{
    struct trace_file *file = mem_alloc(1, sizeof *file);
    file->base.methods = options->sort ? &sorting : &streaming;
    file->input = input;
    file->names = options->names;
    file->nonempty = options->nonempty;
    file->reject = options->reject;
    file->reject_to = options->reject_to;
    file->tolerant = options->tolerant;
    file->no_queue = file->no_user = SYMBOL_NONE;
    file->last_ms = INT64_MIN;
    texts_init(&file->texts[0]);
    texts_init(&file->texts[1]);
    blank_row(&file->blank);
    file->blank.job.file =
        options->path == NULL || strcmp(options->path, "-") != 0 ? options->path : "<stdin>";
    file->context.fields = (struct field_context){.record = &file->context.row,
                                                  .texts = &file->texts[0],
                                                  .names = &file->names,
                                                  .zone = &file->zone};
    file->context.notes = &file->base.notes;
    bool found = choice_make(&file->chosen, input, options, err);
    file->format = file->chosen.format;
    if (!found || !prepare(file, options, err) || !begin_reading(file, err)) {
        trace_close(&file->base);
        return false;
    }
    file->base.format = format_name(file->format);
    file->base.linked = is_linked(file);
    file->base.dated = file->csv != NULL && file->format->deadline != NULL &&
                       csv_column_number(file->csv, file->format->deadline) > 0;
    file->base.mixed =
        file->csv != NULL && file->format->parts != NULL && has_any(file, file->format->parts);
    *trace = &file->base;
    return true;
}

bool trace_open(struct trace **trace, const struct trace_options *options, struct err *err)
{
    struct input *input = input_open(options->path, err);
    return input && trace_open_input(trace, input, options, err);
}
