/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace from a file: input -> CSV rows, lines or objects -> the format's row -> a batch of jobs,
 * one chunk of input at a time. Streaming keeps one batch; sorting keeps all jobs and returns them
 * in order of (submit time, row).
 *
 * The strings of a batch are in texts[current]. A row may begin in one chunk and end in the next,
 * so a batch's strings live until the next batch has begun: two sets alternate.
 */
#include "traces/file_internal.h"

#include "sim/base/mem.h"
#include "traces/unfinished.h"

#include <stdlib.h>
#include <string.h>

/* Starts a new batch with at least one job, unless the input ends. An error precedes the jobs of
 * its chunk. */
static bool refill(struct trace_file *file, struct err *err)
{
    file->current ^= 1;
    texts_clear(&file->texts[file->current]);
    file->context.fields.texts = &file->texts[file->current];
    file->count = file->next = 0;
    while (file->count == 0 && !file->exhausted) {
        if (!file_read_rows(file, err))
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
        if (!file_read_rows(file, err))
            return false;
    }
    file->order = mem_alloc(file->count, sizeof *file->order);
    for (size_t i = 0; i < file->count; i++)
        file->order[i] = (struct sort_key){file->jobs[i].job.submit_ms, i};
    // The index makes the order total, so the sort is stable with any C library.
    qsort(file->order, file->count, sizeof *file->order, compare);
    return true;
}

/* The number of the field with the submit time, whatever the format calls it. */
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
    return file->csv || file->objects ? 1 : 2; // the second field of SWF
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

/* Ends the trace; an error if it must have jobs and had none. */
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

/* Finds the roles of the columns of a `table` by its first rows. */
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

/* Reads the settings of the format and the zone of its clocks. */
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

/* Returns true if the file has one of the columns. */
static bool has_any(const struct trace_file *file, const char *const *names)
{
    while (*names != NULL && csv_column_number(file->csv, *names) == 0)
        names++;
    return *names != NULL;
}

/* Returns true if jobs of the format may depend on others and the file has a column for it. */
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
    if (!found || !prepare(file, options, err) || !file_begin_rows(file, err)) {
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
