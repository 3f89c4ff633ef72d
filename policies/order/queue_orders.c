/* SPDX-License-Identifier: MIT */
/* The table of queue orders; see queue_orders.h. */
#include "order/queue_orders.h"

#define REFER(name) &pc_queue_order_##name,
const struct pc_queue_order *const pc_queue_orders[] = {PC_QUEUE_ORDERS(REFER)};
const uint32_t pc_queue_order_count = sizeof pc_queue_orders / sizeof *pc_queue_orders;

const struct policy_row *policy_queue_order_row(size_t i)
{
    return i < pc_queue_order_count ? &pc_queue_orders[i]->row : NULL;
}
