/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decision rule of capacity planning, in one place: when do so many replicas show that a number
 * of nodes is enough?
 *
 * "Confidence c" promises something about a world that has not been seen: a fresh draw of the
 * demand meets the target with probability c. Replicas 1..n and the fresh draw are exchangeable, so
 * the fresh one is the (k + 1)-st worst of n + 1 or worse with probability (k + 1) / (n + 1),
 * whatever the distribution is (S. S. Wilks, "Determination of sample sizes for setting tolerance
 * limits", Annals of Mathematical Statistics 12, 1941). So a number of nodes is enough when at most
 *
 *     k = floor((1 - c) (n + 1)) - 1
 *
 * of its n replicas miss: 1 of 20 at c = 0.9. As soon as k + 1 have missed, the others cannot
 * change that, and need not be simulated. With too few replicas for that (n + 1 < 1 / (1 - c):
 * fewer than 9 at 0.9) Student's prediction bound of the metric stands in for counting,
 *
 *     mean +- t(c; n - 1) sd sqrt(1 + 1 / n)
 *
 * which takes the metric as normally distributed.
 *
 * The risk is the share of replicas that miss, with the exact interval of C. J. Clopper and E. S.
 * Pearson (Biometrika 26, 1934). A number that was given up early has missed at least as often as
 * seen, so its interval ends at 1.
 */
#ifndef REPORT_PLAN_RULE_H
#define REPORT_PLAN_RULE_H

#include "report/stats/sample.h"

#include <stdbool.h>
#include <stdint.h>

/* k: how many of n replicas may miss; -1: n is too small for counting. */
int64_t rule_allows(double confidence, size_t replicas);

struct rule_risk {
    size_t missed, tried;
    bool complete;    /* all replicas were tried */
    double share;     /* missed / tried */
    double low, high; /* covers with 95 % */
};
struct rule_risk rule_risk(size_t missed, size_t tried, bool complete);

/* True if `missed` of `tried` replicas are too few to exclude a miss probability of at most 1 - c.
 */
bool rule_leaves_open(double confidence, size_t missed, size_t tried);

/* Distance of Student's prediction bound for a fresh value from the mean; the interval covers with
 * 2c - 1. */
double rule_margin(const struct stat_interval *);

/* The replicas to try before the next look: 2, 4, 8, ... up to n; all of them where counting does
 * not decide. */
size_t rule_next_look(double confidence, size_t tried, size_t replicas);

#endif
