/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What paired replicas say about one metric. Replica k of both sides saw the same arrivals, durations and failures
 * (common random numbers), so what counts is how B differs from A within each pair:
 *
 *   log-ratio     log(b / a) for times and slowdowns, which have heavy tails, when all are above 0
 *   difference    b - a for everything else
 *   signs         when some values are only known to be at least so much: pairs in which the direction is certain
 *
 * The mean of log-ratios or differences gets Student's interval over replicas (stats/sample.h), the difference as a share
 * of A Fieller's (stats/fieller.h), and as cross-checks the bootstrap's (stats/bootstrap.h) and Wilcoxon's p-value
 * (stats/signs.h). Signs get the sign test, every pair whose
 * direction is not certain counted against the difference. One replica is one sample: values, and no verdict.
 */
#ifndef REPORT_COMPARE_JUDGE_H
#define REPORT_COMPARE_JUDGE_H

#include "report/compare/measures.h"
#include "report/stats/bootstrap.h"

enum judge_scale { JUDGE_DIFFERENCE, JUDGE_LOG_RATIO, JUDGE_SIGNS, JUDGE_SCALES };

enum judge_verdict {
    JUDGE_NONE,   /* one replica, nothing to judge by */
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
    double mean, low, high; /* low and high are nan with one replica and with signs */
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
        change; /* relative: 0.1 is 10 % more in B; nan where the mean of A is not told from 0 */
    struct stat_range bootstrap; /* of the change, like its low and high */
    double p;                    /* of the scale; nan when there is nothing to test */
    double p_holm;               /* over its section; set by judge_decide() */
    double p_rank;               /* Wilcoxon's, unadjusted; nan with signs */
    size_t higher, lower;        /* pairs in which B is certainly higher, lower */
};

/* `alpha`: of the intervals. The verdict is EQUAL, UNDEFINED or NONE, or waits for judge_decide() or judge_certain(). */
struct judgement judge(const struct measure *, size_t replicas, double alpha);

/* The verdict from p_holm and the direction in which the metric improves. */
void judge_decide(struct judgement *, enum metric_better, double alpha);

/* The same of one replica, where there is no other: nothing is left to chance, and any difference is one. */
void judge_certain(struct judgement *, enum metric_better);

extern const char *const judge_scale_names[JUDGE_SCALES];     /* "difference", "log_ratio", "signs" */
extern const char *const judge_verdict_names[JUDGE_VERDICTS]; /* for JSON: "no_difference_seen" */
extern const char *const judge_verdict_words[JUDGE_VERDICTS]; /* for people */

/* Whether the metric is a time or a slowdown, and none of its values (all of which are defined) is 0. */
bool judge_takes_logs(const struct measure *, size_t replicas);

/* Whether a difference was found: better, worse, higher or lower. */
bool judge_found(const struct judgement *);

#endif
