/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet trace`: shows, converts and generates traces. */
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/program/command.h"
#include "sim/trace/like.h"
#include "sim/trace/read.h"
#include "sim/trace/rejected.h"
#include "sim/trace/stats.h"
#include "traces/vary/perturb.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- convert, generate ----------------------------------------------------------------------- */

enum written { WRITE_NATIVE, WRITE_SWF };

struct writing {
    struct sink sink; /* first */
    struct out *out;
    const char *path;
    enum written format;
    struct trace_swf swf;
    struct sample *sample; /* of the written jobs; NULL: not requested */
    struct rejected rejected;
    bool begun; /* the header is written, which happens at the first job: an unreadable file
                   writes nothing */
};

static bool write_begin(struct sink *sink, struct err *err)
{
    struct writing *writing = (struct writing *)sink;
    writing->begun = false;
    if (!trace_is_stream(writing->path)) {
        out_discard(writing->out);
        writing->out = out_open(writing->path, err);
    }
    return writing->out != NULL && rejected_begin(&writing->rejected, err);
}

static void write_reject(void *sink, const struct err *row)
{
    rejected_row(&((struct writing *)sink)->rejected, row);
}

static void write_header(struct writing *writing, const struct trace_job *first)
{
    if (!writing->begun && writing->format == WRITE_NATIVE)
        trace_write_header(writing->out, writing->sink.extras);
    if (!writing->begun && writing->format == WRITE_SWF)
        trace_swf_header(&writing->swf, writing->out, first,
                         (writing->sink.extras & TRACE_LINKS) != 0);
    writing->begun = true;
}

static void write_job(struct sink *sink, const struct trace_job *job)
{
    struct writing *writing = (struct writing *)sink;
    write_header(writing, job);
    if (writing->sample != NULL)
        sample_add(writing->sample, job);
    if (writing->format == WRITE_SWF)
        trace_swf_job(&writing->swf, writing->out, job, &sink->names);
    else
        trace_write_job(writing->out, job, &sink->names, sink->extras);
}

/* Where a written trace goes: standard output unless -o is given. */
static bool write_path(const struct cli *cli, const char **path, struct err *err)
{
    static const char *const packed[] = {".gz", ".zst", ".bz2", ".xz"};
    *path = cli_given(cli, OPT_OUTPUT) ? cli_option(cli, OPT_OUTPUT) : "-";
    size_t n = strlen(*path);
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        size_t m = strlen(packed[i]);
        if (n > m && strcmp(*path + n - m, packed[i]) == 0)
            return err_set(err, EXIT_INPUT,
                           "%s: traces are written uncompressed, expected a name without %s", *path,
                           packed[i]);
    }
    return true;
}

/* Completes the output, or removes it. */
static bool write_end(struct writing *writing, bool ok, struct err *err)
{
    if (ok)
        write_header(writing, NULL);
    if (trace_is_stream(writing->path))
        return ok;
    if (ok)
        return out_close(writing->out, err);
    out_discard(writing->out);
    return false;
}

/* What SWF has no words for. */
static void print_swf_notes(const struct writing *writing)
{
    const struct {
        uint64_t jobs;
        const char *what;
    } notes[] = {
        {writing->swf.without, "without GPUs: skipped"},
        {writing->swf.shares, "with a share of a GPU: a whole processor each"},
        {writing->swf.several, "that depend on several others: field 17 is left unknown"},
        {writing->swf.missing,
         "that depend on one that is not written before them: field 17 is left unknown"},
        {writing->swf.well, "that depend on another's success: written as depending on its end"},
        {writing->swf.arrays, "of arrays: written as jobs of their own"},
    };
    for (size_t i = 0; writing->format == WRITE_SWF && i < sizeof notes / sizeof *notes; i++)
        if (notes[i].jobs > 0)
            cli_note("%s: %" PRIu64 " jobs %s", writing->path, notes[i].jobs, notes[i].what);
}

/* The format of --to: native without it and when the output is no *.swf. */
static bool write_format(const struct cli *cli, const char *path, enum written *format)
{
    const char *to = cli_option(cli, OPT_TO);
    size_t n = strlen(path);
    bool named = n > 4 && strcmp(path + n - 4, ".swf") == 0;
    *format = to      ? strcmp(to, "swf") == 0 ? WRITE_SWF : WRITE_NATIVE
              : named ? WRITE_SWF
                      : WRITE_NATIVE;
    return !to || *format == WRITE_SWF || strcmp(to, "native") == 0;
}

/* --rejected FILE */
static bool open_rejected(const struct cli *cli, struct writing *writing, struct err *err)
{
    const char *path = cli_option(cli, OPT_REJECTED);
    if (path != NULL && (trace_is_stream(path) || strcmp(path, writing->path) == 0))
        return err_set(err, EXIT_INPUT,
                       "option '--rejected': '%.128s', expected a file beside the output", path);
    writing->rejected = (struct rejected){
        .path = path, .name = trace_is_stream(cli->operands[0]) ? "<stdin>" : cli->operands[0]};
    if (path != NULL)
        writing->sink.reject = write_reject;
    return true;
}

static void print_rejected(const struct rejected *rejected)
{
    if (rejected->rows > 0)
        cli_note("%s: %" PRIu64 " %s left out; %s says why", rejected->name, rejected->rows,
                 rejected->rows == 1 ? "row was" : "rows were", rejected->path);
}

static int trace_convert_command(struct cli *cli)
{
    struct err err;
    struct trace *trace = NULL;
    struct writing writing = {.sink = {.begin = write_begin, .job = write_job}};
    if (!write_path(cli, &writing.path, &err) || !open_rejected(cli, &writing, &err))
        return cli_misuse(cli, "%s", err.msg);
    if (!write_format(cli, writing.path, &writing.format))
        return cli_misuse(cli, "option '--to': cannot write format '%s', expected native or swf",
                          cli_option(cli, OPT_TO));
    writing.sink.names = trace_names_create();
    writing.out = trace_is_stream(writing.path) ? cli_data(cli) : NULL;
    bool ok = trace_read_all(&trace, cli, &writing.sink, trace_is_stream(writing.path), &err);
    if (ok)
        trace_print_notes(trace, cli->operands[0]);
    ok = write_end(&writing, rejected_end(&writing.rejected, ok, &err), &err);
    if (ok)
        print_swf_notes(&writing);
    if (ok)
        print_rejected(&writing.rejected);
    trace_swf_fini(&writing.swf);
    trace_close(trace);
    trace_names_destroy(&writing.sink.names);
    return ok ? EXIT_OK : cli_fail(&err);
}

/* "jobs=1000", "horizon_s=14d": a number, or a duration for parameters in seconds. */
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
            return err_set(err, EXIT_INPUT, "option '--set': '%s' is not a number%s", text,
                           seconds ? " of seconds or a duration such as 90s, 15m, 2h, 14d" : "");
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

/* The made trace: of a profile, or like another one. */
static bool make(struct cli *cli, struct like *like, const struct trace_generate_options *options,
                 struct trace **trace, struct err *err)
{
    if (!cli_given(cli, OPT_LIKE))
        return trace_generate(trace, options, err);
    return like_open(like, cli, &options->names, err) &&
           trace_generate_like(trace, like->fit, options, err);
}

static bool generate(struct cli *cli, const struct trace_parameter *parameters, size_t count,
                     struct err *err)
{
    struct writing writing = {.sink = {.begin = write_begin, .job = write_job}};
    if (!write_path(cli, &writing.path, err))
        return false;
    writing.sink.names = trace_names_create();
    writing.out = trace_is_stream(writing.path) ? cli_data(cli) : NULL;
    struct trace_generate_options options = {.profile =
                                                 cli->operand_count > 0 ? cli->operands[0] : NULL,
                                             .parameters = parameters,
                                             .parameter_count = count,
                                             .seed = cli_number(cli, OPT_SEED, 1),
                                             .names = writing.sink.names};
    struct trace *trace = NULL;
    struct like like = {0};
    bool ok = make(cli, &like, &options, &trace, err);
    if (ok) {
        writing.sample = like.made;
        writing.sink.extras = trace_extras(trace);
        ok = write_begin(&writing.sink, err) && trace_drain(trace, &writing.sink, err) == TRACE_END;
        ok = write_end(&writing, ok, err);
    }
    if (ok && like.fit != NULL && !trace_is_stream(writing.path))
        like_print(&like, cli->out);
    trace_close(trace);
    like_close(&like);
    trace_names_destroy(&writing.sink.names);
    return ok;
}

static int trace_generate_command(struct cli *cli)
{
    struct err err;
    if ((cli->operand_count > 0) == cli_given(cli, OPT_LIKE))
        return cli_misuse(cli, "expected a profile (see 'list profiles') or --like TRACE");
    size_t given, count = 0;
    const char *const *texts = cli_all(cli, OPT_SET, &given);
    struct trace_parameter *parameters = mem_alloc(given, sizeof *parameters);
    while (count < given && parse_parameter(texts[count], &parameters[count], &err))
        count++;
    bool ok = count == given && generate(cli, parameters, count, &err);
    free_parameters(parameters, count);
    return ok ? EXIT_OK : cli_fail(&err);
}

/* ---- perturb --------------------------------------------------------------------------------- */

/* Parameters for --set of `trace perturb`; 0 or 1 for switches. */
static bool set_perturbation(struct trace_perturbation *to, int64_t *jitter_ms,
                             const struct trace_parameter *from, struct err *err)
{
    const struct {
        const char *name;
        double low, high;
    } rows[] = {
        {"load", 1e-3, 1000}, {"resample", 0, 1},  {"block_s", 3600, 1e9},
        {"shuffle", 0, 1},    {"shake_s", 0, 1e9},
    };
    size_t i = 0, count = sizeof rows / sizeof *rows;
    while (i < count && strcmp(rows[i].name, from->name) != 0)
        i++;
    if (i == count)
        return err_set(err, EXIT_INPUT,
                       "option '--set': there is no '%s', expected one of load, resample, block_s, "
                       "shuffle, shake_s",
                       from->name);
    if (!(from->value >= rows[i].low && from->value <= rows[i].high))
        return err_set(err, EXIT_INPUT, "option '--set': %s is %g, expected a number from %g to %g",
                       from->name, from->value, rows[i].low, rows[i].high);
    to->load = i == 0 ? from->value : to->load;
    to->resample = i == 1 ? from->value > 0 : to->resample;
    to->block_ms = i == 2 ? (int64_t)(from->value * 1000) : to->block_ms;
    to->shuffle = i == 3 ? from->value > 0 : to->shuffle;
    *jitter_ms = i == 4 ? (int64_t)(from->value * 1000) : *jitter_ms;
    return true;
}

/* Opens all operands, sorted: they are held in memory anyway. */
static bool open_all(struct cli *cli, const struct trace_names *names, struct trace **traces,
                     size_t *count, struct err *err)
{
    for (*count = 0; *count < cli->operand_count; ++*count) {
        struct trace_options options = {.path = cli->operands[*count],
                                        .format = cli_option(cli, OPT_FORMAT),
                                        .names = *names,
                                        .sort = true,
                                        .nonempty = true};
        if (!trace_open(&traces[*count], &options, err))
            return false;
    }
    return true;
}

static bool perturb(struct cli *cli, const struct trace_perturbation *wanted, int64_t jitter_ms,
                    struct err *err)
{
    struct writing writing = {.sink = {.begin = write_begin, .job = write_job}};
    if (!write_path(cli, &writing.path, err))
        return false;
    writing.sink.names = wanted->names;
    writing.out = trace_is_stream(writing.path) ? cli_data(cli) : NULL;
    struct trace **traces = mem_alloc(cli->operand_count, sizeof(struct trace *));
    struct trace *trace = NULL;
    size_t count;
    bool ok = open_all(cli, &wanted->names, traces, &count, err);
    for (size_t i = 0; !ok && i < count; i++)
        trace_close(traces[i]);
    if (ok) {
        struct trace_adjustment shake = {.jobs = -1,
                                         .time_scale = 1,
                                         .load_scale = 1,
                                         .queue = SYMBOL_NONE,
                                         .recorded_on = SYMBOL_NONE,
                                         .class = -1,
                                         .jitter_ms = jitter_ms,
                                         .seed = wanted->seed};
        trace = trace_adjust(trace_perturb(traces, count, wanted), &shake);
        writing.sink.extras = trace_extras(trace);
        ok = write_begin(&writing.sink, err) && trace_drain(trace, &writing.sink, err) == TRACE_END;
        ok = write_end(&writing, ok, err);
    }
    if (ok)
        trace_print_notes(trace, cli->operands[0]);
    trace_close(trace);
    free(traces);
    return ok;
}

static int trace_perturb_command(struct cli *cli)
{
    struct err err;
    size_t given, count = 0;
    const char *const *texts = cli_all(cli, OPT_SET, &given);
    struct trace_parameter *parameters = mem_alloc(given, sizeof *parameters);
    struct trace_perturbation wanted = {.load = 1, .seed = cli_number(cli, OPT_SEED, 1)};
    int64_t jitter_ms = 0;
    wanted.names = trace_names_create();
    bool ok = true;
    while (ok && count < given && (ok = parse_parameter(texts[count], &parameters[count], &err)))
        ok = set_perturbation(&wanted, &jitter_ms, &parameters[count++], &err);
    ok = ok && perturb(cli, &wanted, jitter_ms, &err);
    free_parameters(parameters, count);
    trace_names_destroy(&wanted.names);
    return ok ? EXIT_OK : cli_fail(&err);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct option_use stats_options[] = {
    {.id = OPT_FORMAT},
    {.id = OPT_OPTION},
    {.id = OPT_MAP},
    {.id = OPT_OUTPUT, .argument = "PAGE.html", .help = "also write a page with figures"},
    {.id = OPT_CHARTS},
    {.id = OPT_JSON},
    {.id = OPT_COUNT},
};

static const struct option_use convert_options[] = {
    {.id = OPT_OUTPUT}, {.id = OPT_FORMAT},   {.id = OPT_OPTION}, {.id = OPT_MAP},
    {.id = OPT_TO},     {.id = OPT_REJECTED}, {.id = OPT_COUNT},
};

static const struct option_use generate_options[] = {
    {.id = OPT_OUTPUT},
    {.id = OPT_SET,
     .argument = "PARAMETER=VALUE",
     .help = "change one parameter of the profile; seconds may be durations such as 14d"},
    {.id = OPT_SEED, .help = "seed of all random numbers (1)"},
    {.id = OPT_LIKE},
    {.id = OPT_FORMAT, .help = "format of the trace of --like [detected from its content]"},
    {.id = OPT_OPTION},
    {.id = OPT_MAP},
    {.id = OPT_COUNT},
};

static const struct option_use perturb_options[] = {
    {.id = OPT_OUTPUT},
    {.id = OPT_SET,
     .argument = "KEY=VALUE",
     .help = "load, resample, block_s, shuffle, shake_s (see above)"},
    {.id = OPT_SEED, .help = "seed of all random numbers (1)"},
    {.id = OPT_FORMAT},
    {.id = OPT_COUNT},
};

const struct command trace_commands[] = {
    {
        .name = "stats",
        .operands = "FILE [-o PAGE.html]",
        .operands_min = 1,
        .operands_max = 1,
        .summary = "show the statistics of a trace",
        .description = "Prints format and digest of the trace, then its load, sizes, durations, "
                       "arrivals, queues and users; -o writes them as a page with figures.",
        .examples = "fauxfleet trace stats jobs.csv.gz\n"
                    "fauxfleet trace stats slurm.csv --option tres=allocated -o slurm.html\n",
        .options = stats_options,
        .run = trace_stats_command,
    },
    {
        .name = "convert",
        .operands = "FILE [-o OUT]",
        .operands_min = 1,
        .operands_max = 1,
        .summary = "convert a trace to the native CSV format or to SWF",
        .description =
            "Writes the jobs in order of submission, as SWF with --to swf or when OUT "
            "ends in .swf. Nothing is written when the trace cannot be read to its end. With "
            "--rejected rows with errors are left out and listed in a file of their "
            "own.",
        .examples = "fauxfleet trace convert KTH-SP2.swf.gz -o kth.csv\n"
                    "fauxfleet trace convert sacct.txt --option utc_offset=+01:00 -o sacct.swf\n"
                    "fauxfleet trace convert sacct.txt --rejected rejected.csv -o jobs.csv\n",
        .options = convert_options,
        .run = trace_convert_command,
    },
    {
        .name = "generate",
        .operands = "PROFILE|--like TRACE [-o OUT.csv]",
        .operand_values = "@profiles",
        .operands_min = 0,
        .operands_max = 1,
        .summary = "generate a trace from a profile, or one like another trace",
        .description =
            "Writes jobs drawn from the statistics of a profile (see 'list profiles', 'list "
            "parameters') as a native CSV. Equal parameters and seed give equal jobs.\n\n"
            "With --like the statistics are those of a trace: run times, sizes, ends, sessions, "
            "hours, users. With -o a table has the distance between the two in each "
            "(Kolmogorov-Smirnov). By default the same number of jobs arrives in the same time; "
            "--set jobs=0 --set horizon_s=28d makes the trace longer at the same load.",
        .examples =
            "fauxfleet trace generate teams --set gpus=256 --set horizon_s=28d -o month.csv\n"
            "fauxfleet trace generate philly --set load=0.8 -o philly.csv\n"
            "fauxfleet trace generate --like ours.csv.gz --seed 7 -o like-ours.csv\n",
        .options = generate_options,
        .run = trace_generate_command,
    },
    {
        .name = "perturb",
        .operands = "FILE... [-o OUT.csv]",
        .operands_min = 1,
        .operands_max = 1000,
        .summary = "vary traces: other users, more load, other weeks",
        .description =
            "--set resample=1 draws the same number of users with replacement, each with all their "
            "jobs. load=1.5 is 1.5 times the GPU time over the same span, to within 0.5 %, by more "
            "users (0.5: by fewer), not by longer or denser jobs; copies are shifted by whole "
            "weeks, around the end of the trace. block_s=7d takes each week from a random one of "
            "the traces (of one trace, or with shuffle=1: any week). shake_s=30 adds a jitter of "
            "at most that to each arrival, either way. The order is blocks, users, load, jitter; "
            "without --set several traces become one.",
        .examples = "fauxfleet trace perturb jobs.csv.gz --set load=1.2 --seed 3 -o more.csv\n"
                    "fauxfleet trace perturb may.csv june.csv --set block_s=7d -o spliced.csv\n",
        .options = perturb_options,
        .run = trace_perturb_command,
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
