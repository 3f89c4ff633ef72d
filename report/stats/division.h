/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Max-min division by weight with guarantees, capped by demand: first min(quota, demand) each,
 * scaled down together if the capacity is too small; then the rest by weight (0: nothing), never
 * more than the demand.
 */
#ifndef REPORT_STATS_DIVISION_H
#define REPORT_STATS_DIVISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct division_row {
    int64_t quota, weight; /* a negative quota is unlimited */
    int64_t demand;
    double entitled; /* result */
};

/* Returns min(quota, demand). */
double division_guarantee(int64_t quota, int64_t demand);

/* Returns a queue's entitlement if capacity suffices for all demand. */
double division_of_plenty(int64_t quota, int64_t weight, int64_t demand);

/* Returns true if the capacity suffices for all demand. */
bool division_make(struct division_row *rows, size_t count, int64_t capacity);

#endif
