/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binomial tails, and searches in them. */
#include "sim/goodput/availability.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

double availability_of(double mtbf, double mttr)
{
    return mtbf / (mtbf + mttr);
}

double availability_at_least(unsigned n, unsigned k, double available)
{
    if (k == 0)
        return 1;
    if (k > n || available <= 0)
        return 0;
    return available >= 1 ? 1 : gsl_cdf_binomial_Q(k - 1, available, n);
}

double availability_needed(unsigned n, unsigned k, double sure)
{
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (availability_at_least(n, k, middle) < sure)
            low = middle;
        else
            high = middle;
    }
    return high;
}

unsigned availability_spares(unsigned n, double available, double risk)
{
    unsigned most = n > AVAILABILITY_SPARES / 10 ? 10 * n : AVAILABILITY_SPARES;
    for (unsigned spares = 0; spares <= most; spares++) {
        // Of n + spares no more than `spares` are out, or n at least work: the same thing, and the
        // risk its opposite.
        double out = available >= 1   ? 0
                     : available <= 0 ? 1
                                      : gsl_cdf_binomial_Q(spares, 1 - available, n + spares);
        if (n == 0 || out < risk)
            return spares;
    }
    return AVAILABILITY_NEVER;
}

double availability_domain(double failed, unsigned devices)
{
    return failed >= 1 ? devices == 0 : exp(devices * log1p(-failed));
}
