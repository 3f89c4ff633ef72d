/* SPDX-License-Identifier: MIT */
/* Orders; see orders.h. */
#include "policies/adapters/slurm/orders.h"

#include "policies/adapters/slurm/memory.h"

#include <stdlib.h>

void orders_add(struct orders *orders, enum order_kind kind, const char *job, const char *text,
                uint32_t nodes)
{
    orders->list = memory_resize(orders->list, orders->count + 1, sizeof *orders->list);
    orders->list[orders->count++] =
        (struct order){kind, memory_text(job), memory_text(text), nodes};
}

void orders_clear(struct orders *orders)
{
    for (size_t i = 0; i < orders->count; i++) {
        free(orders->list[i].job);
        free(orders->list[i].text);
    }
    free(orders->list);
    *orders = (struct orders){NULL, 0};
}

const char *order_verb(enum order_kind kind)
{
    static const char *const verbs[] = {
        [ORDER_TAKE] = "take", [ORDER_RELEASE] = "release", [ORDER_HOLD] = "hold",
        [ORDER_KEEP] = "keep", [ORDER_REQUEUE] = "requeue", [ORDER_CANCEL] = "cancel"};
    return verbs[kind];
}
