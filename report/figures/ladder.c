/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figure: the utilization ladder over time. Areas are drawn over each other, largest first, so each
 * visible band is the loss from one rung to the next. Allocated GPUs also have a line on top: if
 * all of them run, their area is hidden.
 */
#include "report/figures/plot.h"
#include "report/figures/samples.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_S 3600.0

static const struct {
    const char *column, *opacity;
    enum palette_meaning meaning;
} rungs[] = {
    {"installed", "0.22", PALETTE_IDLE},     {"available", "0.44", PALETTE_IDLE},
    {"allocated", "1", PALETTE_ALLOCATED},   {"running", "1", PALETTE_RUNNING},
    {"productive", "1", PALETTE_PRODUCTIVE},
};
#define RUNGS (sizeof rungs / sizeof *rungs)

enum { INSTALLED, AVAILABLE, ALLOCATED, RUNNING, PRODUCTIVE };

/* Sums of the current hour, and the busiest and quietest hours so far. */
struct hours {
    struct plot_time window;
    size_t column[RUNGS];
    size_t found;
    double hour, available, allocated;
    double busiest, busiest_s, quietest, quietest_s;
};

static bool want(void *ctx, const char *name)
{
    struct hours *hours = ctx;
    for (size_t i = 0; i < RUNGS; i++) {
        if (strcmp(name, rungs[i].column) == 0) {
            hours->column[i] = hours->found++;
            return true;
        }
    }
    return false;
}

static void close_hour(struct hours *hours)
{
    if (!(hours->available > 0))
        return;
    double share = hours->allocated / hours->available;
    if (isnan(hours->busiest) || share > hours->busiest) {
        hours->busiest = share;
        hours->busiest_s = hours->hour * HOUR_S;
    }
    if (isnan(hours->quietest) || share < hours->quietest) {
        hours->quietest = share;
        hours->quietest_s = hours->hour * HOUR_S;
    }
}

static void watch(void *ctx, double time_s, const double *value)
{
    struct hours *hours = ctx;
    double hour = floor(time_s / HOUR_S);
    if (hour > hours->hour || hour < hours->hour) {
        close_hour(hours);
        hours->hour = hour;
        hours->available = hours->allocated = 0;
    }
    if (hours->found < RUNGS || !plot_time_inside(&hours->window, time_s))
        return;
    double available = value[hours->column[AVAILABLE]], allocated = value[hours->column[ALLOCATED]];
    if (!isnan(available) && !isnan(allocated)) {
        hours->available += available;
        hours->allocated += allocated;
    }
}

static char *answer(const struct rundir *run, const struct hours *hours,
                    const struct plot_time *time)
{
    char goodput[UNIT_TEXT], busy[UNIT_TEXT], quiet[UNIT_TEXT], when[UNIT_TEXT];
    double total = json_number_at(run->summary, "utilization.fleet_goodput");
    char *whole = isnan(total) ? mem_text("")
                               : mem_format("Of all installed GPU-hours %s were productive; ",
                                            unit_percent(goodput, total));
    char *text =
        isnan(hours->busiest)
            ? mem_format("%sno GPU was available at any time.", whole)
            : mem_format("%s%s the busiest hour (%s) %s of the available GPUs were allocated, in "
                         "the quietest %s.",
                         whole, *whole ? "in" : "In", plot_moment(when, time, hours->busiest_s),
                         unit_percent(busy, hours->busiest), unit_percent(quiet, hours->quietest));
    free(whole);
    return text;
}

static void write_data(struct out *dat, const struct samples *samples, const struct hours *hours,
                       const struct plot_time *time)
{
    out_format(dat, "# %s since the start of the window, then GPUs:", time->unit);
    for (size_t r = 0; r < RUNGS; r++)
        out_format(dat, " %s", rungs[r].column);
    out_text(dat, samples_reduced(samples) ? " lowest-allocated highest-allocated\n" : "\n");
    for (size_t p = 0; p < samples->points; p++) {
        out_f64(dat, plot_time_at(time, samples->time_s[p]), 5);
        for (size_t r = 0; r < RUNGS; r++) {
            double value = samples->value[p * samples->columns + hours->column[r]];
            plot_value(dat, value, 3);
        }
        size_t allocated = p * samples->columns + hours->column[ALLOCATED];
        if (samples_reduced(samples)) {
            plot_value(dat, samples->low[allocated], 3);
            plot_value(dat, samples->high[allocated], 3);
        }
        out_char(dat, '\n');
    }
}

static void write_script(struct out *gp, const struct samples *samples,
                         const struct plot_time *time)
{
    plot_begin(gp, "ladder", 320);
    plot_time_range(gp, time, samples->first_s, samples->last_s);
    out_text(gp, "set yrange [0:*]\nset ylabel 'GPUs'\nplot ");
    for (size_t r = 0; r < RUNGS; r++)
        out_format(gp,
                   "%s'ladder.dat' using 1:%zu with filledcurves y1=0 fillstyle solid %s noborder "
                   "linecolor rgb '%s' title '%s'",
                   r ? ", \\\n     " : "", r + 2, rungs[r].opacity, palette_file(rungs[r].meaning),
                   rungs[r].column);
    if (samples_reduced(samples)) // lowest and highest allocation
        out_format(gp,
                   ", \\\n     'ladder.dat' using 1:%zu with lines linewidth 0.7 linecolor rgb "
                   "'black' notitle, \\\n     '' using 1:%zu with lines linewidth 0.7 linecolor "
                   "rgb 'black' notitle",
                   RUNGS + 2, RUNGS + 3);
    out_format(gp,
               ", \\\n     'ladder.dat' using 1:%d with lines linewidth 2 linecolor rgb '%s' "
               "notitle",
               ALLOCATED + 2, palette_file(PALETTE_ALLOCATED));
    out_char(gp, '\n');
}

bool figure_ladder(struct figure_job *job)
{
    struct hours hours = {
        .window = plot_time_axis(job->run, 0, 0), .busiest = (double)NAN, .quietest = (double)NAN};
    struct samples samples;
    struct err err = {0};
    enum rundir_read read =
        samples_read(job->run, "timeline.csv", want, watch, &hours, &samples, &err);
    if (read == RUNDIR_READ && hours.found < RUNGS) {
        err_set(&err, EXIT_INPUT,
                "timeline.csv: a column is missing; needed are installed, available, allocated, "
                "running and productive");
        samples_free(&samples);
        read = RUNDIR_DAMAGED;
    }
    if (read != RUNDIR_READ)
        return figure_unreadable(job, read, &err);
    close_hour(&hours);
    struct plot_time time = plot_time_axis(job->run, samples.first_s, samples.last_s);
    write_data(job->dat, &samples, &hours, &time);
    write_script(job->gp, &samples, &time);
    job->figure->answer = answer(job->run, &hours, &time);
    job->figure->method = samples_method(
        &samples, "thin lines are the lowest and the highest number of allocated GPUs among them");
    samples_free(&samples);
    return true;
}
