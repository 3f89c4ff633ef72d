/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The numbers of two runs side by side: one row per key of their summaries, in file order, with the
 * values of all replicas of both sides.
 *
 *     by_class.train.wait_s.p95    A: 7200  6900 >=9000    B: 7100  6800  8000
 *
 * A value is known, a lower bound ("p95_at_least": some jobs had not started by the end), or
 * undefined (null or absent). Keys that are undefined everywhere have no row.
 */
#ifndef REPORT_COMPARE_MEASURES_H
#define REPORT_COMPARE_MEASURES_H

#include "report/words/metric_rows.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

enum { SIDE_A, SIDE_B, SIDES };

struct measured {
    double value;  /* NaN: undefined */
    bool at_least; /* the value is a lower bound */
};

struct measure {
    const char *path;             /* "by_class.train.wait_s.p95" */
    const struct metric_row *row; /* NULL if it has no definition */
    struct measured *of[SIDES];   /* [replica] */
};

struct symbols;
struct measures {
    struct symbols *paths;
    struct measure *rows;
    size_t count, capacity;
    size_t replicas;
};

void measures_init(struct measures *, size_t replicas);
void measures_fini(struct measures *);

/* Adds the summary of one replica, numbered from 0. */
void measures_take(struct measures *, int side, size_t replica, const cJSON *summary);

#endif
