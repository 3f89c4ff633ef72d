/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figure: pending jobs over time, stacked by reason. The reasons are the columns of the file; the
 * one with the most pending time is at the bottom. Reasons beyond the distinguishable colours are
 * combined as "other".
 */
#include "policies/policy.h"
#include "report/figures/plot.h"
#include "report/figures/samples.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The samples of the window at full resolution: sums, and the sample with the most pending jobs. */
struct peak {
    struct plot_time window;
    size_t columns, capacity, rows;
    double *sum; /* one per column */
    double most, most_s;
};

/* A reason and its mean number of pending jobs. */
struct reason {
    size_t column;
    double mean;
};

static bool want(void *ctx, const char *name)
{
    (void)name;
    struct peak *peak = ctx;
    peak->sum = mem_grow(peak->sum, &peak->capacity, peak->columns + 1, sizeof *peak->sum);
    peak->sum[peak->columns++] = 0;
    return true;
}

static void watch(void *ctx, double time_s, const double *value)
{
    struct peak *peak = ctx;
    double total = 0;
    if (!plot_time_inside(&peak->window, time_s))
        return;
    for (size_t c = 0; c < peak->columns; c++) {
        double jobs = fmax(0, value[c]);
        peak->sum[c] += jobs;
        total += jobs;
    }
    peak->rows++;
    if (total > peak->most) {
        peak->most = total;
        peak->most_s = time_s;
    }
}

static int larger_first(const void *left, const void *right)
{
    const struct reason *a = left, *b = right;
    if (a->mean > b->mean || a->mean < b->mean)
        return a->mean > b->mean ? -1 : 1;
    return a->column < b->column ? -1 : 1;
}

/* Returns the reasons that occur, ordered by their pending time. */
static struct reason *rank(const struct samples *samples, const struct peak *peak, size_t *count)
{
    struct reason *reasons = mem_alloc(samples->columns + 1, sizeof *reasons);
    *count = 0;
    for (size_t c = 0; c < samples->columns; c++) {
        bool occurs = false;
        for (size_t p = 0; p < samples->points; p++)
            occurs = occurs || samples->value[p * samples->columns + c] > 0;
        double mean = peak->rows ? peak->sum[c] / (double)peak->rows : 0;
        if (occurs)
            reasons[(*count)++] = (struct reason){.column = c, .mean = mean};
    }
    qsort(reasons, *count, sizeof *reasons, larger_first);
    return reasons;
}

/* Returns the policy core's text for a reason, or an empty text for an unknown name. */
static char *gloss(const char *name)
{
    for (int32_t r = POLICY_REASON_NONE + 1; r < POLICY_REASONS; r++)
        if (strcmp(policy_reason_name(r), name) == 0 && *policy_reason_summary(r))
            return mem_format(", \"%s\"", policy_reason_summary(r));
    return mem_text("");
}

static char *answer(const struct samples *samples, const struct reason *reasons, size_t count,
                    const struct peak *peak, const struct plot_time *time)
{
    char mean[UNIT_TEXT], share[UNIT_TEXT], most[UNIT_TEXT], when[UNIT_TEXT];
    double total = 0;
    for (size_t r = 0; r < count; r++)
        total += reasons[r].mean;
    if (!(total > 0))
        return mem_text("No jobs were pending at the samples in the window, only after its end.");
    char *meaning = gloss(samples->name[reasons[0].column]);
    char *name = unit_name(samples->name[reasons[0].column], 40);
    char *text =
        mem_format("On average %s jobs were pending, %s of that because of %s%s; the queue was "
                   "longest at %s with %s jobs.",
                   unit_amount(mean, total), unit_percent(share, reasons[0].mean / total), name,
                   meaning, plot_moment(when, time, peak->most_s), unit_count(most, peak->most));
    free(meaning);
    free(name);
    return text;
}

static void write_data(struct out *dat, const struct samples *samples, const struct reason *reasons,
                       size_t count, size_t shown, const struct plot_time *time)
{
    out_format(
        dat, "# %s since the start of the window, then pending jobs by reason; largest first%s\n",
        time->unit, samples_reduced(samples) ? "; then the longest queue of each point" : "");
    for (size_t p = 0; p < samples->points; p++) {
        out_f64(dat, plot_time_at(time, samples->time_s[p]), 5);
        double other = 0;
        for (size_t r = 0; r < count; r++) {
            double value = fmax(0, samples->value[p * samples->columns + reasons[r].column]);
            if (r + 1 >= shown && shown < count) {
                other += value;
                continue;
            }
            out_char(dat, ' ');
            out_f64(dat, value, 3);
        }
        if (shown < count) {
            out_char(dat, ' ');
            out_f64(dat, other, 3);
        }
        if (samples_reduced(samples)) {
            out_char(dat, ' ');
            out_f64(dat, samples->highest_sum[p], 3);
        }
        out_char(dat, '\n');
    }
}

/*
 * Draws areas from the top of the stack down, each painted over by the next; the key lists them in
 * the same order.
 */
static void write_script(struct out *gp, const struct samples *samples,
                         const struct reason *reasons, size_t count, size_t shown,
                         const struct plot_time *time)
{
    plot_begin(gp, "reasons", 320);
    plot_time_range(gp, time, samples->first_s, samples->last_s);
    out_text(gp, "set yrange [0:*]\nset ylabel 'pending jobs'\nplot ");
    for (size_t r = shown; r-- > 0;) {
        out_format(gp, "keyentry with boxes linecolor rgb '%s' title ", palette_file(r));
        plot_name(gp, r + 1 == shown && shown < count ? "other" : samples->name[reasons[r].column],
                  24);
        out_text(gp, ", \\\n     ");
    }
    for (size_t r = shown; r-- > 0;) {
        out_text(gp, "'reasons.dat' using 1:($2");
        for (size_t below = 1; below <= r; below++)
            out_format(gp, "+$%zu", below + 2);
        out_format(gp, ") with filledcurves y1=0 linecolor rgb '%s' notitle%s", palette_file(r),
                   r ? ", \\\n     " : "");
    }
    if (samples_reduced(samples))
        out_format(gp,
                   ", \\\n     'reasons.dat' using 1:%zu with lines linewidth 0.7 linecolor rgb "
                   "'black' notitle",
                   shown + 2);
    out_char(gp, '\n');
}

bool figure_reasons(struct figure_job *job)
{
    struct peak peak = {.window = plot_time_axis(job->run, 0, 0)};
    struct samples samples;
    struct err err = {0};
    enum rundir_read read =
        samples_read(job->run, "reasons.csv", want, watch, &peak, &samples, &err);
    if (read != RUNDIR_READ) {
        free(peak.sum);
        return figure_unreadable(job, read, &err);
    }
    size_t count;
    struct reason *reasons = rank(&samples, &peak, &count);
    if (count > 0) {
        size_t shown = count < PALETTE_COLORS ? count : PALETTE_COLORS;
        struct plot_time time = plot_time_axis(job->run, samples.first_s, samples.last_s);
        write_data(job->dat, &samples, reasons, count, shown, &time);
        write_script(job->gp, &samples, reasons, count, shown, &time);
        job->figure->answer = answer(&samples, reasons, count, &peak, &time);
        job->figure->method =
            samples_method(&samples, "the thin line is the longest queue among them");
    } else {
        job->figure->answer = mem_text("No job was pending at any of the samples.");
    }
    free(reasons);
    free(peak.sum);
    samples_free(&samples);
    return count > 0;
}
