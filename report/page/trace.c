/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of `trace stats`: title, key figures, figures of sizes, durations and arrivals, tables
 * of states, queues, users and recorded columns, and at the end what is missing and what was
 * repaired.
 */
#include "report/page/trace.h"

#include "report/page/html.h"
#include "report/words/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_GROUPS 8 /* sizes */

static double number(const cJSON *object, const char *path)
{
    return json_number_at(object, path);
}

/* ---- title and key figures ------------------------------------------------------------------- */

static void put_fact(struct out *out, const char *label, const char *text)
{
    out_format(out, "<div><dt>%s</dt><dd>", label);
    html_text(out, text);
    out_text(out, "</dd></div>\n");
}

static void put_title(struct out *out, const cJSON *stats)
{
    char from[UNIT_TEXT], to[UNIT_TEXT], both[2 * UNIT_TEXT + 8], digest[20];
    const char *path = json_text_at(stats, "trace"), *slash = strrchr(path, '/');
    out_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta name=\"generator\" content=\"fauxfleet\">\n<title>");
    html_text(out, slash ? slash + 1 : path);
    out_text(out, " \xE2\x80\x93 fauxfleet</title>\n<style>\n");
    html_style(out);
    out_text(out, "</style>\n</head>\n<body>\n<main>\n<header>\n<p class=\"kind\">fauxfleet: what "
                  "is in a trace</p>\n<h1>");
    html_text(out, slash ? slash + 1 : path);
    out_text(out, "</h1>\n<dl class=\"facts\">\n");
    put_fact(out, "Format", json_text_at(stats, "format"));
    (void)snprintf(digest, sizeof digest, "%.19s", json_text_at(stats, "digest"));
    put_fact(out, "Digest", digest);
    (void)snprintf(both, sizeof both, "%s s to %s s",
                   unit_count(from, number(stats, "first_submit_s")),
                   unit_count(to, number(stats, "last_submit_s")));
    put_fact(out, "Submitted", both);
    out_text(out, "</dl>\n</header>\n");
}

static void put_key(struct out *out, const char *label, const char *value, const char *detail)
{
    out_format(out, "<div><dt>%s</dt><dd>", label);
    html_text(out, value);
    out_text(out, "<small>");
    html_text(out, detail);
    out_text(out, "</small></dd></div>\n");
}

static void put_keys(struct out *out, const cJSON *stats)
{
    char text[UNIT_TEXT], detail[2 * UNIT_TEXT + 40];
    double span_s = number(stats, "last_submit_s") - number(stats, "first_submit_s");
    double hours = number(stats, "gpu_hours");
    bool rated = !isnan(number(stats, "arrivals.per_hour")); /* long enough for rates */
    out_text(out, "<dl class=\"keys\">\n");
    put_key(out, "Jobs", unit_count(text, number(stats, "jobs")), "");
    put_key(out, "Span", unit_duration(text, span_s), "of submissions");
    (void)snprintf(detail, sizeof detail, "%s GPUs busy for the span",
                   unit_amount(text, hours / (span_s / 3600)));
    put_key(out, "GPU-hours", unit_count(text, round(hours)), rated ? detail : "");
    (void)snprintf(detail, sizeof detail, "mean %s",
                   unit_duration(text, number(stats, "duration_s.mean")));
    put_key(out, "Run time, median", unit_duration(text, number(stats, "duration_s.p50")), detail);
    (void)snprintf(detail, sizeof detail, "an hour, %s in the busiest",
                   unit_count(text, number(stats, "arrivals.most_in_an_hour")));
    put_key(out, "Arrivals", unit_amount(text, number(stats, "arrivals.per_hour")), detail);
    (void)snprintf(detail, sizeof detail, "variance/mean by the hour; interval CV %s",
                   unit_amount(text, number(stats, "arrivals.interval_cv")));
    put_key(out, "Burstiness", unit_amount(text, number(stats, "arrivals.hourly_dispersion")),
            detail);
    out_text(out, "</dl>\n");
}

/* ---- figures --------------------------------------------------------------------------------- */

static void open_figure(struct out *out, const char *id, const char *question, const char *answer)
{
    out_format(out, "<figure id=\"%s\">\n<figcaption>\n<h2>%s</h2>\n<p>", id, question);
    html_text(out, answer);
    out_text(out, "</p>\n</figcaption>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                  "aria-label=\"Figure\">\n");
}

static void close_figure(struct out *out)
{
    out_text(out, "</div>\n</figure>\n");
}

