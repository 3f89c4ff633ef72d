/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a sweep; see page.h. */
#include "report/sweep/page.h"

#include "report/page/html.h"
#include "report/sweep/figure_line.h"
#include "report/sweep/grid.h"
#include "report/sweep/heat.h"
#include "report/words/labels.h"
#include "report/words/metric_rows.h"
#include "report/words/metric_text.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define METRICS_SHOWN ((size_t)12)
#define ROWS_OPEN     ((size_t)60) /* rows of the table; longer ones are folded */
#define ROWS_SHOWN    ((size_t)5000)

struct sweep_page {
    struct page page;
    const struct grid *grid;
};

/* ---- words ---- */

static char *question_of(const struct grid *grid)
{
    struct out *out = out_memory();
    if (grid->axis_count == 0)
        out_text(out, "How much does chance change?");
    for (size_t a = 0; a < grid->axis_count; a++) {
        char *label = label_key(grid->axes[a].key);
        bool last = a + 1 == grid->axis_count;
        out_format(out, "%s%s", a == 0 ? "What is the effect of " : last ? " and " : ", ", label);
        out_text(out, last ? "?" : "");
        free(label);
    }
    return out_memory_take(out);
}

/* Returns the number of other places whose interval overlaps that of this one. */
static size_t rivals(const struct grid *grid, size_t m, size_t place)
{
    const struct stat_interval *a = &grid->places[place].of[m].over;
    size_t count = 0;
    for (size_t p = 0; p < grid->place_count; p++) {
        const struct stat_interval *b = &grid->places[p].of[m].over;
        count += p != place && a->low <= b->high && b->low <= a->high;
    }
    return count;
}

static void put_extreme(struct out *out, const struct grid *grid, size_t metric, size_t place)
{
    char text[UNIT_TEXT];
    const struct grid_sample *sample = &grid->places[place].of[grid->metrics[metric]];
    char *where = grid_place_text(grid, &grid->places[place]);
    const char *unit = metric_unit(grid_metric(grid, metric));
    out_format(out, "%s%s%s%s%s%s", sample->bounds > 0 ? "at least " : "",
               metric_text(text, grid_metric(grid, metric), sample->over.mean), *unit ? " " : "",
               unit, *where ? " with " : "", where);
    free(where);
}

/* "Best: 12m05s with policy sjf; worst: 3h12m with policy fifo." */
static char *answer_of(const struct grid *grid, size_t metric)
{
    struct out *out = out_memory();
    const struct metric_row *row = metric_find(grid_metric(grid, metric));
    size_t lowest, highest, m = grid->metrics[metric];
    grid_extremes(grid, metric, &lowest, &highest);
    bool judged = row != NULL && row->better != METRIC_NEUTRAL;
    bool higher = judged && row->better == METRIC_HIGHER;
    size_t first = higher ? highest : lowest, second = higher ? lowest : highest;
    if (grid->places[lowest].of[m].over.mean >= grid->places[highest].of[m].over.mean) {
        char text[UNIT_TEXT];
        (void)metric_text(text, grid_metric(grid, metric), grid->places[first].of[m].over.mean);
        out_format(out, "%s%s", grid->place_count > 1 ? "The same everywhere: " : "", text);
        judged = false;
    } else {
        out_text(out, judged ? "Best: " : "Lowest: ");
        put_extreme(out, grid, metric, first);
        out_text(out, judged ? "; worst: " : "; highest: ");
        put_extreme(out, grid, metric, second);
    }
    size_t others = rivals(grid, m, first);
    out_char(out, '.');
    if (others > 0 && judged)
        out_format(out, " The interval of the best overlaps %zu other%s.", others,
                   others == 1 ? "" : "s");
    return out_memory_take(out);
}

/* ---- the head ---- */

static void put_fact(struct out *out, const char *topic, const char *text)
{
    out_format(out, "<div><dt>%s</dt><dd>", topic);
    html_text(out, text);
    out_text(out, "</dd></div>\n");
}

