/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Max-min division by weight with guarantees, capped by demand: first min(quota, demand) each,
 * scaled down together where there is less; then what is left by weight (0: none of it), never more
 * than the demand.
 */
#ifndef REPORT_STATS_DIVISION_H
#define REPORT_STATS_DIVISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct division_row {
    int64_t quota, weight; /* quota below 0: unlimited */
    int64_t demand;
    double entitled; /* the answer */
};

/* min(quota, demand). */
double division_guarantee(int64_t quota, int64_t demand);

/* What a queue is entitled to where there is enough for all demand. */
double division_of_plenty(int64_t quota, int64_t weight, int64_t demand);

/* Returns true if there was enough for all. */
bool division_make(struct division_row *rows, size_t count, int64_t capacity);

#endif
