/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock of faults, month by month. */
#include "sim/faults/drift.h"

#include "sim/base/mem.h"
#include "sim/base/rng.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

void fault_drift_init(struct fault_drift *drift, uint64_t seed, double sigma, int64_t horizon_ms)
{
    *drift = (struct fault_drift){0};
    if (!(sigma > 0))
        return;
    drift->months = (size_t)(horizon_ms / FAULT_MONTH_MS) + 1;
    drift->factor = mem_alloc(drift->months, sizeof *drift->factor);
    for (size_t i = 0; i < drift->months; i++) {
        struct rng_stream stream;
        rng_init(&stream, seed, RNG_DRIFT, i);
        drift->factor[i] =
            exp(gsl_ran_gaussian_ziggurat(rng_gsl(&stream), sigma) - sigma * sigma / 2);
    }
}

void fault_drift_fini(struct fault_drift *drift)
{
    free(drift->factor);
    *drift = (struct fault_drift){0};
}

double fault_drift_after(const struct fault_drift *drift, int64_t from_ms, double gap_ms)
{
    double at = (double)from_ms;
    for (size_t month = (size_t)(from_ms / FAULT_MONTH_MS); month < drift->months; month++) {
        double left = (double)((int64_t)(month + 1) * FAULT_MONTH_MS) - at;
        if (gap_ms <= left * drift->factor[month])
            return at + gap_ms / drift->factor[month];
        gap_ms -= left * drift->factor[month];
        at += left;
    }
    return at + gap_ms;
}
