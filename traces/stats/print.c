/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of a trace as tables of at most 100 columns for people. */
#include "sim/base/escape.h"
#include "traces/stats/stats_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOP         10
#define WIDTH       100
#define NAME_WIDTH  28
#define TEXT_SIZE   40
#define DAY_S       INT64_C(86400)
#define WEEK_S      (7 * DAY_S)
#define LAST_COLUMN 12 /* hours in one line of the table */

/* NaN ("-") if undefined. */
static double share(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

/* ---- numbers as text ------------------------------------------------------------------------- */

/* A number of at least 0 with thousands separators: 23,859 or, with decimals, 1,234.5. */
static const char *grouped(char text[TEXT_SIZE], double value, int decimals)
{
    char plain[TEXT_SIZE];
    int length = snprintf(plain, sizeof plain, "%.*f", decimals, value);
    if (length < 0 || length >= 28) // too long to be worth reading digit by digit
        (void)snprintf(plain, sizeof plain, "%.3e", value);
    size_t whole = strspn(plain, "0123456789"), n = 0;
    for (size_t i = 0; plain[i]; i++) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0)
            text[n++] = ',';
        text[n++] = plain[i];
    }
    text[n] = '\0';
    return text;
}

static const char *gpu_hours(char text[TEXT_SIZE], double gpu_s)
{
    return grouped(text, gpu_s / 3600, gpu_s < 3.6e9 ? 1 : 0);
}

/* "45 s", "3.4 min", "2.1 h", "3.2 d" */
static const char *spoken(char text[TEXT_SIZE], double seconds)
{
    if (seconds < 60)
        (void)snprintf(text, TEXT_SIZE, seconds == floor(seconds) ? "%.0f s" : "%.1f s", seconds);
    else if (seconds < 3600)
        (void)snprintf(text, TEXT_SIZE, "%.1f min", seconds / 60);
    else if (seconds < 2 * (double)DAY_S)
        (void)snprintf(text, TEXT_SIZE, "%.1f h", seconds / 3600);
    else
        (void)snprintf(text, TEXT_SIZE, "%.1f d", seconds / (double)DAY_S);
    return text;
}

/* A share as percent, "-" when undefined. */
static const char *percent(char text[TEXT_SIZE], double part)
{
    if (isnan(part))
        (void)snprintf(text, TEXT_SIZE, "-");
    else
        (void)snprintf(text, TEXT_SIZE, "%.1f", 100 * part);
    return text;
}

static const char *relative(char text[TEXT_SIZE], double rate)
{
    (void)snprintf(text, TEXT_SIZE, isnan(rate) ? "-" : "%.2f", rate);
    return text;
}

static double span_s(const struct trace_stats *stats)
{
    return (double)(stats->last_ms - stats->first_ms) / 1000;
}

/* ---- tables for people ----------------------------------------------------------------------- */

/* Rates need a span; a few jobs within seconds have none. */
static void print_rates(const struct trace_stats *stats, struct out *out)
{
    char a[TEXT_SIZE], b[TEXT_SIZE], c[TEXT_SIZE];
    double span = stats_span_s(stats);
    if (isnan(span))
        out_text(out, "arrivals     - jobs an hour: a rate takes two jobs and a span of an hour\n");
    else
        out_format(out,
                   "arrivals     %s jobs an hour, interval CV %s, %s %% in the same second as the "
                   "one before\n",
                   grouped(a, (double)stats->all.jobs / (span / 3600), 1),
                   relative(b, stats_gap_cv(stats)),
                   percent(c, share((double)stats->same_second, (double)stats->all.jobs)));
}

