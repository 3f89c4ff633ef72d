/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The results of a sweep by the keys that vary: points that differ only in their seed form one
 * place, with a sample of each metric.
 *
 *     axis 0: policy     fifo  sjf             a place: {1, 0}, sjf at 0.7
 *     axis 1: load       0.7  0.8  0.9         its sample of wait_s.p95: a value a seed
 *
 * Numbers on an axis are sorted; other values keep the order of the plan. A key that another one
 * determines (a cycle interval that belongs to a policy) is not an axis.
 */
#ifndef REPORT_SWEEP_GRID_H
#define REPORT_SWEEP_GRID_H

#include "report/results/sweep_results.h"
#include "report/stats/sample.h"

#include <stdbool.h>
#include <stddef.h>

#define GRID_NONE SIZE_MAX

struct grid_axis {
    const char *key;
    char **texts;    /* "0.7", "none"; "as given" if the point does not change the key */
    double *numbers; /* NaN unless all are numbers */
    size_t count;
    bool numeric;
};

struct grid_sample {
    double *x;
    size_t n, capacity;
    size_t bounds; /* how many are lower bounds, since jobs were still pending at the end */
    struct stat_interval over; /* mean and Student's 95 % interval; NaN without values */
};

struct grid_place {
    size_t *at;             /* [axis] */
    struct grid_sample *of; /* [metric] */
};

struct grid {
    struct sweep_manifest manifest;
    struct grid_axis *axes;
    size_t axis_count;
    size_t *metrics; /* indexes of the plan's metrics that are numbers at any point */
    size_t metric_count;
    struct grid_place *places; /* in the order of the plan */
    size_t place_count;
    size_t points, missing; /* points of the plan; missing: without a result */
    struct symbols *index;  /* places by their coordinates */
};

/* Reads plan.json and points/. Returns false with err set; close it in any case. */
bool grid_open(struct grid *, const char *dir, struct err *err);
void grid_close(struct grid *);

const char *grid_metric(const struct grid *, size_t metric); /* its path */

/* Returns the place at these coordinates; GRID_NONE if no point is there. */
size_t grid_find(const struct grid *, const size_t *at);

/* Returns "policy sjf, offered load 0.7". The caller frees it. */
char *grid_place_text(const struct grid *, const struct grid_place *);

/*
 * Finds the places with the lowest and the highest mean; GRID_NONE if none has one. Ties go to the
 * first.
 */
void grid_extremes(const struct grid *, size_t metric, size_t *lowest, size_t *highest);

#endif
