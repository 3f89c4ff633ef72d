/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Kaplan-Meier curve (E. L. Kaplan, P. Meier, "Nonparametric estimation from incomplete
 * observations", JASA 53, 1958): the share that lasts longer than t, if some were observed only up
 * to some time. At each time with an end
 *
 *     S(t) = product over ends t_i <= t of (1 - d_i / r_i)
 *
 * with d_i ends at t_i and r_i at risk just before it; observations censored at t_i were still at
 * risk then. Its standard error is Greenwood's, S sqrt(sum d_i / (r_i (r_i - d_i))). After the last
 * observation, and after the last end if some lasted longer, the curve is unknown. For quantiles
 * see report/stats/tally.h.
 */
#ifndef REPORT_STATS_SURVIVAL_H
#define REPORT_STATS_SURVIVAL_H

#include "report/stats/tally.h"

struct stat_step {
    int64_t value;    /* value in the tally */
    uint64_t at_risk; /* just before `value` */
    double survives;  /* the share above `value` */
    double se;        /* NaN if none is left */
};

/* Returns one step for each value with an end, rising, *count of them. The caller frees them. */
struct stat_step *stat_survival(const struct tally *, size_t *count);

#endif
