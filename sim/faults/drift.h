/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Good and bad months. Every 30 days all rates of a fleet are multiplied by a new lognormal factor
 * of mean 1, keyed by the index of the month. A process with drift is one without drift whose clock
 * runs faster by that factor:
 *
 *     fault time   |--------|----------------|---|------------
 *     calendar     |--------|--------|-------|---|---|--------
 *     factor           1         2       1     0.5 ...
 *
 * Months beyond the horizon have factor 1, since nothing there is used.
 */
#ifndef SIM_FAULTS_DRIFT_H
#define SIM_FAULTS_DRIFT_H

#include <stddef.h>
#include <stdint.h>

#define FAULT_MONTH_MS (INT64_C(30) * 24 * 3600 * 1000)

struct fault_drift {
    double *factor; /* one a month; owned */
    size_t months;
};

/* `sigma` of the logarithm, 0 no drift. Released by fault_drift_fini(). */
void fault_drift_init(struct fault_drift *, uint64_t seed, double sigma, int64_t horizon_ms);
void fault_drift_fini(struct fault_drift *);

/* The calendar time, in milliseconds, at which the clock of faults has gone on by `gap_ms` since
 * `from_ms` >= 0. */
double fault_drift_after(const struct fault_drift *, int64_t from_ms, double gap_ms);

#endif
