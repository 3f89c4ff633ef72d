/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of single measures, made from the definitions (report/words/metric_rows.h): every measure
 * of the named families that has a number in this run, with its definition. And the appendix: all
 * definitions, files and digests.
 */
#include "report/page/html.h"
#include "report/words/labels.h"
#include "report/words/metric_rows.h"
#include "report/words/metric_text.h"
#include "report/words/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 128

/* Families of one table; the first one determines where its rows begin in metric_row_at(). */
static const struct section {
    const char *title, *id;
    const char *prefixes[7];
} sections[] = {
    {"Fairness", "fairness", {"fairness."}},
    {"Other measures",
     "measures",
     {"makespan_s", "bounded_slowdown", "preemption.", "fragmentation.", "placement."}},
    {"Reliability", "reliability", {"utilization.availability", "reliability."}},
    {"Storage", "storage", {"storage."}},
    {"Startup", "startup", {"startup."}},
    {"CPU and memory", "hosts", {"hosts."}},
    {"Energy and cost", "cost", {"cost."}},
};

static bool is_in(const struct section *section, const char *name)
{
    for (size_t i = 0; i < sizeof section->prefixes / sizeof *section->prefixes; i++) {
        const char *prefix = section->prefixes[i];
        if (prefix && strncmp(name, prefix, strlen(prefix)) == 0 && !strchr(name, '*'))
            return true;
    }
    return false;
}

static void print_measure(const struct page *page, const struct metric_row *row, const char *path,
                          double value, bool first)
{
    struct out *out = page->out;
    char text[UNIT_TEXT], sd[PATH_BYTES + 4];
    (void)snprintf(sd, sizeof sd, "sd.%s", path);
    double spread = json_number_at(page->run->summary, sd);
    char *label = label_metric(path);
    out_text(out, "<tr><th scope=\"row\" title=\"");
    html_text(out, path);
    out_text(out, "\">");
    html_text(out, label);
    out_text(out, "</th>");
    free(label);
    html_number(out, metric_text(text, path, value));
    if (page->run->replicas > 1)
        html_number(out, metric_text(text, path, spread));
    out_format(out, "<td class=\"unit\">%s</td><td>%s</td><td class=\"text\">",
               strcmp(row->unit, "s") == 0 ? "" : row->unit, metric_better_name(row->better));
    html_text(out, first ? row->summary : "");
    out_text(out, "</td></tr>\n");
}

/* Prints one row, or one for every number of a family such as fairness.rho. */
static size_t print_row(const struct page *page, const struct metric_row *row, bool dry)
{
    const cJSON *item = json_at(page->run->summary, row->name), *child;
    size_t printed = 0;
    if (cJSON_IsNumber(item) && isfinite(item->valuedouble)) {
        if (!dry)
            print_measure(page, row, row->name, item->valuedouble, true);
        return 1;
    }
    cJSON_ArrayForEach(child, item)
    {
        char path[PATH_BYTES];
        if (!child->string || !cJSON_IsNumber(child) || !isfinite(child->valuedouble))
            continue;
        (void)snprintf(path, sizeof path, "%s.%s", row->name, child->string);
        if (metric_find(path) != row) // it has a row of its own
            continue;
        if (!dry)
            print_measure(page, row, path, child->valuedouble, printed == 0);
        printed++;
    }
    return printed;
}

static size_t print_rows(const struct page *page, const struct section *section, bool dry)
{
    size_t printed = 0;
    const struct metric_row *row;
    for (size_t i = 0; (row = metric_row_at(i)) != NULL; i++)
        if (is_in(section, row->name))
            printed += print_row(page, row, dry);
    return printed;
}