static void print_head(const struct trace_stats *stats, struct out *out)
{
    char a[TEXT_SIZE], b[TEXT_SIZE];
    double span = stats_span_s(stats);
    out_format(out, "jobs         %s\n", grouped(a, (double)stats->all.jobs, 0));
    out_text(out, "submitted    ");
    out_seconds(out, stats->first_ms);
    out_text(out, " s to ");
    out_seconds(out, stats->last_ms);
    out_format(out, " s, a span of %s\n", spoken(a, span_s(stats)));
    out_format(out, "GPU-hours    %s", gpu_hours(a, stats->all.gpu_s));
    if (!isnan(span))
        out_format(out, ", the work of %s GPUs busy for the whole span",
                   grouped(b, stats->all.gpu_s / span, 1));
    out_text(out, "\n");
    print_rates(stats, out);
    double dispersion = stats_hours_dispersion(&stats->hours);
    if (!isnan(dispersion) && !isnan(span))
        out_format(
            out,
            "bursts       %s jobs in the busiest hour, variance/mean of hours %s (Poisson: 1)\n",
            grouped(a, (double)stats_hours_most(&stats->hours), 0), relative(b, dispersion));
}

static void group_title(struct out *out, const char *what)
{
    out_format(out, "\n%-12s %11s %6s %14s %6s  %8s %8s %8s %8s %8s\n", what, "jobs", "%",
               "GPU-hours", "%", "p10", "p50", "p90", "p99", "max");
}

static void print_group(const struct trace_stats *stats, const int64_t *sorted, struct out *out,
                        const char *name, const struct stats_group *group,
                        struct stats_filter filter)
{
    static const int shown[] = {0, 2, 4, 6}; // indices into stats_percentiles
    char a[TEXT_SIZE], b[TEXT_SIZE], c[TEXT_SIZE], d[TEXT_SIZE];
    if (group->jobs == 0)
        return;
    struct stats_durations durations = stats_durations(stats, sorted, filter, group->jobs);
    out_format(out, "%-12s %11s %6s %14s %6s ", name, grouped(a, (double)group->jobs, 0),
               percent(b, share((double)group->jobs, (double)stats->all.jobs)),
               gpu_hours(c, group->gpu_s), percent(d, share(group->gpu_s, stats->all.gpu_s)));
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        out_format(out, " %8s", spoken(a, (double)durations.percentile_ms[shown[i]] / 1000));
    out_format(out, " %8s\n", spoken(a, (double)durations.max_ms / 1000));
}

static void print_groups(const struct trace_stats *stats, struct out *out)
{
    int64_t *sorted = stats_sorted(stats);
    group_title(out, "size (GPUs)");
    for (int i = 0; i < STATS_SIZES; i++)
        print_group(stats, sorted, out, stats_size_names[i], &stats->sizes[i],
                    stats_filter_size(i));
    print_group(stats, sorted, out, "all", &stats->all, stats_filter_all());
    group_title(out, "class");
    for (int i = 0; i < STATS_CLASSES; i++)
        print_group(stats, sorted, out, stats_class_names[i], &stats->classes[i],
                    stats_filter_class(i));
    group_title(out, "status");
    for (int i = 0; i < STATS_STATUSES; i++)
        print_group(stats, sorted, out, stats_status_names[i], &stats->statuses[i],
                    stats_filter_status(i));
    free(sorted);
}

static void print_hours(const struct trace_stats *stats, struct out *out, int from)
{
    char a[TEXT_SIZE];
    out_text(out, "hour        ");
    for (int h = from; h < from + LAST_COLUMN; h++)
        out_format(out, "     %02d", h);
    out_text(out, "\n            ");
    for (int h = from; h < from + LAST_COLUMN; h++)
        out_format(out, " %6s", relative(a, stats_rate(stats, stats->by_hour, h, 24, DAY_S)));
    out_text(out, "\n");
}

