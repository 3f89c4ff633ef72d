/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The common look of all figures and the axis of time. */
#include "report/figures/plot.h"

#include "report/words/dates.h"
#include "report/words/units.h"
#include "sim/base/escape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void plot_begin(struct out *gp, const char *id, int height)
{
    out_format(gp, "# gnuplot %s.gp > %s.svg\n", id, id);
    out_format(gp,
               "set terminal svg size 800,%d dynamic name 'fauxfleet_%s' font 'sans-serif,13' "
               "noenhanced\n",
               height, id);
    out_text(gp,
             "set encoding utf8\n"
             "set border 1 linecolor rgb '#888888'\n"
             "set tics nomirror out scale 0.5 textcolor rgb 'black'\n"
             "set ytics scale 0\n"
             "set grid ytics linecolor rgb '#888888' linewidth 0.4\n"
             "set format '%.10g'\n"
             "set style fill solid 1 noborder\n"
             "set key outside top left horizontal Left reverse samplen 1.2 width -1 noenhanced\n"
             "set lmargin 9\nset rmargin 2\n");
}

static void quoted(struct out *gp, const char *name, size_t limit, bool tic)
{
    char *safe = unit_name(name, limit);
    escape_gnuplot(gp, safe, tic);
    free(safe);
}

void plot_name(struct out *gp, const char *name, size_t limit)
{
    quoted(gp, name, limit, false);
}

void plot_tic_name(struct out *gp, const char *name, size_t limit)
{
    quoted(gp, name, limit, true);
}

struct plot_time plot_time_of(double origin_s, double end_s, double span_s)
{
    static const struct {
        double unit_s;
        const char *many, *one;
    } units[] = {
        {86400, "days", "day"},
        {3600, "hours", "hour"},
        {60, "minutes", "minute"},
        {1, "seconds", "second"},
    };
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof *units && span_s < 3 * units[i].unit_s)
        i++;
    return (struct plot_time){.origin_s = origin_s,
                              .end_s = end_s,
                              .dated = date_known(origin_s),
                              .unit_s = units[i].unit_s,
                              .unit = units[i].many,
                              .unit_single = units[i].one};
}

struct plot_time plot_time_axis(const struct rundir *run, double first_s, double last_s)
{
    double start_s = rundir_window_start(run);
    return plot_time_of(isnan(start_s) ? first_s : start_s, rundir_window_end(run),
                        last_s - first_s);
}

double plot_time_at(const struct plot_time *time, double time_s)
{
    return (time_s - time->origin_s) / time->unit_s;
}

bool plot_time_inside(const struct plot_time *time, double time_s)
{
    return !(time_s < time->origin_s) && !(time_s > time->end_s);
}

/*
 * Returns true if the axis extends beyond the window by more than the rounding of its last
 * interval.
 */
static bool has_drain(const struct plot_time *time, double last_s)
{
    return last_s - time->end_s > 0.01 * (last_s - time->origin_s);
}

void plot_time_label(struct out *gp, const struct plot_time *time, double first_s, double last_s)
{
    bool drain = has_drain(time, last_s);
    out_text(gp, "set xlabel '");
    if (time->dated)
        plot_time_years(gp, first_s, last_s);
    else
        out_format(gp, "%s%s", time->unit, drain ? "" : " since the start of the window");
    out_format(gp, "%s'\n", drain ? "; the window ends at the dashed line" : "");
}

void plot_time_range(struct out *gp, const struct plot_time *time, double first_s, double last_s)
{
    double from = plot_time_at(time, first_s), to = plot_time_at(time, last_s);
    if (!(to > from))
        to = from + 1;
    out_text(gp, "set xrange [");
    out_f64(gp, from, 6);
    out_char(gp, ':');
    out_f64(gp, to, 6);
    out_text(gp, "]\n");
    plot_time_label(gp, time, first_s, last_s);
    plot_time_tics(gp, time, first_s, last_s, PLOT_TICS);
    double end = plot_time_at(time, time->end_s);
    if (!(end > from) || !has_drain(time, last_s))
        return;
    out_text(gp, "set arrow from ");
    out_f64(gp, end, 6);
    out_text(
        gp,
        ", graph 0 rto 0, graph 1 nohead front linecolor rgb 'black' linewidth 1 dashtype (4,3)\n");
}

void plot_value(struct out *dat, double value, int digits)
{
    out_text(dat, isnan(value) ? " nan" : " ");
    out_f64(dat, value, digits);
}

double plot_step(double largest, int tics)
{
    double unit = 1e-3;
    if (!(largest > 0) || largest > 1e15)
        return 1;
    for (;; unit *= 10) {
        if (largest <= unit * tics)
            return unit;
        if (largest <= 2 * unit * tics)
            return 2 * unit;
        if (largest <= 5 * unit * tics)
            return 5 * unit;
    }
}

const char *plot_moment(char text[64], const struct plot_time *time, double time_s)
{
    if (time->dated)
        return date_minute(text, time_s);
    (void)snprintf(text, 64, "%s %.1f", time->unit_single, plot_time_at(time, time_s));
    return text;
}
