/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judging the harm to one metric; see harm.h. */
#include "report/gate/harm.h"

#include "report/stats/sample.h"
#include "sim/base/mem.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define MOST_NEEDED 1e6 /* replicas: beyond it no number is given */

/* Pairs without any value are left out; those of the others are copied to the front. */
static size_t take_pairs(struct harm *h, const struct measure *m, size_t replicas,
                         struct measured *pairs[SIDES])
{
    size_t n = 0;
    for (size_t i = 0; i < replicas; i++) {
        const struct measured *a = &m->of[SIDE_A][i], *b = &m->of[SIDE_B][i];
        bool no_a = isnan(a->value), no_b = isnan(b->value);
        h->left_out += no_a && no_b;
        h->half_defined += no_a != no_b;
        if (no_a || no_b)
            continue;
        pairs[SIDE_A][n] = *a;
        pairs[SIDE_B][n++] = *b;
        h->bounds[SIDE_A] += a->at_least;
        h->bounds[SIDE_B] += b->at_least;
    }
    return n;
}

static double mean_of(const struct measured *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i].value;
    return n > 0 ? sum / (double)n : (double)NAN;
}

static double most(double share, double floor, double of)
{
    return fmax(share * fabs(of), floor);
}

/* ---- times and numbers ---- */

static double margin_of(const struct harm *h, const struct harm_rule *rule)
{
    double base = h->mean[SIDE_A], absolute = most(rule->margin, rule->floor, base);
    if (h->scale != JUDGE_LOG_RATIO)
        return absolute;
    double share = absolute / base;
    /* All of it may be lost, then: no ratio is that low. */
    return rule->better == METRIC_LOWER ? log1p(share) : share < 1 ? -log1p(-share) : (double)INFINITY;
}

/* So many that both the margin is twice the standard error and the interval lies beside it, if nothing else changes. */
static size_t needed_of(const struct harm *h, double quantile)
{
    double for_power = 2 * h->se / h->margin, beside = quantile * h->se / fabs(h->margin - h->harm);
    double ratio = fmax(for_power, beside), n = ceil((double)h->n * ratio * ratio);
    if (ratio <= 1)
        return 0;
    return n <= MOST_NEEDED ? (size_t)n : SIZE_MAX;
}

static void ask_t(struct harm *h, const double *x, double level)
{
    struct stat_interval s = stat_t_interval(x, h->n, 2 * level);
    h->harm = s.mean;
    if (h->n < 2) {
        h->needed = SIZE_MAX;
        return;
    }
    h->low = s.low;
    h->high = s.high;
    h->se = s.se;
    h->powered = h->margin >= 2 * s.se;
    if (s.se > 0) {
        double freedom = (double)(h->n - 1), t = (s.mean - h->margin) / s.se;
        h->p_fail = gsl_cdf_tdist_Q(t, freedom);
        h->p_pass = gsl_cdf_tdist_P(t, freedom);
        h->needed = needed_of(h, gsl_cdf_tdist_Qinv(level, freedom));
    } else {
        h->p_fail = s.mean > h->margin ? 0 : 1;
        h->p_pass = 1 - h->p_fail;
    }
}

static void judge_numbers(struct harm *h, const struct measure *pairs, const struct harm_rule *rule,
                          double level)
{
    double sign = rule->better == METRIC_LOWER ? 1 : -1;
    double *x = mem_alloc(h->n + 1, sizeof *x);
    h->scale = judge_takes_logs(pairs, h->n) ? JUDGE_LOG_RATIO : JUDGE_DIFFERENCE;
    h->margin = margin_of(h, rule);
    for (size_t i = 0; i < h->n; i++) {
        double a = pairs->of[SIDE_A][i].value, b = pairs->of[SIDE_B][i].value;
        x[i] = sign * (h->scale == JUDGE_LOG_RATIO ? log(b / a) : b - a);
    }
    ask_t(h, x, level);
    free(x);
}

/* ---- lower bounds ---- */

/* Of one of the sides the value has to be known, the other may be only at least so much. */
static void count_pair(struct harm *h, const struct measured *a, const struct measured *b,
                       const struct harm_rule *rule)
{
    double tolerated = most(rule->margin, rule->floor, a->value);
    double harm = rule->better == METRIC_LOWER ? b->value - a->value : a->value - b->value;
    bool lower = rule->better == METRIC_LOWER;
    bool can_be_more = lower ? b->at_least : a->at_least, can_be_less = lower ? a->at_least : b->at_least;
    h->above += harm > tolerated && !can_be_less;
    h->within += harm <= tolerated && !can_be_more;
}

/* One-sided: that so many of n or more have the sign, when either is as likely. */
static double sign_p(size_t with, size_t n)
{
    return with == 0 ? 1 : gsl_cdf_binomial_Q((unsigned)with - 1, 0.5, (unsigned)n);
}

static void judge_signs(struct harm *h, const struct measure *pairs, const struct harm_rule *rule,
                        double level)
{
    h->scale = JUDGE_SIGNS;
    for (size_t i = 0; i < h->n; i++)
        count_pair(h, &pairs->of[SIDE_A][i], &pairs->of[SIDE_B][i], rule);
    h->p_fail = sign_p(h->above, h->n);
    h->p_pass = sign_p(h->within, h->n);
    h->powered = true;
    double larger = (double)(h->above > h->within ? h->above : h->within), share = larger / (double)h->n;
    if (h->p_fail <= level || h->p_pass <= level)
        return;
    h->needed = SIZE_MAX;
    for (size_t n = h->n + 1; share > 0.5 && n <= 4096 && h->needed == SIZE_MAX; n++)
        if (sign_p((size_t)(share * (double)n), n) <= level)
            h->needed = n;
}

struct harm harm_of(const struct measure *m, size_t replicas, const struct harm_rule *rule, double level)
{
    double none = (double)NAN;
    struct harm h = {.harm = none, .low = none, .high = none, .se = none, .margin = none};
    struct measured *pairs[SIDES];
    for (int side = 0; side < SIDES; side++)
        pairs[side] = mem_alloc(replicas + 1, sizeof *pairs[side]);
    h.n = take_pairs(&h, m, replicas, pairs);
    h.p_fail = h.p_pass = 1;
    h.needed = SIZE_MAX;
    for (int side = 0; side < SIDES; side++)
        h.mean[side] = mean_of(pairs[side], h.n);
    if (h.n > 0 && h.half_defined == 0) {
        const struct measure counted = {
            m->path, m->row, {pairs[SIDE_A], pairs[SIDE_B]}
        };
        h.needed = 0;
        if (h.bounds[SIDE_A] + h.bounds[SIDE_B] > 0)
            judge_signs(&h, &counted, rule, level);
        else
            judge_numbers(&h, &counted, rule, level);
    }
    free(pairs[SIDE_A]);
    free(pairs[SIDE_B]);
    return h;
}

double harm_share(const struct harm *h, enum metric_better better, double x)
{
    if (h->scale == JUDGE_LOG_RATIO)
        return better == METRIC_LOWER ? expm1(x) : -expm1(-x);
    double base = fabs(h->mean[SIDE_A]);
    return base > 0 ? x / base : (double)NAN;
}
