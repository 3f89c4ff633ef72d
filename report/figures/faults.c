/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figure: faults over time and the capacity out of service. Below, a row of ticks for each class of
 * faults, the most frequent first; above, if the run sampled it, the GPUs that were down or
 * drained. Faults of a class within 1/TICKS of the time share one tick, so the figure of a large
 * fleet's year is no bigger than that of a small fleet's day.
 */
#include "report/figures/plot.h"
#include "report/figures/samples.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLASSES     ((size_t)32) /* shown separately; the last one combines the rest */
#define CLASS_BYTES ((size_t)32)
#define TICKS       ((size_t)400)

/* Pixels. */
#define TOP    40
#define CURVE  130
#define GAP    16
#define ROW    18
#define BOTTOM 66

struct fault_class {
    char name[CLASS_BYTES];
    size_t faults, index;
};

struct event {
    double time_s;
    uint32_t class;
};

struct faults {
    struct fault_class class[CLASSES + 1];
    size_t classes;
    struct event *events;
    size_t count, capacity;
    size_t column_time, column_class;
    double last_s;
};

struct curve {
    struct plot_time window;
    size_t column[2], found; /* installed, available */
    double gone, samples;    /* sum over the samples of the window, and their number */
    double most, most_s;
};

enum { INSTALLED, AVAILABLE };
static const char *const columns[] = {"installed", "available"};

/* ---- faults.csv ---- */

static bool on_header(void *ctx, const struct rundir_row *header, struct err *err)
{
    struct faults *f = ctx;
    return rundir_need(header, "time_s", &f->column_time, err) &&
           rundir_need(header, "class", &f->column_class, err);
}

static uint32_t class_of(struct faults *f, const char *name)
{
    char cut[CLASS_BYTES] = "";
    size_t n = strlen(name) < CLASS_BYTES ? strlen(name) : CLASS_BYTES - 1;
    memcpy(cut, name, n);
    for (size_t i = 0; i < f->classes && i < CLASSES; i++)
        if (strcmp(f->class[i].name, cut) == 0)
            return (uint32_t)i;
    if (f->classes >= CLASSES) {
        memcpy(cut, "other", sizeof "other");
        f->classes = CLASSES;
    }
    memcpy(f->class[f->classes].name, cut, sizeof cut);
    return (uint32_t)f->classes++;
}

static bool on_row(void *ctx, const struct rundir_row *row, struct err *err)
{
    struct faults *f = ctx;
    double time_s;
    if (!rundir_number(row, f->column_time, &time_s, err))
        return false;
    if (isnan(time_s) || (f->count > 0 && time_s < f->last_s))
        return err_set(err, EXIT_INPUT, isnan(time_s) ? "time_s is empty" : "time_s goes back");
    f->last_s = time_s;
    f->events = mem_grow(f->events, &f->capacity, f->count + 1, sizeof *f->events);
    uint32_t class = class_of(f, row->field[f->column_class]);
    f->class[class].faults++;
    f->events[f->count++] = (struct event){time_s, class};
    return true;
}