static void print_arrivals(const struct trace_stats *stats, struct out *out)
{
    static const char *const names[2][7] = {{"1", "2", "3", "4", "5", "6", "7"},
                                            {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}};
    char a[TEXT_SIZE];
    bool is_unix = stats_clock_is_unix(stats);
    out_format(out, "\narrivals by hour and day, 1 = average (%s)\n",
               is_unix ? "UTC" : "hours and days since zero on the clock of the trace");
    print_hours(stats, out, 0);
    print_hours(stats, out, LAST_COLUMN);
    out_text(out, "day         ");
    for (int d = 0; d < 7; d++)
        out_format(out, " %6s", names[is_unix][d]);
    out_text(out, "\n            ");
    for (int d = 0; d < 7; d++)
        out_format(out, " %6s",
                   relative(a, stats_rate(stats, stats->by_weekday, stats_weekday_slot(stats, d), 7,
                                          WEEK_S)));
    out_text(out, "\n");
}

static void print_causes(const struct stats_recorded *recorded, struct out *out)
{
    char a[TEXT_SIZE];
    const char *between = "causes       ";
    for (int i = 1; i < TRACE_CAUSES; i++) {
        if (recorded->causes[i] == 0)
            continue;
        out_format(out, "%s%s %s", between, trace_cause_names[i],
                   grouped(a, (double)recorded->causes[i], 0));
        between = ", ";
    }
    if (*between == ',')
        out_text(out, "\n");
}

/* Jobs that depend on others, and arrays. */
static void print_links(const struct stats_recorded *recorded, struct out *out)
{
    char a[TEXT_SIZE], b[TEXT_SIZE], c[TEXT_SIZE];
    if (recorded->linked > 0)
        out_format(out, "dependencies %s jobs wait for others, %s in all\n",
                   grouped(a, (double)recorded->linked, 0),
                   grouped(b, (double)recorded->entries, 0));
    if (recorded->think_s.jobs > 0)
        out_format(out, "think times  %s jobs, mean %s, longest %s\n",
                   grouped(a, (double)recorded->think_s.jobs, 0),
                   spoken(b, stats_mean_of(&recorded->think_s)), spoken(c, recorded->think_s.most));
    if (recorded->members > 0)
        out_format(out, "arrays       %s jobs\n", grouped(a, (double)recorded->members, 0));
}

/* What the log says beyond sizes and times; prints nothing if it says nothing. */
static void print_recorded(const struct stats_recorded *recorded, uint64_t jobs, struct out *out)
{
    char a[TEXT_SIZE], b[TEXT_SIZE], c[TEXT_SIZE], d[TEXT_SIZE];
    bool causes = recorded->causes[TRACE_CAUSE_UNKNOWN] < jobs;
    if (recorded->wait_s.jobs + recorded->attempts.jobs + recorded->limit_used.jobs +
                recorded->estimate.jobs + recorded->sm_util.jobs + recorded->linked +
                recorded->members >
            0 ||
        causes)
        out_text(out, "\n");
    if (recorded->wait_s.jobs > 0)
        out_format(out, "waits        %s jobs, mean %s, longest %s\n",
                   grouped(a, (double)recorded->wait_s.jobs, 0),
                   spoken(b, stats_mean_of(&recorded->wait_s)), spoken(c, recorded->wait_s.most));
    if (recorded->attempts.jobs > 0)
        out_format(out, "attempts     %s jobs, mean %.2f, most %.0f, %s %% more than one\n",
                   grouped(a, (double)recorded->attempts.jobs, 0),
                   stats_mean_of(&recorded->attempts), recorded->attempts.most,
                   percent(b, share((double)recorded->retried, (double)recorded->attempts.jobs)));
    if (recorded->limit_used.jobs > 0)
        out_format(
            out, "time limits  %s jobs, mean %s, %s %% of it used on average, reached by %s %%\n",
            grouped(a, (double)recorded->limit_used.jobs, 0),
            spoken(b, stats_mean_of(&recorded->limit_s)),
            percent(c, stats_mean_of(&recorded->limit_used)),
            percent(d, share((double)recorded->limit_reached, (double)recorded->limit_used.jobs)));
    if (recorded->estimate.jobs > 0)
        out_format(out, "estimates    %s jobs, run time / estimate %.2f on average\n",
                   grouped(a, (double)recorded->estimate.jobs, 0),
                   stats_mean_of(&recorded->estimate));
    if (recorded->sm_util.jobs > 0)
        out_format(out, "utilization  %s jobs, mean %s %%\n",
                   grouped(a, (double)recorded->sm_util.jobs, 0),
                   percent(b, stats_mean_of(&recorded->sm_util)));
    print_links(recorded, out);
    print_causes(recorded, out);
}

