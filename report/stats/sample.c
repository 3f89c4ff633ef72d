/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means and Student's t; see sample.h. */
#include "report/stats/sample.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

double stat_mean(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return n > 0 ? sum / (double)n : (double)NAN;
}

/* Returns the standard deviation of the sample; NaN for n < 2. */
static double deviation(const double *x, size_t n)
{
    double mean = stat_mean(x, n), squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    return n > 1 ? sqrt(squares / (double)(n - 1)) : (double)NAN;
}

/* Rounding of the mean gives equal values a deviation of a few units in the last place; it is 0. */
static int all_equal(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (x[i] < x[0] || x[i] > x[0])
            return 0;
    return 1;
}

struct stat_interval stat_sample(const double *x, size_t n)
{
    struct stat_interval s = {.n = n, .mean = stat_mean(x, n), .sd = deviation(x, n)};
    s.se = s.low = s.high = s.t = s.p = (double)NAN;
    if (n < 2)
        return s;
    if (all_equal(x, n)) {
        s.mean = x[0];
        s.sd = 0;
    }
    s.se = s.sd / sqrt((double)n);
    return s;
}

struct stat_interval stat_t_interval(const double *x, size_t n, double alpha)
{
    struct stat_interval s = stat_sample(x, n);
    if (n < 2)
        return s;
    if (!(s.se > 0)) {
        s.low = s.high = s.mean;
        int none = !(s.mean < 0) && !(s.mean > 0);
        s.t = none ? 0 : copysign((double)INFINITY, s.mean);
        s.p = none ? 1 : 0;
        return s;
    }
    double freedom = (double)(n - 1), half = gsl_cdf_tdist_Qinv(alpha / 2, freedom) * s.se;
    s.low = s.mean - half;
    s.high = s.mean + half;
    s.t = s.mean / s.se;
    s.p = 2 * gsl_cdf_tdist_Q(fabs(s.t), freedom);
    return s;
}
