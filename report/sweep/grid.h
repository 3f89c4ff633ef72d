/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The results of a sweep by what varies: points that differ in their seed alone are one place, with
 * a sample of each metric.
 *
 *     axis 0: policy     fifo  sjf             a place: {1, 0}, sjf at 0.7
 *     axis 1: load       0.7  0.8  0.9         its sample of wait_s.p95: a value a seed
 *
 * Numbers on an axis rise; other values stand in the order of the plan. A key that follows from
 * another one (a cycle interval that belongs to a policy) is no axis.
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
    char **texts;    /* "0.7", "none", "as given" where the point leaves it alone */
    double *numbers; /* nan unless all are numbers */
    size_t count;
    bool numeric;
};

struct grid_sample {
    double *x;
    size_t n, capacity;
    size_t bounds;             /* of them, lower bounds: jobs still waited at the end */
    struct stat_interval over; /* mean and Student's 95 % interval; nan without values */
};

struct grid_place {
    size_t *at;             /* [axis] */
    struct grid_sample *of; /* [metric] */
};

struct grid {
    struct sweep_manifest manifest;
    struct grid_axis *axes;
    size_t axis_count;
    size_t *metrics; /* those of the plan that are numbers at any point, by their index there */
    size_t metric_count;
    struct grid_place *places; /* in the order of the plan */
    size_t place_count;
    size_t points, missing; /* of the plan; without a result */
    struct symbols *index;  /* of places, by their coordinates */
};

/* Reads plan.json and points/. False with err set; to be closed in any case. */
bool grid_open(struct grid *, const char *dir, struct err *err);
void grid_close(struct grid *);

const char *grid_metric(const struct grid *, size_t metric); /* its path */

/* The place at these coordinates; GRID_NONE when no point is there. */
size_t grid_find(const struct grid *, const size_t *at);

/* "policy sjf, offered load 0.7", freed by the caller. */
char *grid_place_text(const struct grid *, const struct grid_place *);

/* The places with the lowest and highest mean; GRID_NONE when none has one. Ties go to the first.
 */
void grid_extremes(const struct grid *, size_t metric, size_t *lowest, size_t *highest);

#endif
