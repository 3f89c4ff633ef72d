/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well two orders agree. */
#ifndef SIM_BASE_IN_ORDER_H
#define SIM_BASE_IN_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* Length of the longest subsequence that does not fall, in O(n log n). */
size_t in_order_length(const int64_t *values, size_t count);

#endif
