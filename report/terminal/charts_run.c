/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charts of a run for the terminal, from the same files as the figures of the page. */
#include "report/terminal/charts.h"

#include "report/figures/samples.h"
#include "report/results/rundir.h"
#include "report/results/wait_curves.h"
#include "report/words/losses.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABEL    ((size_t)12)
#define LONGEST  ((size_t)24)
#define SHORTEST 1.0 /* s, start of the axis of waits */

void charts_label(struct out *out, const char *text, size_t columns)
{
    char *safe = unit_name(text, columns);
    out_text(out, safe);
    for (size_t n = unit_width(safe); n < columns; n++)
        out_char(out, ' ');
    free(safe);
}

size_t charts_room(size_t width, size_t label)
{
    size_t room = width > label + 2 ? width - label - 2 : 1;
    return room < CHARTS_WIDEST ? room : CHARTS_WIDEST;
}

/* Prints the error in place of the chart if its file is damaged; nothing if it is missing. */
static void put_damage(struct out *out, enum rundir_read read, const struct err *err)
{
    if (read == RUNDIR_DAMAGED)
        out_format(out, "\n(%s)\n", err->msg);
}

/* ---- GPUs over time -------------------------------------------------------------------------- */

static const char *const rungs[] = {"available", "allocated", "productive"};
#define RUNGS (sizeof rungs / sizeof *rungs)

static bool is_rung(void *ctx, const char *name)
{
    (void)ctx;
    for (size_t i = 0; i < RUNGS; i++)
        if (strcmp(name, rungs[i]) == 0)
            return true;
    return strcmp(name, "installed") == 0;
}

/* Returns the number of points up to the end of the window; the drain is not measured. */
static size_t points_inside(const struct rundir *run, const struct samples *samples)
{
    double end = rundir_window_end(run);
    size_t n = samples->points;
    while (n > 0 && samples->time_s[n - 1] > end)
        n--;
    return n;
}

static void put_rungs(struct out *out, enum spark spark, const struct rundir *run,
                      const struct samples *samples, size_t width)
{
    char span[UNIT_TEXT], most[UNIT_TEXT];
    size_t points = points_inside(run, samples), installed = samples_column(samples, "installed");
    double *values = mem_alloc(points + 1, sizeof *values), top = 0;
    for (size_t p = 0; installed != RUNDIR_NO_COLUMN && p < points; p++)
        top = fmax(top, samples->value[p * samples->columns + installed]);
    if (points == 0 || !(top > 0)) {
        free(values);
        return;
    }
    double from = fmax(samples->first_s, rundir_window_start(run));
    out_format(out, "\nfleet over %s, up to %s GPUs%s\n",
               unit_duration(span, fmin(samples->last_s, rundir_window_end(run)) - from),
               unit_exact(most, top), run->replicas > 1 ? ", replica 1" : "");
    for (size_t i = 0; i < RUNGS; i++) {
        size_t column = samples_column(samples, rungs[i]);
        if (column == RUNDIR_NO_COLUMN)
            continue;
        for (size_t p = 0; p < points; p++)
            values[p] = samples->value[p * samples->columns + column];
        charts_label(out, rungs[i], LABEL);
        spark_line(out, spark, values, points, top, charts_room(width, LABEL));
        out_char(out, '\n');
    }
    free(values);
}

static void put_fleet(const struct rundir *run, struct out *out, enum spark spark, size_t width)
{
    struct samples samples;
    struct err err = {0};
    enum rundir_read read = samples_read(run, "timeline.csv", is_rung, NULL, NULL, &samples, &err);
    if (read == RUNDIR_READ) {
        put_rungs(out, spark, run, &samples, width);
        samples_free(&samples);
    }
    put_damage(out, read, &err);
}

/* ---- split of the GPU-hours ------------------------------------------------------------------ */

