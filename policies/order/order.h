/* SPDX-License-Identifier: MIT */
/* The orders that are built in: which job is next. A new one is one file here and one row in orders.c. */
#ifndef POLICY_ORDER_ORDER_H
#define POLICY_ORDER_ORDER_H

#include "core/state.h"

extern const struct pc_order pc_order_fifo;
extern const struct pc_order pc_order_sjf;
extern const struct pc_order pc_order_predicted;
extern const struct pc_order pc_order_remaining;
extern const struct pc_order pc_order_remaining_gpu;
extern const struct pc_order pc_order_attained;
extern const struct pc_order pc_order_multifactor;

/* Amount x time, or the most there is. Neither is negative. */
static inline int64_t pc_times(int64_t amount, int64_t time)
{
    int64_t product;
    return __builtin_mul_overflow(amount, time, &product) ? INT64_MAX : product;
}

#endif
