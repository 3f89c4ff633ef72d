/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet trace`: what is in a trace, the same trace in our own format, and traces that are made. */
#include "sim/base/json.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/signals.h"
#include "traces/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define INTERRUPT_ROWS 4096 /* how often a long loop looks whether it should end */

static struct trace_names names_create(void)
{
    return (struct trace_names){.queues = symbols_create(),
                                .users = symbols_create(),
                                .gpu_types = symbols_create(),
                                .models = symbols_create()};
}

static void names_destroy(struct trace_names *names)
{
    symbols_destroy(names->queues);
    symbols_destroy(names->users);
    symbols_destroy(names->gpu_types);
    symbols_destroy(names->models);
}

static bool is_stream(const char *path)
{
    return strcmp(path, "-") == 0;
}

/*
 * What is done with the jobs of a trace. begin() may be called a second time, for a trace that turned out not to be
 * sorted; it forgets the jobs of the first.
 */
struct sink {
    bool (*begin)(struct sink *, struct err *);
    void (*job)(struct sink *, const struct trace_job *);
    struct trace_names names;
    struct out *out;
    const char *path; /* convert, generate: output */
    bool begun; /* the header is written, which waits for the first job: an unreadable file writes nothing */
    struct trace_stats *stats;
};

/* Hands all jobs to the sink. An interrupt is an error without a message: main() knows what to do. */
static enum trace_result drain(struct trace *trace, struct sink *sink, struct err *err)
{
    struct trace_job job;
    enum trace_result got;
    uint64_t rows = 0;
    while ((got = trace_next(trace, &job, err)) == TRACE_JOB) {
        sink->job(sink, &job);
        if (++rows % INTERRUPT_ROWS == 0 && cli_interrupted()) {
            err_set(err, 128 + cli_interrupted(), "interrupted after %" PRIu64 " jobs", rows);
            return TRACE_ERROR;
        }
    }
    return got;
}

/*
 * Reads a file to its end, twice if it has to be sorted first. Standard input cannot be read twice, and rows on
 * standard output cannot be taken back: then the trace is sorted from the start, which holds it in memory.
 */
static bool read_all(struct trace **trace, const struct cli *cli, struct sink *sink, bool sort,
                     struct err *err)
{
    struct trace_options options = {.path = cli->operands[0],
                                    .format = cli_option(cli, OPT_FORMAT),
                                    .names = sink->names,
                                    .sort = sort || is_stream(cli->operands[0])};
    for (;;) {
        if (!trace_open(trace, &options, err))
            return false;
        if (!sink->begin(sink, err))
            break;
        enum trace_result end = drain(*trace, sink, err);
        if (end == TRACE_END)
            return true;
        if (end != TRACE_UNSORTED || options.sort)
            break;
        trace_close(*trace);
        options.sort = true;
    }
    trace_close(*trace);
    *trace = NULL;
    return false;
}

static void print_notes(const struct trace *trace, const char *path)
{
    size_t count;
    const struct trace_note *notes = trace_notes(trace, &count);
    for (size_t i = 0; i < count; i++)
        cli_note("%s: %" PRIu64 " %s: %s (first at line %" PRIu64 ")",
                 is_stream(path) ? "standard input" : path, notes[i].rows,
                 notes[i].rows == 1 ? "row" : "rows", notes[i].what, notes[i].first_line);
}

/* ---- stats ------------------------------------------------------------------------------------------------------ */

static bool stats_begin(struct sink *sink, struct err *err)
{
    (void)err;
    trace_stats_destroy(sink->stats);
    sink->stats = trace_stats_create(&sink->names);
    return true;
}

static void stats_job(struct sink *sink, const struct trace_job *job)
{
    trace_stats_add(sink->stats, job);
}

/* One object: where the statistics come from, then what trace_stats_json() says. */
static void print_stats_json(const struct cli *cli, const char *format, const char *digest,
                             const struct trace_stats *stats)
{
    struct json json;
    json_init(&json, cli->out, 2);
    json_begin_object(&json, NULL);
    json_text(&json, "trace", cli->operands[0]);
    json_text(&json, "format", format);
    json_text(&json, "digest", digest);
    struct out *rest = out_memory();
    trace_stats_json(stats, rest);
    const char *text = out_memory_text(rest, NULL);
    BUG_ON(text[0] != '{');
    out_char(cli->out, ',');
    out_text(cli->out, text + 1);
    out_discard(rest);
}

static void print_stats(const struct cli *cli, const struct trace *trace, const struct trace_stats *stats)
{
    char hex[DIGEST_HEX], digest[DIGEST_HEX + sizeof "sha256:"];
    trace_digest(trace, hex);
    (void)snprintf(digest, sizeof digest, "sha256:%s", hex);
    if (cli_given(cli, OPT_JSON)) {
        print_stats_json(cli, trace_format_name(trace), digest, stats);
        return;
    }
    out_format(cli->out, "trace %s: format %s, %s\n", cli->operands[0], trace_format_name(trace), digest);
    trace_stats_print(stats, cli->out);
}

static int trace_stats_command(struct cli *cli)
{
    struct err err;
    struct trace *trace = NULL;
    struct sink sink = {.begin = stats_begin, .job = stats_job, .names = names_create()};
    cli_catch_signals();
    bool ok = read_all(&trace, cli, &sink, false, &err);
    if (ok) {
        print_notes(trace, cli->operands[0]);
        print_stats(cli, trace, sink.stats);
    }
    trace_close(trace);
    trace_stats_destroy(sink.stats);
    names_destroy(&sink.names);
    return ok ? EXIT_OK : cli_fail(&err);
}

/* ---- convert, generate ------------------------------------------------------------------------------------------ */

static bool write_begin(struct sink *sink, struct err *err)
{
    sink->begun = false;
    if (!is_stream(sink->path)) {
        out_discard(sink->out);
        sink->out = out_open(sink->path, err);
    }
    return sink->out != NULL;
}

static void write_header(struct sink *sink)
{
    if (!sink->begun)
        trace_write_header(sink->out);
    sink->begun = true;
}

static void write_job(struct sink *sink, const struct trace_job *job)
{
    write_header(sink);
    trace_write_job(sink->out, job, &sink->names);
}

/* Where a written trace goes: standard output unless -o says something else. */
static bool write_path(const struct cli *cli, const char **path, struct err *err)
{
    static const char *const packed[] = {".gz", ".zst", ".bz2", ".xz"};
    *path = cli_given(cli, OPT_OUTPUT) ? cli_option(cli, OPT_OUTPUT) : "-";
    size_t n = strlen(*path);
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        size_t m = strlen(packed[i]);
        if (n > m && strcmp(*path + n - m, packed[i]) == 0)
            return err_set(err, EXIT_INPUT, "%s: traces are written uncompressed, expected a name without %s",
                           *path, packed[i]);
    }
    return true;
}

/* Completes the output, or removes it. */
static bool write_end(struct sink *sink, bool ok, struct err *err)
{
    if (ok)
        write_header(sink);
    if (is_stream(sink->path))
        return ok;
    if (ok)
        return out_close(sink->out, err);
    out_discard(sink->out);
    return false;
}

static int trace_convert_command(struct cli *cli)
{
    struct err err;
    struct trace *trace = NULL;
    struct sink sink = {.begin = write_begin, .job = write_job};
    const char *to = cli_option(cli, OPT_TO);
    if (to && strcmp(to, "native") != 0)
        return cli_misuse(cli, "option '--to': cannot write format '%s', expected native", to);
    if (!write_path(cli, &sink.path, &err))
        return cli_misuse(cli, "%s", err.msg);
    sink.names = names_create();
    sink.out = is_stream(sink.path) ? cli->out : NULL;
    cli_catch_signals();
    bool ok = read_all(&trace, cli, &sink, is_stream(sink.path), &err);
    if (ok)
        print_notes(trace, cli->operands[0]);
    ok = write_end(&sink, ok, &err);
    trace_close(trace);
    names_destroy(&sink.names);
    return ok ? EXIT_OK : cli_fail(&err);
}

/* "jobs=1000", "horizon_s=14d": a number, or a duration for what is measured in seconds. */
static bool parse_parameter(const char *text, struct trace_parameter *parameter, struct err *err)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return err_set(err, EXIT_INPUT, "option '--set': '%s', expected PARAMETER=NUMBER", text);
    size_t n = (size_t)(equals - text);
    const char *value = equals + 1;
    bool seconds = n > 2 && strncmp(equals - 2, "_s", 2) == 0;
    int64_t ms;
    if (!text_f64(value, strlen(value), &parameter->value)) {
        if (!seconds || !text_duration_ms(value, strlen(value), &ms))
            return err_set(err, EXIT_INPUT, "option '--set': '%s' is no number%s", text,
                           seconds ? " of seconds and no duration such as 90s, 15m, 2h, 14d" : "");
        parameter->value = (double)ms / 1000;
    }
    parameter->name = mem_text_n(text, n);
    return true;
}

static void free_parameters(struct trace_parameter *parameters, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free((char *)(uintptr_t)parameters[i].name);
    free(parameters);
}

static bool generate(struct cli *cli, const struct trace_parameter *parameters, size_t count, struct err *err)
{
    struct sink sink = {.begin = write_begin, .job = write_job};
    if (!write_path(cli, &sink.path, err))
        return false;
    sink.names = names_create();
    sink.out = is_stream(sink.path) ? cli->out : NULL;
    struct trace_generate_options options = {.profile = cli->operands[0],
                                             .parameters = parameters,
                                             .parameter_count = count,
                                             .seed = cli_number(cli, OPT_SEED, 1),
                                             .names = sink.names};
    struct trace *trace = NULL;
    bool ok = trace_generate(&trace, &options, err);
    if (ok) {
        ok = write_begin(&sink, err) && drain(trace, &sink, err) == TRACE_END;
        ok = write_end(&sink, ok, err);
    }
    trace_close(trace);
    names_destroy(&sink.names);
    return ok;
}

static int trace_generate_command(struct cli *cli)
{
    struct err err;
    size_t given, count = 0;
    const char *const *texts = cli_all(cli, OPT_SET, &given);
    struct trace_parameter *parameters = mem_alloc(given, sizeof *parameters);
    cli_catch_signals();
    while (count < given && parse_parameter(texts[count], &parameters[count], &err))
        count++;
    bool ok = count == given && generate(cli, parameters, count, &err);
    free_parameters(parameters, count);
    return ok ? EXIT_OK : cli_fail(&err);
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

static const struct option_use stats_options[] = {{.id = OPT_FORMAT}, {.id = OPT_JSON}, {.id = OPT_COUNT}};

static const struct option_use convert_options[] = {
    {.id = OPT_OUTPUT},
    {.id = OPT_FORMAT},
    {.id = OPT_TO},
    {.id = OPT_COUNT},
};

static const struct option_use generate_options[] = {
    {.id = OPT_OUTPUT                                                                   },
    {.id = OPT_SET,
     .argument = "PARAMETER=VALUE",
     .help = "change one parameter of the profile; seconds may be durations such as 14d"},
    {.id = OPT_SEED, .help = "seed of all random numbers (1)"},
    {.id = OPT_COUNT                                                                     },
};

// clang-format off
const struct command trace_commands[] = {
    {
        .name = "stats",
        .operands = "FILE",
        .operands_min = 1,
        .operands_max = 1,
        .summary = "say what is in a trace",
        .description =
            "Prints format and digest of the trace, then its load, sizes, durations, arrivals, queues and users.",
        .examples = "fauxfleet trace stats jobs.csv.gz\n",
        .options = stats_options,
        .run = trace_stats_command,
    },
    {
        .name = "convert",
        .operands = "FILE [-o OUT.csv]",
        .operands_min = 1,
        .operands_max = 1,
        .summary = "translate a trace to the native CSV format",
        .description =
            "Writes the jobs in order of submission. Nothing is written when the trace cannot be read to its "
            "end.",
        .examples = "fauxfleet trace convert KTH-SP2.swf.gz -o kth.csv\n",
        .options = convert_options,
        .run = trace_convert_command,
    },
    {
        .name = "generate",
        .operands = "PROFILE [-o OUT.csv]",
        .operands_min = 1,
        .operands_max = 1,
        .summary = "make a trace from a profile",
        .description =
            "Writes jobs drawn from the statistics of a profile (see 'list profiles', 'list parameters') as a "
            "native CSV. Equal parameters and seed give equal jobs.",
        .examples = "fauxfleet trace generate teams --set gpus=256 --set horizon_s=28d -o month.csv\n",
        .options = generate_options,
        .run = trace_generate_command,
    },
    {
        .name = "formats",
        .operands = "",
        .summary = "list the formats that can be read",
        .description = "The same as 'list formats'.",
        .options = option_uses_table,
        .run = cmd_list_formats,
    },
    {.name = NULL},
};
// clang-format on