static int more_first(const void *left, const void *right)
{
    const struct fault_class *a = left, *b = right;
    if (a->faults != b->faults)
        return a->faults > b->faults ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

/* Sorts classes by frequency, ties in order of appearance. */
static void sort_classes(struct faults *f)
{
    uint32_t place[CLASSES + 1] = {0};
    for (size_t i = 0; i < f->classes; i++)
        f->class[i].index = i;
    qsort(f->class, f->classes, sizeof *f->class, more_first);
    for (size_t i = 0; i < f->classes; i++)
        place[f->class[i].index] = (uint32_t)i;
    for (size_t i = 0; i < f->count; i++)
        f->events[i].class = place[f->events[i].class];
}

/* ---- timeline.csv ---- */

static bool want(void *ctx, const char *name)
{
    struct curve *curve = ctx;
    for (size_t i = 0; i < 2; i++)
        if (strcmp(name, columns[i]) == 0) {
            curve->column[i] = curve->found++;
            return true;
        }
    return false;
}

static void watch(void *ctx, double time_s, const double *value)
{
    struct curve *curve = ctx;
    if (curve->found < 2 || !plot_time_inside(&curve->window, time_s))
        return;
    double gone = value[curve->column[INSTALLED]] - value[curve->column[AVAILABLE]];
    if (isnan(gone))
        return;
    curve->gone += gone;
    curve->samples++;
    if (gone > curve->most) {
        curve->most = gone;
        curve->most_s = time_s;
    }
}

/* ---- drawing ---- */

/* Writes the first block: time and GPUs out of service. */
static void write_curve(struct out *dat, const struct curve *curve, const struct samples *samples,
                        const struct plot_time *time)
{
    out_format(dat, "# %s since the start of the window, then GPUs out of service, mean and most\n",
               time->unit);
    for (size_t p = 0; p < samples->points; p++) {
        size_t installed = p * samples->columns + curve->column[INSTALLED];
        size_t available = p * samples->columns + curve->column[AVAILABLE];
        out_f64(dat, plot_time_at(time, samples->time_s[p]), 5);
        plot_value(dat, samples->value[installed] - samples->value[available], 3);
        // the number of installed GPUs is constant
        plot_value(dat, samples->high[installed] - samples->low[available], 3);
        out_char(dat, '\n');
    }
    out_text(dat, "\n\n");
}

/* Writes the last block: the ends of the axis, then the row and ends of each tick. */
static void write_ticks(struct out *dat, const struct faults *f, const struct plot_time *time,
                        double first_s, double last_s)
{
    double step_s = (last_s - first_s) / (double)TICKS;
    size_t next[CLASSES + 1] = {0}; /* first tick not yet written */
    out_format(dat, "# %s from, to; row from, to\n", time->unit);
    for (size_t i = 0; i < f->count; i++) {
        const struct event *event = &f->events[i];
        size_t tick =
            step_s > 0 ? (size_t)fmin((event->time_s - first_s) / step_s, (double)(TICKS - 1)) : 0;
        if (tick < next[event->class])
            continue;
        next[event->class] = tick + 1;
        out_f64(dat, plot_time_at(time, first_s + (double)tick * step_s), 5);
        out_char(dat, ' ');
        out_f64(dat, plot_time_at(time, first_s + (double)(tick + 1) * step_s), 5);
        out_format(dat, " %u.1 %u.9\n", event->class, event->class);
    }
}

static void write_labels(struct out *gp, const struct faults *f)
{
    size_t widest = 7;
    out_text(gp, "set ytics (");
    for (size_t i = 0; i < f->classes; i++) {
        char *label = mem_format("%s %zu", f->class[i].name, f->class[i].faults);
        size_t width = unit_width(label);
        widest = width > widest ? width : widest;
        out_text(gp, i ? ", " : "");
        plot_tic_name(gp, label, CLASS_BYTES + 8);
        out_format(gp, " %zu.5", i);
        free(label);
    }
    out_format(gp, ")\nset lmargin %zu\n", widest + 2);
}

static void write_script(struct out *gp, const struct faults *f, const struct curve *curve,
                         const struct plot_time *time, double first_s, double last_s)
{
    bool sampled = curve->found == 2;
    int above = sampled ? TOP + CURVE + GAP : GAP;
    int height = above + ROW * (int)f->classes + BOTTOM;
    plot_begin(gp, "faults", height);
    plot_time_range(gp, time, first_s, last_s);
    write_labels(gp, f);
    if (sampled) {
        out_format(
            gp,
            "set multiplot\nset tmargin at screen %.4f\nset bmargin at screen %.4f\nunset "
            "xlabel\nset xtics autofreq\nset format x ''\nset yrange [0:*]\nset ytics "
            "autofreq\nset ylabel 'GPUs'\nplot 'faults.dat' index 0 using 1:2 with filledcurves "
            "y1=0 linecolor rgb '#D55E00' title 'down or drained', \\\n     keyentry with boxes "
            "linecolor rgb 'black' title 'faults', \\\n     'faults.dat' index 0 using 1:3 with "
            "lines linewidth 0.7 linecolor rgb 'black' notitle\n",
            1 - (double)TOP / height, 1 - (double)(TOP + CURVE) / height);
        out_text(gp, "unset ylabel\nset format x '%.10g'\n");
        plot_time_label(gp, time, first_s, last_s);
        plot_time_tics(gp, time, first_s, last_s, PLOT_TICS);
        write_labels(gp, f);
    }
    out_format(gp,
               "unset key\nunset grid\nset tmargin at screen %.4f\nset bmargin at screen %.4f\nset "
               "yrange [%zu:0]\nplot 'faults.dat' index %d using 1:3:1:2:3:4 with boxxyerror "
               "linecolor rgb 'black' notitle\n%s",
               1 - (double)above / height, (double)BOTTOM / height, f->classes, sampled,
               sampled ? "unset multiplot\n" : "");
}

static char *answer(const struct rundir *run, const struct faults *f, const struct curve *curve,
                    const struct plot_time *time)
{
    char count[UNIT_TEXT], stopped[UNIT_TEXT], mean[UNIT_TEXT], most[UNIT_TEXT], when[UNIT_TEXT];
    double interruptions = json_number_at(run->summary, "reliability.job_interruptions");
    char *gone =
        curve->samples > 0 && curve->most > 0
            ? mem_format(" On average %s GPUs were out of service, at most %s (%s).",
                         unit_amount(mean, curve->gone / curve->samples),
                         unit_count(most, curve->most), plot_moment(when, time, curve->most_s))
            : mem_text("");
    char *jobs = isnan(interruptions)
                     ? mem_text("")
                     : mem_format(" and stopped jobs %s times", unit_count(stopped, interruptions));
    char *name = unit_name(f->class[0].name, CLASS_BYTES);
    char *text =
        mem_format("%s faults struck%s, most often of class %s (%zu).%s",
                   unit_count(count, (double)f->count), jobs, name, f->class[0].faults, gone);
    free(name);
    free(jobs);
    free(gone);
    return text;
}

static char *method(const struct samples *samples, bool sampled)
{
    char *reduced =
        sampled ? samples_method(samples, "the thin line is the maximum out of service among them")
                : NULL;
    char *text = mem_format("Faults of a class within 1/%zu of the time are one tick.%s%s", TICKS,
                            reduced ? " " : "", reduced ? reduced : "");
    free(reduced);
    return text;
}

static void draw(struct figure_job *job, struct faults *f)
{
    struct curve curve = {.window = plot_time_axis(job->run, 0, 0)};
    struct samples samples;
    struct err err = {0};
    bool read =
        samples_read(job->run, "timeline.csv", want, watch, &curve, &samples, &err) == RUNDIR_READ;
    bool sampled = read && curve.found == 2 && samples.points > 0;
    if (!sampled)
        curve = (struct curve){0};
    double first_s = f->events[0].time_s, last_s = f->last_s,
           start_s = rundir_window_start(job->run);
    if (start_s < first_s)
        first_s = start_s;
    if (sampled && samples.first_s < first_s)
        first_s = samples.first_s;
    if (sampled && samples.last_s > last_s)
        last_s = samples.last_s;
    struct plot_time time = plot_time_axis(job->run, first_s, last_s);
    sort_classes(f);
    if (sampled)
        write_curve(job->dat, &curve, &samples, &time);
    write_ticks(job->dat, f, &time, first_s, last_s);
    write_script(job->gp, f, &curve, &time, first_s, last_s);
    job->figure->answer = answer(job->run, f, &curve, &time);
    job->figure->method = method(&samples, sampled);
    if (read)
        samples_free(&samples);
}

bool figure_faults(struct figure_job *job)
{
    static const struct rundir_reader reader = {.header = on_header, .row = on_row};
    struct faults f = {0};
    struct err err = {0};
    enum rundir_read read = rundir_csv(job->run, "faults.csv", &reader, &f, &err);
    bool drawn = read == RUNDIR_READ && f.count > 0;
    if (drawn)
        draw(job, &f);
    else if (read != RUNDIR_READ)
        (void)figure_unreadable(job, read, &err);
    else
        job->figure->absent = true;
    free(f.events);
    return drawn;
}