static void put_head(struct out *out, const struct grid *grid)
{
    char text[64];
    const char *name = grid->manifest.table.name;
    html_begin(out, *name ? name : "Sweep", "sweep", "Parameter sweep");
    char *question = question_of(grid);
    out_text(out, "<p class=\"question\">");
    html_text(out, question);
    out_text(out, "</p>\n<dl class=\"facts\">\n");
    free(question);
    (void)snprintf(text, sizeof text, "%zu", grid->points);
    put_fact(out, "Points", text);
    if (grid->missing > 0) {
        (void)snprintf(text, sizeof text, "%zu", grid->missing);
        put_fact(out, "Without a result so far", text);
    }
    (void)snprintf(text, sizeof text, "%zu", grid->place_count);
    put_fact(out, "Combinations", text);
    out_text(out, "</dl>\n");
}

/* ---- metrics ---- */

static void put_title(struct out *out, const char *path)
{
    const struct metric_row *row = metric_find(path);
    char *label = label_metric(path);
    out_text(out, "<span title=\"");
    html_text(out, path);
    if (row != NULL) {
        out_text(out, ": ");
        html_text(out, row->summary);
    }
    out_text(out, "\">");
    html_text(out, label);
    const char *unit = metric_unit(path);
    out_text(out, "</span>");
    if (*unit && strstr(label, unit) == NULL)
        out_format(out, ", %s", unit);
    free(label);
}

static void put_maps(const struct sweep_page *page, size_t metric)
{
    struct out *out = page->page.out;
    const char *path = grid_metric(page->grid, metric);
    char *answer = answer_of(page->grid, metric);
    out_format(out, "<section class=\"block\" id=\"metric_%zu\">\n<h2>", metric + 1);
    put_title(out, path);
    out_text(out, "</h2>\n<p>");
    html_text(out, answer);
    out_text(out, "</p>\n");
    free(answer);
    if (page->grid->axis_count >= 2)
        sweep_heat(page->grid, metric, out);
    out_text(out, "</section>\n");
}

static bool put_line(const struct sweep_page *page, size_t metric, const char *folder,
                     struct err *err)
{
    char id[32], *question = label_metric(grid_metric(page->grid, metric));
    (void)snprintf(id, sizeof id, "metric_%zu", metric + 1);
    struct figure figure = {.id = id, .question = question, .source = "results.csv"};
    struct figure_job job = {.figure = &figure, .dat = out_memory(), .gp = out_memory()};
    figure.answer = answer_of(page->grid, metric);
    figure.method = mem_text("Means over the seeds and replicas of a point, with Student's 95 % "
                             "intervals if there are several.");
    bool ok = figure_write(folder, &job, sweep_line(page->grid, metric, &job), err);
    if (ok)
        html_figure_beside(&page->page, &figure);
    out_discard(job.dat);
    out_discard(job.gp);
    free(figure.answer);
    free(figure.method);
    free(figure.note);
    free(figure.svg);
    free(question);
    return ok;
}

static bool put_metrics(const struct sweep_page *page, const char *folder, struct err *err)
{
    const struct grid *grid = page->grid;
    bool ok = true;
    for (size_t m = 0; m < grid->metric_count && m < METRICS_SHOWN && ok; m++) {
        if (grid->axis_count == 1)
            ok = put_line(page, m, folder, err);
        else
            put_maps(page, m);
    }
    return ok;
}

/* ---- the table ---- */

static void put_value(struct out *out, const struct grid_sample *sample, const char *path)
{
    char text[UNIT_TEXT], half[UNIT_TEXT], cell[2 * UNIT_TEXT + 8];
    if (sample->n == 0) {
        html_number(out, "-");
        return;
    }
    bool interval = !isnan(sample->over.low) && sample->over.high > sample->over.low;
    (void)metric_text(text, path, sample->over.mean);
    (void)metric_text(half, path, (sample->over.high - sample->over.low) / 2);
    (void)snprintf(cell, sizeof cell, "%s%s%s%s", sample->bounds > 0 ? "\xE2\x89\xA5 " : "", text,
                   interval && sample->bounds == 0 ? " \xC2\xB1 " : "",
                   interval && sample->bounds == 0 ? half : "");
    html_number(out, cell);
}

