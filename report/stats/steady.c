/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MSER-5 and batch means; see steady.h. */
#include "report/stats/steady.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

size_t stat_mser5(const double *x, size_t n)
{
    size_t k = n / STAT_MSER_GROUP, best = 0;
    if (k < 2)
        return 0;
    double least = (double)INFINITY, mean = 0, squares = 0;
    double *z = mem_alloc(k, sizeof *z);
    for (size_t i = 0; i < k; i++)
        z[i] = stat_mean(x + i * STAT_MSER_GROUP, STAT_MSER_GROUP);
    /*
     * Backwards: mean and squares of z_d .. z_(k-1), updated by Welford's method (Technometrics 4,
     * 1962).
     */
    for (size_t d = k; d-- > 0;) {
        double count = (double)(k - d), off = z[d] - mean;
        mean += off / count;
        squares += off * (z[d] - mean);
        double error = squares / (count * count);
        if (d <= k / 2 && error <= least) {
            least = error;
            best = d;
        }
    }
    free(z);
    return best * STAT_MSER_GROUP;
}

struct stat_interval stat_batch_means(const double *x, size_t n, size_t batches, double alpha)
{
    size_t length = batches > 0 ? n / batches : 0;
    if (length == 0)
        return stat_t_interval(x, 0, alpha);
    double *means = mem_alloc(batches, sizeof *means);
    const double *from = x + (n - batches * length);
    for (size_t i = 0; i < batches; i++)
        means[i] = stat_mean(from + i * length, length);
    struct stat_interval interval = stat_t_interval(means, batches, alpha);
    free(means);
    return interval;
}
