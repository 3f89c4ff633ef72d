/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampling and means of spans; one row a kind. */
#include "sim/faults/span.h"

#include "sim/base/err.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

#define TAIL_SHARE 0.05              /* of HEAVY */
#define TAIL_END_S (30 * 24 * 3600.) /* longest repair */

struct fault_span fault_span_of_mean(double median_s, double mean_s)
{
    BUG_ON(!(median_s > 0) || mean_s < median_s);
    return (struct fault_span){
        .kind = FAULT_SPAN_LOGNORMAL, .a = median_s, .b = sqrt(2 * log(mean_s / median_s))};
}

struct fault_span fault_span_heavy(double median_s, double sigma, double mean_s)
{
    return (struct fault_span){
        .kind = FAULT_SPAN_HEAVY, .a = median_s, .b = sigma, .mean_s = mean_s};
}

/* ---- the tail of HEAVY: Pareto with exponent e from `low` to TAIL_END_S */

static double tail_start(const struct fault_span *span)
{
    return fmin(span->a * exp(span->b * gsl_cdf_ugaussian_Qinv(TAIL_SHARE)), TAIL_END_S);
}

/* Contribution of the body below the tail to the mean. */
static double body_part(const struct fault_span *span)
{
    double mean = span->a * exp(span->b * span->b / 2);
    return mean * gsl_cdf_ugaussian_P(gsl_cdf_ugaussian_Qinv(TAIL_SHARE) - span->b);
}

static double pareto_mean(double e, double low, double high)
{
    double ratio = low / high;
    if (fabs(e - 1) < 1e-9)
        return low * log(high / low) / (1 - ratio);
    return low * e / (e - 1) * (1 - pow(ratio, e - 1)) / (1 - pow(ratio, e));
}

/* The exponent for which the span has its mean: the larger, the lighter the tail. */
static double tail_exponent(const struct fault_span *span)
{
    double low = tail_start(span), wanted = (span->mean_s - body_part(span)) / TAIL_SHARE;
    double light = 100, heavy = 1e-6;
    for (int i = 0; i < 60; i++) {
        double middle = (light + heavy) / 2;
        if (pareto_mean(middle, low, TAIL_END_S) < wanted)
            light = middle;
        else
            heavy = middle;
    }
    return light;
}

static double pareto_quantile(double e, double low, double high, double u)
{
    return low * pow(1 - u * (1 - pow(low / high, e)), -1 / e);
}

/* ---- one function a kind for a draw in seconds, one for the mean */

static double draw_none(const struct fault_span *span, gsl_rng *rng)
{
    (void)span;
    (void)rng;
    return 0;
}

static double draw_fixed(const struct fault_span *span, gsl_rng *rng)
{
    (void)rng;
    return span->a;
}

static double draw_uniform(const struct fault_span *span, gsl_rng *rng)
{
    return gsl_ran_flat(rng, span->a, span->b);
}

static double draw_lognormal(const struct fault_span *span, gsl_rng *rng)
{
    return span->a * exp(gsl_ran_gaussian_ziggurat(rng, span->b));
}

static double draw_weibull(const struct fault_span *span, gsl_rng *rng)
{
    return gsl_ran_weibull(rng, span->a / gsl_sf_gamma(1 + 1 / span->b), span->b);
}

static double draw_heavy(const struct fault_span *span, gsl_rng *rng)
{
    double u = gsl_rng_uniform_pos(rng);
    if (u > TAIL_SHARE)
        return span->a * exp(span->b * gsl_cdf_ugaussian_Qinv(u));
    return pareto_quantile(tail_exponent(span), tail_start(span), TAIL_END_S, u / TAIL_SHARE);
}

static double mean_none(const struct fault_span *span)
{
    (void)span;
    return 0;
}

static double mean_first(const struct fault_span *span)
{
    return span->a;
}

static double mean_uniform(const struct fault_span *span)
{
    return (span->a + span->b) / 2;
}

static double mean_lognormal(const struct fault_span *span)
{
    return span->a * exp(span->b * span->b / 2);
}

static double mean_heavy(const struct fault_span *span)
{
    double tail = pareto_mean(tail_exponent(span), tail_start(span), TAIL_END_S);
    return body_part(span) + TAIL_SHARE * tail;
}

static const struct {
    double (*draw)(const struct fault_span *, gsl_rng *);
    double (*mean)(const struct fault_span *);
} kinds[FAULT_SPAN_KINDS] = {
    [FAULT_SPAN_NONE] = {draw_none, mean_none},
    [FAULT_SPAN_FIXED] = {draw_fixed, mean_first},
    [FAULT_SPAN_UNIFORM] = {draw_uniform, mean_uniform},
    [FAULT_SPAN_LOGNORMAL] = {draw_lognormal, mean_lognormal},
    [FAULT_SPAN_WEIBULL] = {draw_weibull, mean_first},
    [FAULT_SPAN_HEAVY] = {draw_heavy, mean_heavy},
};

double fault_span_mean_s(const struct fault_span *span)
{
    return (1 - span->at_once) * kinds[span->kind].mean(span);
}

int64_t fault_span_draw_ms(const struct fault_span *span, struct rng_stream *stream)
{
    bool at_once = span->at_once > 0 && rng_uniform(stream) < span->at_once;
    double ms = at_once ? 0 : 1000 * kinds[span->kind].draw(span, rng_gsl(stream));
    return ms < (double)FAULT_SPAN_MOST_MS ? (int64_t)llround(ms) : FAULT_SPAN_MOST_MS;
}
