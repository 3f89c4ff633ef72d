/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures: what each queue used against its entitlement, in total and over time. The queues with
 * the largest entitlement are shown; the report's table has more, and queues.csv has all.
 */
#include "report/figures/plot.h"
#include "report/figures/samples.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BARS        ((size_t)16)
#define PANELS      ((size_t)6)
#define LABEL_WIDTH ((size_t)20)
#define SATISFIED   0.9 /* queues below this part of their entitlement are counted in the caption */

struct queues {
    struct rundir_queue *queue;
    size_t *rank;
    size_t count;
};

/* Returns false if there is nothing to show. */
static bool load(struct figure_job *job, struct queues *queues)
{
    char *damage;
    queues->queue = rundir_queues(job->run, &queues->count, &damage);
    queues->rank = rundir_queue_ranks(queues->queue, queues->count);
    if (damage) {
        struct err err = {0};
        err_set(&err, EXIT_INPUT, "%s", damage);
        (void)figure_unreadable(job, RUNDIR_DAMAGED, &err);
        free(damage);
        return false;
    }
    bool any = false;
    for (size_t i = 0; i < queues->count; i++)
        any = any || queues->queue[i].entitled_gpu_h > 0 || queues->queue[i].used_gpu_h > 0;
    job->figure->absent = !any;
    return any;
}

static void release(struct queues *queues)
{
    rundir_queues_free(queues->queue, queues->count);
    free(queues->rank);
}

static char *answer(const struct queues *queues)
{
    const struct rundir_queue *best = NULL, *worst = NULL;
    size_t judged = 0, below = 0;
    for (size_t i = 0; i < queues->count; i++) {
        const struct rundir_queue *queue = &queues->queue[i];
        if (isnan(queue->share))
            continue;
        judged++;
        below += queue->share < SATISFIED;
        best = !best || queue->share > best->share ? queue : best;
        worst = !worst || queue->share < worst->share ? queue : worst;
    }
    if (!best)
        return mem_text("No queue had an entitlement.");
    char high[UNIT_TEXT], low[UNIT_TEXT];
    char *best_name = unit_name(best->name, LABEL_WIDTH),
         *worst_name = unit_name(worst->name, LABEL_WIDTH);
    char *text = judged == 1 ? mem_format("%s used %s of its entitlement.", best_name,
                                          unit_percent(high, best->share))
                             : mem_format("%s used %s of its entitlement, the most, and %s %s, the "
                                          "least; %zu of %zu queues stayed below 90%%.",
                                          best_name, unit_percent(high, best->share), worst_name,
                                          unit_percent(low, worst->share), below, judged);
    free(best_name);
    free(worst_name);
    return text;
}

static void number(struct out *dat, double value)
{
    out_char(dat, ' ');
    out_f64(dat, isnan(value) ? 0 : value, 3);
}

static void write_bars(const struct figure_job *job, const struct queues *queues, size_t shown)
{
    struct out *gp = job->gp;
    size_t widest = 7;
    plot_begin(gp, "shares", 100 + 26 * (int)shown);
    out_text(job->dat, "# row, GPU-hours used, entitled; largest entitlement first\n");
    out_text(gp, "set ytics (");
    for (size_t i = 0; i < shown; i++) {
        const struct rundir_queue *queue = &queues->queue[queues->rank[i]];
        char *label = unit_name(queue->name, LABEL_WIDTH);
        widest = unit_width(label) > widest ? unit_width(label) : widest;
        free(label);
        out_text(gp, i ? ", " : "");
        plot_tic_name(gp, *queue->name ? queue->name : "(no name)", LABEL_WIDTH);
        out_format(gp, " %zu", i);
        out_format(job->dat, "%zu", i);
        number(job->dat, queue->used_gpu_h);
        number(job->dat, queue->entitled_gpu_h);
        out_char(job->dat, '\n');
    }
    out_format(gp,
               ")\nset lmargin %zu\nset rmargin 4\nunset grid\nset grid xtics linecolor rgb "
               "'#888888' linewidth 0.4\n"
               "set xrange [0:*]\nset yrange [%zu.4:-0.6]\nset xlabel 'GPU-hours'\n",
               widest + 2, shown - 1);
    out_format(gp,
               "plot 'shares.dat' using (0):1:(0):2:($1-0.3):($1+0.3) with boxxyerror linecolor "
               "rgb '%s' title 'used', \\\n"
               "     '' using 3:($1-0.42):(0):(0.84) with vectors nohead linewidth 3 linecolor "
               "rgb '%s' title 'entitled'\n",
               palette_file(PALETTE_ALLOCATED), palette_file(PALETTE_PROMISED));
}

bool figure_shares(struct figure_job *job)
{
    struct queues queues;
    bool drawn = load(job, &queues);
    if (!rundir_has(job->run, job->run->prefix, "queues.csv"))
        job->figure->source = "summary.json";
    if (drawn) {
        size_t shown = queues.count < BARS ? queues.count : BARS;
        write_bars(job, &queues, shown);
        job->figure->answer = answer(&queues);
        if (shown < queues.count)
            job->figure->method = mem_format("The %zu queues with the largest entitlement of %zu.",
                                             shown, queues.count);
    }
    release(&queues);
    return drawn;
}

