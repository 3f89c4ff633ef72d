/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expected values of a kind of sessions: durations, GPU-seconds and burst sizes, and the arrival
 * rate over the week. The generator derives its arrival rate from them, so that it meets an offered
 * load in expectation.
 */
#include "traces/generate/generator.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/*
 * X = exp(mu + sigma Z), mu = ln median:  E[min(X, c)] = exp(mu + sigma^2 / 2) Phi((ln c - mu) /
 * sigma - sigma)
 *                                                        + c (1 - Phi((ln c - mu) / sigma)).
 */
double gen_duration_mean_s(double median_s, double sigma, double max_s)
{
    if (sigma <= 0)
        return fmin(median_s, max_s);
    double d = log(max_s / median_s) / sigma;
    double below = median_s * exp(sigma * sigma / 2) * gsl_cdf_ugaussian_P(d - sigma);
    return below + max_s * gsl_cdf_ugaussian_Q(d);
}

const struct gen_outcome *gen_kind_outcome(const struct gen_kind *kind, int64_t gpu_milli)
{
    int i = kind->outcome_count - 1;
    while (i > 0 && gpu_milli < kind->outcomes[i].min_gpus * 1000)
        i--;
    return &kind->outcomes[i];
}

/* Mean duration of jobs of one size, over all statuses. */
static double size_mean_s(const struct gen_kind *kind, int64_t gpu_milli)
{
    if (kind->mean_s > 0)
        return kind->mean_s;
    const double *share = gen_kind_outcome(kind, gpu_milli)->share;
    double sum = 0, shares = 0;
    for (int s = 0; s < TRACE_STATUSES; s++) {
        if (share[s] <= 0)
            continue;
        sum += share[s] * gen_duration_mean_s(kind->median_s[s], kind->sigma, kind->max_s);
        shares += share[s];
    }
    return sum / shares;
}

double gen_kind_gpu_s(const struct gen_kind *kind)
{
    double sum = 0, weights = 0;
    for (int i = 0; i < kind->size_count; i++) {
        const struct gen_size *size = &kind->sizes[i];
        sum += size->weight * (double)size->gpu_milli / 1000 * size_mean_s(kind, size->gpu_milli);
        weights += size->weight;
    }
    return sum / weights;
}

double gen_kind_bursts(const struct gen_kind *kind, double *weights)
{
    weights[0] = 1;
    if (kind->burst_share <= 0)
        return 1;
    double sum = 0, jobs = 0;
    for (int n = 2; n <= kind->burst_max; n++) {
        weights[n - 1] = pow(n, -kind->burst_exponent);
        sum += weights[n - 1];
        jobs += n * weights[n - 1];
    }
    weights[0] = 1 - kind->burst_share;
    for (int n = 2; n <= kind->burst_max; n++)
        weights[n - 1] *= kind->burst_share / sum;
    return weights[0] + kind->burst_share * jobs / sum;
}

/* The number of seconds of [0, horizon_s) in an hour of the week. */
static int64_t seconds_in_hour(int hour, int64_t horizon_s)
{
    const int64_t week_s = GEN_WEEK_HOURS * INT64_C(3600);
    int64_t rest = horizon_s % week_s - hour * INT64_C(3600);
    return horizon_s / week_s * 3600 + (rest < 0 ? 0 : rest > 3600 ? 3600 : rest);
}

double gen_kind_rates(const struct gen_kind *kind, int64_t horizon_s, double rates[GEN_WEEK_HOURS])
{
    if (horizon_s <= 0)
        horizon_s = GEN_WEEK_HOURS * INT64_C(3600);
    double sum = 0;
    for (int h = 0; h < GEN_WEEK_HOURS; h++) {
        rates[h] = 1;
        for (int p = 0; p < kind->calendar_power; p++)
            rates[h] *= kind->calendar->hour[h % 24] * kind->calendar->weekday[h / 24];
        sum += rates[h] * (double)seconds_in_hour(h, horizon_s);
    }
    double mean = sum / (double)horizon_s, peak = 0;
    for (int h = 0; h < GEN_WEEK_HOURS; h++) {
        rates[h] /= mean;
        peak = fmax(peak, rates[h]);
    }
    return peak;
}