static void put_columns(struct out *out, const struct grid *grid)
{
    out_text(out, "<thead><tr>");
    for (size_t a = 0; a < grid->axis_count; a++) {
        char *label = label_key(grid->axes[a].key);
        out_text(out, "<th scope=\"col\" title=\"");
        html_text(out, grid->axes[a].key);
        out_text(out, "\">");
        html_text(out, strncmp(label, "the ", 4) == 0 ? label + 4 : label);
        out_text(out, "</th>");
        free(label);
    }
    out_text(out, "<th scope=\"col\" class=\"n\">Replicas</th>");
    for (size_t m = 0; m < grid->metric_count; m++) {
        out_text(out, "<th scope=\"col\" class=\"n\">");
        put_title(out, grid_metric(grid, m));
        out_text(out, "</th>");
    }
    out_text(out, "</tr></thead>\n<tbody>\n");
}

static void put_place(struct out *out, const struct grid *grid, const struct grid_place *place)
{
    size_t most = 0;
    char text[UNIT_TEXT];
    out_text(out, "<tr>");
    for (size_t a = 0; a < grid->axis_count; a++) {
        out_text(out, "<td>");
        html_text(out, grid->axes[a].texts[place->at[a]]);
        out_text(out, "</td>");
    }
    for (size_t m = 0; m < grid->metric_count; m++)
        most = place->of[grid->metrics[m]].n > most ? place->of[grid->metrics[m]].n : most;
    html_number(out, unit_count(text, (double)most));
    for (size_t m = 0; m < grid->metric_count; m++)
        put_value(out, &place->of[grid->metrics[m]], grid_metric(grid, m));
    out_text(out, "</tr>\n");
}

static void put_table(const struct sweep_page *page)
{
    const struct grid *grid = page->grid;
    bool folded = grid->place_count > ROWS_OPEN;
    (folded ? html_open_folded : html_open_table)(&page->page, "All combinations", "points",
                                                  "numbers");
    put_columns(page->page.out, grid);
    for (size_t p = 0; p < grid->place_count && p < ROWS_SHOWN; p++)
        put_place(page->page.out, grid, &grid->places[p]);
    (folded ? html_close_folded : html_close_table)(&page->page);
    if (grid->place_count > ROWS_SHOWN)
        out_format(page->page.out, "<p class=\"fine\">The first %zu of %zu.</p>\n", ROWS_SHOWN,
                   grid->place_count);
    out_text(page->page.out, "<p class=\"fine\">\xC2\xB1 is half of Student's 95 % interval of the "
                             "mean over seeds and replicas. \xE2\x89\xA5: some jobs were still "
                             "pending at the end. results.csv has a row per point.</p>\n");
}

/* ---- public functions ---- */

bool sweep_is_folder(const char *dir)
{
    struct sweep_manifest manifest;
    struct err ignored = {0};
    bool is = sweep_manifest_open(&manifest, dir, &ignored);
    sweep_manifest_close(&manifest);
    return is;
}

static bool put_page(const struct sweep_page *page, const char *folder, struct err *err)
{
    struct out *out = page->page.out;
    put_head(out, page->grid);
    bool ok = page->grid->axis_count != 1 || figure_folder(folder, err);
    ok = ok && put_metrics(page, folder, err);
    put_table(page);
    out_text(out, "</main>\n</body>\n</html>\n");
    return ok;
}

bool sweep_write_html(const char *dir, const char *path, struct err *err)
{
    struct grid grid;
    bool ok = grid_open(&grid, dir, err);
    struct out *out = ok ? out_open(path, err) : NULL;
    if (out != NULL) {
        char *folder = mem_format("%s/figures", dir), *base = html_base(folder, path);
        struct sweep_page page = {.page = {.out = out, .base = base}, .grid = &grid};
        ok = put_page(&page, folder, err);
        if (ok)
            ok = out_close(out, err);
        else
            out_discard(out);
        free(folder);
        free(base);
    }
    grid_close(&grid);
    return ok && out != NULL;
}
