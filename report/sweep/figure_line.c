/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line of a metric; see figure_line.h. */
#include "report/sweep/figure_line.h"

#include "report/figures/plot.h"
#include "report/words/labels.h"
#include "report/words/metric_rows.h"
#include "report/words/metric_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS     6
#define TICS       ((size_t)12) /* of names */
#define NAME_WIDTH ((size_t)16)

struct scale {
    double unit;
    const char *name;
};

/* Seconds in a unit that suits the largest value, ratios in percent. */
static struct scale scale_of(const struct grid *grid, size_t m, const char *path)
{
    static const struct scale times[] = {
        {86400, "days"}, {3600, "hours"}, {60, "minutes"}, {1, "seconds"}};
    const struct metric_row *row = metric_find(path);
    double most = 0;
    size_t i = 0;
    if (row != NULL && strcmp(row->unit, "ratio") == 0 && strncmp(path, "utilization.", 12) == 0)
        return (struct scale){0.01, "%"};
    for (size_t p = 0; p < grid->place_count; p++)
        most = fmax(most, grid->places[p].of[m].over.mean);
    if (strcmp(metric_unit(path), "USD") == 0 && most >= 2e6)
        return (struct scale){1e6, "million USD"};
    if (row == NULL || strcmp(row->unit, "s") != 0)
        return (struct scale){1, metric_unit(path)};
    while (i + 1 < sizeof times / sizeof *times && most < 2 * times[i].unit)
        i++;
    return times[i];
}

static double lowest_of(const struct grid *grid, size_t m)
{
    double lowest = 0;
    for (size_t p = 0; p < grid->place_count; p++)
        lowest = fmin(lowest, grid->places[p].of[m].over.mean);
    return lowest;
}

/* Writes the places by their value on the axis; returns true if some have an interval. */
static bool put_data(struct out *dat, const struct grid *grid, size_t m, const struct scale *scale)
{
    bool intervals = false;
    const struct grid_axis *axis = &grid->axes[0];
    out_text(dat, "# value, then mean, low and high of the metric, replicas\n");
    for (size_t i = 0; i < axis->count; i++) {
        size_t place = grid_find(grid, &i);
        if (place == GRID_NONE)
            continue;
        const struct grid_sample *sample = &grid->places[place].of[m];
        bool known = !isnan(sample->over.low);
        out_f64(dat, axis->numeric ? axis->numbers[i] : (double)i, DIGITS);
        plot_value(dat, sample->over.mean / scale->unit, DIGITS);
        plot_value(dat, (known ? sample->over.low : sample->over.mean) / scale->unit, DIGITS);
        plot_value(dat, (known ? sample->over.high : sample->over.mean) / scale->unit, DIGITS);
        out_format(dat, " %zu\n", sample->n);
        intervals = intervals || known;
    }
    return intervals;
}

static void put_axis(struct out *gp, const struct grid_axis *axis)
{
    char *label = label_key(axis->key);
    out_text(gp, "set xlabel ");
    plot_name(gp, strncmp(label, "the ", 4) == 0 ? label + 4 : label, 60);
    out_char(gp, '\n');
    free(label);
    if (axis->numeric)
        return;
    size_t every = (axis->count + TICS - 1) / TICS;
    out_format(gp, "set xrange [-0.5:%zu.5]\nset xtics (", axis->count - 1);
    for (size_t i = 0; i < axis->count; i += every) {
        out_text(gp, i > 0 ? ", " : "");
        plot_tic_name(gp, axis->texts[i], NAME_WIDTH);
        out_format(gp, " %zu", i);
    }
    out_text(gp, ")\n");
}

bool sweep_line(const struct grid *grid, size_t metric, struct figure_job *job)
{
    size_t m = grid->metrics[metric];
    struct scale scale = scale_of(grid, m, grid_metric(grid, metric));
    bool intervals = put_data(job->dat, grid, m, &scale);
    const char *color = palette_file(PALETTE_CHANGED), *id = job->figure->id;
    plot_begin(job->gp, id, 320);
    put_axis(job->gp, &grid->axes[0]);
    out_format(
        job->gp,
        "unset key\nset offsets graph 0.03, graph 0.03, 0, 0\nset yrange [%s:*]\nset ylabel ",
        lowest_of(grid, m) < 0 ? "*" : "0");
    plot_name(job->gp, scale.name, 30);
    out_text(job->gp, "\nplot ");
    if (intervals)
        out_format(job->gp,
                   "'%s.dat' using 1:2:3:4 with yerrorbars pointtype 7 pointsize 0.1 linewidth 1.5 "
                   "linecolor rgb '%s', \\\n     ",
                   id, color);
    if (grid->axes[0].numeric)
        out_format(job->gp,
                   "'%s.dat' using 1:2 with lines linewidth 2 linecolor rgb '%s', \\\n     ", id,
                   color);
    out_format(job->gp,
               "'%s.dat' using 1:2 with points pointtype 7 pointsize 0.6 linecolor rgb '%s'\n", id,
               color);
    return true;
}
