/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formulas of ettr.h, written so that small rates lose no digits. */
#include "sim/goodput/ettr.h"

#include <gsl/gsl_sf_lambert.h>
#include <math.h>

double ettr_mttf_hours(double nodes, double knd)
{
    return 24.0 * 1000.0 / (nodes * knd);
}

/* Work that lasted over time without the restarts. */
static double without_restarts(const struct ettr *job)
{
    double busy = job->interval + job->write;
    return job->rate > 0 ? job->rate * job->interval / expm1(job->rate * busy)
                         : job->interval / busy;
}

double ettr_exact(const struct ettr *job)
{
    return without_restarts(job) * exp(-job->rate * job->restart);
}

double ettr_async(const struct ettr *job, double through)
{
    return ettr_exact(job) * exp(-job->rate * (through - job->write));
}

double ettr_immune(const struct ettr *job)
{
    return without_restarts(job) / (1 + job->rate * job->restart);
}

double ettr_first_order(const struct ettr *job)
{
    return (1 - job->rate * (job->restart + job->interval / 2)) / (1 + job->write / job->interval);
}

double ettr_young_interval(double write, double mtbf)
{
    return sqrt(2 * write * mtbf);
}

double ettr_young_waste(double write, double mtbf, double restart)
{
    return sqrt(2 * write / mtbf) + restart / mtbf;
}

double ettr_daly_interval(double write, double mtbf)
{
    if (write >= 2 * mtbf)
        return mtbf;
    double half = write / (2 * mtbf);
    return sqrt(2 * write * mtbf) * (1 + sqrt(half) / 3 + half / 9) - write;
}

double ettr_best_interval(double write, double mtbf)
{
    return mtbf * (1 + gsl_sf_lambert_W0(-exp(-1 - write / mtbf)));
}

double ettr_stop_to_stop(double between, double stall)
{
    return fmax(0, 1 - stall / between);
}
