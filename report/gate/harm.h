/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * By how much one metric became worse, and how sure that is. Replica k of the base and of the candidate is a pair
 * (compare/judge.h), which gives one number: the harm x, positive when the candidate is worse,
 *
 *     log-ratio     log(candidate / base) of times and slowdowns, when all are above 0
 *     difference    candidate - base of everything else
 *
 * (with the sign turned where more is better). Harm up to the margin d is tolerated: a share of the base's mean, but
 * not less than an absolute floor, both put on the scale of x. Two questions are asked of the mean of x, each with
 * Student's t over the pairs:
 *
 *     p_fail    how likely is what was seen if the harm were d or less       small: it is more, fail
 *     p_pass    how likely is what was seen if the harm were d or more       small: it is less, pass
 *
 * which at a level is the same as asking whether the interval of x lies above or below d. A margin below twice the
 * standard error of x cannot be judged ("powered" is false), whatever the p-values.
 *
 * With values of which only a lower bound is known (jobs that never started) pairs are counted instead: those in which
 * the harm is certainly above d, and those in which it certainly is not. The sign test takes all others as speaking
 * against either (Conover, section 3.4).
 */
#ifndef REPORT_GATE_HARM_H
#define REPORT_GATE_HARM_H

#include "report/compare/judge.h"

struct harm_rule {
    enum metric_better better; /* METRIC_LOWER or METRIC_HIGHER */
    double margin;             /* share of the base's mean, 0.. */
    double floor;              /* in the metric's unit, 0.. */
};

struct harm {
    enum judge_scale scale;
    size_t n;             /* pairs that count */
    size_t left_out;      /* pairs in which neither side has a value */
    size_t half_defined;  /* pairs in which one side has none: then nothing is judged */
    size_t bounds[SIDES]; /* values that are lower bounds */
    double mean[SIDES];   /* over the pairs that count; lower bounds with bounds */
    double harm, low, high;
    double se, margin;    /* all on the scale of x; nan with signs, all but the mean for n < 2 */
    size_t above, within; /* signs: pairs certainly above the margin, certainly not */
    bool powered;
    double p_fail, p_pass; /* one-sided; 1 when nothing can be said */
    size_t needed; /* replicas that would decide what was seen; 0: decided; SIZE_MAX: no number would */
};

/* `level`, one-sided, in (0, 0.5): of the interval, and at which `needed` decides. */
struct harm harm_of(const struct measure *, size_t replicas, const struct harm_rule *, double level);

/* From the scale of x to a share of the base's mean: 0.1 is 10 % worse; nan where that is 0, and with signs. */
double harm_share(const struct harm *, enum metric_better, double x);

#endif
