/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a plan: the answer, a figure and a table for each target, and the method. No script,
 * no network access.
 */
#include "report/page/html.h"
#include "report/plan/capacity.h"
#include "report/plan/capacity_cells.h"
#include "report/plan/capacity_sheet.h"
#include "report/plan/figure_capacity.h"
#include "report/plan/files.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Prints a paragraph; nothing for NULL. */
static void put_line(struct out *out, const char *text)
{
    if (text == NULL)
        return;
    out_text(out, "<p class=\"about\">");
    html_text(out, text);
    out_text(out, "</p>\n");
}

static void put_head(struct out *out, const struct capacity_plan *plan)
{
    html_begin(out, plan->options[plan->best].scenario, "capacity plan", "Capacity plan");
    capacity_sheet_question(plan, out);
    for (size_t i = 0; i < plan->option_count; i++) {
        char *headline = capacity_headline(&plan->options[i]);
        put_line(out, headline);
        free(headline);
    }
    capacity_sheet_cards(plan, out);
    capacity_sheet_assumptions(plan, out);
    out_text(out, "<h2 class=\"details\">Details</h2>\n");
}

static void put_fleet(struct out *out, const char *name, const struct capacity_point *point,
                      const struct capacity_point *today, bool strong)
{
    struct capacity_cells cells;
    capacity_cells(&cells, point, today);
    const char *texts[] = {cells.nodes, cells.missed,     cells.risk,
                           cells.usd,   cells.more_nodes, cells.more_usd};
    out_format(out, "<tr><th scope=\"row\">%s", strong ? "<strong>" : "");
    html_text(out, name);
    out_format(out, "%s</th>", strong ? "</strong>" : "");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        html_number(out, texts[i]);
    out_text(out, "</tr>\n");
}

/* Nodes, risk and yearly cost, with the difference from today. */
static void put_options(const struct page *page, const struct capacity_plan *plan)
{
    html_open_table(page, "Alternatives", "options", "numbers");
    out_text(page->out,
             "<thead><tr><th scope=\"col\">Fleet</th><th scope=\"col\" class=\"n\">Nodes</th><th "
             "scope=\"col\" class=\"n\">Replicas that miss</th><th scope=\"col\" class=\"n\">Risk "
             "(95% interval)</th><th scope=\"col\" class=\"n\">USD a year</th><th scope=\"col\" "
             "class=\"n\">Nodes against today</th><th scope=\"col\" class=\"n\">USD a year against "
             "today</th></tr></thead>\n<tbody>\n");
    put_fleet(page->out, "today", &plan->today, &plan->today, false);
    for (size_t i = 0; i < plan->option_count; i++) {
        const struct capacity *c = &plan->options[i];
        char *name;
        const struct capacity_point *shown = capacity_shown(c, &name);
        if (shown != NULL)
            put_fleet(page->out, name, shown, &plan->today,
                      capacity_answer(c) != NULL && i == plan->best);
        free(name);
    }
    html_close_table(page);
}

/* Means have intervals if counting does not decide. */
static bool has_intervals(const struct capacity *c)
{
    return rule_allows(c->confidence, (size_t)c->replicas) < 0;
}

static void put_row(struct out *out, const struct capacity *c, const struct capacity_point *point,
                    size_t t)
{
    char text[UNIT_TEXT];
    const struct capacity_value *v = &point->value[t];
    const double values[] = {v->over.mean, v->over.low, v->over.high};
    struct capacity_cells cells;
    capacity_cells(&cells, point, NULL);
    bool strong = point->nodes == c->found.answer;
    out_format(out, "<tr><th scope=\"row\">%s%lld%s</th>", strong ? "<strong>" : "",
               (long long)point->nodes, strong ? "</strong>" : "");
    for (size_t i = 0; i < (has_intervals(c) ? 3 : 1); i++)
        html_number(out, capacity_text(text, &c->targets[t], values[i]));
    out_format(out, "<td>%s%s</td>", capacity_verdict_words[v->verdict],
               point->crowded ? ", jobs never fit" : "");
    html_number(out, cells.missed);
    html_number(out, cells.risk);
    html_number(out, unit_percent(text, point->allocation));
    html_number(out, cells.usd);
    html_number(out, unit_amount(text, point->usd_per_gpu_h));
    out_text(out, "</tr>\n");
}

