/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Future demand: `--growth 30% --horizon 18mo`. Growth compounds: after t years the demand is (1 +
 * rate)^t times that of today, so half a year at 30 % is a factor of 1.140, not 1.15. The answer is
 * for the end of the horizon.
 */
#ifndef REPORT_PLAN_GROWTH_H
#define REPORT_PLAN_GROWTH_H

#include "sim/base/err.h"

#include <stdbool.h>

struct growth {
    double yearly; /* 0.3 */
    double years;
    double factor; /* 1: today's demand */
};

/*
 * Parses "30%" or "-5%" per year, and a span: a number with y, mo, w or d ("12mo"); a year has 12
 * months or 365 days. A NULL rate means no growth, a NULL span 12 months. Returns false with err
 * set (EXIT_INPUT), also for a span without growth.
 */
bool growth_parse(struct growth *, const char *rate, const char *span, struct err *err);

#endif
