/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading for the `trace` commands; see read.h. */
#include "sim/trace/read.h"

#include "sim/base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct trace_names trace_names_create(void)
{
    return (struct trace_names){.queues = symbols_create(),
                                .users = symbols_create(),
                                .gpu_types = symbols_create(),
                                .models = symbols_create(),
                                .nodes = symbols_create()};
}

void trace_names_destroy(struct trace_names *names)
{
    symbols_destroy(names->queues);
    symbols_destroy(names->users);
    symbols_destroy(names->gpu_types);
    symbols_destroy(names->models);
    symbols_destroy(names->nodes);
}

bool trace_is_stream(const char *path)
{
    return strcmp(path, "-") == 0;
}

enum trace_result trace_drain(struct trace *trace, struct sink *sink, struct err *err)
{
    struct trace_job job;
    enum trace_result got;
    while ((got = trace_next(trace, &job, err)) == TRACE_JOB)
        if (sink != NULL)
            sink->job(sink, &job);
    return got;
}

struct trace_texts trace_texts_of(const struct cli *cli)
{
    struct trace_texts texts = {.map = NULL};
    size_t maps;
    const char *const *map = cli_all(cli, OPT_MAP, &maps);
    const char *const *given = cli_all(cli, OPT_OPTION, &texts.count);
    if (maps > 0) {
        char *joined = trace_map_join(map, maps);
        texts.map = mem_format("map=%s", joined);
        free(joined);
    }
    texts.texts = mem_alloc(texts.count + 1, sizeof *texts.texts);
    for (size_t i = 0; i < texts.count; i++)
        texts.texts[i] = given[i];
    if (texts.map != NULL)
        texts.texts[texts.count++] = texts.map;
    return texts;
}

void trace_texts_fini(struct trace_texts *texts)
{
    free(texts->texts);
    free(texts->map);
}

/* Keys are freed with the array by free_settings(). */
static bool read_settings(const struct trace_texts *texts, struct trace_setting **settings,
                          size_t *count, struct err *err)
{
    *settings = mem_alloc(texts->count, sizeof **settings);
    for (*count = 0; *count < texts->count; ++*count) {
        const char *text = texts->texts[*count], *equals = strchr(text, '=');
        if (!equals || equals == text)
            return err_set(err, EXIT_INPUT, "option '--option': '%s', expected KEY=VALUE", text);
        (*settings)[*count] =
            (struct trace_setting){mem_text_n(text, (size_t)(equals - text)), equals + 1};
    }
    return true;
}

static void free_settings(struct trace_setting *settings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free((char *)(uintptr_t)settings[i].key);
    free(settings);
}

/* One reading; TRACE_END when all was well. */
static enum trace_result read_once(struct trace **trace, const struct trace_options *options,
                                   struct sink *sink, struct err *err)
{
    if (!trace_open(trace, options, err)) {
        *trace = NULL;
        return TRACE_ERROR;
    }
    sink->extras = trace_extras(*trace);
    enum trace_result end = sink->begin(sink, err) ? trace_drain(*trace, sink, err) : TRACE_ERROR;
    if (end != TRACE_END) {
        trace_close(*trace);
        *trace = NULL;
    }
    return end;
}

bool trace_read_path(struct trace **trace, const struct cli *cli, const char *path,
                     struct sink *sink, bool sort, struct err *err)
{
    struct trace_options options = {.path = path,
                                    .format = cli_option(cli, OPT_FORMAT),
                                    .names = sink->names,
                                    .reject = sink->reject,
                                    .reject_to = sink,
                                    .tolerant = sink->tolerant,
                                    .sort = sort || trace_is_stream(path)};
    struct trace_texts texts = trace_texts_of(cli);
    struct trace_setting *settings;
    enum trace_result end = TRACE_ERROR;
    *trace = NULL;
    if (read_settings(&texts, &settings, &options.setting_count, err)) {
        options.settings = settings;
        end = read_once(trace, &options, sink, err);
        if (end == TRACE_UNSORTED && !options.sort) {
            options.sort = true;
            end = read_once(trace, &options, sink, err);
        }
    }
    free_settings(settings, options.setting_count);
    trace_texts_fini(&texts);
    return end == TRACE_END;
}

bool trace_read_all(struct trace **trace, const struct cli *cli, struct sink *sink, bool sort,
                    struct err *err)
{
    return trace_read_path(trace, cli, cli->operands[0], sink, sort, err);
}

void trace_note_print(const struct trace_note *note, const char *where)
{
    if (note->first_line == 0)
        cli_note("%s: %s", where, note->what);
    else
        cli_note("%s: %" PRIu64 " %s: %s (first at line %" PRIu64 ")", where, note->rows,
                 note->rows == 1 ? "row" : "rows", note->what, note->first_line);
}

void trace_print_notes(const struct trace *trace, const char *path)
{
    size_t count;
    const struct trace_note *notes = trace_notes(trace, &count);
    for (size_t i = 0; i < count; i++)
        trace_note_print(&notes[i], trace_is_stream(path) ? "standard input" : path);
}
