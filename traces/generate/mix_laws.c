/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values that follow from the tables of a mix; see mix.h. */
#include "traces/generate/mix.h"

#include "sim/base/rng.h"

#include <gsl/gsl_randist.h>
#include <math.h>

double mix_duration_s(const struct mix_point *points, size_t count, double u)
{
    double percent = u * 100;
    size_t i = 0;
    while (i + 1 < count && points[i].percent < percent)
        i++;
    const struct mix_point *to = &points[i];
    if (i == 0 || percent >= to->percent)
        return fmax(1, ceil(to->seconds));
    const struct mix_point *from = to - 1;
    double part = (percent - from->percent) / (to->percent - from->percent);
    return fmax(1, ceil(from->seconds * pow(to->seconds / from->seconds, part)));
}

double mix_duration_share(const struct mix_point *points, size_t count, double seconds)
{
    if (seconds < points[0].seconds)
        return 0;
    size_t i = 0;
    while (i + 1 < count && points[i + 1].seconds <= seconds)
        i++;
    if (i + 1 == count)
        return 1;
    const struct mix_point *from = &points[i], *to = &points[i + 1];
    double part = log(seconds / from->seconds) / log(to->seconds / from->seconds);
    return (from->percent + part * (to->percent - from->percent)) / 100;
}

const struct mix_outcome *mix_outcome_of(const struct mix *mix, int64_t gpu_milli)
{
    size_t i = 0;
    while (i + 1 < mix->outcome_count && mix->outcomes[i + 1].min_gpus * 1000 <= gpu_milli)
        i++;
    return &mix->outcomes[i];
}

void mix_hours(const struct mix *mix, const double *values, uint64_t seed, size_t hours,
               double *cumulative)
{
    double want[24] = {0}, have[24] = {0}, rho = values[MIX_NOISE_RHO], x = 0;
    cumulative[0] = 0;
    for (size_t h = 0; h < hours; h++) {
        struct rng_stream stream;
        rng_init(&stream, seed, RNG_MIX_HOUR, h);
        double own = values[MIX_NOISE_SD] * gsl_ran_ugaussian(rng_gsl(&stream));
        x = h == 0 ? own : rho * x + sqrt(1 - rho * rho) * own;
        double base = pow(mix->hour[h % 24], values[MIX_DAY]) *
                      pow(mix->weekday[h / 24 % 7], values[MIX_WEEK]);
        want[h % 24] += base;
        cumulative[h + 1] = base * exp(x);
        have[h % 24] += cumulative[h + 1];
    }
    for (size_t h = 0; h < hours; h++) {
        double scale = have[h % 24] > 0 ? want[h % 24] / have[h % 24] : 1;
        cumulative[h + 1] = cumulative[h] + cumulative[h + 1] * scale;
    }
}
