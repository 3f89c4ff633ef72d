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

/*
 * sum[i] is the sum of all but x[i], added from both sides. Subtracting x[i] from the total would
 * leave a rounding error if the rest is small.
 */
static void sums_without(const double *x, size_t n, double *sum)
{
    double before = 0, behind = 0;
    for (size_t i = 0; i < n; i++) {
        sum[i] = before;
        before += x[i];
    }
    for (size_t i = n; i-- > 0;) {
        sum[i] += behind;
        behind += x[i];
    }
}

bool stat_log_ratios(const double *a, const double *b, size_t n, double *y)
{
    if (!are_amounts(a, n) || !are_amounts(b, n))
        return false;
    double *of_a = mem_alloc(2 * n, sizeof *of_a), *of_b = of_a + n;
    sums_without(a, n, of_a);
    sums_without(b, n, of_b);
    for (size_t i = 0; i < n; i++)
        y[i] = log(of_b[i] / of_a[i]);
    free(of_a);
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
