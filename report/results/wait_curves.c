/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts waits on a grid, and computes the Kaplan-Meier estimate. */
#include "report/results/wait_curves.h"

#include "report/results/wait_rows.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

struct counting {
    struct wait_curves *curves;
    size_t column_class;
    struct wait_rows columns;
};

static void make_grid(double edge[WAIT_EDGES])
{
    static const double e24[WAIT_PER_DECADE] = {1.0, 1.1, 1.2, 1.3, 1.5, 1.6, 1.8, 2.0,
                                                2.2, 2.4, 2.7, 3.0, 3.3, 3.6, 3.9, 4.3,
                                                4.7, 5.1, 5.6, 6.2, 6.8, 7.5, 8.2, 9.1};
    double unit = 1;
    for (size_t i = 0; i < WAIT_EDGES; i++) {
        edge[i] = e24[i % WAIT_PER_DECADE] * unit;
        if (i % WAIT_PER_DECADE == WAIT_PER_DECADE - 1)
            unit *= 10;
    }
}

/* Returns the first edge at or above the wait. */
static size_t bin_of(const struct wait_curves *curves, double wait_s)
{
    size_t low = 0, high = WAIT_EDGES - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (curves->edge_s[middle] < wait_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool on_header(void *ctx, const struct rundir_row *header, struct err *err)
{
    struct counting *counting = ctx;
    return rundir_need(header, "class", &counting->column_class, err) &&
           wait_rows_header(&counting->columns, header, err);
}

static struct wait_curve *class_of(struct wait_curves *curves, const char *name)
{
    char cut[WAIT_CLASS_BYTES] = "";
    size_t n = strlen(name) < WAIT_CLASS_BYTES ? strlen(name) : WAIT_CLASS_BYTES - 1;
    memcpy(cut, name, n);
    for (size_t i = 0; i < curves->count && i < WAIT_CLASSES; i++)
        if (strcmp(curves->class[i].name, cut) == 0)
            return &curves->class[i];
    if (curves->count >= WAIT_CLASSES) {
        curves->count = WAIT_CLASSES + 1;
        memcpy(curves->class[WAIT_CLASSES].name, "other", sizeof "other");
        return &curves->class[WAIT_CLASSES];
    }
    memcpy(curves->class[curves->count].name, cut, sizeof cut);
    return &curves->class[curves->count++];
}

static bool on_row(void *ctx, const struct rundir_row *row, struct err *err)
{
    struct counting *counting = ctx;
    struct wait_seen seen;
    if (!wait_rows_read(&counting->columns, row, &seen, err))
        return false;
    if (!seen.counted)
        return true;
    struct wait_curve *class = class_of(counting->curves, row->field[counting->column_class]);
    (seen.pending ? class->waiting : class->started)[bin_of(counting->curves, seen.wait_s)]++;
    class->jobs++;
    class->censored += seen.pending;
    return true;
}

enum rundir_read wait_curves_read(const struct rundir *run, struct wait_curves *curves,
                                  struct err *err)
{
    static const struct rundir_reader reader = {.header = on_header, .row = on_row};
    struct counting counting = {.curves = curves, .columns = wait_rows_of(run)};
    *curves = (struct wait_curves){.class = mem_alloc(WAIT_CLASSES + 1, sizeof *curves->class)};
    make_grid(curves->edge_s);
    return rundir_csv(run, "jobs.csv", &reader, &counting, err);
}

void wait_curves_free(struct wait_curves *curves)
{
    free(curves->class);
    curves->class = NULL;
}

size_t wait_curve_started(const struct wait_curve *class, double share[WAIT_EDGES])
{
    size_t at_risk = class->jobs, last = 0;
    for (size_t i = 0; i < WAIT_EDGES; i++)
        last = class->started[i] ? i : last;
    double still_waiting = 1;
    for (size_t i = 0; i <= last; i++) {
        if (at_risk > 0)
            still_waiting *= 1 - (double)class->started[i] / (double)at_risk;
        at_risk -= class->started[i] + class->waiting[i];
        share[i] = 1 - still_waiting;
    }
    return last;
}

size_t wait_curve_last_waiting(const struct wait_curve *class)
{
    size_t last = 0;
    for (size_t i = 0; i < WAIT_EDGES; i++)
        last = class->waiting[i] ? i : last;
    return last;
}

double wait_curves_longest_s(const struct wait_curves *curves)
{
    size_t last = WAIT_PER_DECADE * 2;
    for (size_t c = 0; c < curves->count; c++)
        for (size_t i = last; i < WAIT_EDGES; i++)
            if (curves->class[c].started[i] || curves->class[c].waiting[i])
                last = i;
    return curves->edge_s[last];
}
