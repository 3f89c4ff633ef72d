/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figure: load and capacity of all services over time, in requests per second, and the number of
 * serving replicas on a second axis.
 */
#include "report/figures/plot.h"
#include "report/figures/samples.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"load_rps", "capacity_rps", "replicas"};
enum { LOAD, CAPACITY, REPLICAS, COLUMNS };

struct columns {
    size_t column[COLUMNS];
    size_t found;
};

static bool want(void *ctx, const char *name)
{
    struct columns *columns = ctx;
    for (size_t i = 0; i < COLUMNS; i++)
        if (strcmp(name, names[i]) == 0) {
            columns->column[i] = columns->found++;
            return true;
        }
    return false;
}

static char *answer(const struct rundir *run)
{
    char share[UNIT_TEXT], over[UNIT_TEXT], starts[UNIT_TEXT], ready[UNIT_TEXT];
    const cJSON *total = json_at(run->summary, "services.total");
    return mem_format("%s of the requests were served in the window, %s were not; replicas were "
                      "started %s times, "
                      "and were ready %s after the decision on average.",
                      unit_percent(share, json_number_at(total, "served_share")),
                      unit_amount(over, json_number_at(total, "requests_over_capacity")),
                      unit_count(starts, json_number_at(total, "cold_starts")),
                      unit_duration(ready, json_number_at(total, "ready_s.mean")));
}

static void write_data(struct out *dat, const struct samples *samples,
                       const struct columns *columns, const struct plot_time *time)
{
    out_format(dat,
               "# %s since the start of the window, then load and capacity (requests a second), "
               "replicas%s\n",
               time->unit, samples_reduced(samples) ? ", highest load" : "");
    for (size_t p = 0; p < samples->points; p++) {
        out_f64(dat, plot_time_at(time, samples->time_s[p]), 5);
        for (size_t i = 0; i < COLUMNS; i++) {
            double value = samples->value[p * samples->columns + columns->column[i]];
            plot_value(dat, value, 3);
        }
        double most = samples->high[p * samples->columns + columns->column[LOAD]];
        if (samples_reduced(samples))
            plot_value(dat, most, 3);
        out_char(dat, '\n');
    }
}

static void write_script(struct out *gp, const struct samples *samples,
                         const struct plot_time *time)
{
    plot_begin(gp, "services", 320);
    plot_time_range(gp, time, samples->first_s, samples->last_s);
    out_text(gp, "set yrange [0:*]\nset ylabel 'requests a second'\nset y2range [0:*]\nset y2label "
                 "'replicas'\n"
                 "set y2tics\nset rmargin 8\nplot ");
    out_format(gp,
               "'services.dat' using 1:3 with filledcurves y1=0 linecolor rgb '#56B4E9' title "
               "'capacity', \\\n"
               "     'services.dat' using 1:2 with lines linewidth 1.5 linecolor rgb 'black' title "
               "'load', \\\n"
               "     'services.dat' using 1:4 axes x1y2 with lines linecolor rgb '#888888' title "
               "'replicas'%s\n",
               samples_reduced(samples)
                   ? ", \\\n     'services.dat' using 1:5 with lines linewidth 0.7 dashtype (3,2) "
                     "linecolor rgb 'black' notitle"
                   : "");
}

bool figure_services(struct figure_job *job)
{
    struct columns columns = {0};
    struct samples samples;
    struct err err = {0};
    enum rundir_read read =
        samples_read(job->run, "services.csv", want, NULL, &columns, &samples, &err);
    if (read == RUNDIR_READ && columns.found < COLUMNS) {
        err_set(
            &err, EXIT_INPUT,
            "services.csv: a column is missing; needed are load_rps, capacity_rps and replicas");
        samples_free(&samples);
        read = RUNDIR_DAMAGED;
    }
    if (read != RUNDIR_READ)
        return figure_unreadable(job, read, &err);
    struct plot_time time = plot_time_axis(job->run, samples.first_s, samples.last_s);
    write_data(job->dat, &samples, &columns, &time);
    write_script(job->gp, &samples, &time);
    job->figure->answer = answer(job->run);
    job->figure->method =
        samples_method(&samples, "the dashed line is the highest load among them");
    samples_free(&samples);
    return true;
}
