/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The top of the page: what was simulated, and the key figures in one row. */
#include "report/page/html.h"
#include "report/words/dates.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGEST_SHOWN 12

static void open_fact(struct out *out, const char *label)
{
    out_format(out, "<div><dt>%s</dt><dd>", label);
}

static void close_fact(struct out *out)
{
    out_text(out, "</dd></div>\n");
}

static void text_fact(struct out *out, const char *label, const char *text)
{
    if (!*text)
        return;
    open_fact(out, label);
    html_text(out, text);
    close_fact(out);
}

/* Shows the first digits; the full digest is in the appendix. */
static void digest_fact(struct out *out, const char *label, const char *digest)
{
    const char *colon = strchr(digest, ':'), *digits = colon ? colon + 1 : digest;
    if (!*digits)
        return;
    char shown[DIGEST_SHOWN + 1];
    (void)snprintf(shown, sizeof shown, "%s", digits);
    open_fact(out, label);
    out_text(out, "<code>");
    html_text(out, shown);
    out_text(out, "</code>");
    close_fact(out);
}

static void window_fact(struct out *out, const struct rundir *run)
{
    char span[UNIT_TEXT], from[UNIT_TEXT], to[UNIT_TEXT];
    double start = rundir_window_start(run), end = rundir_window_end(run);
    if (!(end > start))
        return;
    open_fact(out, "Window");
    bool dated = date_known(start) && date_known(end);
    out_format(out, dated ? "%s (%s to %s UTC)" : "%s (%s s to %s s)",
               unit_duration(span, end - start),
               dated ? date_minute(from, start) : unit_count(from, start),
               dated ? date_minute(to, end) : unit_count(to, end));
    close_fact(out);
}

/* No other figure of time or cost includes the drain. */
static void drain_fact(struct out *out, const cJSON *summary)
{
    char length[UNIT_TEXT], jobs[UNIT_TEXT], share[UNIT_TEXT];
    double length_s = json_number_at(summary, "drain.length_s");
    if (!(length_s > 0))
        return;
    open_fact(out, "Drain");
    out_format(out, "%s after the window: %s jobs ended in it, %s allocated",
               unit_duration(length, length_s),
               unit_count(jobs, json_number_at(summary, "drain.jobs")),
               unit_percent(share, json_number_at(summary, "drain.allocation")));
    close_fact(out);
}

void html_title(const struct page *page)
{
    struct out *out = page->out;
    const cJSON *summary = page->run->summary;
    const char *name = json_text_at(summary, "scenario");
    char text[UNIT_TEXT];
    out_text(out, "<header>\n<p class=\"kind\">fauxfleet: report of a simulated run</p>\n<h1>");
    html_text(out, *name ? name : "Unnamed scenario");
    out_text(out, "</h1>\n");
    const char *about = json_text_at(summary, "description");
    if (*about) {
        out_text(out, "<p class=\"about\">");
        html_text(out, about);
        out_text(out, "</p>\n");
    }
    out_text(out, "<dl class=\"facts\">\n");
    text_fact(out, "Policy", json_text_at(summary, "policy"));
    double seed = json_number_at(summary, "seed");
    if (!isnan(seed)) {
        (void)snprintf(text, sizeof text, "%.0f", seed);
        text_fact(out, "Seed", text);
    }
    if (page->run->replicas > 1) {
        (void)snprintf(text, sizeof text, "%d (means)", page->run->replicas);
        text_fact(out, "Replicas", text);
    }
    window_fact(out, page->run);
    drain_fact(out, summary);
    digest_fact(out, "Scenario", json_text_at(summary, "scenario_digest"));
    digest_fact(out, "Trace", json_text_at(summary, "trace_digest"));
    digest_fact(out, "Decisions", json_text_at(summary, "engine.journal_sha256"));
    text_fact(out, "Version", json_text_at(summary, "version"));
    out_text(out, "</dl>\n</header>\n");
}

typedef const char *formatter(char text[UNIT_TEXT], double value);

