/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judging one metric; see judge.h. */
#include "report/compare/judge.h"

#include "report/stats/fieller.h"
#include "report/stats/sample.h"
#include "report/stats/signs.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BOOTSTRAP_SEED 1

const char *const judge_scale_names[JUDGE_SCALES] = {"difference", "log_ratio", "signs"};
const char *const judge_verdict_names[JUDGE_VERDICTS] = {
    "none", "equal", "no_difference_seen", "better", "worse", "higher", "lower", "undefined"};
const char *const judge_verdict_words[JUDGE_VERDICTS] = {
    "", "equal", "no difference seen", "better", "worse", "higher", "lower", "undefined"};

static double nan_value(void)
{
    return (double)NAN;
}

bool judge_found(const struct judgement *j)
{
    return j->verdict == JUDGE_BETTER || j->verdict == JUDGE_WORSE || j->verdict == JUDGE_HIGHER ||
           j->verdict == JUDGE_LOWER;
}

static void count(struct judgement *j, const struct measure *m)
{
    for (int side = 0; side < SIDES; side++) {
        double sum = 0;
        for (size_t i = 0; i < j->n; i++) {
            const struct measured *v = &m->of[side][i];
            if (isnan(v->value))
                continue;
            sum += v->value;
            j->defined[side]++;
            j->bounds[side] += v->at_least;
        }
        j->mean[side] = j->defined[side] > 0 ? sum / (double)j->defined[side] : nan_value();
    }
    for (size_t i = 0; i < j->n; i++) {
        const struct measured *a = &m->of[SIDE_A][i], *b = &m->of[SIDE_B][i];
        j->higher += !a->at_least && b->value > a->value;
        j->lower += !b->at_least && b->value < a->value;
    }
}

bool judge_takes_logs(const struct measure *m, size_t n)
{
    bool heavy =
        m->row != NULL && (strcmp(m->row->unit, "s") == 0 || strcmp(m->row->name, "bounded_slowdown") == 0);
    for (size_t i = 0; heavy && i < n; i++)
        heavy = m->of[SIDE_A][i].value > 0 && m->of[SIDE_B][i].value > 0;
    return heavy;
}

/* The interval of the mean of log-ratios, as shares of A. */
static void change_by_ratios(struct judgement *j, const double *logs, double alpha, struct stat_interval s)
{
    struct stat_range range = stat_bootstrap_mean(logs, j->n, alpha, STAT_RESAMPLES, BOOTSTRAP_SEED);
    j->change = (struct judge_range){expm1(s.mean), expm1(s.low), expm1(s.high)};
    j->bootstrap = (struct stat_range){expm1(range.low), expm1(range.high)};
}

/*
 * That of the ratio of two means. The bootstrap is that of the mean of b - (1 + change) a, over the mean of A: to first
 * order that is how the ratio varies (the delta method).
 */
static void change_by_means(struct judgement *j, const double *a, const double *b, double alpha)
{
    struct stat_share s = stat_fieller(a, b, j->n, alpha);
    j->change = (struct judge_range){s.share, s.low, s.high};
    if (isnan(s.low))
        return;
    double *rest = mem_alloc(j->n, sizeof *rest), base = fabs(j->mean[SIDE_A]);
    for (size_t i = 0; i < j->n; i++)
        rest[i] = b[i] - a[i] - s.share * a[i];
    struct stat_range range = stat_bootstrap_mean(rest, j->n, alpha, STAT_RESAMPLES, BOOTSTRAP_SEED);
    j->bootstrap = (struct stat_range){s.share + range.low / base, s.share + range.high / base};
    if (j->bootstrap.low < -1 && s.low >= -1) /* the line goes on where amounts end */
        j->bootstrap.low = -1;
    free(rest);
}

static void test(struct judgement *j, const struct measure *m, double alpha)
{
    double *values = mem_alloc(4 * j->n, sizeof *values);
    double *a = values, *b = a + j->n, *difference = b + j->n, *logs = difference + j->n;
    bool ratios = judge_takes_logs(m, j->n);
    j->scale = ratios ? JUDGE_LOG_RATIO : JUDGE_DIFFERENCE;
    for (size_t i = 0; i < j->n; i++) {
        a[i] = m->of[SIDE_A][i].value;
        b[i] = m->of[SIDE_B][i].value;
        difference[i] = b[i] - a[i];
        logs[i] = ratios ? log(b[i] / a[i]) : 0;
    }
    struct stat_interval plain = stat_t_interval(difference, j->n, alpha),
                         s = ratios ? stat_t_interval(logs, j->n, alpha) : plain;
    j->difference = (struct judge_range){plain.mean, plain.low, plain.high};
    if (ratios)
        change_by_ratios(j, logs, alpha, s);
    else
        change_by_means(j, a, b, alpha);
    j->p = s.p;
    j->p_rank = j->n > 1 ? stat_signed_rank_p(ratios ? logs : difference, j->n) : nan_value();
    free(values);
}

/* With bounds: only directions are sure, and of pairs without one the worst is assumed. */
static void test_signs(struct judgement *j)
{
    size_t most = j->higher > j->lower ? j->higher : j->lower;
    j->scale = JUDGE_SIGNS;
    j->p = j->n < 2 ? nan_value() : 2 * most > j->n ? stat_sign_p(most, j->n) : 1;
}

struct judgement judge(const struct measure *m, size_t replicas, double alpha)
{
    double none = nan_value();
    struct judgement j = {
        .n = replicas,
        .difference = {none,  none, none},
        .change = {none,     none,      none},
        .bootstrap = {none, none},
        .p = none,
        .p_holm = none,
        .p_rank = none,
    };
    count(&j, m);
    if (j.defined[SIDE_A] < j.n || j.defined[SIDE_B] < j.n) {
        j.verdict = JUDGE_UNDEFINED;
        return j;
    }
    bool bounds = j.bounds[SIDE_A] + j.bounds[SIDE_B] > 0;
    if (bounds)
        test_signs(&j);
    else
        test(&j, m, alpha);
    if (!bounds && j.higher + j.lower == 0) {
        j.verdict = JUDGE_EQUAL;
        j.p = none; /* nothing is left to ask */
    }
    return j;
}

/* Which way B lies, whatever that is worth. */
static enum judge_verdict direction(const struct judgement *j, enum metric_better better)
{
    bool up = j->scale == JUDGE_SIGNS       ? j->higher > j->lower
              : j->scale == JUDGE_LOG_RATIO ? j->change.mean > 0
                                            : j->difference.mean > 0;
    if (better == METRIC_NEUTRAL)
        return up ? JUDGE_HIGHER : JUDGE_LOWER;
    return up == (better == METRIC_HIGHER) ? JUDGE_BETTER : JUDGE_WORSE;
}

void judge_decide(struct judgement *j, enum metric_better better, double alpha)
{
    if (j->verdict == JUDGE_EQUAL || j->verdict == JUDGE_UNDEFINED)
        return;
    j->verdict = isnan(j->p) ? JUDGE_NONE : JUDGE_UNSEEN;
    if (j->p_holm <= alpha)
        j->verdict = direction(j, better);
}

void judge_certain(struct judgement *j, enum metric_better better)
{
    if (j->verdict == JUDGE_EQUAL || j->verdict == JUDGE_UNDEFINED)
        return;
    j->verdict = j->higher + j->lower > 0 ? direction(j, better) : JUDGE_NONE;
}