void html_measures(const struct page *page)
{
    for (size_t s = 0; s < sizeof sections / sizeof *sections; s++) {
        if (print_rows(page, &sections[s], true) == 0)
            continue;
        html_open_table(page, sections[s].title, sections[s].id, "words");
        out_format(
            page->out,
            "<thead><tr><th scope=\"col\">Measure</th><th scope=\"col\" class=\"n\">value</th>%s"
            "<th scope=\"col\">unit</th><th scope=\"col\">better</th><th scope=\"col\">what it "
            "is</th></tr></thead>\n<tbody>\n",
            page->run->replicas > 1 ? "<th scope=\"col\" class=\"n\">sd</th>" : "");
        (void)print_rows(page, &sections[s], false);
        html_close_table(page);
    }
}

static void print_definitions(const struct page *page)
{
    const struct metric_row *row;
    html_open_folded(page, "Definitions of all measures", "definitions", "words");
    out_text(
        page->out,
        "<thead><tr><th scope=\"col\">Key of summary.json</th><th scope=\"col\">unit</th>"
        "<th scope=\"col\">better</th><th scope=\"col\">what it is</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; (row = metric_row_at(i)) != NULL; i++) {
        out_format(page->out,
                   "<tr><th scope=\"row\"><code>%s</code></th><td "
                   "class=\"unit\">%s</td><td>%s</td><td class=\"text\">",
                   row->name, row->unit, metric_better_name(row->better));
        html_text(page->out, row->summary);
        out_text(page->out, "</td></tr>\n");
    }
    html_close_folded(page);
}

static void print_files(const struct page *page)
{
    static const struct {
        const char *name;
        bool of_replica; /* in rep-1 if there are several replicas */
        const char *what;
    } files[] = {
        {"summary.json", false, "every measure of the run"},
        {"scenario.json", false, "the scenario as it was resolved"},
        {"jobs.csv", true, "one row a job"},
        {"queues.csv", true, "one row a queue"},
        {"queue_pools.csv", true, "one row a queue and pool, where quotas are by pool"},
        {"users.csv", true, "one row a user"},
        {"timeline.csv", true, "GPUs by rung of the utilization ladder, and by queue"},
        {"reasons.csv", true, "pending jobs by reason"},
        {"heatmap.csv", true, "busy share of every node"},
        {"fabric.csv", true, "the same by domains of the fabric, and of its uplinks"},
        {"faults.csv", true, "every fault that struck"},
        {"nodes.csv", true, "when nodes of elastic pools were ordered, came and went"},
        {"services.csv", true, "load, capacity, replicas and waiting requests of services"},
        {"journal.jsonl", true, "every decision"},
    };
    out_text(page->out, "<section class=\"block\" id=\"files\">\n<h2>Files of this run</h2>\n<ul "
                        "class=\"legend\">\n");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *prefix = files[i].of_replica ? page->run->prefix : "";
        if (!rundir_has(page->run, prefix, files[i].name))
            continue;
        out_text(page->out, "<li>");
        html_link(page, prefix, files[i].name, files[i].name);
        out_format(page->out, " <span class=\"fine\">%s</span></li>\n", files[i].what);
    }
    out_text(page->out, "</ul>\n</section>\n");
}

static void print_digests(const struct page *page)
{
    static const struct {
        const char *label, *path;
    } digests[] = {
        {"Scenario", "scenario_digest"},
        {"Trace", "trace_digest"},
        {"Decisions (sha256)", "engine.journal_sha256"},
    };
    out_text(page->out,
             "<section class=\"block\" id=\"digests\">\n<h2>Digests</h2>\n<p class=\"fine\">Runs "
             "with equal digests of scenario and trace had the same input; equal digests of the "
             "decisions mean that not one decision differed.</p>\n<dl class=\"facts\">\n");
    for (size_t i = 0; i < sizeof digests / sizeof *digests; i++) {
        const char *digest = json_text_at(page->run->summary, digests[i].path);
        if (!*digest)
            continue;
        out_format(page->out, "<div><dt>%s</dt><dd><code>", digests[i].label);
        html_text(page->out, digest);
        out_text(page->out, "</code></dd></div>\n");
    }
    out_text(page->out, "</dl>\n</section>\n");
}

void html_appendix(const struct page *page)
{
    print_files(page);
    print_digests(page);
    print_definitions(page);
}
