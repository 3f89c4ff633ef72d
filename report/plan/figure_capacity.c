/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curve of a target over numbers of nodes; see figure_capacity.h. */
#include "report/plan/figure_capacity.h"

#include "report/figures_plot.h"
#include "report/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

#define DIGITS 6

/* Times in a unit that suits the limit. */
struct axis {
    double unit;
    const char *name;
};

static struct axis axis_of(const struct target *target)
{
    static const struct axis times[] = {
        {86400, "days"   },
        {3600,  "hours"  },
        {60,    "minutes"},
        {1,     "seconds"},
    };
    size_t i = 0;
    if (!target->is_time)
        return (struct axis){1, NULL};
    while (i + 1 < sizeof times / sizeof *times && target->limit < times[i].unit)
        i++;
    return times[i];
}

/* Far from the limit the band goes off the picture. */
static double most_shown(const struct capacity *c, size_t t)
{
    double most = fabs(c->targets[t].limit) * 4, seen = 0;
    for (size_t i = 0; i < c->point_count; i++) {
        double high = c->points[i].value[t].over.high;
        seen = high > seen ? high : seen;
    }
    return most > 0 && most < seen ? most : seen;
}

static void put_data(struct out *dat, const struct capacity *c, size_t t, double unit)
{
    out_format(dat, "# nodes, then of %s: mean, low, high\n", c->targets[t].text);
    for (size_t i = 0; i < c->point_count; i++) {
        const struct stat_interval *over = &c->points[i].value[t].over;
        const double numbers[] = {over->mean, over->low, over->high};
        out_i64(dat, c->points[i].nodes);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            out_char(dat, ' ');
            if (isnan(numbers[k]))
                out_text(dat, "nan");
            out_f64(dat, numbers[k] / unit, DIGITS);
        }
        out_char(dat, '\n');
    }
}

static void put_line(struct out *gp, int64_t nodes, const char *color, const char *dash)
{
    out_format(gp,
               "set arrow from %lld, graph 0 to %lld, graph 1 nohead back linecolor rgb '%s' linewidth 1.5 "
               "dashtype %s\n",
               (long long)nodes, (long long)nodes, color, dash);
}

static void put_script(struct out *gp, const struct capacity *c, size_t t, const char *id)
{
    const struct target *target = &c->targets[t];
    struct axis axis = axis_of(target);
    double most = most_shown(c, t) / axis.unit;
    plot_begin(gp, id, 340);
    out_format(gp, "set xlabel 'nodes in the pool'\nset xrange [%lld:%lld]\nset yrange [0:",
               (long long)c->points[0].nodes - 1, (long long)c->points[c->point_count - 1].nodes + 1);
    out_f64(gp, most > 0 ? most * 1.05 : 1, DIGITS);
    out_text(gp, "]\n");
    if (axis.name != NULL)
        out_format(gp, "set ylabel '%s'\n", axis.name);
    if (c->found.answer > 0)
        put_line(gp, c->found.answer, "#009E73", "solid");
    if (c->bound.known && !c->bound.impossible)
        put_line(gp, c->bound.nodes, "#888888", "(4,3)");
    out_format(gp,
               "plot '%s.dat' using 1:3:4 with filledcurves fillcolor rgb '#0072B2' fillstyle solid 0.25 "
               "noborder title '%g%% band', \\\n     '' using 1:2 with linespoints pointtype 7 pointsize 0.5 "
               "linewidth 2 linecolor rgb '#0072B2' title 'mean over replicas', \\\n     ",
               id, 100 * (2 * c->confidence - 1));
    out_f64(gp, target->limit / axis.unit, DIGITS);
    out_text(gp, " with lines linewidth 2 linecolor rgb '#D55E00' title ");
    plot_name(gp, target->text, 60);
    if (c->found.answer > 0)
        out_format(gp, ", \\\n     NaN with lines linewidth 1.5 linecolor rgb '#009E73' title 'answer: %lld'",
                   (long long)c->found.answer);
    if (c->bound.known && !c->bound.impossible)
        out_format(
            gp,
            ", \\\n     NaN with lines linewidth 1.5 dashtype (4,3) linecolor rgb '#888888' title 'perfect "
            "system: %lld'",
            (long long)c->bound.nodes);
    out_char(gp, '\n');
}

bool figure_capacity(const struct capacity *c, size_t target, struct figure_job *job)
{
    if (c->point_count == 0) {
        job->figure->absent = true;
        return false;
    }
    put_data(job->dat, c, target, axis_of(&c->targets[target]).unit);
    put_script(job->gp, c, target, job->figure->id);
    job->figure->answer = mem_text(c->targets[target].text);
    job->figure->method = mem_format(
        "Means of %d replicas at each number that was tried, with the interval whose ends are bounds at "
        "confidence %g.",
        c->replicas, c->confidence);
    return true;
}
