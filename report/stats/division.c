/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills by weight in rounds; see division.h. */
#include "report/stats/division.h"

double division_guarantee(int64_t quota, int64_t demand)
{
    return (double)(quota < 0 || quota > demand ? demand : quota);
}

double division_of_plenty(int64_t quota, int64_t weight, int64_t demand)
{
    return weight > 0 ? (double)demand : division_guarantee(quota, demand);
}

/* Divides `left` by weight among rows with unmet demand until either is used up. */
static void fill_by_weight(struct division_row *rows, size_t count, double left)
{
    for (bool again = true; again && left > 1e-6;) {
        double weights = 0;
        for (size_t i = 0; i < count; i++)
            if (rows[i].entitled < (double)rows[i].demand)
                weights += (double)rows[i].weight;
        again = false;
        double pot = left;
        for (size_t i = 0; i < count && weights > 0; i++) {
            double missing = (double)rows[i].demand - rows[i].entitled;
            double part = pot * (double)rows[i].weight / weights;
            if (missing <= 0 || part <= 0)
                continue;
            again |= part >= missing;
            rows[i].entitled = part >= missing ? (double)rows[i].demand : rows[i].entitled + part;
            left -= part >= missing ? missing : part;
        }
    }
}

bool division_make(struct division_row *rows, size_t count, int64_t capacity)
{
    double guaranteed = 0;
    int64_t wanted = 0;
    for (size_t i = 0; i < count; i++) {
        rows[i].entitled = division_guarantee(rows[i].quota, rows[i].demand);
        guaranteed += rows[i].entitled;
        wanted += rows[i].demand;
    }
    bool ample = wanted <= capacity;
    for (size_t i = 0; i < count; i++) {
        if (ample)
            rows[i].entitled = division_of_plenty(rows[i].quota, rows[i].weight, rows[i].demand);
        else if (guaranteed > (double)capacity)
            rows[i].entitled *= (double)capacity / guaranteed;
    }
    if (!ample && guaranteed < (double)capacity)
        fill_by_weight(rows, count, (double)capacity - guaranteed);
    return ample;
}
