/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What paired replicas say about one metric. Replica k of both sides saw the same arrivals,
 * durations and failures (common random numbers), so what counts is how B differs from A within
 * each pair:
 *
 *   change        mean(b) / mean(a) - 1, the change of the two means that are shown, of amounts
 *                 (stats/change.h)
 *   difference    mean(b) - mean(a) of what may be below 0, and where a mean is 0 but for one
 *                 replica (stats/skewed.h)
 *   signs         when some values are only known to be at least so much: pairs in which the
 *                 direction is certain
 *
 * That scale has the interval which is shown, and the p-value that belongs to it: the interval
 * leaves out 0 exactly when p is at most alpha. The difference has its interval of its own beside a
 * change, in the unit of the metric. Wilcoxon's p-value (stats/signs.h) is a cross-check. Signs get
 * the sign test, every pair whose direction is not certain counted against the difference. Less
 * than STAT_LEAST pairs get values and no verdict.
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
    JUDGE_UNSEEN, /* no difference seen at this resolution */
    JUDGE_BETTER, /* B against A */
    JUDGE_WORSE,
    JUDGE_HIGHER, /* of a metric that is neither good nor bad */
    JUDGE_LOWER,
    JUDGE_UNDEFINED, /* undefined in some replica of a side */
    JUDGE_VERDICTS
};

struct judge_range {
    double mean, low, high; /* low and high are nan with less than STAT_LEAST pairs, with signs, and
                               when constant */
};

struct judgement {
    enum judge_scale scale;
    enum judge_verdict verdict;
    size_t n;
    size_t defined[SIDES]; /* replicas with a value, bounds included */
    size_t bounds[SIDES];  /* of these: lower bounds */
    double mean[SIDES];    /* over the defined ones; a lower bound when bounds > 0 */
    struct judge_range difference;
    struct judge_range
        change;    /* of the means: 0.1 is 10 % more in B; nan where that of A is not told from 0 */
    bool constant; /* the same difference in every pair, of at least two */
    double p;      /* of the scale; nan when there is nothing to test */
    double p_holm; /* over its section; set by judge_decide() */
    double p_rank; /* Wilcoxon's, unadjusted; nan with signs */
    size_t higher, lower; /* pairs in which B is certainly higher, lower */
};

/* `alpha`: of the intervals. The verdict is EQUAL, UNDEFINED or NONE, or waits for judge_decide()
 * or judge_certain(). */
struct judgement judge(const struct measure *, size_t replicas, double alpha);

/* The verdict from p_holm and the direction in which the metric improves. */
void judge_decide(struct judgement *, enum metric_better, double alpha);

/* The same of one replica, where there is no other: nothing is left to chance, and any difference
 * is one. */
void judge_certain(struct judgement *, enum metric_better);

extern const char *const judge_scale_names[JUDGE_SCALES];     /* "difference", "change", "signs" */
extern const char *const judge_verdict_names[JUDGE_VERDICTS]; /* for JSON: "no_difference_seen" */
extern const char *const judge_verdict_words[JUDGE_VERDICTS]; /* for people */

/* True if a difference was found: better, worse, higher or lower. */
bool judge_found(const struct judgement *);

#endif
