/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figure: how long jobs of each class waited, as the share that started within a time (Kaplan-Meier, since some had
 * not started when the simulation stopped). jobs.csv is streamed into counts on a fixed grid of times, so a million
 * jobs take no more memory than ten; the grid is the E24 series of preferred numbers, within 10 % everywhere.
 */
#include "report/figures_plot.h"
#include "report/units.h"
#include "report/wait_rows.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PER_DECADE  ((size_t)24)
#define DECADES     ((size_t)9)
#define EDGES       (PER_DECADE * DECADES + 1) /* 1 s to 10^9 s */
#define CLASSES     ((size_t)7)                /* told apart; the rest together are the last one */
#define CLASS_BYTES ((size_t)64)

/* started[i]: first starts after a wait in (edge[i - 1], edge[i]]; waiting[i]: still pending after such a wait. */
struct class_waits {
    char name[CLASS_BYTES];
    size_t started[EDGES], waiting[EDGES];
    size_t jobs, censored;
};

struct waits {
    double edge[EDGES];
    struct class_waits *classes; /* CLASSES + 1 of them */
    size_t count;
    size_t column_class;
    struct wait_rows columns;
};

static void make_grid(double edge[EDGES])
{
    static const double e24[PER_DECADE] = {1.0, 1.1, 1.2, 1.3, 1.5, 1.6, 1.8, 2.0, 2.2, 2.4, 2.7, 3.0,
                                           3.3, 3.6, 3.9, 4.3, 4.7, 5.1, 5.6, 6.2, 6.8, 7.5, 8.2, 9.1};
    double unit = 1;
    for (size_t i = 0; i < EDGES; i++) {
        edge[i] = e24[i % PER_DECADE] * unit;
        if (i % PER_DECADE == PER_DECADE - 1)
            unit *= 10;
    }
}

