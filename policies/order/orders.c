/* SPDX-License-Identifier: MIT */
/* The table of orders. */
#include "order/order.h"

const struct pq_job_order *const pc_orders[] = {
    &pc_order_fifo,          &pc_order_sjf,      &pc_order_predicted,   &pc_order_remaining,
    &pc_order_remaining_gpu, &pc_order_attained, &pc_order_multifactor, &pc_order_priority,
};
const uint32_t pc_order_count = sizeof pc_orders / sizeof *pc_orders;

const struct policy_row *policy_order_row(size_t i)
{
    return i < pc_order_count ? &pc_orders[i]->row : NULL;
}
