/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Kaplan-Meier curve (E. L. Kaplan, P. Meier, "Nonparametric estimation from incomplete
 * observations", JASA 53, 1958): the share that lasts longer than t, when some were only seen up to
 * some time. At each time with an end
 *
 *     S(t) = product over ends t_i <= t of (1 - d_i / r_i)
 *
 * with d_i ends at t_i and r_i at risk just before it; who leaves unseen at t_i was still at risk
 * then. Its standard error is Greenwood's, S sqrt(sum d_i / (r_i (r_i - d_i))). Behind the last
 * time that anything is known of, and behind the last end when somebody lasted longer, the curve is
 * not known. Quantiles are report/stats/tally.h's.
 */
#ifndef REPORT_STATS_SURVIVAL_H
#define REPORT_STATS_SURVIVAL_H

#include "report/stats/tally.h"

struct stat_step {
    int64_t value;    /* of the tally */
    uint64_t at_risk; /* just before */
    double survives;  /* the share above `value` */
    double se;        /* nan where no job is left */
};

/* One step for each value with an end, rising; freed by the caller. *count of them. */
struct stat_step *stat_survival(const struct tally *, size_t *count);

#endif