static void put_durations(struct out *out, const cJSON *stats)
{
    const cJSON *sizes = json_at(stats, "by_size"), *size;
    struct trace_page_range ranges[MOST_GROUPS];
    int count = 0;
    cJSON_ArrayForEach(size, sizes)
    {
        if (count < MOST_GROUPS && number(size, "jobs") > 0)
            ranges[count++] = (struct trace_page_range){
                size->string, number(size, "duration_s.p10"), number(size, "duration_s.p50"),
                number(size, "duration_s.p90"), number(size, "duration_s.p99")};
    }
    open_figure(out, "durations", "How long do jobs of each size run?",
                "By number of GPUs: a bar from the 10th to the 90th percentile, a mark at the "
                "median, a line up to the 99th.");
    trace_page_ranges(out, "Run times by size", ranges, count);
    close_figure(out);
}

/* Draws rates relative to the average; the answer names the busiest and the quietest. */
static void put_rates(struct out *out, const char *id, const char *question, const cJSON *rates,
                      const char *const *names, const char *what)
{
    double values[24];
    char answer[200];
    int count = 0, most = 0, least = 0;
    const cJSON *rate;
    cJSON_ArrayForEach(rate, rates)
    {
        if (count == 24)
            break;
        values[count] = cJSON_IsNumber(rate) ? rate->valuedouble : (double)NAN;
        most = values[count] > values[most] || isnan(values[most]) ? count : most;
        least = values[count] < values[least] || isnan(values[least]) ? count : least;
        count++;
    }
    if (count == 0 || isnan(values[most]))
        return;
    (void)snprintf(answer, sizeof answer,
                   "Busiest: %s %s with %.2f times the average; quietest: %s with %.2f times.",
                   what, names[most], values[most], names[least], values[least]);
    open_figure(out, id, question, answer);
    trace_page_bars(out, &(struct trace_page_bars){question, names, values, count, 1});
    close_figure(out);
}