/* A key figure is left out if undefined. */
static const struct key {
    const char *label, *path;
    formatter *format;
    const char *detail;
} keys[] = {
    {"Fleet goodput", "utilization.fleet_goodput", unit_percent,
     "productive, of installed GPU-hours"},
    {"Allocation", "utilization.allocation", unit_percent, "of available GPU-hours"},
    {"Wait, median", "wait_s.p50", unit_duration, "until first start"},
    {"Wait, p95", "wait_s.p95", unit_duration, "until first start"},
    {"Jobs completed", "jobs.completed", unit_count, NULL},
    {"Still pending", "jobs.pending", unit_count, NULL},
    {"Fairness (Jain)", "fairness.jain", unit_ratio, "1 is even over the queues"},
};

static void job_detail(const struct page *page, const struct key *key)
{
    char text[UNIT_TEXT];
    bool completed = strcmp(key->path, "jobs.completed") == 0;
    double other =
        json_number_at(page->run->summary, completed ? "jobs.submitted" : "jobs.never_fits");
    if (isnan(other))
        return;
    out_format(page->out, completed ? "of %s submitted" : "and %s that never fit",
               unit_count(text, other));
    static const struct {
        const char *path, *name;
    } ends[] = {
        {"jobs.stopped", "stopped"},
        {"jobs.failed", "failed"},
        {"jobs.cancelled", "cancelled"},
    };
    for (size_t i = 0; completed && i < sizeof ends / sizeof *ends; i++) {
        double n = json_number_at(page->run->summary, ends[i].path);
        if (n > 0)
            out_format(page->out, ", %s %s", unit_count(text, n), ends[i].name);
    }
}

static void print_key(const struct page *page, const struct key *key)
{
    struct out *out = page->out;
    char text[UNIT_TEXT], at_least[64], path[64];
    const cJSON *summary = page->run->summary;
    (void)snprintf(at_least, sizeof at_least, "%s_at_least", key->path);
    (void)snprintf(path, sizeof path, "sd.%s", key->path);
    double value = json_number_at(summary, key->path), lower = json_number_at(summary, at_least);
    if (isnan(value) && isnan(lower))
        return;
    out_format(out, "<div><dt>%s</dt><dd>", key->label);
    if (isnan(value))
        out_text(out, "\xE2\x89\xA5 ");
    html_text(out, key->format(text, isnan(value) ? lower : value));
    out_text(out, "<small>");
    if (key->detail)
        out_text(out, key->detail);
    else
        job_detail(page, key);
    double spread = json_number_at(summary, path);
    if (!isnan(spread))
        out_format(out, "; sd %s", key->format(text, spread));
    out_text(out, "</small></dd></div>\n");
}

static void print_fill_key(struct out *out, const char *label, const char *value,
                           const char *detail)
{
    out_format(out, "<div><dt>%s</dt><dd>%s<small>%s</small></dd></div>\n", label, value, detail);
}

/* A packing study is judged by the end of its curve. */
static void print_fill_keys(const struct page *page)
{
    const cJSON *summary = page->run->summary, *curve = json_at(summary, "fill.curve");
    const cJSON *last = cJSON_GetArrayItem(curve, cJSON_GetArraySize(curve) - 1);
    char text[UNIT_TEXT];
    print_fill_key(page->out, "Requested",
                   unit_percent(text, json_number_at(last, "arrived_pct") / 100),
                   "of the GPUs, at the end");
    print_fill_key(page->out, "Allocated",
                   unit_percent(text, json_number_at(last, "alloc_pct") / 100),
                   "of the GPUs, at the end");
    print_fill_key(page->out, "Fragmented",
                   unit_percent(text, json_number_at(last, "frag_amount_pct") / 100),
                   "of the GPUs, at the end");
    print_fill_key(page->out, "Tasks placed",
                   unit_count(text, json_number_at(summary, "jobs.submitted")), "");
    print_fill_key(page->out, "Tasks not placed",
                   unit_count(text, json_number_at(summary, "fill.failed_tasks")),
                   "no place in the fleet");
}

void html_key_figures(const struct page *page)
{
    out_text(page->out, "<dl class=\"keys\">\n");
    if (rundir_is_fill(page->run))
        print_fill_keys(page);
    for (size_t i = 0; !rundir_is_fill(page->run) && i < sizeof keys / sizeof *keys; i++)
        print_key(page, &keys[i]);
    out_text(page->out, "</dl>\n");
}
