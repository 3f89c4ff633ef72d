/* SPDX-License-Identifier: MIT */
/* The order of the jobs of one leaf, by the keys of the job order (rows.h). Returns a negative
 * number if a is served before b. */
#ifndef POLICY_STATE_COMPARE_H
#define POLICY_STATE_COMPARE_H

#include "state/state.h"

int pc_compare_jobs(const struct policy *, uint32_t a, uint32_t b, bool as_victims);

/* The same for jobs whose elastic states (state/gangs.h) are known. */
int pc_compare_jobs_as(const struct policy *, uint32_t a, int elastic_a, uint32_t b, int elastic_b);

#endif
