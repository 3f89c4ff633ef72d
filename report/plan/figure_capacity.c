/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curve of a target over numbers of nodes; see figure_capacity.h. */
#include "report/plan/figure_capacity.h"

#include "report/figures/palette.h"
#include "report/figures/plot.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

#define DIGITS 6

enum {
    TODAY = PALETTE_BASE,
    ANSWER = PALETTE_BETTER,
    LIMIT = PALETTE_PROMISED,
    PERFECT = 6,
}; /* colours */

#define MONEY_TICS 6 /* at most */

/* A unit of time that suits the limit. */
struct axis {
    double unit;
    const char *name;
};

static struct axis axis_of(const struct target *target)
{
    static const struct axis times[] = {
        {86400, "days"},
        {3600, "hours"},
        {60, "minutes"},
        {1, "seconds"},
    };
    size_t i = 0;
    if (!target->is_time)
        return (struct axis){1, NULL};
    while (i + 1 < sizeof times / sizeof *times && target->limit < times[i].unit)
        i++;
    return times[i];
}

/* Far from the limit, the band leaves the picture. */
static double most_shown(const struct capacity *c, size_t t)
{
    double most = fabs(c->targets[t].limit) * 4, seen = 0;
    for (size_t i = 0; i < c->point_count; i++) {
        const struct stat_interval *over = &c->points[i].value[t].over;
        double high = isnan(over->high) ? over->mean : over->high;
        seen = high > seen ? high : seen;
    }
    return most > 0 && most < seen ? most : seen;
}

/*
 * gnuplot clips areas at the border incorrectly, so the band has columns of its own that stay
 * inside.
 */
static void put_data(struct out *dat, const struct capacity *c, size_t t, double unit)
{
    double most = most_shown(c, t);
    out_format(dat, "# nodes, then of %s: mean, low, high, and the band as far as it is shown\n",
               c->targets[t].text);
    for (size_t i = 0; i < c->point_count; i++) {
        const struct stat_interval *over = &c->points[i].value[t].over;
        bool shown = over->low <= most;
        out_i64(dat, c->points[i].nodes);
        plot_value(dat, over->mean / unit, DIGITS);
        plot_value(dat, over->low / unit, DIGITS);
        plot_value(dat, over->high / unit, DIGITS);
        plot_value(dat, shown ? fmax(0, over->low) / unit : (double)NAN, DIGITS);
        plot_value(dat, shown ? fmin(over->high, most) / unit : (double)NAN, DIGITS);
        out_char(dat, '\n');
    }
}

static void put_line(struct out *gp, int64_t nodes, const char *color, const char *dash)
{
    out_format(gp,
               "set arrow from %lld, graph 0 to %lld, graph 1 nohead back linecolor rgb '%s' "
               "linewidth 1.5 dashtype %s\n",
               (long long)nodes, (long long)nodes, color, dash);
}

/* Numbers far beyond the answer are not shown. */
static int64_t last_shown(const struct capacity *c)
{
    int64_t last = c->points[c->point_count - 1].nodes, enough = 2 * c->found.answer + 2;
    return c->found.answer > 0 && enough < last ? enough : last + 1;
}

static bool has_interval(const struct capacity *c, size_t t)
{
    bool any = false;
    for (size_t i = 0; i < c->point_count; i++)
        any |= !isnan(c->points[i].value[t].over.low);
    return any;
}

/*
 * A second axis on top: the yearly cost of the fleet at some of the numbers tried; nothing if
 * prices are unknown.
 */