static void put_hours(const cJSON *summary, struct out *out, enum spark spark, size_t width)
{
    double part[LOSS_GROUPS], installed = json_number_at(summary, "gpu_hours.installed");
    char text[UNIT_TEXT];
    if (!(installed > 0))
        return;
    part[LOSS_NONE] = json_number_at(summary, "gpu_hours.productive");
    for (int g = LOSS_NONE + 1; g < LOSS_GROUPS; g++)
        part[g] = loss_sum(json_at(summary, "gpu_hours.lost"), (enum loss_group)g);
    out_char(out, '\n');
    charts_label(out, "GPU-hours", LABEL);
    spark_parts(out, spark, part, LOSS_GROUPS, charts_room(width, LABEL));
    out_char(out, '\n');
    size_t column = LABEL;
    charts_label(out, "", LABEL);
    for (int g = LOSS_NONE; g < LOSS_GROUPS; g++) {
        char item[2 * UNIT_TEXT];
        (void)snprintf(item, sizeof item, "%s %s %s", spark_part(spark, (size_t)g),
                       loss_group_label((enum loss_group)g),
                       unit_percent(text, part[g] / installed));
        bool first = g == LOSS_NONE, fits = column + 2 + unit_width(item) <= width;
        if (!first && !fits) {
            out_char(out, '\n');
            charts_label(out, "", LABEL);
            column = LABEL;
        }
        out_format(out, "%s%s", first || !fits ? "" : "  ", item);
        column += unit_width(item) + (first || !fits ? 0 : 2);
    }
    out_char(out, '\n');
}

/* ---- waits by class -------------------------------------------------------------------------- */

/*
 * Returns the share of jobs that had started at a time; NaN after the last observed start, where it
 * is unknown.
 */
static double started_at(const struct wait_curves *curves, const double *share, size_t last,
                         double time_s)
{
    if (time_s > curves->edge_s[last] && share[last] < 1)
        return (double)NAN;
    size_t i = 0;
    while (i < last && curves->edge_s[i + 1] <= time_s)
        i++;
    return time_s < curves->edge_s[0] ? 0 : share[i];
}

static void put_curve(const struct wait_curves *curves, const struct wait_curve *class,
                      struct out *out, enum spark spark, const struct spark_scale *scale,
                      size_t columns)
{
    double share[WAIT_EDGES];
    double *values = mem_alloc(columns, sizeof *values);
    size_t last = wait_curve_started(class, share);
    for (size_t c = 0; c < columns; c++)
        values[c] = started_at(curves, share, last, spark_at(scale, c, columns));
    spark_line(out, spark, values, columns, 1, columns);
    free(values);
    out_char(out, '\n');
}

static void put_waits(const struct rundir *run, struct out *out, enum spark spark, size_t width)
{
    struct wait_curves curves;
    struct err err = {0};
    enum rundir_read read = wait_curves_read(run, &curves, &err);
    put_damage(out, read, &err);
    if (read == RUNDIR_READ && curves.count > 0) {
        struct spark_scale scale = {SHORTEST, wait_curves_longest_s(&curves), true};
        size_t label = LABEL;
        for (size_t c = 0; c < curves.count; c++) {
            size_t n = unit_width(curves.class[c].name) + 2;
            label = n > label ? n : label;
        }
        label = label < LONGEST ? label : LONGEST;
        size_t columns = charts_room(width, label);
        out_format(out, "\nshare of the jobs that had started within a time%s\n",
                   run->replicas > 1 ? ", replica 1" : "");
        for (size_t c = 0; c < curves.count; c++) {
            charts_label(out, *curves.class[c].name ? curves.class[c].name : "(no class)", label);
            put_curve(&curves, &curves.class[c], out, spark, &scale, columns);
        }
        charts_label(out, "", label);
        spark_durations(out, &scale, columns);
        out_char(out, '\n');
    }
    wait_curves_free(&curves);
}

bool charts_run(const char *dir, struct out *out, enum spark spark, size_t width, struct err *err)
{
    struct rundir run;
    if (spark == SPARK_NONE)
        return true;
    if (!rundir_open(&run, dir, err))
        return false;
    if (!rundir_is_fill(&run)) {
        put_fleet(&run, out, spark, width);
        put_hours(run.summary, out, spark, width);
        put_waits(&run, out, spark, width);
    }
    bool ok = rundir_intact(&run, err);
    rundir_close(&run);
    return ok;
}
