/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts misses; see rule.h. */
#include "report/plan/rule.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define ALPHA    0.05
#define ROUNDING 1e-9 /* (1 - 0.9) x 20 is 2 */

int64_t rule_allows(double confidence, size_t replicas)
{
    return (int64_t)floor((1 - confidence) * (double)(replicas + 1) + ROUNDING) - 1;
}

/* Returns the risk below which so many misses are unlikely: P(misses >= missed) = tail. */
static double least_risk(size_t missed, size_t tried, double tail)
{
    if (missed == 0)
        return 0;
    return gsl_cdf_beta_Pinv(tail, (double)missed, (double)(tried - missed + 1));
}

struct rule_risk rule_risk(size_t missed, size_t tried, bool complete)
{
    struct rule_risk risk = {.missed = missed, .tried = tried, .complete = complete, .high = 1};
    risk.share = tried > 0 ? (double)missed / (double)tried : (double)NAN;
    risk.low = least_risk(missed, tried, ALPHA / 2);
    if (complete && missed < tried)
        risk.high = gsl_cdf_beta_Qinv(ALPHA / 2, (double)(missed + 1), (double)(tried - missed));
    return risk;
}

bool rule_leaves_open(double confidence, size_t missed, size_t tried)
{
    return least_risk(missed, tried, 1 - confidence) <= 1 - confidence;
}

double rule_margin(const struct stat_interval *over)
{
    return (over->high - over->mean) * sqrt((double)over->n + 1);
}

size_t rule_next_look(double confidence, size_t tried, size_t replicas)
{
    if (rule_allows(confidence, replicas) < 0)
        return replicas;
    size_t next = tried < 2 ? 2 : 2 * tried;
    return next < replicas ? next : replicas;
}
