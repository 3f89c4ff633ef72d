/* SPDX-License-Identifier: MIT */
/*
 * The table of queue orders. policy_config.queue_order is 0 for none, otherwise 1 + an index into
 * this table. A new one is one file with its row, `pc_queue_order_NAME`, and one line here: see
 * docs/extending.md.
 */
#ifndef POLICY_ORDER_QUEUE_ORDERS_H
#define POLICY_ORDER_QUEUE_ORDERS_H

#include "rows.h"
#include "state/state.h"

#define PC_QUEUE_ORDERS(ROW) ROW(fair_share)

#define PC_DECLARE_QUEUE_ORDER(name) extern const struct pc_queue_order pc_queue_order_##name;
PC_QUEUE_ORDERS(PC_DECLARE_QUEUE_ORDER)
#undef PC_DECLARE_QUEUE_ORDER

extern const struct pc_queue_order *const pc_queue_orders[];
extern const uint32_t pc_queue_order_count;

#endif
