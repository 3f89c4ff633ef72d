/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much worse one metric became, and how certain that is. Replica k of the base and of the
 * candidate is a pair (compare/judge.h). The harm is the difference of the reported means, positive
 * if the candidate is worse,
 *
 *     change        mean(candidate) / mean(base) - 1 of amounts (stats/change.h)
 *     difference    mean(candidate) - mean(base) for metrics without such a ratio (stats/skewed.h)
 *
 * with the sign reversed if more is better. Harm up to the margin d is tolerated: a share of the
 * base's mean, but at least an absolute floor, both on the scale of the harm. Only the interval
 * decides:
 *
 *     p_fail    the level at which the interval begins to lie above d    small: it is more, fail
 *     p_pass    the level at which it begins to lie below d              small: it is less, pass
 *
 * Fewer than STAT_LEAST pairs have no interval and are never decided.
 *
 * If some values are lower bounds (jobs that never started), pairs are counted instead: those whose
 * harm is certainly above d, and those whose harm is certainly not. The sign test counts all others
 * against either (Conover, section 3.4).
 */
#ifndef REPORT_GATE_HARM_H
#define REPORT_GATE_HARM_H

#include "report/compare/judge.h"

struct harm_rule {
    enum metric_better better; /* METRIC_LOWER or METRIC_HIGHER */
    double margin;             /* share of the base's mean, at least 0 */
    double floor;              /* in the metric's unit, at least 0 */
};

struct harm {
    enum judge_scale scale;
    size_t n;             /* pairs that count */
    size_t left_out;      /* pairs in which neither side has a value */
    size_t half_defined;  /* pairs in which only one side is defined: then there is no verdict */
    size_t bounds[SIDES]; /* values that are lower bounds */
    double mean[SIDES];   /* over the pairs that count; with bounds it is a lower bound */
    double harm, low,
        high; /* on the scale of the harm; NaN with signs; low and high also for n < STAT_LEAST */
    double margin; /* on the scale of the harm; NaN with signs */
    double se; /* of the harm minus the tolerance, in the metric's unit; NaN like low and high */
    size_t above, within;  /* with signs: pairs certainly above the margin, and certainly not */
    double p_fail, p_pass; /* one-sided; 1 if undecidable */
    size_t needed; /* replicas that would decide an effect of this size; 0: decided; SIZE_MAX: no
                      number would */
};

/* `level` is one-sided, in (0, 0.5): the level of the interval, at which `needed` decides. */
struct harm harm_of(const struct measure *, size_t replicas, const struct harm_rule *,
                    double level);

/*
 * Converts from the scale of the harm to a share of the base's mean: 0.1 is 10 % worse; NaN if that
 * mean is 0, and with signs.
 */
double harm_share(const struct harm *, double x);

#endif
