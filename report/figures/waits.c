/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figure: waits of jobs by class, as the share that started within a time (the Kaplan-Meier
 * estimate, since some had not started when the simulation stopped).
 */
#include "report/figures/plot.h"
#include "report/results/wait_curves.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void write_point(struct out *dat, double wait_s, double started)
{
    out_f64(dat, wait_s, 3);
    out_char(dat, ' ');
    out_f64(dat, 100 * started, 4);
    out_char(dat, '\n');
}

/*
 * Writes a block of data for a class: the estimate up to the last observed start, and a second
 * block, drawn dashed, from there to the longest wait of a pending job. Returns true if there is a
 * second block.
 */
static bool write_class(struct out *dat, const struct wait_curves *waits,
                        const struct wait_curve *class)
{
    double started[WAIT_EDGES];
    size_t last_start = wait_curve_started(class, started),
           last_waiting = wait_curve_last_waiting(class);
    char *safe = unit_name(class->name, 24);
    out_format(dat, "# %s: wait in s, %% of the jobs that had started\n", safe);
    free(safe);
    for (size_t i = 0; i <= last_start; i++)
        write_point(dat, waits->edge_s[i], started[i]);
    bool tail = last_waiting > last_start;
    out_text(dat, "\n\n# still waiting\n");
    if (tail) {
        write_point(dat, waits->edge_s[last_start], started[last_start]);
        write_point(dat, waits->edge_s[last_waiting], started[last_start]);
    }
    out_text(dat, tail ? "\n\n" : "1 nan\n\n\n");
    return tail;
}

/*
 * Returns the classes from the highest curve to the lowest, by the area below on the logarithmic
 * axis.
 */
static size_t *highest_first(const struct wait_curves *waits)
{
    size_t *order = mem_alloc(waits->count + 1, sizeof *order);
    double *area = mem_alloc(waits->count + 1, sizeof *area);
    for (size_t c = 0; c < waits->count; c++) {
        double started[WAIT_EDGES];
        size_t last = wait_curve_started(&waits->class[c], started), at = c;
        for (size_t i = 0; i < WAIT_EDGES; i++)
            area[c] += started[i < last ? i : last];
        for (; at > 0 && area[order[at - 1]] < area[c]; at--)
            order[at] = order[at - 1];
        order[at] = c;
    }
    free(area);
    return order;
}

static void write_plots(const struct figure_job *job, const struct wait_curves *waits)
{
    struct out *gp = job->gp;
    plot_begin(gp, "waits", 360);
    out_text(gp, "set logscale x\nset xrange [1:");
    out_f64(gp, wait_curves_longest_s(waits), 3);
    out_text(gp, "]\nset yrange [0:100]\nset ytics (0, 25, 50, 75, 95)\nset mxtics 1\nset xtics "
                 "('1 s' 1, '10 s' 10, '1 min' 60, '10 min' 600, '1 h' 3600, '6 h' 21600, '1 d' "
                 "86400, '1 w' 604800, '5 w' 3024000, '1 y' 31536000, '10 y' 315360000)\nset "
                 "xlabel 'wait until first start'\nset ylabel '% of the jobs started'\nplot ");
    size_t *order = highest_first(waits);
    for (size_t c = 0; c < waits->count; c++) {
        const struct wait_curve *class = &waits->class[order[c]];
        const char *color = palette_file(palette_class(class->name, order[c]));
        bool tail = write_class(job->dat, waits, class);
        out_format(
            gp,
            "%s'waits.dat' index %zu using 1:2 with lines linewidth 2 linecolor rgb '%s' title ",
            c ? ", \\\n     " : "", 2 * c, color);
        plot_name(gp, class->name[0] ? class->name : "(no class)", 24);
        if (tail)
            out_format(gp,
                       ", \\\n     'waits.dat' index %zu using 1:2 with lines linewidth 2 dashtype "
                       "(6,5) linecolor rgb '%s' notitle",
                       2 * c + 1, color);
    }
    free(order);
    out_char(gp, '\n');
}

/*
 * Returns "p95 4m10s", or its lower bound, for one object of statistics; NULL if undefined. The
 * caller frees it.
 */
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

/*
 * Returns the class with the largest p95 wait (a lower bound counts as its value) in the summary.
 */
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

static char *answer(const cJSON *summary, const struct wait_curves *waits)
{
    size_t jobs = 0, censored = 0;
    char all[UNIT_TEXT], left[UNIT_TEXT];
    for (size_t c = 0; c < waits->count; c++) {
        jobs += waits->class[c].jobs;
        censored += waits->class[c].censored;
    }
    char *half = quantile(json_at(summary, "wait_s"), "p50");
    char *most = quantile(json_at(summary, "wait_s"), "p95");
    const cJSON *slowest = slowest_class(summary);
    char *slow = slowest ? quantile(json_at(slowest, "wait_s"), "p95") : NULL;
    char *name = unit_name(slowest && slowest->string ? slowest->string : "", 24);
    char *first = half && most
                      ? mem_format("The median wait was %s and the 95th percentile %s", half, most)
                      : mem_format("%s jobs are counted", unit_count(all, (double)jobs));
    char *second =
        slow ? mem_format("; %s waited longest (95th percentile %s)", name, slow) : mem_text("");
    char *third = mem_text("");
    if (censored) {
        free(third);
        third = mem_format(
            "; %s of %s jobs had not started by the end (dashed from the last observed start)",
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
    struct wait_curves waits;
    struct err err = {0};
    enum rundir_read read = wait_curves_read(job->run, &waits, &err);
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
    wait_curves_free(&waits);
    return drawn;
}
