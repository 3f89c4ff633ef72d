/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of queue orders: each row can be selected by the option with its name. */
#include "order/queue_orders.h"

#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <string.h>

START_TEST(every_row_makes_a_policy)
{
    for (uint32_t i = 0; i < pc_queue_order_count; i++) {
        const struct policy_row *row = &pc_queue_orders[i]->row;
        struct tally tally = {0};
        char option[64];
        (void)snprintf(option, sizeof option, "queue_order=%s", row->name);
        struct policy *p = core_create(&tally, "runai", option);
        ck_assert_ptr_eq(p->queue_order, pc_queue_orders[i]);
        ck_assert_int_eq(p->config.queue_order, (int32_t)i + 1);
        core_destroy(p, &tally);
        ck_assert_uint_gt(strlen(row->summary), 10);
        for (uint32_t before = 0; before < i; before++)
            ck_assert_str_ne(row->name, pc_queue_orders[before]->row.name);
    }
}
END_TEST

START_TEST(none_is_no_row)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "queue_order=none");
    ck_assert_ptr_null(p->queue_order);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("queue orders");
    TCase *tcase = tcase_create("queue orders");
    tcase_add_test(tcase, every_row_makes_a_policy);
    tcase_add_test(tcase, none_is_no_row);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
