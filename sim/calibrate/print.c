/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of a calibration; see print.h. */
#include "sim/calibrate/print.h"

#include "report/terminal/table.h"
#include "report/words/units.h"
#include "sim/base/escape.h"
#include "sim/base/mem.h"
#include "sim/calibrate/fit_words.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 8
#define SHOWN   12 /* queues */

/* ---- rows ---- */

static void print_head(struct table *table, const char *name)
{
    table_row(table, (const char *const[COLUMNS]){name, "jobs", "mean recorded", "simulated",
                                                  "p50 recorded", "simulated", "p95 recorded",
                                                  "simulated"});
}

static void print_group(struct table *table, const char *name, const struct calibrate_group *group)
{
    char jobs[UNIT_TEXT], waits[6][UNIT_TEXT];
    const double s[6] = {group->recorded.mean_s, group->simulated.mean_s, group->recorded.p50_s,
                         group->simulated.p50_s, group->recorded.p95_s,   group->simulated.p95_s};
    for (int i = 0; i < 6; i++)
        (void)unit_duration(waits[i], s[i]);
    table_row(table,
              (const char *const[COLUMNS]){name, unit_count(jobs, (double)group->jobs), waits[0],
                                           waits[1], waits[2], waits[3], waits[4], waits[5]});
}

size_t *calibrate_queue_order(const struct calibrate *c)
{
    size_t n = c->queue_count, *order = mem_alloc(n + 1, sizeof *order);
    double *size = mem_alloc(n + 1, sizeof *size);
    for (size_t i = 0; i < n; i++)
        size[i] = -fabs(c->queues[i].difference_s);
    gsl_sort_index(order, size, 1, n);
    free(size);
    return order;
}

/* gsl_sort_index() is a heap sort: equal differences come in a fixed but arbitrary order. */
static void print_queues(struct out *out, const struct calibrate *c, size_t width)
{
    struct table *table = table_create(COLUMNS);
    size_t *order = calibrate_queue_order(c), shown = 0;
    print_head(table, "queue");
    for (size_t i = 0; i < c->queue_count && shown < SHOWN; i++) {
        const struct calibrate_group *queue = &c->queues[order[i]];
        if (queue->jobs > 0)
            print_group(table, queue->name, queue);
        shown += queue->jobs > 0;
    }
    out_char(out, '\n');
    table_print(table, out, width);
    table_destroy(table);
    free(order);
}

static void print_classes(struct out *out, const struct calibrate *c, size_t width)
{
    struct table *table = table_create(COLUMNS);
    print_head(table, "wait");
    for (size_t i = 0; i < TRACE_CLASSES; i++)
        if (c->classes[i].jobs > 0)
            print_group(table, c->classes[i].name, &c->classes[i]);
    print_group(table, "all", &c->all);
    out_char(out, '\n');
    table_print(table, out, width);
    table_destroy(table);
}

static void print_day(struct out *out, const struct calibrate *c, size_t width)
{
    struct table *table = table_create(COLUMNS);
    print_head(table, "submitted");
    for (size_t i = 0; i < CALIBRATE_DAY; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%02zu:00", i);
        if (c->day[i].jobs > 0)
            print_group(table, name, &c->day[i]);
    }
    out_char(out, '\n');
    table_print(table, out, width);
    table_destroy(table);
}

/* ---- all of it ---- */

static void print_starts(struct out *out, const struct calibrate *c)
{
    char a[UNIT_TEXT], b[UNIT_TEXT], d[UNIT_TEXT];
    out_format(out, "\nstarts   half of the jobs start within %s of the log, 90%% within %s; %s of",
               unit_duration(a, c->starts.median_s), unit_duration(b, c->starts.p90_s),
               unit_percent(d, (double)c->starts.in_order / (double)c->all.jobs));
    out_text(out, " them in the same order\n");
}

static void print_use(struct out *out, const struct calibrate *c)
{
    char recorded[UNIT_TEXT], simulated[UNIT_TEXT], gap[UNIT_TEXT], r[UNIT_TEXT], of[UNIT_TEXT];
    if (c->hours.count == 0)
        return;
    out_format(out,
               "GPUs     busy on average: %s recorded, %s simulated, of %s; %s apart in an hour, "
               "correlation %s\n",
               unit_amount(recorded, c->use.recorded), unit_amount(simulated, c->use.simulated),
               unit_amount(of, c->use.installed), unit_amount(gap, c->use.gap),
               unit_ratio(r, c->use.correlation));
}

static void print_sentences(struct out *out, const char *topic, const struct calibrate_verdict *v)
{
    for (size_t i = 0; i < v->count; i++)
        escape_format(out, "%-9s%s\n", i == 0 ? topic : "", v->sentences[i]);
}

static void print_fit(struct out *out, const struct fit *fit)
{
    struct calibrate_verdict words;
    calibrate_fit_words(&words, fit);
    print_sentences(out, "fit", &words);
    calibrate_verdict_fini(&words);
}

void calibrate_print(struct out *out, const struct calibrate *c,
                     const struct calibrate_verdict *verdict, const struct fit *fit, size_t width)
{
    char read[UNIT_TEXT], compared[UNIT_TEXT];
    out_format(out, "jobs     %s in the log, %s compared\n", unit_count(read, (double)c->log.read),
               unit_count(compared, (double)c->all.jobs));
    print_sentences(out, "verdict", verdict);
    if (fit != NULL)
        print_fit(out, fit);
    print_starts(out, c);
    print_use(out, c);
    print_classes(out, c, width);
    print_queues(out, c, width);
    print_day(out, c, width);
}
