/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bootstrap of a mean; see bootstrap.h. */
#include "report/stats/bootstrap.h"

#include "sim/base/mem.h"
#include "sim/base/rng.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

static double resampled_mean(const double *x, size_t n, uint64_t seed, size_t resample)
{
    struct rng_stream stream;
    rng_init(&stream, seed, RNG_BOOTSTRAP, resample);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[gsl_rng_uniform_int(rng_gsl(&stream), n)];
    return sum / (double)n;
}

/* Nearest rank, as all our percentiles. */
static double quantile(const double *sorted, size_t n, double q)
{
    double rank = ceil(q * (double)n - 1e-9);
    size_t i = rank < 1 ? 0 : (size_t)rank - 1;
    return sorted[i < n ? i : n - 1];
}

struct stat_range stat_bootstrap_mean(const double *x, size_t n, double alpha, size_t resamples,
                                      uint64_t seed)
{
    if (n < 2 || resamples == 0)
        return (struct stat_range){(double)NAN, (double)NAN};
    double *means = mem_alloc(resamples, sizeof *means);
    for (size_t i = 0; i < resamples; i++)
        means[i] = resampled_mean(x, n, seed, i);
    gsl_sort(means, 1, resamples);
    struct stat_range range = {quantile(means, resamples, alpha / 2),
                               quantile(means, resamples, 1 - alpha / 2)};
    free(means);
    return range;
}
