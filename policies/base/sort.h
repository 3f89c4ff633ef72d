/* SPDX-License-Identifier: MIT */
/* Sorting numbers of things by what the things are: in place, without memory of its own, the same
 * on every machine. */
#ifndef POLICY_BASE_SORT_H
#define POLICY_BASE_SORT_H

#include <stdbool.h>
#include <stdint.h>

/* True if a comes before b; has to be a total order, so that equals (which do not occur) need no
 * rule. */
typedef bool pc_before(const void *context, uint32_t a, uint32_t b);

void pc_sort_ids(uint32_t *ids, uint32_t count, pc_before *, const void *context);

#endif
