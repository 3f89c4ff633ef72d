/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict of paired replicas on one metric. Replica k of both sides saw the same arrivals,
 * durations and failures (common random numbers), so the test uses how B differs from A within each
 * pair:
 *
 *   change        mean(b) / mean(a) - 1, the change of the means shown, for amounts
 *                 (stats/change.h)
 *   difference    mean(b) - mean(a) for values that may be negative, and if a mean is 0 except for
 *                 one replica (stats/skewed.h)
 *   signs         if some values are only lower bounds: pairs whose direction is certain
 *
 * The interval shown and its p-value are on that scale: the interval excludes 0 exactly when p is
 * at most alpha. A change also has an interval of the difference, in the metric's unit. Wilcoxon's
 * p-value (stats/signs.h) is a cross-check. Signs use the sign test, where each pair of uncertain
 * direction counts against the difference. With fewer than STAT_LEAST pairs there are values but no
 * verdict.
 */
#ifndef REPORT_COMPARE_JUDGE_H
#define REPORT_COMPARE_JUDGE_H

#include "report/compare/measures.h"

enum judge_scale {
    JUDGE_DIFFERENCE,
    JUDGE_CHANGE, /* relative to the mean of A */
    JUDGE_SIGNS,
    JUDGE_SCALES
};

enum judge_verdict {
    JUDGE_NONE,   /* too few replicas to judge by */
    JUDGE_EQUAL,  /* the same value in every pair */
    JUDGE_UNSEEN, /* no difference found at this resolution */
    JUDGE_BETTER, /* B against A */
    JUDGE_WORSE,
    JUDGE_HIGHER, /* for a neutral metric */
    JUDGE_LOWER,
    JUDGE_UNDEFINED, /* undefined in some replica of either side */
    JUDGE_VERDICTS
};

struct judge_range {
    double mean, low, high; /* low and high are NaN with fewer than STAT_LEAST pairs, with signs,
                               and if constant */
};

struct judgement {
    enum judge_scale scale;
    enum judge_verdict verdict;
    size_t n;
    size_t defined[SIDES]; /* replicas with a value, including bounds */
    size_t bounds[SIDES];  /* how many of them are lower bounds */
    double mean[SIDES];    /* over the defined values; a lower bound if bounds > 0 */
    struct judge_range difference;
    struct judge_range change; /* change of the means: 0.1 means 10 % more in B; NaN if A's mean is
                                  not distinguishable from 0 */
    bool constant;             /* the same difference in all pairs, at least two */
    double p;                  /* on the scale used; NaN if there is nothing to test */
    double p_holm;             /* over its section; set by judge_decide() */
    double p_rank;             /* Wilcoxon's, unadjusted; NaN with signs */
    size_t higher, lower;      /* pairs in which B is certainly higher, lower */
};

/* `alpha` sets the level of the intervals. The verdict is EQUAL, UNDEFINED or NONE until
 * judge_decide() or judge_certain() sets it. */
struct judgement judge(const struct measure *, size_t replicas, double alpha);

/* Sets the verdict from p_holm and the direction in which the metric improves. */
void judge_decide(struct judgement *, enum metric_better, double alpha);

/* The same for a run without randomness, where one replica is exact: any difference is real. */
void judge_certain(struct judgement *, enum metric_better);

extern const char *const judge_scale_names[JUDGE_SCALES];     /* "difference", "change", "signs" */
extern const char *const judge_verdict_names[JUDGE_VERDICTS]; /* for JSON: "no_difference_seen" */
extern const char *const judge_verdict_words[JUDGE_VERDICTS]; /* for people */

/* Returns true if a difference was found: better, worse, higher or lower. */
bool judge_found(const struct judgement *);

#endif
