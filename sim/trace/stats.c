/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet trace stats`: the contents of a trace, as tables, as JSON and as a page. */
#include "sim/trace/stats.h"
#include "sim/base/escape.h"

#include "report/page/trace.h"
#include "report/terminal/charts.h"
#include "sim/base/json.h"
#include "sim/program/screen.h"
#include "sim/trace/read.h"

#include <stdio.h>

#define WIDTH 100 /* as traces/stats/print.c, where it is no terminal */

struct counting {
    struct sink sink; /* first */
    struct trace_stats *stats;
};

static bool stats_begin(struct sink *sink, struct err *err)
{
    struct counting *counting = (struct counting *)sink;
    (void)err;
    trace_stats_destroy(counting->stats);
    counting->stats = trace_stats_create(&sink->names);
    return true;
}

static void stats_job(struct sink *sink, const struct trace_job *job)
{
    trace_stats_add(((struct counting *)sink)->stats, job);
}

/* One object: the source of the statistics, repairs, then trace_stats_json(). */
static void put_json(struct out *out, const struct cli *cli, const struct trace *trace,
                     const struct trace_stats *stats, const char *digest)
{
    struct json json;
    size_t count;
    const struct trace_note *notes = trace_notes(trace, &count);
    json_init(&json, out, 2);
    json_begin_object(&json, NULL);
    json_text(&json, "trace", cli->operands[0]);
    json_text(&json, "format", trace_format_name(trace));
    json_text(&json, "digest", digest);
    json_begin_array(&json, "notes");
    for (size_t i = 0; i < count; i++) {
        json_begin_object(&json, NULL);
        json_text(&json, "what", notes[i].what);
        json_i64(&json, "rows", (int64_t)notes[i].rows);
        json_i64(&json, "first_line", (int64_t)notes[i].first_line);
        json_end_object(&json);
    }
    json_end_array(&json);
    struct out *rest = out_memory();
    trace_stats_json(stats, rest);
    const char *text = out_memory_text(rest, NULL);
    BUG_ON(text[0] != '{');
    out_char(out, ',');
    out_text(out, text + 1);
    out_discard(rest);
}

static void print_charts(const struct cli *cli, const struct trace *trace,
                         const struct trace_stats *stats, const char *digest,
                         const struct screen *screen)
{
    if (screen->spark == SPARK_NONE)
        return;
    struct out *json = out_memory();
    put_json(json, cli, trace, stats, digest);
    cJSON *parsed = cJSON_Parse(out_memory_text(json, NULL));
    BUG_ON(!parsed);
    charts_trace(parsed, cli->out, screen->spark, screen->columns);
    cJSON_Delete(parsed);
    out_discard(json);
}

/* The page of -o. */
static bool write_page(const struct cli *cli, const struct trace *trace,
                       const struct trace_stats *stats, const char *digest, struct err *err)
{
    const char *path = cli_option(cli, OPT_OUTPUT);
    if (!path)
        return true;
    struct out *json = out_memory();
    put_json(json, cli, trace, stats, digest);
    bool ok = trace_page_write(out_memory_text(json, NULL), path, err);
    out_discard(json);
    return ok;
}

static bool print_stats(const struct cli *cli, const struct trace *trace,
                        const struct trace_stats *stats, const struct screen *screen,
                        struct err *err)
{
    char hex[DIGEST_HEX], digest[DIGEST_HEX + sizeof "sha256:"];
    trace_digest(trace, hex);
    (void)snprintf(digest, sizeof digest, "sha256:%s", hex);
    if (cli_given(cli, OPT_JSON)) {
        put_json(cli->out, cli, trace, stats, digest);
    } else {
        escape_format(cli->out, "trace %s: format %s, %s\n", cli->operands[0],
                      trace_format_name(trace), digest);
        trace_stats_print(stats, cli->out);
        print_charts(cli, trace, stats, digest, screen);
    }
    return write_page(cli, trace, stats, digest, err);
}

int trace_stats_command(struct cli *cli)
{
    struct err err;
    struct trace *trace;
    if (cli_given(cli, OPT_OUTPUT) && trace_is_stream(cli_option(cli, OPT_OUTPUT)))
        return cli_misuse(cli,
                          "option '--output': the page goes to a file, not to standard output");
    struct screen screen;
    if (!screen_of(&screen, cli, WIDTH, &err))
        return cli_fail(&err);
    struct counting counting = {
        .sink = {.begin = stats_begin, .job = stats_job, .names = trace_names_create()}};
    bool ok = trace_read_all(&trace, cli, &counting.sink, false, &err);
    if (ok) {
        trace_print_notes(trace, cli->operands[0]);
        ok = print_stats(cli, trace, counting.stats, &screen, &err);
    }
    trace_close(trace);
    trace_stats_destroy(counting.stats);
    trace_names_destroy(&counting.sink.names);
    return ok ? EXIT_OK : cli_fail(&err);
}
