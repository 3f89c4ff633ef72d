/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much device memory a job needs when. Its phases are numbered from 0, even ones are low and
 * odd ones high; their lengths are exponential with means of twice the mean phase times the share
 * of time in such phases. Draws depend on (seed, job, phase) alone, so that jobs are the same under
 * every policy and in every mode.
 */
#ifndef SIM_MEMORY_DEMAND_H
#define SIM_MEMORY_DEMAND_H

#include "sim/memory/rules.h"

/* The phase that comes first from `phase` on: low ones do not occur where demand is always high. */
uint32_t memory_first_phase(const struct memory_rules *, uint32_t phase);

/* Milliseconds, at least 1. */
int64_t memory_phase_ms(const struct memory_rules *, uint64_t seed, uint64_t job, uint32_t phase);

/* The level of a phase, as a part of the way from request to limit: least_ppm..1000000, equally
 * likely. */
int32_t memory_level_ppm(const struct memory_rules *, uint64_t seed, uint64_t job, uint32_t phase);

/* MiB at that level, rounded up. The limit may be below the request, which is then all that is
 * needed. */
int64_t memory_level_mib(int64_t request_mib, int64_t limit_mib, int32_t level_ppm);

#endif
