/* SPDX-License-Identifier: MIT */
/* The table of queue orders; see queue_orders.h. */
#include "order/queue_orders.h"

#define REFER(name) &pc_queue_order_##name,
const struct pc_queue_order *const pc_queue_orders[] = {PC_QUEUE_ORDERS(REFER)};
const uint32_t pc_queue_order_count = sizeof pc_queue_orders / sizeof *pc_queue_orders;