/*
 * The columns of the shown queues in timeline.csv, in the order found: [queue][0 allocated, 1
 * entitled].
 */
struct panels {
    const struct queues *queues;
    size_t shown, found;
    size_t column[PANELS][2];
};

static bool want(void *ctx, const char *name)
{
    static const char *const suffix[] = {":allocated", ":entitled"};
    struct panels *panels = ctx;
    for (size_t q = 0; q < panels->shown; q++) {
        const char *queue = panels->queues->queue[panels->queues->rank[q]].name;
        size_t n = strlen(queue);
        if (strncmp(name, queue, n) != 0)
            continue;
        for (size_t s = 0; s < 2; s++) {
            if (strcmp(name + n, suffix[s]) == 0) {
                panels->column[q][s] = panels->found++;
                return true;
            }
        }
    }
    return false;
}

static void write_panel_data(struct out *dat, const struct panels *panels,
                             const struct samples *samples, const struct plot_time *time)
{
    out_format(dat,
               "# %s since the start of the window, then for each queue GPUs allocated, entitled\n",
               time->unit);
    for (size_t p = 0; p < samples->points; p++) {
        out_f64(dat, plot_time_at(time, samples->time_s[p]), 5);
        for (size_t q = 0; q < panels->shown; q++)
            for (size_t s = 0; s < 2; s++)
                number(dat, samples->value[p * samples->columns + panels->column[q][s]]);
        out_char(dat, '\n');
    }
}

static double largest(const struct samples *samples, const size_t column[2])
{
    double most = 0;
    for (size_t p = 0; p < samples->points; p++)
        for (size_t s = 0; s < 2; s++)
            most = fmax(most, samples->value[p * samples->columns + column[s]]);
    return most;
}

static void write_panels(struct out *gp, const struct panels *panels, const struct samples *samples,
                         const struct plot_time *time)
{
    size_t columns = panels->shown > 1 ? 2 : 1, lines = (panels->shown + columns - 1) / columns;
    plot_begin(gp, "shares_time", 60 + 140 * (int)lines);
    plot_time_range(gp, time, samples->first_s, samples->last_s);
    out_format(gp,
               "set key at screen 0.99, screen 0.985 right top horizontal\n"
               "set yrange [0:*]\nset lmargin 6\nset rmargin 1\n"
               "set tmargin 2\nset bmargin 2\nset multiplot layout %zu,%zu margins char 6, screen "
               "0.98, char 3.5, screen %.3f spacing char 7, char 4\n",
               lines, columns, 1.0 - 55.0 / (60.0 + 140.0 * (double)lines));
    plot_time_tics(gp, time, samples->first_s, samples->last_s, PLOT_TICS / (int)columns);
    for (size_t q = 0; q < panels->shown; q++) {
        bool lowest = q + columns >= panels->shown;
        out_text(gp, "set label 1 ");
        plot_name(gp, panels->queues->queue[panels->queues->rank[q]].name, 36);
        out_format(gp, " at graph 0, graph 1.12 left noenhanced\n%s\nset ytics 0,",
                   lowest ? "" : "unset xlabel");
        out_f64(gp, plot_step(largest(samples, panels->column[q]), 3), 3);
        out_char(gp, '\n');
        if (lowest)
            plot_time_label(gp, time, samples->first_s, samples->last_s);
        out_format(gp,
                   "plot 'shares_time.dat' using 1:%zu with filledcurves y1=0 linecolor rgb "
                   "'%s' title 'allocated', \\\n     '' using 1:%zu with lines linewidth 1.5 "
                   "linecolor rgb '%s' title 'entitled'\nunset key\n",
                   2 * q + 2, palette_file(PALETTE_ALLOCATED), 2 * q + 3,
                   palette_file(PALETTE_PROMISED));
    }
    out_text(gp, "unset multiplot\n");
}

static bool draw_panels(struct figure_job *job, const struct queues *queues)
{
    struct panels panels = {.queues = queues,
                            .shown = queues->count < PANELS ? queues->count : PANELS};
    struct samples samples;
    struct err err = {0};
    enum rundir_read read =
        samples_read(job->run, "timeline.csv", want, NULL, &panels, &samples, &err);
    if (read != RUNDIR_READ)
        return figure_unreadable(job, read, &err);
    bool complete = panels.found == 2 * panels.shown;
    if (complete) {
        struct plot_time time = plot_time_axis(job->run, samples.first_s, samples.last_s);
        write_panel_data(job->dat, &panels, &samples, &time);
        write_panels(job->gp, &panels, &samples, &time);
        job->figure->answer = mem_format(
            "%s GPUs each queue held (area) and its entitlement given the demand at that time "
            "(line).",
            panels.shown < queues->count ? "For the queues with the largest entitlement:" : "The");
        job->figure->method = samples_method(&samples, NULL);
    } else {
        job->figure->absent = true;
    }
    samples_free(&samples);
    return complete;
}

bool figure_shares_time(struct figure_job *job)
{
    struct queues queues;
    bool drawn = load(job, &queues) && draw_panels(job, &queues);
    release(&queues);
    return drawn;
}
