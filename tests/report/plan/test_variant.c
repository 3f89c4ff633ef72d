/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Alternative fleets: reading, refusals, and the distribution of nodes. */
#include "report/plan/variant.h"
#include "tests/lib/harness.h"

#include <stddef.h>
#include <string.h>

START_TEST(pools_nodes_and_counts)
{
    struct variant v;
    struct err err = {0};
    ck_assert_msg(variant_parse(&v, "main:16,new=dgx-b200,more", &err), "%s", err.msg);
    ck_assert_uint_eq(v.count, 3);
    ck_assert_uint_eq(v.growing, 2);
    ck_assert_str_eq(v.entries[0].pool, "main");
    ck_assert_ptr_null(v.entries[0].node);
    ck_assert_int_eq(v.entries[0].count, 16);
    ck_assert_str_eq(v.entries[1].node, "dgx-b200");
    ck_assert_int_eq(v.entries[1].count, -1);
    ck_assert_str_eq(v.entries[2].pool, "more");
    for (int64_t nodes = 0; nodes < 9; nodes++) { /* in turn, starting with the first */
        ck_assert_int_eq(variant_nodes(&v, 0, nodes), 16);
        ck_assert_int_eq(variant_nodes(&v, 1, nodes), (nodes + 1) / 2);
        ck_assert_int_eq(variant_nodes(&v, 2, nodes), nodes / 2);
    }
    variant_fini(&v);
}
END_TEST

/* In proportion: the shares add up, and today's number gives today's shares. */
START_TEST(all_pools_in_proportion)
{
    const int64_t pools[] = {9, 5, 32, 1, 2};
    struct variant v;
    struct err err = {0};
    ck_assert(variant_parse(&v, "*", &err) && v.all && v.count == 0);
    variant_fini(&v);
    for (int64_t nodes = 0; nodes <= 200; nodes++) {
        int64_t before = 0, sum = 0;
        for (int i = 0; i < ROWS(pools); before += pools[i++]) {
            int64_t share = variant_share(before, pools[i], 49, nodes);
            double exact = (double)(pools[i] * nodes) / 49;
            ck_assert(share >= 0 && (double)share > exact - 1.01 && (double)share < exact + 1.01);
            ck_assert(nodes != 49 || share == pools[i]);
            sum += share;
        }
        ck_assert_int_eq(sum, nodes);
    }
}
END_TEST

static const struct {
    const char *text, *message;
} wrong[] = {
    {"", "column 1: expected the name of a pool"},
    {"main,", "column 6: expected the name of a pool"},
    {"=dgx-b200", "expected the name of a pool"},
    {"main=", "expected a node of the catalogue"},
    {"main=:3", "expected a node of the catalogue"},
    {"main:x", "expected a number of nodes"},
    {"main:-1", "expected a number of nodes"},
    {"main:3", "all pools have a count"},
    {"main,main=dgx-b200", "named twice"},
};

START_TEST(an_invalid_fleet_is_refused)
{
    struct variant v;
    struct err err = {0};
    ck_assert(!variant_parse(&v, wrong[_i].text, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    ck_assert_msg(strstr(err.msg, wrong[_i].message) != NULL, "%s", err.msg);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("variant");
    TCase *tcase = tcase_create("variant");
    tcase_add_test(tcase, pools_nodes_and_counts);
    tcase_add_test(tcase, all_pools_in_proportion);
    tcase_add_loop_test(tcase, an_invalid_fleet_is_refused, 0, ROWS(wrong));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
