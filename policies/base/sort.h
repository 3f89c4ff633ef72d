/* SPDX-License-Identifier: MIT */
/*
 * Sorts ids by what they stand for: in place, without allocation, with the same result on every
 * machine.
 */
#ifndef POLICY_BASE_SORT_H
#define POLICY_BASE_SORT_H

#include <stdbool.h>
#include <stdint.h>

/* Returns true if a comes before b. Must be a total order: equal elements do not occur. */
typedef bool pc_before(const void *context, uint32_t a, uint32_t b);

void pc_sort_ids(uint32_t *ids, uint32_t count, pc_before *, const void *context);

#endif
