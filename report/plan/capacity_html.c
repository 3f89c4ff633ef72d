/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a plan: answer, a figure and a table for each target, method. No script, nothing from the network. */
#include "report/html.h"
#include "report/plan/capacity.h"
#include "report/plan/figure_capacity.h"
#include "report/plan/files.h"
#include "report/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void put_head(struct out *out, const struct capacity *c)
{
    html_begin(out, c->scenario, "capacity plan", "Capacity plan");
    out_text(out, "<p class=\"about\">");
    char *headline = capacity_headline(c);
    html_text(out, headline);
    free(headline);
    out_text(out, "</p>\n<dl class=\"facts\">\n<div><dt>Policy</dt><dd>");
    html_text(out, c->policy);
    out_text(out, "</dd></div>\n<div><dt>Pool</dt><dd>");
    html_text(out, c->pool);
    out_format(out,
               "</dd></div>\n<div><dt>Nodes given</dt><dd>%lld</dd></div>\n<div><dt>Range</dt><dd>%lld to "
               "%lld</dd></div>\n<div><dt>Replicas</dt><dd>%d</dd></div>\n<div><dt>Confidence</dt><dd>%g</dd>"
               "</div>\n</dl>\n",
               (long long)c->given, (long long)c->low, (long long)c->high, c->replicas, c->confidence);
}

static void put_row(struct out *out, const struct capacity *c, const struct capacity_point *point, size_t t)
{
    char text[UNIT_TEXT];
    const struct capacity_value *v = &point->value[t];
    const double values[] = {v->over.mean, v->over.low, v->over.high};
    bool strong = point->nodes == c->found.answer;
    out_format(out, "<tr><th scope=\"row\">%s%lld%s</th>", strong ? "<strong>" : "", (long long)point->nodes,
               strong ? "</strong>" : "");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        html_number(out, capacity_text(text, &c->targets[t], values[i]));
    out_format(out, "<td>%s%s</td>", capacity_verdict_words[v->verdict],
               point->crowded ? ", jobs never fit" : "");
    html_number(out, unit_percent(text, point->allocation));
    html_number(out, unit_count(text, round(point->usd)));
    html_number(out, unit_amount(text, point->usd_per_gpu_h));
    out_text(out, "</tr>\n");
}

static void put_table(const struct page *page, const struct capacity *c, size_t t)
{
    char id[32];
    (void)snprintf(id, sizeof id, "target-%zu", t + 1);
    html_open_table(page, c->targets[t].text, id, "numbers");
    out_text(
        page->out,
        "<thead><tr><th scope=\"col\">Nodes</th><th scope=\"col\" class=\"n\">Mean</th><th scope=\"col\" "
        "class=\"n\">Low</th><th scope=\"col\" class=\"n\">High</th><th scope=\"col\">Target</th><th "
        "scope=\"col\" class=\"n\">Allocated</th><th scope=\"col\" class=\"n\">USD</th><th scope=\"col\" "
        "class=\"n\">USD per productive GPU-h</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < c->point_count; i++)
        put_row(page->out, c, &c->points[i], t);
    html_close_table(page);
}

static void put_method(struct out *out, const struct capacity *c)
{
    out_format(out,
               "<section class=\"block\" id=\"method\">\n<h2>How it was found</h2>\n<p class=\"about\">Each "
               "number of nodes "
               "was simulated %d times; replica K sees the same arrivals, durations and failures at every "
               "number. A target is "
               "met where Student's one-sided bound of its metric's mean, at confidence %g, is within it; "
               "several targets hold "
               "together where each does. Numbers were doubled from what a perfect system needs, bisected, "
               "and tried on both "
               "sides of the answer, since more nodes are not always better. ",
               c->replicas, c->confidence);
    if (c->bound.known)
        out_text(out,
                 "The perfect system has the same demand, and any GPU serves any job in any pieces; in each "
                 "interval of time it must do what jobs that keep within the target cannot do outside of it "
                 "(energetic reasoning). Wait targets: as long as nothing that was started is stopped.");
    out_text(out, "</p>\n</section>\n");
}

static bool make_figures(const struct capacity *c, const char *folder, struct figures *figures,
                         char ids[][32], struct err *err)
{
    bool ok = figure_folder(folder, err);
    for (size_t t = 0; ok && t < c->target_count && figures->count < FIGURES_MAX; t++) {
        struct figure *figure = &figures->figure[figures->count++];
        (void)snprintf(ids[t], sizeof ids[t], "capacity_%zu", t + 1);
        *figure =
            (struct figure){.id = ids[t], .question = "How many nodes are enough?", .source = "points.csv"};
        struct figure_job job = {.figure = figure, .dat = out_memory(), .gp = out_memory()};
        ok = figure_write(folder, &job, figure_capacity(c, t, &job), err);
        out_discard(job.dat);
        out_discard(job.gp);
    }
    return ok;
}

static bool write_page(const struct capacity *c, const char *dir, const struct figures *figures,
                       struct err *err)
{
    struct out *out = out_open_in(dir, "plan.html", err);
    if (out == NULL)
        return false;
    struct page page = {.out = out, .figures = figures, .base = "figures/"};
    put_head(out, c);
    for (size_t t = 0; t < c->target_count; t++) {
        if (t < figures->count)
            html_figure_beside(&page, &figures->figure[t]);
        put_table(&page, c, t);
    }
    put_method(out, c);
    out_text(out, "</main>\n</body>\n</html>\n");
    return out_close(out, err);
}

static void print_csv(const void *c, struct out *csv)
{
    capacity_csv(c, csv);
}

static void print_json(const void *c, struct json *json)
{
    capacity_json(c, json);
}

bool capacity_write(const struct capacity *c, const char *dir, struct err *err)
{
    struct figures figures = {.count = 0};
    char ids[SEARCH_TARGETS][32];
    char *folder = mem_format("%s/figures", dir);
    struct plan_files files = {c, "points.csv", print_csv, print_json};
    bool ok = make_figures(c, folder, &figures, ids, err) && write_page(c, dir, &figures, err) &&
              plan_files_write(&files, dir, err);
    figures_free(&figures);
    free(folder);
    return ok;
}
