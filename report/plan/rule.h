/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decision rule of capacity planning: when do n replicas show that a number of nodes suffices?
 *
 * "Confidence c" is a promise about unseen demand: a new draw of the demand meets the target with
 * probability c. Replicas 1..n and the new draw are exchangeable, so the new one is the (k + 1)-st
 * worst of n + 1 or worse with probability (k + 1) / (n + 1), for any distribution (S. S. Wilks,
 * "Determination of sample sizes for setting tolerance limits", Annals of Mathematical Statistics
 * 12, 1941). So a number of nodes suffices if at most
 *
 *     k = floor((1 - c) (n + 1)) - 1
 *
 * of its n replicas miss: 1 of 20 at c = 0.9. Once k + 1 have missed, the rest cannot change the
 * verdict and need not be simulated. With too few replicas to count (n + 1 < 1 / (1 - c): fewer
 * than 9 at 0.9), Student's prediction bound of the metric decides instead,
 *
 *     mean +- t(c; n - 1) sd sqrt(1 + 1 / n)
 *
 * which assumes a normal distribution of the metric.
 *
 * The risk is the share of replicas that miss, with the exact interval of C. J. Clopper and E. S.
 * Pearson (Biometrika 26, 1934). For a number abandoned early, the misses seen are a lower bound,
 * so its interval ends at 1.
 */
#ifndef REPORT_PLAN_RULE_H
#define REPORT_PLAN_RULE_H

#include "report/stats/sample.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns k, how many of n replicas may miss; -1 if n is too small for counting. */
int64_t rule_allows(double confidence, size_t replicas);

struct rule_risk {
    size_t missed, tried;
    bool complete;    /* all replicas were tried */
    double share;     /* missed / tried */
    double low, high; /* 95 % interval */
};
struct rule_risk rule_risk(size_t missed, size_t tried, bool complete);

/*
 * Returns true if `missed` of `tried` replicas are too few to exclude a miss probability of at most
 * 1 - c.
 */
bool rule_leaves_open(double confidence, size_t missed, size_t tried);

/*
 * Returns the distance of Student's prediction bound for a new value from the mean; the interval
 * has coverage 2c - 1.
 */
double rule_margin(const struct stat_interval *);

/*
 * Returns the number of replicas to try before the next look: 2, 4, 8, ... up to n; n if counting
 * does not decide.
 */
size_t rule_next_look(double confidence, size_t tried, size_t replicas);

#endif