static void print_top(const struct trace_stats *stats, struct out *out, const char *what,
                      const struct stats_groups *groups, const struct symbols *names)
{
    char a[TEXT_SIZE], b[TEXT_SIZE], c[TEXT_SIZE], d[TEXT_SIZE], e[TEXT_SIZE];
    uint32_t top[TOP + 1];
    size_t n = stats_top(groups, top, TOP), used = stats_used(groups);
    double sum = 0;
    out_format(out, "\n%-*s %11s %6s %14s %6s %9s\n", NAME_WIDTH, what, "jobs", "%", "GPU-hours",
               "%", "sum of %");
    for (size_t i = 0; i < n; i++) {
        const struct stats_group *group = &groups->groups[top[i]];
        const char *name = symbols_name(names, top[i]);
        sum += group->gpu_s;
        char *shown = escape_name(*name ? name : "(unknown)", NAME_WIDTH);
        int blanks = NAME_WIDTH - (int)escape_width(shown);
        out_format(out, "%s%*s %11s %6s %14s %6s %9s\n", shown, blanks, "",
                   grouped(a, (double)group->jobs, 0),
                   percent(b, share((double)group->jobs, (double)stats->all.jobs)),
                   gpu_hours(c, group->gpu_s), percent(d, share(group->gpu_s, stats->all.gpu_s)),
                   percent(e, share(sum, stats->all.gpu_s)));
        free(shown);
    }
    if (used > n)
        out_format(out, "and %s more\n", grouped(a, (double)(used - n), 0));
}

/* Prints a word of a list that is indented and wrapped at WIDTH. `column` is the position in the
 * line, 0 at first. */
static void wrapped(struct out *out, size_t *column, const char *word)
{
    size_t length = strlen(word);
    bool breaks = *column == 0 || *column + 2 + length > WIDTH;
    out_format(out, "%s%s%s", *column > 0 ? "," : "", breaks ? "\n    " : " ", word);
    *column = (breaks ? 4 : *column + 2) + length;
}

/* Values that are unknown in some or all rows. */
static void print_unknown(const struct trace_stats *stats, struct out *out)
{
    static const char *const titles[] = {"columns without a value in any row",
                                         "columns without a value in some rows (percent)"};
    char word[2 * TEXT_SIZE], a[TEXT_SIZE];
    for (int some = 0; some < 2; some++) {
        size_t column = 0;
        for (int i = 0; i < STATS_UNKNOWNS; i++) {
            uint64_t rows = stats->unknown[i];
            if (rows == 0 || (rows < stats->all.jobs) != some)
                continue;
            if (column == 0)
                out_format(out, "\n%s", titles[some]);
            (void)snprintf(word, sizeof word, "%s", stats_unknown_names[i]);
            if (some)
                (void)snprintf(word, sizeof word, "%s (%s)", stats_unknown_names[i],
                               percent(a, share((double)rows, (double)stats->all.jobs)));
            wrapped(out, &column, word);
        }
        if (column > 0)
            out_text(out, "\n");
    }
}

void trace_stats_print(const struct trace_stats *stats, struct out *out)
{
    if (stats->all.jobs == 0) {
        out_text(out, "jobs         0\n");
        return;
    }
    print_head(stats, out);
    print_groups(stats, out);
    print_arrivals(stats, out);
    print_recorded(&stats->recorded, stats->all.jobs, out);
    print_top(stats, out, "queue", &stats->queues, stats->names.queues);
    print_top(stats, out, "user", &stats->users, stats->names.users);
    print_unknown(stats, out);
}
