/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a calibration; see page.h. */
#include "sim/calibrate/page.h"

#include "report/figures/palette.h"
#include "report/figures/plot.h"
#include "report/page/html.h"
#include "report/words/dates.h"
#include "report/words/units.h"
#include "sim/base/mem.h"
#include "sim/calibrate/fit_words.h"
#include "sim/calibrate/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN  24  /* queues */
#define POINTS 400 /* of the figure */

/* ---- the figure ---- */

static double begin_s(const struct calibrate *c, size_t hour)
{
    return (double)c->hours.from_ms / 1000 + 3600 * (double)hour;
}

/* Hours of the window; of long logs means over several of them. */
static size_t put_hours(struct out *dat, const struct calibrate *c, const struct plot_time *time)
{
    size_t step = (c->hours.count + POINTS - 1) / POINTS;
    out_format(dat, "# %s, busy GPUs recorded, simulated\n", time->unit);
    for (size_t i = 0; i < c->hours.count; i += step) {
        size_t n = c->hours.count - i < step ? c->hours.count - i : step;
        double recorded = 0, simulated = 0;
        for (size_t k = i; k < i + n; k++) {
            recorded += c->hours.hours[k].recorded / (double)n;
            simulated += c->hours.hours[k].simulated / (double)n;
        }
        out_f64(dat, plot_time_at(time, begin_s(c, i)), 6);
        plot_value(dat, recorded, 6);
        plot_value(dat, simulated, 6);
        out_char(dat, '\n');
    }
    return step;
}

static bool draw_hours(const struct calibrate *c, struct figure_job *job)
{
    if (c->hours.count == 0) {
        job->figure->absent = true;
        return false;
    }
    double first_s = begin_s(c, 0), last_s = begin_s(c, c->hours.count);
    struct plot_time time = plot_time_of(first_s, last_s, last_s - first_s);
    size_t step = put_hours(job->dat, c, &time);
    plot_begin(job->gp, job->figure->id, 320);
    plot_time_range(job->gp, &time, first_s, last_s);
    out_format(
        job->gp,
        "set ylabel 'GPUs'\nset yrange [0:]\nplot '%s.dat' using 1:2 "
        "with steps linewidth 1.5 linecolor rgb '%s' title 'recorded', \\\n     '' using 1:3 "
        "with steps linewidth 1.5 linecolor rgb '%s' title 'simulated'\n",
        job->figure->id, palette_file(PALETTE_BASE), palette_file(PALETTE_CHANGED));
    job->figure->answer = mem_format("On average %.4g GPUs were busy in the log and %.4g in the "
                                     "simulation.",
                                     c->use.recorded, c->use.simulated);
    job->figure->method = mem_format("Means over %zu h each in the measurement window.", step);
    return true;
}

static bool make_figure(const struct calibrate *c, const char *folder, struct figures *figures,
                        struct err *err)
{
    struct figure *figure = &figures->figure[figures->count++];
    struct figure_job job = {.figure = figure, .dat = out_memory(), .gp = out_memory()};
    *figure =
        (struct figure){.id = "busy", .question = "Were the same GPUs busy?", .source = "the log"};
    bool ok = figure_folder(folder, err) && figure_write(folder, &job, draw_hours(c, &job), err);
    out_discard(job.dat);
    out_discard(job.gp);
    return ok;
}

/* ---- tables ---- */

static void put_group(struct out *out, const char *name, const struct calibrate_group *group)
{
    char text[UNIT_TEXT];
    const double s[] = {group->recorded.mean_s, group->simulated.mean_s, group->recorded.p50_s,
                        group->simulated.p50_s, group->recorded.p95_s,   group->simulated.p95_s};
    if (group->jobs == 0)
        return;
    out_text(out, "<tr><th scope=\"row\">");
    html_text(out, name);
    out_text(out, "</th>");
    html_number(out, unit_count(text, (double)group->jobs));
    for (size_t i = 0; i < sizeof s / sizeof *s; i++)
        html_number(out, unit_duration(text, s[i]));
    out_text(out, "</tr>\n");
}