static void put_money(struct out *gp, const struct capacity *c)
{
    int64_t first = c->points[0].nodes - 1, last = last_shown(c), beyond = first;
    struct out *tics = out_memory();
    const char *comma = "";
    for (size_t i = 0; i < c->point_count; i++) {
        const struct capacity_point *point = &c->points[i];
        if (isnan(point->usd_per_year) || point->nodes < beyond || point->nodes > last)
            continue;
        char text[UNIT_TEXT];
        out_format(tics, "%s'USD %sM' %lld", comma, unit_amount(text, point->usd_per_year / 1e6),
                   (long long)point->nodes);
        comma = ", ";
        beyond = point->nodes + (last - first + MONEY_TICS - 1) / MONEY_TICS;
    }
    if (*comma != '\0')
        out_format(gp, "set x2range [%lld:%lld]\nset x2tics (%s) nomirror\n", (long long)first,
                   (long long)last, out_memory_text(tics, NULL));
    out_discard(tics);
}

static bool shows_today(const struct capacity *c)
{
    return c->given >= c->points[0].nodes - 1 && c->given <= last_shown(c) && c->given > 0;
}

/* gnuplot rejects a band without values. */
static void put_curves(struct out *gp, const struct capacity *c, size_t t, const char *id)
{
    const char *color = palette_file(PALETTE_CHANGED);
    out_text(gp, "plot ");
    if (has_interval(c, t))
        out_format(gp,
                   "'%s.dat' using 1:5:6 with filledcurves fillcolor rgb '%s' fillstyle solid 0.25 "
                   "noborder title '95%% interval', \\\n     ",
                   id, color);
    out_format(gp,
               "'%s.dat' using 1:2 with lines linewidth 2 linecolor rgb '%s' title 'mean over "
               "replicas', \\\n     '' using 1:2 with points pointtype 7 pointsize 0.5 linecolor "
               "rgb '%s' notitle, \\\n     ",
               id, color, color);
}

static void put_script(struct out *gp, const struct capacity *c, size_t t, const char *id)
{
    const struct target *target = &c->targets[t];
    struct axis axis = axis_of(target);
    double most = most_shown(c, t) / axis.unit;
    plot_begin(gp, id, 340);
    out_format(gp, "set xlabel 'nodes'\nset xrange [%lld:%lld]\nset yrange [0:",
               (long long)c->points[0].nodes - 1, (long long)last_shown(c));
    out_f64(gp, most > 0 ? most * 1.05 : 1, DIGITS);
    out_text(gp, "]\n");
    if (axis.name != NULL)
        out_format(gp, "set ylabel '%s'\n", axis.name);
    put_money(gp, c);
    if (c->found.answer > 0)
        put_line(gp, c->found.answer, palette_file(ANSWER), "solid");
    if (shows_today(c))
        put_line(gp, c->given, palette_file(TODAY), "(6,3)");
    if (capacity_shows_perfect(c))
        put_line(gp, c->bound.nodes, palette_file(PERFECT), "(4,3)");
    put_curves(gp, c, t, id);
    out_f64(gp, target->limit / axis.unit, DIGITS);
    out_format(gp, " with lines linewidth 2 linecolor rgb '%s' title ", palette_file(LIMIT));
    char *words = target_words(target);
    plot_name(gp, words, 60);
    free(words);
    if (c->found.answer > 0)
        out_format(
            gp, ", \\\n     NaN with lines linewidth 1.5 linecolor rgb '%s' title 'answer: %lld'",
            palette_file(ANSWER), (long long)c->found.answer);
    if (shows_today(c))
        out_format(gp,
                   ", \\\n     NaN with lines linewidth 1.5 dashtype (6,3) linecolor rgb '%s' "
                   "title 'today: %lld'",
                   palette_file(TODAY), (long long)c->given);
    if (capacity_shows_perfect(c))
        out_format(gp,
                   ", \\\n     NaN with lines linewidth 1.5 dashtype (4,3) linecolor rgb '%s' "
                   "title 'lower bound: %lld'",
                   palette_file(PERFECT), (long long)c->bound.nodes);
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
    job->figure->answer = target_words(&c->targets[target]);
    job->figure->method =
        mem_format("Means of up to %d replicas at each number that was tried%s. The upper axis is "
                   "the yearly cost of such a fleet.",
                   c->replicas, has_interval(c, target) ? ", and their 95 % intervals" : "");
    return true;
}