/* The first edge that is not below the wait. */
static size_t bin_of(const struct waits *waits, double wait_s)
{
    size_t low = 0, high = EDGES - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (waits->edge[middle] < wait_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool on_header(void *ctx, const struct rundir_row *header, struct err *err)
{
    struct waits *waits = ctx;
    return rundir_need(header, "class", &waits->column_class, err) &&
           wait_rows_header(&waits->columns, header, err);
}

static struct class_waits *class_of(struct waits *waits, const char *name)
{
    char cut[CLASS_BYTES] = "";
    size_t n = strlen(name) < CLASS_BYTES ? strlen(name) : CLASS_BYTES - 1;
    memcpy(cut, name, n);
    for (size_t i = 0; i < waits->count && i < CLASSES; i++)
        if (strcmp(waits->classes[i].name, cut) == 0)
            return &waits->classes[i];
    if (waits->count >= CLASSES) {
        waits->count = CLASSES + 1;
        memcpy(waits->classes[CLASSES].name, "other", sizeof "other");
        return &waits->classes[CLASSES];
    }
    memcpy(waits->classes[waits->count].name, cut, sizeof cut);
    return &waits->classes[waits->count++];
}

static bool on_row(void *ctx, const struct rundir_row *row, struct err *err)
{
    struct waits *waits = ctx;
    struct wait_seen seen;
    if (!wait_rows_read(&waits->columns, row, &seen, err))
        return false;
    if (!seen.counted)
        return true;
    struct class_waits *class = class_of(waits, row->field[waits->column_class]);
    (seen.pending ? class->waiting : class->started)[bin_of(waits, seen.wait_s)]++;
    class->jobs++;
    class->censored += seen.pending;
    return true;
}

/*
 * One block of data for a class: the estimate up to the last start that was seen, and a second block, drawn dashed,
 * from there to the longest wait of a job that is still pending. Returns whether the second block is there.
 */
static bool write_class(struct out *dat, const struct waits *waits, const struct class_waits *class)
{
    size_t at_risk = class->jobs, last_start = 0, last_waiting = 0;
    for (size_t i = 0; i < EDGES; i++) {
        last_start = class->started[i] ? i : last_start;
        last_waiting = class->waiting[i] ? i : last_waiting;
    }
    double still_waiting = 1;
    char *safe = unit_name(class->name, 24);
    out_format(dat, "# %s: wait in s, %% of the jobs that had started\n", safe);
    free(safe);
    for (size_t i = 0; i <= last_start; i++) {
        if (at_risk > 0)
            still_waiting *= 1 - (double)class->started[i] / (double)at_risk;
        at_risk -= class->started[i] + class->waiting[i];
        out_f64(dat, waits->edge[i], 3);
        out_char(dat, ' ');
        out_f64(dat, 100 * (1 - still_waiting), 4);
        out_char(dat, '\n');
    }
    bool tail = last_waiting > last_start;
    out_text(dat, "\n\n# still waiting\n");
    for (size_t i = last_start; tail && i <= last_waiting; i += last_waiting - last_start) {
        out_f64(dat, waits->edge[i], 3);
        out_char(dat, ' ');
        out_f64(dat, 100 * (1 - still_waiting), 4);
        out_char(dat, '\n');
    }
    out_text(dat, tail ? "\n\n" : "1 nan\n\n\n");
    return tail;
}

static double longest(const struct waits *waits)
{
    size_t last = PER_DECADE * 2;
    for (size_t c = 0; c < waits->count; c++)
        for (size_t i = last; i < EDGES; i++)
            if (waits->classes[c].started[i] || waits->classes[c].waiting[i])
                last = i;
    return waits->edge[last];
}

static void write_plots(const struct figure_job *job, const struct waits *waits)
{
    struct out *gp = job->gp;
    plot_begin(gp, "waits", 360);
    out_text(gp, "set logscale x\nset xrange [1:");
    out_f64(gp, longest(waits), 3);
    out_text(gp, "]\nset yrange [0:100]\nset ytics (0, 25, 50, 75, 95)\nset mxtics 1\n"
                 "set xtics ('1 s' 1, '10 s' 10, '1 min' 60, '10 min' 600, '1 h' 3600, '6 h' 21600, "
                 "'1 d' 86400, '1 w' 604800, '5 w' 3024000, '1 y' 31536000, '10 y' 315360000)\n"
                 "set xlabel 'wait until first start'\nset ylabel '% of the jobs started'\nplot ");
    for (size_t c = 0; c < waits->count; c++) {
        bool tail = write_class(job->dat, waits, &waits->classes[c]);
        out_format(gp, "%s'waits.dat' index %zu using 1:2 with lines linewidth 2 linecolor rgb '%s' title ",
                   c ? ", \\\n     " : "", 2 * c, palette_file(c));
        plot_name(gp, waits->classes[c].name[0] ? waits->classes[c].name : "(no class)", 24);
        if (tail)
            out_format(gp,
                       ", \\\n     'waits.dat' index %zu using 1:2 with lines linewidth 2 dashtype (6,5) "
                       "linecolor rgb '%s' notitle",
                       2 * c + 1, palette_file(c));
    }
    out_char(gp, '\n');
}

/* "p95 4m10s", or its lower bound, for one object of statistics; freed by the caller, NULL when undefined. */
static char *quantile(const cJSON *waits, const char *key)
{
    char at_least[32], text[UNIT_TEXT];
    double value = json_number_at(waits, key);
    if (!isnan(value))
        return mem_text(unit_duration(text, value));
    memcpy(at_least, key, strlen(key));
    memcpy(at_least + strlen(key), "_at_least", sizeof "_at_least");
    value = json_number_at(waits, at_least);
    return isnan(value) ? NULL : mem_format("more than %s", unit_duration(text, value));
}

/* The class that waited longest by p95 (a lower bound counts as its value), from the summary. */
static const cJSON *slowest_class(const cJSON *summary)
{
    const cJSON *item, *slowest = NULL;
    double most = -1;
    cJSON_ArrayForEach(item, json_at(summary, "by_class"))
    {
        double p95 = json_number_at(item, "wait_s.p95");
        if (isnan(p95))
            p95 = json_number_at(item, "wait_s.p95_at_least");
        if (p95 > most) {
            most = p95;
            slowest = item;
        }
    }
    return slowest;
}

static char *answer(const cJSON *summary, const struct waits *waits)
{
    size_t jobs = 0, censored = 0;
    char all[UNIT_TEXT], left[UNIT_TEXT];
    for (size_t c = 0; c < waits->count; c++) {
        jobs += waits->classes[c].jobs;
        censored += waits->classes[c].censored;
    }
    char *half = quantile(json_at(summary, "wait_s"), "p50");
    char *most = quantile(json_at(summary, "wait_s"), "p95");
    const cJSON *slowest = slowest_class(summary);
    char *slow = slowest ? quantile(json_at(slowest, "wait_s"), "p95") : NULL;
    char *name = unit_name(slowest && slowest->string ? slowest->string : "", 24);
    char *first = half && most ? mem_format("The median wait was %s and the 95th percentile %s", half, most)
                               : mem_format("%s jobs are counted", unit_count(all, (double)jobs));
    char *second = slow ? mem_format("; %s waited longest (95th percentile %s)", name, slow) : mem_text("");
    char *third = mem_text("");
    if (censored) {
        free(third);
        third = mem_format(
            "; %s of %s jobs had not started by the end (dashed from the last start that was seen)",
            unit_count(left, (double)censored), unit_count(all, (double)jobs));
    }
    char *text = mem_format("%s%s%s.", first, second, third);
    char *parts[] = {half, most, slow, name, first, second, third};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        free(parts[i]);
    return text;
}

bool figure_waits(struct figure_job *job)
{
    static const struct rundir_reader reader = {.header = on_header, .row = on_row};
    struct waits waits = {.columns = wait_rows_of(job->run)};
    make_grid(waits.edge);
    waits.classes = mem_alloc(CLASSES + 1, sizeof *waits.classes);
    struct err err = {0};
    enum rundir_read read = rundir_csv(job->run, "jobs.csv", &reader, &waits, &err);
    bool drawn = false;
    if (read != RUNDIR_READ) {
        drawn = figure_unreadable(job, read, &err);
    } else if (waits.count == 0) {
        job->figure->answer = mem_text("No job was submitted in the window.");
    } else {
        write_plots(job, &waits);
        job->figure->answer = answer(job->run->summary, &waits);
        job->figure->method = mem_text("Waits are counted on a grid of 24 steps a decade.");
        drawn = true;
    }
    free(waits.classes);
    return drawn;
}
