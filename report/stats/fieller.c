/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fieller's interval; see fieller.h. */
#include "report/stats/fieller.h"

#include "report/stats/sample.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

/* Sums over the pairs, d = b - a. */
struct pairs {
    double a, d;       /* means */
    double aa, ad, dd; /* variances and covariance of these means */
    bool negative;     /* some value is below 0 */
};

static struct pairs pairs_of(const double *a, const double *b, size_t n)
{
    struct pairs p = {.a = stat_mean(a, n)};
    for (size_t i = 0; i < n; i++)
        p.d += b[i] - a[i];
    p.d /= (double)n;
    for (size_t i = 0; i < n; i++) {
        double x = a[i] - p.a, y = b[i] - a[i] - p.d;
        p.aa += x * x;
        p.ad += x * y;
        p.dd += y * y;
        p.negative |= a[i] < 0 || b[i] < 0;
    }
    double freedom = (double)n * (double)(n - 1);
    p.aa /= freedom;
    p.ad /= freedom;
    p.dd /= freedom;
    return p;
}

struct stat_share stat_fieller(const double *a, const double *b, size_t n, double alpha)
{
    struct stat_share none = {(double)NAN, (double)NAN, (double)NAN}, s = none;
    if (n == 0)
        return none;
    struct pairs p = pairs_of(a, b, n);
    double base = p.a * p.a;
    if (!(base > 0))
        return none;
    s.share = p.d / p.a;
    if (n < 2)
        return s;
    double t = gsl_cdf_tdist_Qinv(alpha / 2, (double)(n - 1)), square = base - t * t * p.aa;
    if (!(square > 0))
        return none;
    double middle = p.a * p.d - t * t * p.ad;
    /* Of the quadratic a quarter of the discriminant, without the terms that cancel. */
    double spread = p.a * p.a * p.dd + p.d * p.d * p.aa - 2 * p.a * p.d * p.ad,
           rest = p.aa * p.dd - p.ad * p.ad, root = t * sqrt(fmax(0, spread - t * t * rest));
    s.low = (middle - root) / square;
    s.high = (middle + root) / square;
    if (!p.negative && s.low < -1)
        s.low = -1;
    return s;
}