static void put_table(const struct page *page, const struct capacity *c, size_t number, size_t t)
{
    char id[32];
    char *words = target_words(&c->targets[t]);
    char *title = mem_format("%s: %s", c->label, words);
    free(words);
    (void)snprintf(id, sizeof id, "target-%zu", number + 1);
    html_open_table(page, title, id, "numbers");
    free(title);
    out_text(page->out,
             "<thead><tr><th scope=\"col\">Nodes</th><th scope=\"col\" class=\"n\">Mean</th>");
    if (has_intervals(c))
        out_text(page->out, "<th scope=\"col\" class=\"n\">Low (95%)</th><th scope=\"col\" "
                            "class=\"n\">High (95%)</th>");
    out_text(page->out,
             "<th scope=\"col\">Target</th><th scope=\"col\" class=\"n\">Replicas that "
             "miss</th><th scope=\"col\" class=\"n\">Risk (95% interval)</th><th scope=\"col\" "
             "class=\"n\">Allocated</th><th scope=\"col\" class=\"n\">USD a year</th><th "
             "scope=\"col\" class=\"n\">USD per productive GPU-h</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < c->point_count; i++)
        put_row(page->out, c, &c->points[i], t);
    html_close_table(page);
}

static void put_method(struct out *out, const struct capacity *c)
{
    out_format(
        out,
        "<section class=\"block\" id=\"method\">\n<h2>How it was found</h2>\n<p "
        "class=\"about\">Each number of nodes was simulated with up to %d replicas; replica K sees "
        "the same arrivals, durations and failures at every number. A number of nodes suffices if "
        "so few replicas miss a target that a new draw of the demand meets them with probability "
        "%g (order statistics); it is abandoned as soon as more replicas have missed. The risk is "
        "the share of replicas that miss, with its exact interval (Clopper-Pearson). The search "
        "starts from the offered work, goes up, bisects, and tries the numbers around the answer, "
        "since more nodes are not always better. ",
        c->replicas, c->confidence);
    if (capacity_shows_perfect(c))
        out_text(out, "The lower bound assumes an ideal system with the same demand, in which any "
                      "GPU serves any job in any pieces; in each interval of time it has to do the "
                      "work that jobs within the target cannot do outside of it (energetic "
                      "reasoning). For wait targets it holds without preemption.");
    out_text(out, "</p>\n</section>\n");
}

static bool make_figures(const struct capacity_plan *plan, const char *folder,
                         struct figures *figures, char ids[][32], struct err *err)
{
    bool ok = figure_folder(folder, err);
    for (size_t o = 0; o < plan->option_count; o++) {
        const struct capacity *c = &plan->options[o];
        for (size_t t = 0; ok && t < c->target_count && figures->count < FIGURES_MAX; t++) {
            struct figure *figure = &figures->figure[figures->count];
            char *id = ids[figures->count++];
            (void)snprintf(id, sizeof ids[0], "capacity_%zu", figures->count);
            *figure = (struct figure){
                .id = id, .question = "How many nodes are enough?", .source = "points.csv"};
            struct figure_job job = {.figure = figure, .dat = out_memory(), .gp = out_memory()};
            ok = figure_write(folder, &job, figure_capacity(c, t, &job), err);
            out_discard(job.dat);
            out_discard(job.gp);
        }
    }
    return ok;
}

static bool write_page(const struct capacity_plan *plan, struct out *out, const char *base,
                       const struct figures *figures, struct err *err)
{
    if (out == NULL)
        return false;
    struct page page = {.out = out, .figures = figures, .base = base};
    size_t number = 0;
    put_head(out, plan);
    put_options(&page, plan);
    for (size_t o = 0; o < plan->option_count; o++)
        for (size_t t = 0; t < plan->options[o].target_count; t++, number++) {
            if (number < figures->count)
                html_figure_beside(&page, &figures->figure[number]);
            put_table(&page, &plan->options[o], number, t);
        }
    put_method(out, &plan->options[plan->best]);
    out_text(out, "</main>\n</body>\n</html>\n");
    return out_close(out, err);
}

static void print_csv(const void *plan, struct out *csv)
{
    capacity_csv(plan, csv);
}

static void print_json(const void *plan, struct json *json)
{
    capacity_json(plan, json);
}

bool capacity_write(const struct capacity_plan *plan, const char *dir, struct err *err)
{
    struct figures figures = {.count = 0};
    char ids[FIGURES_MAX][32];
    char *folder = mem_format("%s/figures", dir);
    struct plan_files files = {plan, "points.csv", print_csv, print_json};
    bool ok = make_figures(plan, folder, &figures, ids, err) &&
              write_page(plan, out_open_in(dir, "plan.html", err), "figures/", &figures, err) &&
              plan_files_write(&files, dir, err);
    figures_free(&figures);
    free(folder);
    return ok;
}

bool capacity_write_page(const struct capacity_plan *plan, const char *path, struct err *err)
{
    struct figures figures = {.count = 0};
    char ids[FIGURES_MAX][32];
    char *folder = mem_format("%.*s-figures", (int)(strlen(path) - strlen(".html")), path);
    char *base = html_base(folder, path);
    bool ok = make_figures(plan, folder, &figures, ids, err) &&
              write_page(plan, out_open(path, err), base, &figures, err);
    figures_free(&figures);
    free(base);
    free(folder);
    return ok;
}