static void open_table(const struct page *page, const char *title, const char *id,
                       const char *heading)
{
    html_open_table(page, title, id, "numbers");
    out_format(page->out,
               "<thead><tr><th scope=\"col\">%s</th><th scope=\"col\" class=\"n\">Jobs</th>"
               "<th scope=\"col\" class=\"n\">Mean, recorded</th><th scope=\"col\" "
               "class=\"n\">simulated</th><th scope=\"col\" class=\"n\">Median, recorded</th><th "
               "scope=\"col\" class=\"n\">simulated</th><th scope=\"col\" class=\"n\">p95, "
               "recorded</th><th scope=\"col\" class=\"n\">simulated</th></tr></thead>\n<tbody>\n",
               heading);
}

static void put_tables(const struct page *page, const struct calibrate *c)
{
    open_table(page, "Waits by class", "classes", "Class");
    for (size_t i = 0; i < TRACE_CLASSES; i++)
        put_group(page->out, c->classes[i].name, &c->classes[i]);
    put_group(page->out, "all", &c->all);
    html_close_table(page);
    size_t *order = calibrate_queue_order(c);
    open_table(page, "Waits by queue, the largest difference first", "queues", "Queue");
    for (size_t i = 0; i < c->queue_count && i < SHOWN; i++)
        put_group(page->out, c->queues[order[i]].name, &c->queues[order[i]]);
    html_close_table(page);
    free(order);
    bool dated = date_known(begin_s(c, 0));
    open_table(page, "Waits by hour of submission", "day", dated ? "Hour (UTC)" : "Hour");
    for (size_t i = 0; i < CALIBRATE_DAY; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%02zu:00", i);
        put_group(page->out, name, &c->day[i]);
    }
    html_close_table(page);
}

/* ---- all of it ---- */

/* `first` precedes the first sentence. */
static void put_sentences(struct out *out, const char *title, const char *first,
                          const struct calibrate_verdict *v)
{
    html_open_verdict(out, title);
    for (size_t i = 0; i < v->count; i++) {
        char *sentence = mem_text(v->sentences[i]);
        if (sentence[0] >= 'a' && sentence[0] <= 'z')
            sentence[0] = (char)(sentence[0] - 'a' + 'A');
        html_verdict_line(out, i == 0 ? first : "", sentence, false);
        free(sentence);
    }
    html_close_verdict(out);
}

static void put_page(struct page *page, const char *scenario, const struct calibrate *c,
                     const struct calibrate_verdict *verdict, const struct fit *fit)
{
    struct out *out = page->out;
    html_begin(out, scenario, "calibration", "Calibration against a log");
    put_sentences(out, "Does the simulation show what the log recorded?", "Waits", verdict);
    if (fit != NULL) {
        struct calibrate_verdict words;
        calibrate_fit_words(&words, fit);
        put_sentences(out, "What reconciles them", "Fit", &words);
        calibrate_verdict_fini(&words);
    }
    html_figure_beside(page, &page->figures->figure[0]);
    put_tables(page, c);
    out_text(out, "</main>\n</body>\n</html>\n");
}

bool calibrate_page(const char *path, const char *scenario, const struct calibrate *c,
                    const struct calibrate_verdict *verdict, const struct fit *fit, struct err *err)
{
    struct figures figures = {.count = 0};
    char *folder = mem_format("%.*s-figures", (int)(strlen(path) - strlen(".html")), path);
    char *base = html_base(folder, path);
    bool ok = make_figure(c, folder, &figures, err);
    struct out *out = ok ? out_open(path, err) : NULL;
    if (out != NULL) {
        struct page page = {.out = out, .figures = &figures, .base = base};
        put_page(&page, scenario, c, verdict, fit);
        ok = out_close(out, err);
    }
    figures_free(&figures);
    free(base);
    free(folder);
    return ok && out != NULL;
}