static void put_arrivals(struct out *out, const cJSON *stats)
{
    static const char *const hours[24] = {"00", "01", "02", "03", "04", "05", "06", "07",
                                          "08", "09", "10", "11", "12", "13", "14", "15",
                                          "16", "17", "18", "19", "20", "21", "22", "23"};
    static const char *const days[2][7] = {
        {"1", "2", "3", "4", "5", "6", "7"},
        {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"},
    };
    bool dated = *json_text_at(stats, "arrivals.first_weekday") != '\0';
    put_rates(out, "hours",
              dated ? "At which hours (UTC) do jobs arrive?"
                    : "At which hours of the trace's clock?",
              json_at(stats, "arrivals.by_hour"), hours, "hour");
    put_rates(out, "weekdays",
              dated ? "On which days of the week?" : "On which days of the trace's weeks?",
              json_at(stats, "arrivals.by_weekday"), days[dated], "day");
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void open_table(struct out *out, const char *id, const char *title, const char *head)
{
    const struct page page = {.out = out};
    html_open_table(&page, title, id, "numbers");
    out_format(out, "<thead><tr>%s</tr></thead>\n<tbody>\n", head);
}

static void close_table(struct out *out)
{
    const struct page page = {.out = out};
    html_close_table(&page);
}

#define GROUP_HEAD                                                                                 \
    "<th></th><th class=\"n\">Jobs</th><th class=\"n\">of all</th><th class=\"n\">GPU-hours</th>"  \
    "<th class=\"n\">of all</th><th class=\"bar\"></th>"

/* Prints a row of jobs and GPU-hours with their shares; the bar is the share of GPU-hours. */
static void put_group(struct out *out, const char *name, const cJSON *group, const cJSON *stats)
{
    char text[UNIT_TEXT];
    double jobs = number(group, "jobs"), hours = number(group, "gpu_hours"),
           all = number(stats, "gpu_hours");
    out_text(out, "<tr><th>");
    html_text(out, *name ? name : "(unknown)");
    out_text(out, "</th>");
    html_number(out, unit_count(text, jobs));
    html_number(out, unit_percent(text, jobs / number(stats, "jobs")));
    html_number(out, unit_count(text, round(hours)));
    html_number(out, all > 0 ? unit_percent(text, hours / all) : "-");
    out_format(
        out,
        "<td class=\"bar\"><span class=\"fill lost\" style=\"width:%.1f%%\"></span></td></tr>\n",
        all > 0 ? 100 * hours / all : 0);
}

static void put_groups(struct out *out, const cJSON *stats, const char *id, const char *title,
                       const char *key)
{
    const cJSON *group;
    open_table(out, id, title, GROUP_HEAD);
    cJSON_ArrayForEach(group, json_at(stats, key))
    {
        if (number(group, "jobs") > 0)
            put_group(out, group->string, group, stats);
    }
    close_table(out);
}

static void put_top(struct out *out, const cJSON *stats, const char *key, const char *what)
{
    char title[80], text[UNIT_TEXT];
    const cJSON *list = json_at(stats, key), *group;
    int shown = cJSON_GetArraySize(json_at(list, "top"));
    double all = number(list, "count");
    (void)snprintf(title, sizeof title,
                   all > shown ? "%s by GPU-hours, the first %d of %s" : "%s by GPU-hours", what,
                   shown, unit_count(text, all));
    open_table(out, key, title, GROUP_HEAD);
    cJSON_ArrayForEach(group, json_at(list, "top"))
    {
        put_group(out, json_text_at(group, "name"), group, stats);
    }
    close_table(out);
}

/* ---- recorded columns, missing data, repairs ------------------------------------------------- */

typedef const char *formatter(char text[UNIT_TEXT], double value);

static const struct {
    const char *key, *name;
    formatter *format;
} recorded[] = {
    {"wait_s", "Wait until the recorded start", unit_duration},
    {"attempts", "Attempts", unit_amount},
    {"time_limit_s", "Declared limit", unit_duration},
    {"run_of_limit", "Run time as a share of the limit", unit_percent},
    {"run_of_estimate", "Run time as a share of the estimate", unit_percent},
    {"sm_util", "Utilization while active", unit_percent},
};

static void put_recorded(struct out *out, const cJSON *stats)
{
    const cJSON *list = json_at(stats, "recorded"), *cause;
    char text[UNIT_TEXT];
    open_table(
        out, "recorded", "Other records of the log",
        "<th></th><th class=\"n\">Jobs</th><th class=\"n\">Mean</th><th class=\"n\">Largest</th>");
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++) {
        const cJSON *item = json_at(list, recorded[i].key);
        if (!item)
            continue;
        out_format(out, "<tr><th>%s</th>", recorded[i].name);
        html_number(out, unit_count(text, number(item, "jobs")));
        html_number(out, recorded[i].format(text, number(item, "mean")));
        html_number(out, recorded[i].format(text, number(item, "max")));
        out_text(out, "</tr>\n");
    }
    cJSON_ArrayForEach(cause, json_at(list, "causes"))
    {
        out_text(out, "<tr><th>Ended by: ");
        html_text(out, cause->string);
        out_text(out, "</th>");
        html_number(out, unit_count(text, cause->valuedouble));
        out_text(out, "<td></td><td></td></tr>\n");
    }
    close_table(out);
}

static void put_unknown(struct out *out, const cJSON *stats)
{
    char text[UNIT_TEXT];
    const cJSON *share;
    open_table(out, "unknown", "What is missing",
               "<th>Column</th><th class=\"n\">Jobs without a value</th><th class=\"bar\"></th>");
    cJSON_ArrayForEach(share, json_at(stats, "unknown_share"))
    {
        if (!cJSON_IsNumber(share) || share->valuedouble <= 0)
            continue;
        out_text(out, "<tr><th><code>");
        html_text(out, share->string);
        out_text(out, "</code></th>");
        html_number(out, unit_percent(text, share->valuedouble));
        out_format(out,
                   "<td class=\"bar\"><span class=\"fill idle\" "
                   "style=\"width:%.1f%%\"></span></td></tr>\n",
                   100 * share->valuedouble);
    }
    close_table(out);
}

static void put_notes(struct out *out, const cJSON *stats)
{
    char text[UNIT_TEXT];
    const cJSON *notes = json_at(stats, "notes"), *note;
    if (cJSON_GetArraySize(notes) == 0)
        return;
    open_table(out, "notes", "What was repaired, clamped, dropped or ignored",
               "<th></th><th class=\"n\">Rows</th><th class=\"n\">First at line</th>");
    cJSON_ArrayForEach(note, notes)
    {
        out_text(out, "<tr><th>");
        html_text(out, json_text_at(note, "what"));
        out_text(out, "</th>");
        html_number(out, unit_count(text, number(note, "rows")));
        html_number(out, unit_count(text, number(note, "first_line")));
        out_text(out, "</tr>\n");
    }
    close_table(out);
}

void trace_page_print(const cJSON *stats, struct out *out)
{
    put_title(out, stats);
    trace_page_verdict(out, stats);
    put_keys(out, stats);
    if (number(stats, "jobs") > 0) {
        put_durations(out, stats);
        put_arrivals(out, stats);
        put_groups(out, stats, "sizes", "Jobs and GPU-hours by number of GPUs", "by_size");
        put_groups(out, stats, "states", "By how jobs ended", "by_status");
        put_groups(out, stats, "classes", "By class", "by_class");
        put_top(out, stats, "queues", "Queues");
        put_top(out, stats, "users", "Users");
        put_recorded(out, stats);
        put_unknown(out, stats);
    }
    put_notes(out, stats);
    out_text(out, "</main>\n</body>\n</html>\n");
}

bool trace_page_write(const char *json, const char *path, struct err *err)
{
    struct out *out = out_open(path, err);
    if (!out)
        return false;
    cJSON *stats = cJSON_Parse(json);
    BUG_ON(!stats);
    trace_page_print(stats, out);
    cJSON_Delete(stats);
    return out_close(out, err);
}
