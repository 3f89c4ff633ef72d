/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sign and signed-rank tests; see signs.h. */
#include "report/stats/signs.h"

#include "sim/base/mem.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

double stat_sign_p(size_t positive, size_t n)
{
    size_t most = positive > n - positive ? positive : n - positive;
    if (n == 0 || most == 0)
        return 1;
    return fmin(1, 2 * gsl_cdf_binomial_Q((unsigned)most - 1, 0.5, (unsigned)n));
}

/*
 * Computes twice the rank of each size (mean ranks may be halves), in rising order; *positive is
 * their sum over the positive values.
 */
static size_t ranks_of(const double *x, size_t n, size_t *twice, size_t *positive, double *ties)
{
    double *size = mem_alloc(n + 1, sizeof *size), *sign = mem_alloc(n + 1, sizeof *sign);
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (x[i] < 0 || x[i] > 0) {
            size[m] = fabs(x[i]);
            sign[m++] = x[i];
        }
    if (m > 0)
        gsl_sort2(size, 1, sign, 1, m);
    *positive = 0;
    *ties = 0;
    for (size_t from = 0, to; from < m; from = to) {
        for (to = from + 1; to < m && !(size[to] > size[from]); to++)
            continue;
        double t = (double)(to - from);
        *ties += t * t * t - t;
        for (size_t i = from; i < to; i++) {
            twice[i] = from + 1 + to;
            *positive += sign[i] > 0 ? twice[i] : 0;
        }
    }
    free(size);
    free(sign);
    return m;
}

/*
 * chance[s]: probability that the doubled ranks of positive signs sum to s, if both signs are
 * equally likely.
 */
static double exact_p(const size_t *twice, size_t m, size_t positive)
{
    size_t total = m * (m + 1);
    double *chance = mem_alloc(total + 1, sizeof *chance);
    chance[0] = 1;
    for (size_t i = 0, reached = 0; i < m; i++) {
        reached += twice[i];
        for (size_t s = reached + 1; s-- > 0;)
            chance[s] = 0.5 * (chance[s] + (s >= twice[i] ? chance[s - twice[i]] : 0));
    }
    size_t extreme = positive < total - positive ? positive : total - positive;
    double tail = 0;
    for (size_t s = 0; s <= extreme; s++)
        tail += chance[s];
    free(chance);
    return fmin(1, 2 * tail);
}

double stat_signed_rank_p(const double *x, size_t n)
{
    size_t *twice = mem_alloc(n + 1, sizeof *twice), positive;
    double ties, p = 1;
    size_t m = ranks_of(x, n, twice, &positive, &ties);
    if (m > 0 && m <= STAT_EXACT_RANKS) {
        p = exact_p(twice, m, positive);
    } else if (m > 0) {
        double k = (double)m, off = fabs((double)positive / 2 - k * (k + 1) / 4);
        double variance = k * (k + 1) * (2 * k + 1) / 24 - ties / 48;
        p = fmin(1, 2 * gsl_cdf_ugaussian_Q(fmax(0, off - 0.5) / sqrt(variance)));
    }
    free(twice);
    return p;
}
