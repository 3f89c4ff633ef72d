/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names to dense ids. */
#include "sim/base/symbols.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <string.h>

START_TEST(ids_are_dense_in_order_of_appearance)
{
    struct symbols *symbols = symbols_create();
    ck_assert_uint_eq(symbols_add(symbols, "b", 1), 0);
    ck_assert_uint_eq(symbols_add(symbols, "a", 1), 1);
    ck_assert_uint_eq(symbols_add(symbols, "", 0), 2);
    ck_assert_uint_eq(symbols_add(symbols, "b", 1), 0);
    ck_assert_uint_eq(symbols_count(symbols), 3);
    ck_assert_str_eq(symbols_name(symbols, 1), "a");
    ck_assert_str_eq(symbols_name(symbols, 2), "");
    symbols_destroy(symbols);
}
END_TEST

START_TEST(finding_does_not_add)
{
    struct symbols *symbols = symbols_create();
    ck_assert_uint_eq(symbols_find(symbols, "a", 1), SYMBOL_NONE);
    symbols_add(symbols, "abc", 2);
    ck_assert_uint_eq(symbols_find(symbols, "abc", 3), SYMBOL_NONE);
    ck_assert_uint_eq(symbols_find(symbols, "abx", 2), 0);
    ck_assert_uint_eq(symbols_count(symbols), 1);
    symbols_destroy(symbols);
}
END_TEST

START_TEST(names_stay_where_they_are)
{
    struct symbols *symbols = symbols_create();
    char name[32];
    symbols_add(symbols, "first", 5);
    const char *first = symbols_name(symbols, 0);
    for (int i = 0; i < 10000; i++) {
        int n = snprintf(name, sizeof name, "a rather long name %d", i);
        ck_assert_uint_eq(symbols_add(symbols, name, (size_t)n), (uint32_t)i + 1);
    }
    ck_assert_ptr_eq(symbols_name(symbols, 0), first);
    for (int i = 0; i < 10000; i++) {
        int n = snprintf(name, sizeof name, "a rather long name %d", i);
        ck_assert_uint_eq(symbols_find(symbols, name, (size_t)n), (uint32_t)i + 1);
        ck_assert_str_eq(symbols_name(symbols, (uint32_t)i + 1), name);
    }
    symbols_destroy(symbols);
}
END_TEST

START_TEST(nothing_to_destroy)
{
    symbols_destroy(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("symbols");
    TCase *tcase = tcase_create("symbols");
    tcase_add_test(tcase, ids_are_dense_in_order_of_appearance);
    tcase_add_test(tcase, finding_does_not_add);
    tcase_add_test(tcase, names_stay_where_they_are);
    tcase_add_test(tcase, nothing_to_destroy);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
