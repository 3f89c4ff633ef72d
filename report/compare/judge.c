/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges one metric; see judge.h. */
#include "report/compare/judge.h"

#include "report/stats/change.h"
#include "report/stats/signs.h"
#include "report/stats/skewed.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

const char *const judge_scale_names[JUDGE_SCALES] = {"difference", "change", "signs"};
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

static void test(struct judgement *j, const struct measure *m, double alpha)
{
    double *values = mem_alloc(3 * j->n, sizeof *values);
    double *a = values, *b = a + j->n, *difference = b + j->n;
    for (size_t i = 0; i < j->n; i++) {
        a[i] = m->of[SIDE_A][i].value;
        b[i] = m->of[SIDE_B][i].value;
        difference[i] = b[i] - a[i];
    }
    struct stat_interval s = stat_skewed_interval(difference, j->n, alpha);
    struct stat_change change = stat_change(a, b, j->n, alpha);
    j->difference = (struct judge_range){s.mean, s.low, s.high};
    j->change = (struct judge_range){change.share, change.low, change.high};
    bool shifted = j->n > 1 && !(s.se > 0);
    j->constant = shifted || change.high <= change.low;
    j->scale = shifted || isnan(change.p) ? JUDGE_DIFFERENCE : JUDGE_CHANGE;
    j->p = j->scale == JUDGE_CHANGE ? change.p : s.p;
    if (j->constant) { /* a constant difference gives no interval: it tells nothing about unseen
                          pairs */
        j->difference.low = j->difference.high = nan_value();
        j->change.low = j->change.high = nan_value();
    }
    j->p_rank = j->n > 1 ? stat_signed_rank_p(difference, j->n) : nan_value();
    free(values);
}

/* With bounds, only directions are certain; a pair without one counts as the worst case. */
static void test_signs(struct judgement *j)
{
    size_t most = j->higher > j->lower ? j->higher : j->lower;
    j->scale = JUDGE_SIGNS;
    j->p = j->n < STAT_LEAST ? nan_value() : 2 * most > j->n ? stat_sign_p(most, j->n) : 1;
}

struct judgement judge(const struct measure *m, size_t replicas, double alpha)
{
    double none = nan_value();
    struct judgement j = {
        .n = replicas,
        .difference = {none, none, none},
        .change = {none, none, none},
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
        j.p = none; /* nothing left to test */
    }
    return j;
}

/* Returns the direction of B, significant or not. */
static enum judge_verdict direction(const struct judgement *j, enum metric_better better)
{
    bool up = j->scale == JUDGE_SIGNS    ? j->higher > j->lower
              : j->scale == JUDGE_CHANGE ? j->change.mean > 0
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
