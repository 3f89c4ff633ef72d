/* SPDX-License-Identifier: MIT */
/* The orders that are built in: which job is next. A new one is one file here and one row in orders.c. */
#ifndef POLICY_ORDER_ORDER_H
#define POLICY_ORDER_ORDER_H

#include "core/state.h"

extern const struct pc_order pc_order_fifo;
extern const struct pc_order pc_order_sjf;

#endif
