/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A CSV of samples over time, reduced to what a figure can show: the means of k consecutive rows,
 * where k is the smallest power of two that yields at most SAMPLES_POINTS points. Means hide peaks,
 * so the lowest and highest values of these rows and the highest row sum are kept as well. One
 * pass, constant memory.
 */
#ifndef REPORT_FIGURES_SAMPLES_H
#define REPORT_FIGURES_SAMPLES_H

#include "report/results/rundir.h"

#include <stdbool.h>
#include <stddef.h>

#define SAMPLES_POINTS ((size_t)600)

struct samples {
    char **name; /* of the kept columns, without time_s */
    size_t columns;
    double *time_s;      /* per point: mean time of its rows */
    double *value;       /* points x columns; NaN if every row was empty */
    double *low, *high;  /* the same for the envelope */
    double *highest_sum; /* per point: the highest sum over the columns in one of its rows; empty
                            fields count as 0 */
    size_t points;
    size_t rows, rows_per_point;
    double first_s, last_s; /* times of the first and last row */
};

/* Returns true for the columns to keep. `time_s` is always kept, without a call. */
typedef bool samples_want(void *ctx, const char *name);

/*
 * Called with every row before it is reduced: values in the order of samples.name; ctx is the
 * caller's. May be NULL.
 */
typedef void samples_watch(void *ctx, double time_s, const double *value);

enum rundir_read samples_read(const struct rundir *, const char *file, samples_want *,
                              samples_watch *, void *ctx, struct samples *, struct err *);
void samples_free(struct samples *);

/* Returns the index of a column; RUNDIR_NO_COLUMN if absent. */
size_t samples_column(const struct samples *, const char *name);

/*
 * Returns "Each point is the mean of 8 samples; " and the description of the envelope ("the thin
 * line is ..."), or NULL if nothing was reduced. The caller frees it.
 */
char *samples_method(const struct samples *, const char *envelope);

/* Returns true if points represent several rows, so the envelope differs from the means. */
bool samples_reduced(const struct samples *);

#endif
