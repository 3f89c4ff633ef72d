/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of the mean of a skewed sample; see skewed.h. */
#include "report/stats/skewed.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define TAIL  2   /* multiple of Johnson's shift */
#define WIDER 1.5 /* over n */

double stat_skewness(const double *x, size_t n)
{
    double mean = stat_mean(x, n), squares = 0, cubes = 0, count = (double)n;
    for (size_t i = 0; i < n; i++) {
        double off = x[i] - mean;
        squares += off * off;
        cubes += off * off * off;
    }
    if (n < 3 || !(squares > 0))
        return 0;
    double variance = squares / count;
    return sqrt(count * (count - 1)) / (count - 2) * (cubes / count) / (variance * sqrt(variance));
}

/*
 * Returns the t at which the end nearer to 0 reaches it: u + a (1 + 2 u^2) / 2 = reach, solved for
 * u.
 */
static double t_of(double reach, double a)
{
    double rest = reach - a / 2;
    return rest <= 0 ? 0 : 2 * rest / (1 + sqrt(1 + 4 * a * rest));
}

struct stat_interval stat_skewed_interval(const double *x, size_t n, double alpha)
{
    struct stat_interval s = stat_sample(x, n);
    if (n < STAT_LEAST)
        return s;
    if (!(s.se > 0))
        return stat_t_interval(x, n, alpha);
    double freedom = (double)(n - 1), wide = (1 + WIDER / (double)n) * s.se;
    double t = gsl_cdf_tdist_Qinv(alpha / 2, freedom);
    /* twice Johnson's shift, over the standard error, is skew (1 + 2 t^2) / 2 */
    double skew = TAIL * stat_skewness(x, n) / (3 * sqrt((double)n)),
           shift = skew * (1 + 2 * t * t) / 2;
    s.low = s.mean - wide * (t + fmax(0, -shift));
    s.high = s.mean + wide * (t + fmax(0, shift));
    s.t = copysign(t_of(fabs(s.mean) / wide, fmax(0, s.mean > 0 ? -skew : skew)), s.mean);
    s.p = fmin(1, 2 * gsl_cdf_tdist_Q(fabs(s.t), freedom));
    return s;
}

double stat_above_p(const struct stat_interval *s)
{
    return s->mean > 0 ? s->p / 2 : 1 - s->p / 2;
}
