/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The change of two paired means; see change.h. */
#include "report/stats/change.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

static bool are_amounts(const double *x, size_t n)
{
    size_t above = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(x[i] >= 0))
            return false;
        above += x[i] > 0;
    }
    return above >= 2;
}

/* Summed up anew: taking x[skip] from the whole sum would leave a rounding error where little is left. */
static double sum_without(const double *x, size_t n, size_t skip)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += i == skip ? 0 : x[i];
    return sum;
}

bool stat_log_ratios(const double *a, const double *b, size_t n, double *y)
{
    if (!are_amounts(a, n) || !are_amounts(b, n))
        return false;
    for (size_t i = 0; i < n; i++)
        y[i] = log(sum_without(b, n, i) / sum_without(a, n, i));
    double all = log(stat_mean(b, n) / stat_mean(a, n)), mean = stat_mean(y, n);
    for (size_t i = 0; i < n; i++)
        y[i] = all + (double)(n - 1) * (mean - y[i]);
    return true;
}

struct stat_change stat_change(const double *a, const double *b, size_t n, double alpha)
{
    double none = (double)NAN, base = stat_mean(a, n);
    struct stat_change change = {none, none, none, none};
    if (n == 0 || !(fabs(base) > 0))
        return change;
    change.share = stat_mean(b, n) / base - 1;
    double *y = mem_alloc(n, sizeof *y);
    if (n >= STAT_LEAST && stat_log_ratios(a, b, n, y)) {
        struct stat_interval s = stat_skewed_interval(y, n, alpha);
        change.low = expm1(s.low);
        change.high = expm1(s.high);
        change.p = s.p;
    }
    free(y);
    return change;
}
