/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges the harm to one metric; see harm.h. */
#include "report/gate/harm.h"

#include "report/stats/change.h"
#include "report/stats/skewed.h"
#include "sim/base/mem.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define MOST_NEEDED 1e6   /* replicas; larger estimates are not reported */
#define ROUNDING    1e-12 /* of sums and logarithms */
#define MOST_LOG    1e3   /* above the logarithm of any ratio */

/* Pairs without any value are skipped; the others are copied to the front. */
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

/*
 * Returns the number of pairs at which the interval would clear the margin, all else equal: its
 * half width falls as 1 / sqrt(n).
 */
static size_t needed_of(const struct stat_interval *above)
{
    double reach = above->mean > 0 ? above->mean - above->low : above->high - above->mean;
    double ratio = reach / fabs(above->mean), n = ceil((double)above->n * ratio * ratio);
    if (ratio < 1)
        return 0;
    return n <= MOST_NEEDED ? (size_t)n : SIZE_MAX;
}

/* `above`: the harm of each pair minus the margin. */
static void decide(struct harm *h, const double *above, double level)
{
    struct stat_interval s = stat_skewed_interval(above, h->n, 2 * level);
    h->needed = 0;
    if (h->n < STAT_LEAST) {
        h->needed = SIZE_MAX;
    } else if (s.se > ROUNDING) {
        h->p_fail = stat_above_p(&s);
        h->p_pass = 1 - h->p_fail;
        h->needed = needed_of(&s);
    } else { /* the same in every pair */
        h->p_fail = s.mean > ROUNDING ? 0 : 1;
        h->p_pass = 1 - h->p_fail;
    }
}

static double share_of(double log_ratio, double sign)
{
    return sign * expm1(sign * log_ratio);
}

/*
 * For amounts: judges the logarithm of the ratio of the means, with the sign reversed if more is
 * better.
 */
static bool judge_change(struct harm *h, const double *a, const double *b,
                         const struct harm_rule *rule, double sign, double level)
{
    double base = h->mean[SIDE_A], *x = mem_alloc(h->n, sizeof *x);
    bool amounts = stat_log_ratios(a, b, h->n, x);
    if (amounts) {
        h->scale = JUDGE_CHANGE;
        h->margin = most(rule->margin, rule->floor, base) / base;
        /* then everything may be lost: no ratio is that low */
        double margin =
            sign > 0 || h->margin < 1 ? sign * log1p(sign * h->margin) : (double)INFINITY;
        for (size_t i = 0; i < h->n; i++)
            x[i] *= sign;
        struct stat_interval s = stat_skewed_interval(x, h->n, 2 * level);
        h->harm = share_of(s.mean, sign);
        h->low = share_of(s.low, sign);
        h->high = share_of(s.high, sign);
        h->se = s.se;
        for (size_t i = 0; i < h->n; i++)
            x[i] -= fmin(margin, MOST_LOG);
        decide(h, x, level);
    }
    free(x);
    return amounts;
}

static void judge_difference(struct harm *h, const double *a, const double *b,
                             const struct harm_rule *rule, double sign, double level)
{
    double *x = mem_alloc(h->n, sizeof *x);
    for (size_t i = 0; i < h->n; i++)
        x[i] = sign * (b[i] - a[i]);
    struct stat_interval s = stat_skewed_interval(x, h->n, 2 * level);
    h->scale = JUDGE_DIFFERENCE;
    h->margin = most(rule->margin, rule->floor, h->mean[SIDE_A]);
    h->harm = s.mean;
    h->low = s.low;
    h->high = s.high;
    h->se = s.se;
    for (size_t i = 0; i < h->n; i++)
        x[i] -= h->margin;
    decide(h, x, level);
    free(x);
}

static void judge_numbers(struct harm *h, const struct measure *pairs, const struct harm_rule *rule,
                          double level)
{
    double sign = rule->better == METRIC_LOWER ? 1 : -1;
    double *a = mem_alloc(2 * h->n, sizeof *a), *b = a + h->n;
    for (size_t i = 0; i < h->n; i++) {
        a[i] = pairs->of[SIDE_A][i].value;
        b[i] = pairs->of[SIDE_B][i].value;
    }
    if (!judge_change(h, a, b, rule, sign, level))
        judge_difference(h, a, b, rule, sign, level);
    free(a);
}

/* ---- lower bounds ---- */

/* One side's value must be exact; the other may be a lower bound. */
static void count_pair(struct harm *h, const struct measured *a, const struct measured *b,
                       const struct harm_rule *rule)
{
    double tolerated = most(rule->margin, rule->floor, a->value);
    double harm = rule->better == METRIC_LOWER ? b->value - a->value : a->value - b->value;
    bool lower = rule->better == METRIC_LOWER;
    bool can_be_more = lower ? b->at_least : a->at_least,
         can_be_less = lower ? a->at_least : b->at_least;
    h->above += harm > tolerated && !can_be_less;
    h->within += harm <= tolerated && !can_be_more;
}

/*
 * Returns the one-sided probability that at least `with` of n signs agree if both are equally
 * likely.
 */
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
    double larger = (double)(h->above > h->within ? h->above : h->within),
           share = larger / (double)h->n;
    if (h->p_fail <= level || h->p_pass <= level)
        return;
    h->needed = SIZE_MAX;
    for (size_t n = h->n + 1; share > 0.5 && n <= 4096 && h->needed == SIZE_MAX; n++)
        if (sign_p((size_t)(share * (double)n), n) <= level)
            h->needed = n;
}

struct harm harm_of(const struct measure *m, size_t replicas, const struct harm_rule *rule,
                    double level)
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
        const struct measure counted = {m->path, m->row, {pairs[SIDE_A], pairs[SIDE_B]}};
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

double harm_share(const struct harm *h, double x)
{
    double base = h->scale == JUDGE_CHANGE ? 1 : fabs(h->mean[SIDE_A]);
    return base > 0 ? x / base : (double)NAN;
}
